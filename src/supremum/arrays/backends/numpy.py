"""The numpy backend: NumPy with ml_dtypes.

An operand that has to be cast is cast at once, into what becomes the result if the shapes allow
it; if not, NumPy's ufuncs cast it piece by piece. Dtypes that NumPy has no loops for are computed
in a wider one, see `_wide`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from operator import attrgetter
from typing import Any, Final

import ml_dtypes  # noqa: F401  # it brings bfloat16 and the narrower dtypes
import numpy as np

from ...core.dtypes import DType, by_name, dtype
from ...core.functions import FUNCTIONS
from ..functions import IN_PLACE, OPERATORS
from .base import Backend, Given, Kernel, Parts, is_numpy, selects
from .numpy_ufuncs import (
    array_from,
    cast_after,
    float_of,
    into_cast,
    order_of,
    result_dtype,
    with_numbers,
)


class NumPyBackend(Backend):
    """NumPy."""

    plain_types = frozenset({np.ndarray})
    compares_exactly = True
    native_type = np.ndarray
    from_scalar = staticmethod(np.asarray)
    checks_stores = True
    takes_indices = True

    def is_own(self, x: Any) -> bool:
        """Tell whether something is an array or a scalar of NumPy."""
        return is_numpy(x)

    def make(self, x: Any, d: DType, device: Any = None) -> Any:
        """Return an array of numbers, nested lists of them, or an array of NumPy."""
        _check(device)
        return np.asarray(x, dtype=self.dtype(d))

    def making(self, d: DType) -> Kernel:
        """Return what makes an array of a dtype of a number or NumPy's array; see `make`."""
        make, native = np.asarray, self.dtype(d)
        return lambda x: make(x, native)

    def cast(self, data: Any, d: DType) -> Any:
        """Return an array in another dtype; of complex numbers the real parts become real ones."""
        try:
            native = self._native[d]
        except KeyError:
            native = self.dtype(d)
        own = data.dtype
        if own is native:
            return data
        if own.kind in "cW" and d.kind not in ("complex", "bool"):
            data = data.astype(self.dtype(_wide(self.of(data)))).real
        return data.astype(native, copy=False)

    def number(self, value: Any, native: Any, near: Any) -> Any:  # noqa: ARG002  # others look at it
        """Return a Python number as an array; narrow floats take no large int."""
        return _number_in(native)(value)

    def copied(self, data: Any) -> Any:
        """Return a copy of an array."""
        return data.copy()

    def device(self, data: Any) -> Any:  # noqa: ARG002  # there is only one
        """Return where an array is."""
        return "cpu"

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return an array on another device."""
        _check(device)
        if stream is not None:
            raise ValueError("the numpy backend does not have streams; leave stream out")
        return data

    def to_numpy(self, data: Any) -> Any:
        """Return the array itself."""
        return data

    element_of = staticmethod(np.generic.__array__)  # type: ignore[assignment]  # it is called often

    def take(self, data: Any, parts: Parts) -> Any:
        """Return part of an array, which is an array, too."""
        return np.asarray(data[parts])

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Write into part of an array; return it."""
        try:
            data[parts] = value
        except TypeError as error:  # it says that of several elements for one complex number
            raise ValueError(str(error)) from error
        return data

    def is_writable(self, data: Any) -> bool:
        """Return whether an array may be written to: not one that was broadcast, or a diagonal."""
        return data.flags.writeable  # type: ignore[no-any-return]  # it is a bool

    def overlap(self, x: Any, y: Any) -> bool:
        """Return whether an array in another shape shares memory with the array that it is of."""
        return np.may_share_memory(x, y)

    def function(self, name: str) -> Kernel:
        """Return one of its functions by its name in the array API, such as ``linalg.inv``."""
        found = super().function(name)
        if isinstance(found, np.ufunc):
            return partial(array_from, found)
        if name == "nonzero":
            return np.ndarray.nonzero
        if name == "unique_values":  # NumPy's own has them in any order
            found = partial(np.unique, equal_nan=False)
        elif name in ("real", "imag"):
            of = attrgetter(name)
            return lambda x: np.array(of(x))
        elif name == "take":  # of 0-d arrays, it is a scalar
            return partial(array_from, found)
        elif name == "flip":
            return _flipped
        if name in _BY_ORDER:
            return partial(self._widely, found)
        return partial(of_lapack, found) if name in LAPACK else found

    def _widely(self, function: Kernel, *operands: Any, **options: Any) -> Any:
        """Return the result of a function that compares: NaNs of ml_dtypes have no order."""
        wide = [x if _is_builtin(x) else self.cast(x, _wide(self.of(x))) for x in operands]
        return function(*wide, **options)

    def kernel(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what computes a function of arrays and numbers; see `Backend.kernel`.

        Raises:
            DTypeError: if NumPy cannot compute it in that dtype.
        """
        function = getattr(np, name, None)
        native, final = self.dtype(compute), self.dtype(result)
        if name == "real" and {*given} == {compute} == {result} and compute.kind != "complex":
            return np.ndarray.__copy__
        if not isinstance(function, np.ufunc):
            return super().kernel(name, given, compute, result)
        if function.signature is not None:
            return self.producing(name, given, compute, result)
        made = result_dtype(function, native, len(given))
        if made is None:
            if name == "positive":
                return np.array
            raise self.refusal(name, compute)
        casts, options = self.casts(name, given, compute), {}
        if casts or given.count(None) == len(given):
            options = {"signature": (native,) * len(given) + (None,), "casting": "unsafe"}
            if result_dtype(function, native, len(given), options) != made:
                # it has no loop of its own
                return super().kernel(name, given, compute, result)
        run: Kernel = partial(function, **options) if options else function
        if not options and (name != "pow" or given[1] is None):  # of which it squares, and so on
            run = OPERATORS.get(name, run)  # in less time than ufuncs
        if casts and made == final == native:
            is_pair = len(given) == 2 and None not in given
            run = into_cast(function, options, run, casts, pair=is_pair)
        run = _taking_numbers(run, given, native)
        return run if made == final else partial(cast_after, run, final)

    def reduction(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what reduces an array along some axes; see `Backend.reduction`."""
        (own,), final = given, self.dtype(result)
        function = _METHODS.get(name) or getattr(np, name)
        computes, options = not selects(name), {}
        narrow = computes and compute.name == "float16"  # it adds up with too few bits
        d = by_name("float32") if narrow else _wide(compute)
        is_direct = own is not None and name in _REDUCING and _is_own(self.dtype(own))
        if computes and (d.kind == "complex" or own is None or own.kind != "complex"):
            options["dtype"] = self.dtype(d)
        elif own is not d and (computes or not is_direct):
            return lambda data, **axes: np.asarray(function(self.cast(data, d), **axes), final)
        if d.kind == "complex":  # of which some results are real
            return lambda data, **axes: self.as_result(function(data, **axes, **options), result)
        if not is_direct:
            return lambda data, **axes: np.asarray(function(data, **axes, **options), final)
        reduce = _REDUCING[name].reduce

        def run(data: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
            return np.asarray(reduce(data, axis=axis, keepdims=keepdims, **options), final)

        return run

    def counting(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:  # noqa: ARG002  # others look at it
        """Return what counts elements along some axes, which are options; see `kernel`."""
        native, count, make = self.dtype(result), np.count_nonzero, np.asarray
        is_default = make(0).dtype == native  # which takes less time to make

        def run(data: Any, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: FBT002  # NumPy's own
            if axis is None and not keepdims:
                return make(count(data)) if is_default else make(count(data), native)
            return make(count(data, axis, keepdims=keepdims), native)

        return run

    def searching(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what looks for the elements of one operand in another; see `Backend.searching`."""
        if name != "searchsorted" or {*given} != {compute} or not _is_own(self.dtype(compute)):
            return super().searching(name, given, compute, result)
        final = self.dtype(result)
        return lambda x, y, *, side, sorter: np.asarray(x.searchsorted(y, side, sorter), final)

    def selection(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what takes elements by a condition; they are put into what is cast."""
        native = self.dtype(compute)
        # NumPy takes one number as it is beside an array of a dtype of its own
        numbers = None in given and (given.count(None) > 1 or not _is_own(native))
        casts_first, casts_second = (d not in (None, compute) for d in given[1:])

        def run(condition: Any, x: Any, y: Any) -> Any:
            if condition.dtype.char != "?":
                condition = condition.astype(np.bool_)
            if numbers:
                x, y = (v if self.is_own(v) else self.number(v, native, None) for v in (x, y))
            if not casts_first and not casts_second:
                return np.where(condition, x, y)
            shape, arrays = condition.shape, (condition, x, y)
            into = all(type(v) is np.ndarray and v.shape == shape for v in arrays)
            order = order_of(*arrays) if into and len(shape) > 1 else "K"
            if casts_first:
                x = x.astype(native, order)
            if casts_second:
                y = y.astype(native, order)
            if not into:
                return np.where(condition, x, y)
            if casts_second:
                np.putmask(y, condition, x)
                return y
            np.putmask(x, ~condition, y)
            return x

        return run if result is compute else super().selection(name, given, compute, result)

    def joining(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what puts arrays together; casts go into the result, piece by piece."""
        if result is not compute or name != "concat":
            return super().joining(name, given, compute, result)
        native = self.dtype(compute)
        if all(d is compute for d in given):
            return lambda *operands, axis: np.concatenate(operands, axis)
        return lambda *operands, axis: np.concatenate(
            operands, axis, dtype=native, casting="unsafe"
        )

    def bounding(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what clamps an array; casts go into the result, piece by piece."""
        native = self.dtype(compute)
        is_direct = _is_own(native) and result is compute and len(given) == 3
        if not is_direct or result_dtype(np.clip, native, 3) != native:
            return super().bounding(name, given, compute, result)
        options = {"dtype": native, "casting": "unsafe"}
        low_is_number, high_is_number = (d is None for d in given[1:])
        number = _number_in(native)

        def run(x: Any, low: Any, high: Any) -> Any:
            if low_is_number:  # NumPy drops one that the dtype of x does not hold
                low = number(low)
            if high_is_number:
                high = number(high)
            return x.clip(low, high, **options)

        return run

    def within(self, name: str, given: Given, compute: DType, own: DType) -> Kernel | None:
        """Return what computes a ufunc into its first operand; see `Backend.within`."""
        function, native = getattr(np, name, None), self.dtype(compute)
        if not isinstance(function, np.ufunc) or function.signature is not None:
            return None
        if not _is_own(native) or result_dtype(function, native, len(given)) != native:
            return None
        if own is compute and all(d in (own, None) for d in given):
            if name in IN_PLACE and name != "pow":  # of which it squares, and so on
                return IN_PLACE[name]
            return lambda x, y: function(x, y, x)
        options = {"signature": (native,) * (len(given) + 1), "casting": "unsafe"}
        return lambda x, y: function(x, y, x, **options)

    def product(self, name: str, d: DType) -> Kernel:
        """Return what gives sums of products of two arrays of a dtype; see `Backend.product`."""
        wide = by_name("float32") if d.name == "float16" else _wide(d)
        return self.widely(super().product(name, wide), d, wide)

    def sort(self, name: str, data: Any, axis: int, *, descending: bool, stable: bool) -> Any:
        """Return a sorted array, or the indices that sort it."""
        kind = "stable" if stable else None
        d = self.of(data)
        data = self.cast(data, _wide(d))  # NaNs come last there, and anywhere in those of ml_dtypes
        if descending:  # reversed before and after, so that equal elements stay in their order
            turned = np.flip(data, axis=axis)
            found = np.flip(getattr(np, name)(turned, axis=axis, kind=kind), axis=axis)
            found = found if name == "sort" else data.shape[axis] - 1 - found
        else:
            found = getattr(np, name)(data, axis=axis, kind=kind)
        return self.cast(found, d) if name == "sort" else found

    def capabilities(self) -> dict[str, Any]:
        """Return the capabilities that the standard leaves optional."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def as_result(self, data: Any, d: DType) -> Any:
        """Return the result of a function as an array of a dtype."""
        if type(data) is np.ndarray and data.dtype is self._native.get(d):
            return data
        return self.cast(data if type(data) is np.ndarray else np.asarray(data), d)

    def filling(self, name: str, d: DType, device: Any = None) -> Kernel:
        """Return what makes an array of a dtype, such as one of zeros, of a shape."""
        _check(device)
        function, native = getattr(np, name), self.dtype(d)
        return lambda shape: function(shape, native)

    def like(self, name: str, data: Any, d: DType, device: Any) -> Any:
        """Return what a function such as ``zeros`` makes in the shape of an array."""
        _check(device)
        return _FILLING[name](data.shape, self._native.get(d) or self.dtype(d))

    def spread(self, value: Any, shape: tuple[int, ...]) -> Any:
        """Return an array of a shape that has one value everywhere."""
        made = np.empty(shape, value.dtype)
        made[...] = value
        return made

    def devices(self) -> list[Any]:
        """Return the one device."""
        return ["cpu"]

    def default_device(self) -> Any:
        """Return the one device."""
        return "cpu"


def _taking_numbers(run: Kernel, given: Given, native: Any) -> Kernel:
    """Return a kernel for numbers, too: one beside a dtype of ml_dtypes would widen it."""
    numbers = [index for index, d in enumerate(given) if d is None]
    if not numbers or _is_own(native):
        return run
    is_float = dtype(native).kind == "float"
    return partial(with_numbers, run, float_of(native.type) if is_float else native.type, numbers)


_BY_ORDER: Final = frozenset(
    {"all", "any", "searchsorted", "unique_all", "unique_counts", "unique_inverse", "unique_values"}
)
LAPACK: Final = frozenset(
    f"linalg.{f.name}" for f in FUNCTIONS.values() if f.category in ("linalg", "several")
)
"""The functions of linear algebra that compute in few dtypes, by their names in the array API."""

_REDUCING: Final[Mapping[str, np.ufunc]] = {
    "sum": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "any": np.logical_or,
    "all": np.logical_and,
}
"""The ufuncs that NumPy's functions of these names reduce with."""

_METHODS: Final = {name: getattr(np.ndarray, name) for name in ("argmax", "argmin", "mean")}
"""What NumPy's functions of these names call in the end."""

_OWN: Final = frozenset(np.dtype(c).name for c in "?bBhHiIlLqQefdgFDG")
_WIDE: Final[Mapping[str, str]] = {
    "unsigned": "int64",
    "signed": "int64",
    "float": "float32",
    "complex": "complex64",
}


_BACK: Final = (slice(None, None, -1),)
_FILLING: Final = {"empty": np.empty, "ones": np.ones, "zeros": np.zeros}


def _is_own(native: Any) -> bool:
    return native.name in _OWN


@cache
def _wide(d: DType) -> DType:
    """Return a dtype of NumPy's own that holds every value of a dtype."""
    return d if _is_own(np.dtype(d.to("numpy"))) else by_name(_WIDE[d.kind])


def of_lapack(function: Kernel, x: Any, *operands: Any, **options: Any) -> Any:
    """Return the result of a function of linear algebra; NumPy would compute others as float64."""
    if x.dtype.char not in "fdFD":
        raise TypeError("its dtypes are float32, float64, complex64 and complex128")
    return function(x, *operands, **options)


def _flipped(x: Any, axis: Any = None) -> Any:
    """Return an array that is turned around; `np.flip` gives a scalar for one of 0-d."""
    if axis is None and x.ndim:
        return x[_BACK * x.ndim]
    return np.asarray(np.flip(x, axis))


def _is_builtin(x: Any) -> bool:
    """Return whether something is of a dtype of NumPy's own, or is no array of NumPy."""
    return not is_numpy(x) or x.dtype.isbuiltin == 1


@cache
def _number_in(native: Any) -> Kernel:
    """Return what makes an array of a Python number; narrow floats take no large int."""
    make = partial(np.asarray, dtype=native)
    is_narrow = not _is_own(native) and dtype(native).kind == "float"
    return (lambda value: make(float(value))) if is_narrow else make


def _check(device: Any) -> None:
    if device not in (None, "cpu"):
        raise ValueError(f"the numpy backend has only the device 'cpu', not {device!r}")


BACKEND = NumPyBackend("numpy", "NumPy", np)

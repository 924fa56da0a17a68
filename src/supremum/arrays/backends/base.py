"""What a backend is: a library's arrays and functions, with dtypes by our names.

A library gets its operands in the one dtype that it is to compute in, so it never promotes itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

from ...core.dtypes import DType, by_name, dtype
from ...core.errors import DTypeError, SupremumError
from ...core.functions import FUNCTIONS, chain
from ..array import Array, DataType, summed_in

Kernel = Callable[..., Any]
Given = Sequence[DType | None]
Parts = tuple[Any, ...]
"""An index: ints, slices, None, an ellipsis, bools, and arrays, the backend's or NumPy's."""


def is_numpy(x: Any) -> bool:
    """Tell whether something is an array or a scalar of NumPy, which every backend takes."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, (numpy.ndarray, numpy.generic))


def adds_up(name: str) -> bool:
    """Tell whether libraries compute a reduction in a wider dtype, unless one is given."""
    return FUNCTIONS[name].is_accumulating


def selects(name: str) -> bool:
    """Tell whether a reduction returns some elements as they are, or their places; or compares."""
    return chain(name)[-1] in ("max", "argmax", "any", "all")


# What to cast to if a library does not support a function for a dtype: the next one that holds its
# values.
_WIDER: Final = {
    "bool": "int8",
    "uint8": "int16",
    "uint16": "int32",
    "uint32": "int64",
    "float16": "float32",
    "bfloat16": "float32",
    "complex32": "complex64",
}
_NARROW: Final = {"float": "float32", "signed": "int32", "unsigned": "int32"}  # wider than the rest

# What libraries say if they do not support a dtype.
_REFUSING: Final = ("dtype", "array type", "input types", "not support", "not implemented for '")


def says_dtype(error: Exception) -> bool:
    """Tell whether an error of a library is about dtypes that it does not support."""
    return any(words in str(error).lower() for words in _REFUSING)


# What libraries say of shapes that do not fit, where NumPy has a ValueError.
_MISMATCH: Final = (
    "must match", "need to match", "cannot be multiplied", "equal size", "for input of size",
    "incompatible shapes", "Incompatible shapes", "batches of square matrices", "same shape",
    "reshape array", "numbers of dimensions", "shapes that differ", "at least 1D",
    "Expected size for", "size mismatch", "inconsistent tensor size",
)  # fmt: skip


def says_shapes(error: Exception) -> bool:
    """Return whether an error of a library is about shapes that do not fit each other."""
    return any(words in str(error) for words in _MISMATCH)


def may_be_negative(name: str, given: Given, compute: DType) -> bool:
    """Tell whether a function is a power of integers, and an array of powers has a sign."""
    return name == "pow" and compute.kind == "signed" and getattr(given[1], "kind", "") == "signed"


def checked_power(run: Kernel, x: Any, y: Any) -> Any:
    """Return a power of integers.

    Raises:
        ValueError: for a negative one, in NumPy's words.
    """
    if (y < 0).any():
        raise ValueError("Integers to negative integer powers are not allowed.")
    return run(x, y)


def power_of_zero(where: Kernel, found: Any, x: Any, y: Any) -> Any:
    """Return a complex power, of which those of 0 are NumPy's, which differ by its release."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        turned = complex(np.power(0j, 1 + 1j))
    of_zero = where(y.real > 0, where(y.imag == 0, 0, turned), complex("nan+nanj"))
    return where(y == 0, 1, where(x == 0, of_zero, found))


class Backend:
    """A library that computes.

    Args:
        name: as `supremum.namespace` takes it.
        library: as messages name it.
        ns: its namespace, of the array API's functions.

    Attributes:
        array_type: the class of our arrays that hold its.
        dtype_type: the class of their dtypes, and those of namespaces.
        plain_types: the classes of arrays, its own or NumPy's, of which one is taken by its dtype
            alone.
        is_mutable: whether its arrays can be changed, and share memory with views of them.
        compares_exactly: whether it compares integers of any dtype and size exactly, Python's too.
        native_type: the class of its arrays, if they take ints, slices and masks as NumPy's do, or
            refuse them, and store what a dtype may take; else None.
        from_scalar: makes an array of a scalar, which functions give in the place of an array that
            is 0-d; None if they do not.
        checks_stores: whether they refuse what may not be stored before they change anything, and
            take what shares memory with them.
        takes_indices: whether integers of any dtype, and masks, are an index of them as they are.
    """

    array_type: type[Array] = Array
    dtype_type: type[DataType] = DataType
    plain_types: frozenset[type] = frozenset()
    is_mutable = True
    compares_exactly = False
    native_type: type | None = None
    from_scalar: Callable[[Any], Any] | None = None
    checks_stores = False
    takes_indices = False

    def __init__(self, name: str, library: str, ns: Any) -> None:
        self.name = name
        self.library = library
        self.ns = ns
        self._native: dict[DType, Any] = {}
        self._ours: dict[Any, DType] = {}
        self._tried: dict[tuple[str, DType], Any] = {}
        self.function = cache(self.function)  # type: ignore[method-assign]  # it is asked each time

    def __reduce__(self) -> str:
        return "BACKEND"  # its name in the module of its class

    # dtypes

    def dtype(self, d: DType) -> Any:
        """Return its own dtype of the same name.

        Raises:
            DTypeError: if it has none.
        """
        native = self._native.get(d)
        if native is None:
            native = self._find(d)
            if native is None:
                msg = f"the {self.name} backend does not have {d}{self.way_out(d)}"
                raise DTypeError(msg, d)
            self._native[d] = native
        return native

    def _find(self, d: DType) -> Any:
        try:
            return d.to(self.name)
        except SupremumError:
            return None

    def way_out(self, d: DType) -> str:
        """Return what to do if a dtype is missing, after a semicolon, or ``""``."""
        if d.name == "complex32":
            return "; use complex64"
        return ""

    def has(self, d: DType) -> bool:
        """Tell whether it has arrays of a dtype."""
        try:
            self.dtype(d)
        except DTypeError:
            return False
        return True

    def of(self, data: Any) -> DType:
        """Return the dtype of one of its arrays, by our name."""
        native = data.dtype
        found = self._ours.get(native)
        if found is None:
            found = self._ours[native] = dtype(native)
        return found

    # arrays

    def is_own(self, x: Any) -> bool:
        """Tell whether something is one of its arrays."""
        raise NotImplementedError

    def make(self, x: Any, d: DType, device: Any = None) -> Any:
        """Return an array of numbers, nested lists of them, or an array of NumPy."""
        return self.ns.asarray(x, dtype=self.dtype(d), device=device)

    def cast(self, data: Any, d: DType) -> Any:
        """Return an array in another dtype; of complex numbers a real dtype takes the real part."""
        if self.of(data).kind == "complex" and d.kind not in ("complex", "bool"):
            data = self.ns.real(data)
        return self.ns.astype(data, self.dtype(d), copy=False)

    def copied(self, data: Any) -> Any:
        """Return a copy of an array."""
        return self.ns.asarray(data, copy=True)

    def device(self, data: Any) -> Any:
        """Return where an array is."""
        return data.device

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return an array on another device."""
        return data.to_device(device, stream=stream)

    def to_numpy(self, data: Any) -> Any:
        """Return an array of NumPy with the same values."""
        import numpy as np

        return np.asarray(data)

    def element(self, data: Any) -> Any:
        """Return an array that is part of a list, as `make` takes it."""
        return self.to_numpy(data)

    def integer(self, data: Any) -> int | None:
        """Return the int that an integer array without dimensions is; None if it is not known."""
        return int(data)

    def number_type(self, x: Any) -> type | None:  # noqa: ARG002  # others look at it
        """Return the type of the Python number that something of the library is, or None."""
        return None

    def to_jax(self, data: Any) -> Any:
        """Return what `jax.numpy.asarray` reads."""
        return self.to_numpy(data)

    def exported(self, data: Any, d: DType) -> Any:
        """Return what is given to other libraries through DLPack."""
        return self.as_result(data, d)

    def as_index(self, k: Any) -> Any:
        """Return an array of integers or bools, its own or NumPy's, as part of an index."""
        return k

    def of_one_axis(self, mask: Any) -> Any:
        """Return a 0-d mask, which may be a bool, as part of an index that has one axis."""
        if not isinstance(mask, bool):
            return self.reshape(mask, (1,), None)
        import numpy as np

        return self.as_index(np.array([mask]))

    def element_of(self, data: Any) -> Any:
        """Return one element of an array, as an index gives it, as an array of its own."""
        return self.copied(data)

    def take(self, data: Any, parts: Parts) -> Any:
        """Return part of an array."""
        return data[parts]

    def shares(self, parts: Parts) -> bool:  # noqa: ARG002  # others look at it
        """Return whether a part for some index, without arrays in it, shares memory."""
        return self.is_mutable

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Write into part of an array; return it, or what takes its place."""
        data[parts] = value
        return data

    def is_writable(self, data: Any) -> bool:  # noqa: ARG002  # others look at it
        """Return whether the library lets an array be written to."""
        return True

    def may_store(self, data: Any, place: Any, value: Any) -> bool:  # noqa: ARG002  # the same
        """Return whether the library stores a value at a place of an array as NumPy does.

        Raises:
            IndexError: if there is no such place.
        """
        return False

    def overlap(self, x: Any, y: Any) -> bool:  # noqa: ARG002  # the same
        """Return whether an array in another shape shares memory with the array that it is of."""
        return True

    def check_replaced(self, array: Array, native: Any) -> None:
        """Refuse to replace the data of an array by some that does not live as long."""

    # functions

    def function(self, name: str) -> Kernel:
        """Return one of its functions by its name in the array API, such as ``linalg.inv``."""
        found = self.ns
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is None:
            raise self.lacks(name)
        return found

    def lacks(self, name: str) -> TypeError:
        """Return the error for a function that the library does not have."""
        msg = f"the {self.name} backend does not have the function {name}"
        return TypeError(f"{msg}; use the numpy backend for it, with np.asarray(x)")

    def is_refusal(self, error: Exception) -> bool:
        """Tell whether an error of one of its functions says that it does not support a dtype."""
        return isinstance(error, (TypeError, NotImplementedError)) and says_dtype(error)

    def is_mismatch(self, error: Exception) -> bool:
        """Return whether an error that is no ValueError says that shapes do not fit."""
        return isinstance(error, (TypeError, RuntimeError)) and says_shapes(error)

    def refusal(self, name: str, d: DType, error: Exception | None = None) -> DTypeError:
        """Return the error for a function that the library does not support for a dtype.

        Args:
            name: the function.
            d: the dtype.
            error: what the library says.
        """
        lines = str(error or "").strip().splitlines()
        said = f" ({self.library}: {lines[0].rstrip('.')})" if lines else ""
        wider = by_name(_WIDER.get(d.name) or _NARROW.get(d.kind, d.name))
        ways = []
        if wider is not d and (wider.bits or 0) > (d.bits or 0) and self.has(wider):
            ways.append(f"cast to {wider} first, xp.astype(x, xp.{wider})")
        if self.name != "numpy":
            ways.append("try the numpy backend")
        elif d.kind == "complex" and not ways:
            ways.append("take its real part first, xp.real(x)")
        msg = f"the {self.name} backend does not support {name} for {d}{said}"
        made = DTypeError("; ".join(filter(None, (msg, ", or ".join(ways)))), d)
        made.__cause__ = error
        return made

    def ones(self, shape: tuple[int, ...], d: DType) -> Any:
        """Return ones, to try a function with."""
        return self.ns.ones(shape, dtype=self.dtype(d))

    def attempt(self, function: Kernel, *operands: Any) -> Any:
        """Call a function to see whether it supports its operands' dtypes; return what it gives."""
        return function(*operands)

    def check(self, name: str, d: DType, function: Kernel, *shapes: tuple[int, ...]) -> None:
        """Refuse a function that does not support a dtype, before it gets an operand of it.

        Args:
            name: the function.
            d: the dtype to compute in.
            function: what calls it.
            shapes: those of the ones to call it with.

        Raises:
            DTypeError: with what the library says, and what to do.
        """
        if (name, d) in self._tried:
            return
        try:
            found = self.attempt(function, *(self.ones(shape, d) for shape in shapes))
        except (TypeError, ValueError, RuntimeError) as error:
            raise self.refusal(name, d, error) from error
        self._tried[name, d] = getattr(found, "dtype", None)

    def kernel(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what computes a function of arrays and numbers.

        Args:
            name: the function.
            given: the dtypes of the operands, None for Python numbers.
            compute: the dtype to compute in.
            result: the dtype of the result.
        """
        function = self.function(name)
        for d in (compute, result):
            self.dtype(d)  # which refuses one that it lacks
        numbers = [index for index, d in enumerate(given) if d is None]
        casts = self.casts(name, given, compute)
        self.check(name, compute, function, *([(1,)] * len(given)))
        finished = self.finishing(result)

        def run(*operands: Any) -> Any:
            return finished(function(*self._ready(list(operands), casts, numbers, compute)))

        return run if casts or numbers else self.finished(function, name, compute, result)

    def finished(self, function: Kernel, name: str, compute: DType, result: DType) -> Kernel:
        """Return a function whose results have a dtype, which may be so already; see `check`."""
        if self._tried[name, compute] == self.dtype(result):
            return function
        finished = self.finishing(result)
        return lambda *operands: finished(function(*operands))

    def casts(self, name: str, given: Given, compute: DType) -> list[int]:  # noqa: ARG002  # others look at it
        """Return which operands are cast before a function gets them."""
        return [index for index, d in enumerate(given) if d not in (None, compute)]

    def _ready(
        self, values: list[Any], casts: Sequence[int], numbers: Sequence[int], compute: DType
    ) -> list[Any]:
        """Return operands, some of which are to be cast, and some are numbers, in one dtype."""
        for index in casts:
            values[index] = self.cast(values[index], compute)
        if numbers:
            near = next((v for i, v in enumerate(values) if i not in numbers), None)
            for index in numbers:
                values[index] = self.number(values[index], self.dtype(compute), near)
        return values

    def reduction(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what reduces an array along some axes, which are options; see `kernel`."""
        function = self.function(name)
        d = compute if selects(name) else summed_in(compute)
        if adds_up(name) and d.kind not in ("float", "complex"):  # of those it is their own
            function = partial(function, dtype=self.dtype(d))
        self.check(name, d, function, (1,))
        casts, finished = tuple(given) != (d,), self.finishing(result)

        def run(data: Any, **options: Any) -> Any:
            return finished(function(self.cast(data, d) if casts else data, **options))

        return run

    def counting(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:  # noqa: ARG002  # the same
        """Return what counts elements along some axes, which are options; see `kernel`."""
        function, finished = self.function(name), self.finishing(result)
        return lambda data, **options: finished(function(data, **options))

    def searching(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what looks for the elements of one operand in another, with options."""
        function, casts = self.function(name), self.casts(name, given, compute)
        for d in (compute, result):
            self.dtype(d)  # which refuses one that it lacks
        numbers = [index for index, d in enumerate(given) if d is None]
        finished = self.finishing(result)

        def run(*operands: Any, **options: Any) -> Any:
            if casts or numbers:
                operands = (*self._ready([*operands], casts, numbers, compute),)
            return finished(function(*operands, **options))

        return run

    def selection(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what takes elements of two operands by a condition, the first; see `kernel`."""
        function, to_bool = self.function(name), by_name("bool")
        casts = self.casts(name, given[1:], compute)
        numbers = [i for i, d in enumerate(given[1:]) if d is None]
        finished, is_bool = self.finishing(result), given[0] is to_bool

        if is_bool and result is compute and not casts and not numbers:
            return function

        def run(condition: Any, *operands: Any) -> Any:
            values = self._ready([*operands], casts, numbers, compute)
            chosen = condition if is_bool else self.cast(condition, to_bool)
            return finished(function(chosen, *values))

        return run

    def joining(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what puts arrays together along an axis, which is an option; see `kernel`."""
        function, casts = self.function(name), self.casts(name, given, compute)
        finished = self.finishing(result)
        if result is compute and not casts:
            return lambda *operands, axis: function(operands, axis=axis)

        def run(*operands: Any, axis: int | None) -> Any:
            ready = [self.cast(x, compute) for x in operands] if casts else operands
            return finished(function(ready, axis=axis))

        return run

    def bounding(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:  # noqa: ARG002  # others look at it
        """Return what clamps an array to a least and a largest value; see `kernel`.

        Or to one of the two, with an option that says which.
        """
        if len(given) == 2:
            ways = {
                is_least: self.kernel(name, given, compute, result)
                for is_least, name in ((True, "maximum"), (False, "minimum"))
            }
            return lambda x, bound, *, is_least: ways[is_least](x, bound)
        x, low, high = given
        at_least = self.kernel("maximum", [x, low], compute, compute)
        at_most = self.kernel("minimum", [compute, high], compute, result)
        return lambda x, low, high: at_most(at_least(x, low), high)

    def within(self, name: str, given: Given, compute: DType, own: DType) -> Kernel | None:  # noqa: ARG002  # the same
        """Return what puts the result of `kernel` into the first operand, without more memory.

        It returns that operand. None if the library computes it elsewhere first; it may raise a
        ValueError for a result of another shape, and has then changed nothing.
        """
        return None

    def making(self, d: DType) -> Kernel:
        """Return what makes an array of a dtype, as `make` does, of a number or NumPy's array."""
        return partial(self.make, d=d)

    def number(self, value: Any, native: Any, near: Any) -> Any:
        """Return a Python number as an array, on the device of another one."""
        where = None if near is None else self.device(near)
        return self.ns.asarray(value, dtype=native, device=where)

    def producing(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what computes sums of products of two arrays, with options; see `kernel`."""
        for d in (compute, result):
            self.dtype(d)  # which refuses one that it lacks
        function = self.product(f"linalg.{name}" if name in ("cross", "outer") else name, compute)
        if result is compute and all(d is compute for d in given):
            return function
        finished = self.finishing(result)

        def run(x1: Any, x2: Any, **options: Any) -> Any:
            return finished(function(self.cast(x1, compute), self.cast(x2, compute), **options))

        return run

    def product(self, name: str, d: DType) -> Kernel:
        """Return what gives sums of products of two arrays of a dtype, with options."""
        function = self.function(name)
        if name == "matmul":
            self.check(name, d, function, (1, 1), (1, 1))
        # others add up narrow floats as float32 themselves
        return self.widely(function, d, summed_in(d)) if name == "vecdot" else function

    def widely(self, function: Kernel, d: DType, wide: DType) -> Kernel:
        """Return a function of two arrays of a dtype, computed in another, which may be the same.

        Its result has the dtype of the two.
        """
        if wide is d:
            return function

        def run(x1: Any, x2: Any, **options: Any) -> Any:
            return self.cast(function(self.cast(x1, wide), self.cast(x2, wide), **options), d)

        return run

    def sort(self, name: str, data: Any, axis: int, *, descending: bool, stable: bool) -> Any:
        """Return a sorted array, or the indices that sort it."""
        return self.function(name)(data, axis=axis, descending=descending, stable=stable)

    def reshape(self, data: Any, shape: Any, copy: bool | None) -> Any:
        """Return an array in another shape."""
        return self.ns.reshape(data, shape, copy=copy)

    def filling(self, name: str, d: DType, device: Any = None) -> Kernel:
        """Return what makes an array of a dtype, such as one of zeros, of a shape."""
        function, native, finished = self.function(name), self.dtype(d), self.finishing(d)
        return lambda shape: finished(function(shape, dtype=native, device=device))

    def like(self, name: str, data: Any, d: DType, device: Any) -> Any:
        """Return what a function such as ``zeros`` makes in the shape of an array."""
        where = self.device(data) if device is None else device
        return self.function(name)(data.shape, dtype=self.dtype(d), device=where)

    def spread(self, value: Any, shape: tuple[int, ...]) -> Any:
        """Return an array of a shape that has one value everywhere."""
        return self.copied(self.function("broadcast_to")(value, shape))

    def range(self, start: Any, stop: Any, step: Any, d: DType, device: Any) -> Any:
        """Return evenly spaced numbers from one to another."""
        return self.ns.arange(start, stop, step, dtype=self.dtype(d), device=device)

    def from_dlpack(self, x: Any, device: Any, copy: bool | None) -> Any:
        """Return an array of another library, through DLPack."""
        return self.ns.from_dlpack(x, device=device, copy=copy)

    def as_result(self, data: Any, d: DType) -> Any:
        """Return the result of a function as an array of a dtype."""
        return data if self.of(data) is d else self.cast(data, d)

    def finishing(self, d: DType) -> Kernel:
        """Return what does as `as_result` does, for one dtype."""
        return partial(self.as_result, d=d)

    # inspection

    def devices(self) -> list[Any]:
        """Return the devices."""
        return list(self.ns.__array_namespace_info__().devices())

    def default_device(self) -> Any:
        """Return the device of arrays that are made without one."""
        return self.ns.__array_namespace_info__().default_device()

    def capabilities(self) -> dict[str, Any]:
        """Return the capabilities that the standard leaves optional."""
        return dict(self.ns.__array_namespace_info__().capabilities())

    def text(self, data: Any, facts: str) -> str:
        """Return the `repr` of an array of ours with this data."""
        import numpy as np

        values = self.to_numpy(data)
        name = "supremum.Array("
        shown = np.array2string(values, separator=", ", prefix=name, suffix=f", {facts})")
        empty = f", shape={values.shape}" if not values.size and values.shape != (0,) else ""
        return f"{name}{shown}{empty}, {facts})"

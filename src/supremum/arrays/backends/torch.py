"""The torch backend: PyTorch, through array-api-compat; it keeps gradients and devices."""

from __future__ import annotations

import warnings
from functools import cache, partial
from math import isnan, nan
from typing import Any

import ml_dtypes  # noqa: F401  # it brings bfloat16 and the narrower dtypes to NumPy
import numpy as np
import torch
from array_api_compat import torch as xp

from ...core.dtypes import PYTHON_SCALARS, DType, by_name
from ...core.errors import SupremumError
from ...core.shapes import goes_back
from ..array import summed_in
from ..functions import BINARY, COMPARISONS, METHODS, OPERATORS
from .base import (
    Backend,
    Given,
    Kernel,
    Parts,
    adds_up,
    checked_power,
    may_be_negative,
    power_of_zero,
    says_dtype,
)
from .indices import Index, fitting, index_of, is_mask, is_plain


class TorchBackend(Backend):
    """PyTorch."""

    plain_types = frozenset({torch.Tensor, np.ndarray})
    native_type = torch.Tensor

    def _find(self, d: DType) -> Any:
        """Return its dtype of this name, if it can make tensors of it."""
        try:
            native = d.to("torch")
            with warnings.catch_warnings():  # it warns once that few functions take complex32
                warnings.simplefilter("ignore", UserWarning)
                torch.zeros(1).to(native)
        except (SupremumError, NotImplementedError):
            return None
        return native

    def is_refusal(self, error: Exception) -> bool:
        """Tell whether an error of one of its functions says that it does not support a dtype."""
        if isinstance(error, torch.linalg.LinAlgError):
            return False
        return isinstance(error, (TypeError, RuntimeError)) and says_dtype(error)

    def is_own(self, x: Any) -> bool:
        """Tell whether something is a tensor."""
        return isinstance(x, torch.Tensor)

    def make(self, x: Any, d: DType, device: Any = None) -> Any:
        """Return a tensor of numbers, nested lists of them, or an array of NumPy."""
        native = self.dtype(d)
        if type(x) in PYTHON_SCALARS and d.name in _PLAIN:
            return torch.scalar_tensor(x, dtype=native, device=device)
        if type(x) is np.ndarray and native is not torch.complex32:
            try:
                return torch.asarray(x, dtype=native, device=device, copy=True)
            except (TypeError, ValueError):  # of ml_dtypes, or turned around
                pass
        # NumPy reads what PyTorch does not: lists of arrays, and large unsigned numbers
        values = np.array(x, dtype=np.complex64 if native is torch.complex32 else _of_numpy(d))
        if values.dtype.isbuiltin != 1:  # PyTorch does not know the dtypes of ml_dtypes
            bits = torch.from_numpy(values.view(f"u{values.itemsize}"))
            return bits.view(native).to(device)
        return torch.from_numpy(values).to(device, native)

    def number(self, value: Any, native: Any, near: Any) -> Any:
        """Return a Python number as a tensor, on the device of another one."""
        where = None if near is None else near.device
        try:
            return torch.scalar_tensor(value, dtype=native, device=where)  # it is faster
        except (RuntimeError, OverflowError):
            return torch.tensor(value, dtype=native, device=where)

    def cast(self, data: Any, d: DType) -> Any:
        """Return a tensor in another dtype; of complex numbers a real dtype takes the real part."""
        native = self.dtype(d)
        if data.dtype is native:
            return data
        if data.is_complex() and d.kind not in ("complex", "bool"):
            data = data.real
        return data.to(native)

    as_result = cast

    def finishing(self, d: DType) -> Kernel:
        """Return what does as `as_result` does, for one dtype."""
        native = self.dtype(d)
        return lambda data: data if data.dtype is native else self.cast(data, d)

    def casts(self, name: str, given: Given, compute: DType) -> list[int]:
        """Return which operands are cast before a function gets them.

        Integers beside floats of one dtype PyTorch casts itself, and as they are, of any rank. So
        it does with real numbers where it takes complex ones.
        """
        cast = super().casts(name, given, compute)
        if name in _OF_HALVES and compute.part.name in _FLOATS and {*given} == {compute.part}:
            return []
        is_own = name in _CASTING and compute.name in _FLOATS and len(cast) < len(given)
        names = {d.name for d in given if d is not None and d is not compute}
        return [] if is_own and names <= _INTEGERS else cast

    def copied(self, data: Any) -> Any:
        """Return a copy of a tensor; gradients flow through it."""
        return data.clone()

    element_of = staticmethod(torch.Tensor.clone)  # type: ignore[assignment]  # it is called often

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return a tensor on another device."""
        if stream is not None:
            msg = "the torch backend does not take a stream; use torch.cuda.stream around it"
            raise ValueError(msg)
        return data.to(device)

    def to_numpy(self, data: Any) -> Any:
        """Return an array of NumPy with the same values."""
        data = data.detach().resolve_conj().resolve_neg().cpu()
        if data.dtype is torch.complex32:
            data = data.to(torch.complex64)
        native = _of_numpy(self.of(data))
        if native.isbuiltin == 1:
            return data.numpy()
        return data.view(torch.uint8 if native.itemsize == 1 else torch.uint16).numpy().view(native)

    def integer(self, data: Any) -> int | None:
        """Return the int that an integer tensor without dimensions is; None if it is traced."""
        try:
            return None if torch.compiler.is_compiling() else int(data)
        except RuntimeError:  # on the device meta, or in torch.func.vmap
            return None

    def function(self, name: str) -> Kernel:
        """Return one of its functions by its name in the array API."""
        if name in _OWN:
            return _OWN[name]
        found = super().function(name)
        # what array-api-compat puts around it casts operands, which have one dtype here
        plain = getattr(found, "__wrapped__", None)
        if name in BINARY and plain is not None:
            return plain  # type: ignore[no-any-return]  # it is a function
        return partial(_copied, found) if name in _HANDING_ON else found

    def as_index(self, k: Any) -> Any:
        """Return an array as part of an index: PyTorch takes integers of uint8 for a mask."""
        if isinstance(k, np.ndarray):
            return torch.from_numpy(k if k.dtype.kind == "b" else k.astype(np.int64))
        return k.long() if k.dtype in _INDICES else k

    def take(self, data: Any, parts: Parts) -> Any:
        """Return part of a tensor; one element is copied, as NumPy has it."""
        first = parts[0] if len(parts) == 1 else None
        if _is_as_numpy(first):
            return data[first]
        if _is_simple(parts):
            part = data[parts]
            return part if part.ndim or Ellipsis in parts else part.clone()
        found = index_of(self, data.shape, parts)
        data = data if found.insert is None else data[found.insert]
        data = _turned(data, found.basic) if goes_back(parts) else data[found.basic]
        if not found.arrays:
            return data
        data, places = _in_front(data, found)
        selected = data[places]
        if not places[0].ndim:  # PyTorch has a view then
            return selected.clone()
        ndim = places[0].ndim
        return selected.movedim(tuple(range(ndim)), tuple(range(found.at, found.at + ndim)))

    def is_writable(self, data: Any) -> bool:
        """Return whether a tensor may be written to: not one that was broadcast."""
        steps = data.stride()
        pairs = zip(steps, data.shape, strict=True)
        return 0 not in steps or 0 in data.shape or all(step or n < 2 for step, n in pairs)

    def may_store(self, data: Any, place: Any, value: Any) -> bool:
        """Return whether PyTorch stores a value as NumPy does: it writes before it refuses."""
        if isinstance(place, torch.Tensor):
            if place.dtype is not torch.bool:
                data[place]
            elif place.ndim == data.ndim and isinstance(value, torch.Tensor) and value.ndim > 1:
                return False
        is_other = not isinstance(value, torch.Tensor) or not _overlap(data, value)
        return is_other and (0 not in data.stride() or self.is_writable(data))

    def shares(self, parts: Parts) -> bool:
        """Return whether a part for some index shares memory; what is turned around does not."""
        return not goes_back(parts)

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Write into part of a tensor; return it."""
        if data.dtype in _UNSIGNED:  # of which it has few functions; the bits are the same
            signed = getattr(torch, f"int{8 * data.itemsize}")
            self.put(data.view(signed), parts, value.view(signed))
            return data
        if _overlap(data, value):  # it may overlap
            value = value.clone()
        first = parts[0] if len(parts) == 1 else None
        is_array = _is_as_numpy(first)
        if is_array or _is_simple(parts):
            if is_array and not is_mask(first):  # it writes before it refuses a place
                data[first]
            try:
                data[parts] = value
            except RuntimeError:  # it says that of shapes, and the rest says it as NumPy does
                pass
            else:
                return data
        if goes_back(parts):
            numbers = torch.arange(data.numel(), device=data.device).reshape(data.shape)
            chosen = self.take(numbers, parts)
            data.put_(chosen, fitting(value, chosen.shape).broadcast_to(chosen.shape).contiguous())
            return data
        found = index_of(self, data.shape, parts)
        target = (data if found.insert is None else data[found.insert])[found.basic]
        if not found.arrays:
            target.copy_(fitting(value, target.shape).broadcast_to(target.shape))
            return data
        target, places = _in_front(target, found)
        if target.device.type == "cpu":  # it writes before it refuses a place
            target.new_empty(()).expand(target.shape)[places]
        ndim = places[0].ndim
        rest = target.shape[len(places) :]
        shape = (*rest[: found.at], *places[0].shape, *rest[found.at :])
        at = tuple(range(found.at, found.at + ndim))
        target[places] = fitting(value, shape).broadcast_to(shape).movedim(at, tuple(range(ndim)))
        return data

    def text(self, data: Any, facts: str) -> str:
        """Return the `repr` of an array of ours with this data, which may have no values."""
        if data.is_meta:
            return f"supremum.Array(shape={tuple(data.shape)}, device='meta', {facts})"
        return super().text(data, facts)

    def takes_numbers(self, name: str, given: Given, compute: DType) -> bool:
        """Return whether PyTorch computes an operator with a number in the dtype of the tensor.

        It divides a number otherwise than an array of it, and keeps more bits of it beside narrow
        floats.
        """
        first_divides = given[0] is None and name == "divide"
        if name not in _TAKING_NUMBERS or first_divides or given.count(None) != 1:
            return False
        of_power = name == "pow" and compute.kind != "float"
        return not of_power and compute.name in _PLAIN and {*given} == {None, compute}

    def kernel(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what computes a function of arrays and numbers; see `Backend.kernel`."""
        run = super().kernel(name, given, compute, result)
        if self.takes_numbers(name, given, compute):
            return self.finished(_TAKING_NUMBERS[name], name, compute, result)
        return partial(checked_power, run) if may_be_negative(name, given, compute) else run

    def like(self, name: str, data: Any, d: DType, device: Any) -> Any:
        """Return what a function such as ``zeros`` makes in the shape of an array."""
        options = {"dtype": self.dtype(d), "memory_format": torch.contiguous_format}
        return getattr(torch, f"{name}_like")(data, device=device, **options)

    def spread(self, value: Any, shape: tuple[int, ...]) -> Any:
        """Return a tensor of a shape that has one value everywhere."""
        return value.expand(shape).clone(memory_format=torch.contiguous_format)

    def reduction(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what reduces an array along some axes; see `Backend.reduction`.

        PyTorch does not add up unsigned integers; those of int64 have the same bits.
        """
        native = self.dtype(result)
        if name in _TRUTHS and given[0] is not None and given[0].name in _TESTED:
            return partial(_reduced, _OF_ALL[name], getattr(xp, name))
        if not adds_up(name) or self.dtype(compute) not in _UNSIGNED:
            run = super().reduction(name, given, compute, result)
            of_all = _OF_ALL.get(name)
            is_alike = given[0] is compute is result and summed_in(compute) is compute
            if is_alike and name in ("std", "var"):
                return self.function(name)
            if of_all is None or not is_alike or compute.kind not in ("float", "complex"):
                return run
            return partial(_reduced, of_all, run)
        wide = by_name("int64")
        run = super().reduction(name, given, wide, wide)
        return lambda data, **options: run(data, **options).to(native)

    def bounding(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what clamps an array to numbers, or to other arrays; see `Backend.bounding`."""
        is_plain = result is compute is given[0] and compute.name in _FLOATS | _INTEGERS
        run = super().bounding(name, given, compute, result)
        if not is_plain or {*given[1:]} not in ({None}, {compute}):
            return run
        ways: dict[bool | None, Kernel] = {
            None: torch.clamp, True: torch.clamp_min, False: torch.clamp_max,
        }  # fmt: skip

        def clamped(*operands: Any, is_least: bool | None = None) -> Any:
            try:
                return ways[is_least](*operands)
            except RuntimeError:  # of a number that float32 holds as infinity
                return run(*operands) if is_least is None else run(*operands, is_least=is_least)

        return clamped

    def within(self, name: str, given: Given, compute: DType, own: DType) -> Kernel | None:
        """Return what computes an operator into its first operand; see `Backend.within`."""
        if name in _DIVISIONS or name == "pow":
            return None
        function = getattr(torch.Tensor, f"{name}_", None)
        if function is None or name not in METHODS.values() or compute is not own:
            return None
        casts = self.casts(name, given, compute)
        if given[1] is None:
            is_own = name != "subtract" and self.takes_numbers(name, given, compute)
            return function if is_own else None  # type: ignore[no-any-return]  # it is a function

        def run(target: Any, value: Any) -> Any:
            if (value.ndim and value.shape != target.shape) or _overlap(target, value):
                raise ValueError(name)  # it has another shape, or may overlap
            return function(target, self.cast(value, own) if casts else value)

        return run


@cache
def _of_numpy(d: DType) -> Any:
    """Return the dtype of NumPy of the same name."""
    return d.to("numpy")


def _is_as_numpy(k: Any) -> bool:
    """Return whether an index is a tensor that PyTorch takes as NumPy does."""
    return isinstance(k, torch.Tensor) and k.ndim > 0 and not (is_mask(k) and 0 in k.shape)


def _overlap(x: Any, y: Any) -> bool:
    """Return whether two tensors share memory, which a store would read while it writes."""
    return x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr()  # type: ignore[no-any-return]  # they are numbers


def _subtracted(x: Any, y: Any) -> Any:
    """Return a difference; PyTorch subtracts ints, but no bools."""
    return (int(x) if type(x) is bool else x) - (int(y) if type(y) is bool else y)


def _raised(x: Any, y: Any) -> Any:
    """Return a power; PyTorch keeps the bits of an int that no element could have."""
    is_large = type(y) is int and abs(y) > _WHOLE_IN_FLOAT32
    return x ** (torch.tensor(y, dtype=x.dtype) if is_large else y)


_WHOLE_IN_FLOAT32 = 1 << 24
"""Up to here float32 holds each int."""

# Functions that cast integers beside floats, and the dtypes of which they do.
_CASTING = {*METHODS.values(), *COMPARISONS.values(), "maximum", "minimum", "where", "concat"}
_CASTING -= {"matmul"}
_OF_HALVES = frozenset({"fft.hfft", "fft.irfft", "fft.irfftn"})
# Of narrow floats it multiplies by a single number as it was, before the cast.
_FLOATS = frozenset({"float32", "float64"})
_INTEGERS = frozenset({"uint8", "int8", "int16", "int32", "int64"})
_PLAIN = _FLOATS | _INTEGERS | {"bool", "complex64", "complex128"}
_TAKING_NUMBERS = {
    name: function
    for name, function in OPERATORS.items()
    if name not in ("matmul", "floor_divide", "remainder")
}
_TAKING_NUMBERS.update(subtract=_subtracted, pow=_raised)
_DIVISIONS = ("floor_divide", "remainder")
_TESTED = _PLAIN - {"uint8"}  # of which it gives uint8
_UNSIGNED = frozenset({torch.uint16, torch.uint32, torch.uint64})
_INDICES = _UNSIGNED | {torch.uint8, torch.int8, torch.int16}

# What gives memory of its operands as it is, where NumPy copies.
_HANDING_ON = frozenset({"conj", "imag", "meshgrid", "positive", "real"})


def _copied(function: Kernel, *operands: Any, **options: Any) -> Any:
    found = function(*operands, **options)
    if isinstance(found, torch.Tensor):
        return found.clone()
    return tuple(one.clone(memory_format=torch.contiguous_format) for one in found)


def _divided(function: Kernel, x: Any, y: Any) -> Any:
    """Return a quotient or a remainder; that of integers by zero is 0, as in NumPy."""
    if x.is_floating_point() or y.is_floating_point():
        return function(x, y)
    by_zero = y == 0
    return torch.where(by_zero, 0, function(x, torch.where(by_zero, 1, y)))


def _power(x: Any, y: Any) -> Any:
    found = torch.pow(x, y)
    return power_of_zero(torch.where, found, x, y) if x.is_complex() else found


def _unique_all(x: Any) -> tuple[Any, ...]:
    """Return the unique elements and their places; PyTorch does not return first indices."""
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    places = torch.arange(x.numel(), device=x.device)
    first = places.new_zeros(values.shape)
    first = first.scatter_reduce(0, inverse.reshape(-1), places, "amin", include_self=False)
    return values, first, inverse, counts


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    """Return elements along an axis; one index takes the axis away."""
    return x[(slice(None),) * (axis % x.ndim) + (indices.long(),)]


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    """Return elements along an axis; PyTorch's own takes an index that is too large modulo."""
    axis, n = axis % x.ndim, x.shape[axis]
    places = indices.long()
    if x.shape != places.shape:
        shapes = [list(one.shape) for one in (x, places)]
        for shape in shapes:
            shape[axis] = 1
        whole = list(torch.broadcast_shapes(*shapes))
        whole[axis] = -1  # as it is
        x, places = x.expand(whole), places.expand(whole)
    try:
        return torch.gather(x, axis, torch.where(places < 0, places + n, places))
    except RuntimeError as error:
        raise (IndexError if "out of bounds" in str(error) else RuntimeError)(str(error)) from None


def _std(x: Any, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """Return a standard deviation; PyTorch's own takes no correction but an integer."""
    if not isinstance(correction, int) and not correction.is_integer():
        return torch.sqrt(_var(x, axis=axis, correction=correction, keepdims=keepdims))
    if axis is None and not keepdims:
        return torch.std(x, correction=int(correction))
    return xp.std(x, axis=axis, correction=int(correction), keepdims=keepdims)


def _reduced(
    all_of: Kernel,
    along: Kernel,
    x: Any,
    *,
    axis: Any = None,
    keepdims: bool = False,
    **options: Any,
) -> Any:
    """Return a reduction; of all elements, PyTorch's own takes neither axis nor keepdims."""
    if axis is None and not keepdims:
        return all_of(x, **options) if options else all_of(x)
    return along(x, axis=axis, keepdims=keepdims, **options)


def _sign(x: Any) -> Any:
    """Return signs; PyTorch's own of NaN is 0, and it takes no complex numbers."""
    if not x.is_floating_point():
        return xp.sign(x)
    return torch.sign(x).masked_fill_(x != x, nan)  # noqa: PLR0124  # NaN


def _trace(x: Any, **options: Any) -> Any:
    if x.dtype not in _UNSIGNED:
        return xp.linalg.trace(x, **options)
    return xp.linalg.trace(x.to(torch.int64), **options).to(x.dtype)


def _concat(arrays: Any, *, axis: int | None) -> Any:
    """Return arrays joined along an axis; PyTorch's own drops one of length 0 and one dimension."""
    if axis is None:
        return xp.concat(arrays, axis=None)
    ranks = {x.ndim for x in arrays}
    if len(ranks) > 1:
        msg = f"concat takes arrays of one number of dimensions, not {sorted(ranks)}"
        raise ValueError(msg)
    return torch.concat(arrays, axis)


def _vecdot(x1: Any, x2: Any, *, axis: int = -1) -> Any:
    """Return sums of products; PyTorch's own broadcasts axes of length 1, and takes no integers."""
    if x1.shape == x2.shape and (x1.is_floating_point() or x1.is_complex()):
        return torch.linalg.vecdot(x1, x2, dim=axis)
    return xp.vecdot(x1, x2, axis=axis)


def _cross(x1: Any, x2: Any, *, axis: int = -1) -> Any:
    ndim = x1.ndim
    if x1.shape == x2.shape and -ndim <= axis < ndim and x1.shape[axis] == 3:
        return torch.linalg.cross(x1, x2, dim=axis)
    return xp.linalg.cross(x1, x2, axis=axis)


def _solve(x1: Any, x2: Any) -> Any:
    """Return a solution; PyTorch's own takes a stack of vectors for a matrix."""
    return torch.linalg.solve(x1, x2) if x1.ndim == x2.ndim == 2 else xp.linalg.solve(x1, x2)


def _tensordot(x1: Any, x2: Any, *, axes: Any) -> Any:
    return torch.tensordot(x1, x2, dims=axes)


def _sorted_places(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """Return the insertion points of values; PyTorch's function takes no NaN, which come last."""
    if x1.ndim != 1 or not x1.is_floating_point():
        return xp.searchsorted(x1, x2, side=side, sorter=sorter)
    ordered = (x1 if sorter is None else x1[sorter]).contiguous()
    if not ordered.shape[0] or not isnan(ordered[-1].item()):
        return torch.searchsorted(ordered, x2.contiguous(), right=side == "right")
    known = ordered[: int((~torch.isnan(ordered)).sum())].contiguous()
    found = torch.searchsorted(known, x2.contiguous(), right=side == "right")
    return torch.where(torch.isnan(x2), len(known if side == "left" else ordered), found)


def _isin(x1: Any, x2: Any, *, invert: bool) -> Any:
    """Return which elements are in others; PyTorch does not compare bools."""
    is_bool = x1.dtype is torch.bool
    found = [x.to(torch.uint8) if is_bool else x for x in (x1, x2)]
    return torch.isin(*found, invert=invert)


_var = partial(_reduced, torch.var, xp.var)
_TRUTHS = ("all", "any")
_OF_ALL = {name: getattr(torch, name) for name in (*_TRUTHS, "max", "mean", "min", "prod", "sum")}


def _flipped(data: Any, axis: Any = None) -> Any:
    """Return a tensor that is turned around; PyTorch does not turn its wide unsigned integers."""
    if axis is None:
        axis = range(data.ndim)
    axes = tuple(axis) if hasattr(axis, "__iter__") else (axis,)
    own = data.dtype
    if own not in _UNSIGNED:
        return torch.flip(data, axes)
    return torch.flip(data.view(getattr(torch, f"int{8 * own.itemsize}")), axes).view(own)


_OWN: dict[str, Kernel] = {
    **{name: partial(_reduced, of_all, getattr(xp, name)) for name, of_all in _OF_ALL.items()},
    **{name: partial(_divided, getattr(torch, name)) for name in _DIVISIONS},
    "concat": _concat,
    "flip": _flipped,
    "isin": _isin,
    "linalg.cross": _cross,
    "linalg.solve": _solve,
    "linalg.trace": _trace,
    "matmul": torch.matmul,
    "pow": _power,
    "searchsorted": _sorted_places,
    "sign": _sign,
    "std": _std,
    "take": _take,
    "take_along_axis": _take_along_axis,
    "tensordot": _tensordot,
    "unique_all": _unique_all,
    "var": _var,
    "vecdot": _vecdot,
    "where": torch.where,
}


def _in_front(data: Any, found: Index) -> tuple[Any, tuple[Any, ...]]:
    """Return a tensor with the axes of arrays of an index in front, and places along each of them.

    PyTorch orders the axes of the result in another way than NumPy if they are elsewhere.
    """
    places: list[Any] = []
    for k in found.arrays:
        places += k.nonzero(as_tuple=True) if k.dtype is torch.bool else (k,)
    try:
        places = torch.broadcast_tensors(*places)
    except RuntimeError:
        shapes = ", ".join(str(tuple(k.shape)) for k in places)
        raise IndexError(
            f"arrays of an index do not broadcast: their shapes are {shapes}"
        ) from None
    return data.movedim(found.axes, tuple(range(len(found.axes)))), tuple(places)


def _is_simple(parts: Parts) -> bool:
    """Return whether PyTorch takes an index as NumPy does, but for one element."""
    return is_plain(parts) and not goes_back(parts) and parts.count(Ellipsis) < 2


def _turned(data: Any, parts: Parts) -> Any:
    """Return part of a tensor for an index with negative steps, by flipping the tensor."""
    keys = list(parts)
    back = []
    axis = 0
    for index, k in enumerate(parts):
        if isinstance(k, slice) and goes_back(k):
            length = data.shape[axis]
            places = range(*k.indices(length))
            back.append(axis)
            first, last = (length - 1 - places[0], length - places[-1]) if places else (0, 0)
            keys[index] = slice(first, last, -k.step)
        axis += k is not None
    return _flipped(data, back)[tuple(keys)]


BACKEND = TorchBackend("torch", "PyTorch", xp)

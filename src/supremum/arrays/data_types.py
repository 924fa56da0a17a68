"""Casting, and asking about dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from supremum.arrays.array import Array
from supremum.arrays.data_type import DataType, as_dtype
from supremum.dtypes import DType
from supremum.errors import SupremumError

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

_KINDS: Final = {
    "bool": ("bool",),
    "signed integer": ("signed",),
    "unsigned integer": ("unsigned",),
    "integral": ("signed", "unsigned"),
    "real floating": ("float",),
    "complex floating": ("complex",),
    "numeric": ("signed", "unsigned", "float", "complex"),
}


class FloatInfo(NamedTuple):
    """What a float dtype can hold.

    Attributes:
        bits: its width, or that of a part of a complex one.
        eps: how far it is from 1 to the next number.
        max: the largest finite number.
        min: the smallest one.
        smallest_normal: the smallest positive one in full precision.
        dtype: the dtype.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntInfo(NamedTuple):
    """What an integer dtype can hold.

    Attributes:
        bits: its width.
        max: the largest one.
        min: the smallest one.
        dtype: the dtype.
    """

    bits: int
    max: int
    min: int
    dtype: DType


def astype(xp: Namespace, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """Return an array in another dtype, whatever the rules say of the two.

    Raises:
        TypeError: from complex to real, which would drop a part.
    """
    x, d = xp._taken(x), xp.decider.own(as_dtype(dtype))
    if x.dtype.kind == "complex" and d.kind not in ("complex", "bool"):
        raise TypeError(f"{x.dtype} has two parts and {d} one; take xp.real(x) or xp.imag(x) first")
    native = x.native
    if d is not x.dtype:
        native = xp._backend.cast(native, d)
    elif copy:
        native = xp._backend.copied(native)
    if device is not None:
        native = xp._backend.to_device(native, device)
    return xp._wrap(native, d)


def result_type(xp: Namespace, *arrays_and_dtypes: Any) -> DType:
    """Return the dtype that arrays, dtypes and Python numbers share by the rules."""
    plain = [x._dtype if isinstance(x, DataType) else x for x in arrays_and_dtypes]
    return xp.decider.rules.result_type(*plain)


def can_cast(xp: Namespace, from_: Any, to: Any, /) -> bool:
    """Tell whether the rules promote one dtype, or that of an array, to another."""
    d = from_.dtype if isinstance(from_, Array) else as_dtype(from_)
    try:
        return xp.decider.rules.promote_types(d, as_dtype(to)) is as_dtype(to)
    except SupremumError:
        return False


def isdtype(xp: Namespace, dtype: Any, kind: Any) -> bool:
    """Tell whether a dtype is another, or of a kind such as ``"real floating"``, or one of some."""
    if isinstance(kind, tuple):
        return any(isdtype(xp, dtype, one) for one in kind)
    d = as_dtype(dtype)
    if not isinstance(kind, str):
        return as_dtype(kind) is d
    if kind not in _KINDS:
        raise ValueError(f"there is no kind {kind!r} of dtypes; there are {', '.join(_KINDS)}")
    return d.kind in _KINDS[kind]


def finfo(xp: Namespace, type: Any, /) -> FloatInfo:  # noqa: ARG001  # a method of it
    """Return what a float or complex dtype, or that of an array, can hold."""
    d = as_dtype(type.dtype) if isinstance(type, Array) else as_dtype(type)
    if d.kind not in ("float", "complex"):
        raise ValueError(f"finfo is of floats, and {d} is none; iinfo is of integers")
    part = d.part
    eps = 2.0 ** (1 - int(part.precision or 0))
    bits, least = int(part.bits or 0), float(part.smallest_normal)
    return FloatInfo(bits, eps, float(part.max), float(part.min), least, part)


def iinfo(xp: Namespace, type: Any, /) -> IntInfo:  # noqa: ARG001  # the same
    """Return what an integer dtype, or that of an array, can hold."""
    d = as_dtype(type.dtype) if isinstance(type, Array) else as_dtype(type)
    if d.kind not in ("signed", "unsigned"):
        raise ValueError(f"iinfo is of integers, and {d} is none; finfo is of floats")
    return IntInfo(int(d.bits or 0), int(d.max), int(d.min), d)

"""Casting, and inspecting dtypes."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..core.errors import SupremumError
from .array import WHOLE, Array, DataType, as_dtype, data_type, imaginary_part_lost
from .engine import Engine
from .operand import as_array
from .views import alike

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
    """The limits of a floating dtype.

    Attributes:
        bits: its width, or that of each part of a complex one.
        eps: the difference between 1 and the next number.
        max: the largest finite number.
        min: the smallest finite number.
        smallest_normal: the smallest positive number with full precision.
        dtype: the dtype.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DataType


class IntInfo(NamedTuple):
    """The limits of an integer dtype.

    Attributes:
        bits: its width.
        max: the largest number.
        min: the smallest number.
        dtype: the dtype.
    """

    bits: int
    max: int
    min: int
    dtype: DataType


def astype(
    engine: Engine, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None
) -> Array:
    """Cast an array to a dtype, whatever the rules say of the two.

    Raises:
        TypeError: from complex to real, as the imaginary part would be lost.
    """
    x, d = as_array(engine, x), engine.decider.own(as_dtype(dtype))
    if x.key.dtype.kind == "complex" and d.kind not in ("complex", "bool"):
        raise imaginary_part_lost(x.key.dtype, d)
    native = x.native
    if d is not x.key.dtype:
        native = engine.backend.cast(native, d)
    elif copy:
        native = engine.backend.copied(native)
    elif device in (None, x.device):
        return alike(engine, x, weak=False) if x.weak_type else x
    if device is not None:
        native = engine.backend.to_device(native, device)
    return engine.wrap(native, d)


def result_type(engine: Engine, *arrays_and_dtypes: Any) -> DataType:
    """Return the dtype that arrays, dtypes and Python numbers share under the rules."""
    plain = [x.plain if isinstance(x, DataType) else x for x in arrays_and_dtypes]
    return data_type(engine.decider.rules.result_type(*plain))


def can_cast(engine: Engine, from_: Any, to: Any, /) -> bool:
    """Tell whether one dtype, or that of an array, promotes to another under the rules."""
    d = from_.dtype if isinstance(from_, Array) else as_dtype(from_)
    try:
        return engine.decider.rules.promote_types(d, as_dtype(to)) is as_dtype(to)
    except SupremumError:
        return False


def isdtype(engine: Engine, dtype: Any, kind: Any) -> bool:
    """Tell whether a dtype is of a kind such as ``"real floating"``, or of one of several."""
    if isinstance(kind, tuple):
        return any(isdtype(engine, dtype, one) for one in kind)
    d = as_dtype(dtype)
    if not isinstance(kind, str):
        return as_dtype(kind) is d
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is not a kind of dtypes; the kinds are {', '.join(_KINDS)}")
    return d.kind in _KINDS[kind]


def finfo(engine: Engine, type: Any, /) -> FloatInfo:  # noqa: ARG001  # a method of it
    """Return the limits of a floating dtype, or that of an array."""
    d = as_dtype(type.dtype) if isinstance(type, Array) else as_dtype(type)
    if d.kind not in ("float", "complex"):
        raise ValueError(f"finfo requires a floating dtype, got {d}; use iinfo")
    part = d.part
    eps = 2.0 ** (1 - int(part.precision or 0))
    bits, least = int(part.bits or 0), float(part.smallest_normal)
    return FloatInfo(bits, eps, float(part.max), float(part.min), least, data_type(part))


def iinfo(engine: Engine, type: Any, /) -> IntInfo:  # noqa: ARG001  # the same
    """Return the limits of an integer dtype, or that of an array."""
    d = as_dtype(type.dtype) if isinstance(type, Array) else as_dtype(type)
    if d.kind not in WHOLE:
        raise ValueError(f"iinfo requires an integer dtype, got {d}; use finfo")
    return IntInfo(int(d.bits or 0), int(d.max), int(d.min), data_type(d))

"""What dtypes can hold, and of which kinds they are, in the words of the array API standard."""

from __future__ import annotations

import sys
from typing import Any, Final, NamedTuple

from .dtypes import DType
from .errors import DTypeError, did_you_mean, listed, short
from .operands import operand

KINDS: Final = {
    "bool": ("bool",),
    "signed integer": ("signed",),
    "unsigned integer": ("unsigned",),
    "integral": ("signed", "unsigned"),
    "real floating": ("float",),
    "complex floating": ("complex",),
    "numeric": ("signed", "unsigned", "float", "complex"),
}
"""The standard's kinds, each with ours."""


class FloatInfo(NamedTuple):
    """The limits of a floating dtype.

    Attributes:
        bits: its width, or that of each part of a complex one.
        eps: the difference between 1 and the next number.
        max: the largest finite number.
        min: the smallest finite number.
        smallest_normal: the smallest positive number with full precision.
        dtype: the dtype, or that of each part.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: Any


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
    dtype: Any


def finfo(type: Any, /) -> FloatInfo:
    """Return the limits of a floating dtype.

    Args:
        type: a dtype with a width, or an array or scalar of any library.

    Raises:
        DTypeError: for anything else.

    >>> finfo("bfloat16").eps, finfo("float16").max
    (0.0078125, 65504.0)
    """
    d = _strong(type)
    if d.kind not in ("float", "complex"):
        other = "; use iinfo" if d.kind in ("signed", "unsigned") else ""
        raise DTypeError(f"finfo requires a floating dtype, got {d}{other}", type)
    part = d.part
    if part.max > sys.float_info.max:
        what = f"the limits of {d} are beyond those of Python's float"
        raise DTypeError(f"{what}; np.finfo has them", type)
    eps = 2.0 ** (1 - int(part.precision or 0))
    bits, least = int(part.bits or 0), float(part.smallest_normal)
    return FloatInfo(bits, eps, float(part.max), float(part.min), least, part)


def iinfo(type: Any, /) -> IntInfo:
    """Return the limits of an integer dtype.

    Args:
        type: a dtype with a width, or an array or scalar of any library.

    Raises:
        DTypeError: for anything else.

    >>> iinfo("uint8").max
    255
    """
    d = _strong(type)
    if d.kind not in ("signed", "unsigned"):
        other = "; use finfo" if d.kind in ("float", "complex") else ""
        raise DTypeError(f"iinfo requires an integer dtype, got {d}{other}", type)
    return IntInfo(int(d.bits or 0), int(d.max), int(d.min), d)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Return whether a dtype is another one, or of a kind of the array API standard.

    Args:
        dtype: a dtype, or an array or scalar of any library.
        kind: a kind, such as ``"real floating"`` or ``"integral"``, a dtype, or a tuple of them.

    Raises:
        DTypeError: for what is neither a kind nor a dtype.

    >>> isdtype("bfloat16", "real floating"), isdtype("int8", ("bool", "unsigned integer"))
    (True, False)
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    d = operand(dtype).dtype
    if isinstance(kind, str) and kind in KINDS:
        return d.kind in KINDS[kind]
    try:
        return operand(kind).dtype is d
    except DTypeError:
        hint, close = did_you_mean(str(kind), [*KINDS])
        more = hint or f"; the kinds are {listed([*KINDS])}"
        what = f"{short(kind)} is neither a dtype nor a kind of dtypes{more}"
        raise DTypeError(what, kind, close) from None


def _strong(x: Any) -> DType:
    d = operand(x).dtype
    if d.weak:
        raise DTypeError(f"{d} has no width, and so no limits; name one, such as float32", x)
    return d

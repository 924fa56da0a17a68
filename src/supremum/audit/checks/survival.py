"""Conversions to floats whose values do not survive: whole numbers beyond the significand.

A float that is rounded is no finding; an integer that became another one is, and so is a series
whose neighbours became equal, as timestamps in float32 do.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from ...core.dtypes import by_name
from ...core.dtypes import dtype as dtype_of
from .exact_values import Change, as_numpy, count_of, number, start

_EXACT: Final = float(1 << 53)  # beyond it, every float64 is whole
_WIDE: Final = 8  # bytes of a float64
_SAMPLE: Final = 4_096
_FEWEST: Final = 8


def of_cast(value: Any, result: Any) -> Change | None:
    """Return what became of whole numbers, or of neighbours, in narrower floats.

    Args:
        value: what was converted: an array or scalar, or a list of Python's integers.
        result: what came out, floats.
    """
    numpy = sys.modules["numpy"]
    found = as_numpy(result)
    if found is None or not found.size:
        return None
    if isinstance(value, (list, tuple)):
        return _of_list(value, found)
    most = 1 << (dtype_of(found.dtype).precision or 0)
    if type(value) is int:
        is_changed = abs(value) > most and bool(numpy.isfinite(found)) and int(found) != value
        narrow = found.dtype.itemsize < _WIDE
        return _changed(str(value), found[()], value, narrow=narrow) if is_changed else None
    x = as_numpy(value)
    if x is None:
        return None
    x = numpy.asarray(x)
    if x.dtype.kind not in "iuf" or x.shape != found.shape or x.dtype == found.dtype:
        return None
    parts = start(x, found)
    if parts is None:
        return None
    whole, (x, found) = found.size, parts
    finite = numpy.isfinite(x)
    if not finite.any() or abs(x[finite].astype(float)).max() <= most:
        return None
    if x.dtype.kind in "iu":
        changed = _differs(x, found)
    else:
        whole = (x == numpy.trunc(x)) & (abs(x) <= _EXACT)
        if not (whole | ~finite).all():
            return _of_neighbours(x, found)
        changed = finite & (found.astype(float) != x)
    some = int(numpy.count_nonzero(changed))
    if not some:
        return None
    first = numpy.unravel_index(int(numpy.argmax(changed)), changed.shape)
    one = x[first]
    return _changed(
        f"{one:.17g}" if x.dtype.kind == "f" else str(one), found[first], int(one),
        count_of(some, found.size, whole), narrow=found.dtype.itemsize < _WIDE,
    )  # fmt: skip


def of_store(value: Any, into: Any) -> str:
    """Return what became of the first number that an array has no place for, or ``""``.

    Args:
        value: what is stored: a number or an array of any library.
        into: the array.
    """
    numpy = sys.modules["numpy"]
    x, array = number(value), as_numpy(into)
    if x is None or array is None:
        return ""
    x = numpy.asarray(x)
    parts = start(x)
    if x.dtype.kind not in "iuf" or parts is None:
        return ""
    whole, (x,) = x.size, parts
    with numpy.errstate(all="ignore"):  # the program must not hear of what is tried here
        found = x.astype(array.dtype)
        changed = found != x
    some = int(numpy.count_nonzero(changed))
    if not some:
        return ""
    first = numpy.unravel_index(int(numpy.argmax(changed)), changed.shape)
    return f"{x[first]} became {found[first]}{count_of(some, x.size, whole)}"


def _differs(x: Any, found: Any) -> Any:
    """Return where floats are not the integers that they were made of."""
    numpy = sys.modules["numpy"]
    f = found.astype(float)
    limit = float(numpy.iinfo(x.dtype).max)
    fits = (f < limit) & (f >= numpy.iinfo(x.dtype).min)
    return ~fits | (numpy.where(fits, f, 0).astype(x.dtype) != x)


def _of_list(values: Any, found: Any) -> Change | None:
    whole = [v for v in values[:_SAMPLE] if type(v) is int]
    if not whole or found.shape != (len(values),):
        return None
    for index, value in enumerate(values[:_SAMPLE]):
        if type(value) is int and abs(value) > _EXACT and int(found[index]) != value:
            return _changed(str(value), found[index], value, narrow=False)
    return None


def _of_neighbours(x: Any, found: Any) -> Change | None:
    numpy = sys.modules["numpy"]
    sample, after = numpy.ravel(x)[:_SAMPLE], numpy.ravel(found)[:_SAMPLE]
    before, left = len(numpy.unique(sample)), len(numpy.unique(after))
    if before < _FEWEST or 2 * left > before:
        return None
    told = f"of {before:,} different numbers, {left:,} are left in {dtype_of(found.dtype)}"
    return Change("precision-loss", told, by_name("float64"))


def _changed(text: str, became: Any, value: int, more: str = "", *, narrow: bool) -> Change:
    enough = by_name("float64") if narrow and abs(value) <= _EXACT else None
    return Change("precision-loss", f"{text} became {float(became):.17g}{more}", enough)

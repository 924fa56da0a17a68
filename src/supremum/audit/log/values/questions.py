"""What is asked of values: whether they wrapped around, overflowed, got lost, or lost digits.

Each question takes a `Comparison` and returns what became of the values, or None.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from math import isfinite
from typing import Any, Final

from ....core.dtypes import DType, by_name
from ....core.dtypes import dtype as dtype_of
from ....core.functions import Function, facts_of
from ...model import dtypes
from ...model.locations import Location
from .at_hand import as_numpy, is_small, number, rounded, start, wide
from .recompute import OF_UFUNCS, Change, Comparison, count_of, first

_SIGNED: Final = ("int16", "int32", "int64")
_SUMS: Final = ("int32", "int64")
_FEWEST: Final = 64  # elements that lose more than some roundings
_ABOVE: Final = 16  # times the least number: what decays comes by all of those below
_EXACT: Final = 1 << 53  # beyond it, every float64 is whole
_WORD: Final = 2.0**64  # beyond it, no integer has a place
_WRITTEN: Final = 15  # digits that float64 holds of any number
_MOST_OF_ALL: Final = 0.75  # numbers beyond a dtype, which is not theirs then
_CLOCK: Final = 4  # bytes; narrower integers are images, unless their differences are all small
_SERIES: Final = 16  # numbers, of which some may be packets that are counted
_ROUNDINGS: Final = 8  # of a mean
_ANY: Final = facts_of("")
_FLOAT32: Final = by_name("float32")
_FLOAT64: Final = by_name("float64")
_NEXT: Final = 4  # times what some integers are, which others may be
_FRACTION: Final = 1.0  # which an integer leaves out
_ROUNDED: Final = 2.0**-40  # of a mean of integers of more than 53 bits
_FINE: Final = 2.0**-9  # of the range of measurements, by which they may be rounded
_SAME: Final = 2.0**-20  # of the range of some numbers, by which they are no others
_SAMPLE: Final = 4_096
_SEVERAL: Final = 2  # of which one may well be rounded to zero
_SPREAD: Final = 16  # of so many numbers, one that is equal to its neighbour is one too many
_STEPS: Final = 64  # numbers that are the times, or places, of as many steps
_LONG: Final = 1 << 16  # numbers that are added up
_IN_TURN: Final = 2.0**-22  # of a sum in turn, which NumPy's own sum is closer to
_TENTH: Final = 0.1
_SIGNAL: Final = 16  # numbers of either sign, which is no share of something
_HALF: Final = 0.5
_KEPT: Final = 0.75
_OF_EITHER_SIGN: Final = 0.4  # of some numbers that are negative
_APART: Final = 0.125  # of angles
_STEPS_NEAR: Final = 8  # to one: the angle of such a cosine is uncertain by a sixteenth of it
_DROPPED: Final = 64.0  # roundings of a number, which are nothing of what is measured
_STRAY: Final = 0.5  # of a range, by which samples and pixels may be beyond it
_LEFT: Final = 8  # bits of a difference, of which little can be told
_FAR: Final = 1_024  # times the range of some numbers, which is how far they are from zero
FEWEST_NEIGHBOURS: Final = 4
"""How many numbers have to be different for it to matter that all became equal."""

MOST_COLUMNS: Final = 16
"""How many columns a table has, each of which is asked about by itself."""

_SOME_NEIGHBOURS: Final = 8  # for it to matter that some did

_DIGITS: Final = 1 << 24  # of a dtype that is taken for the digits it has, and not to save memory
_PLACES: Final = 10
_ULP: Final = 4.0  # roundings of a product
_NEAR: Final = 1e-3  # the least that a whole number is apart from others by chance
_ULPS: Final = 2.0**-51  # of the largest number
_ULPS_APART: Final = 64
TOLERANCE: Final = {"float32": 1e-4, "float16": 8e-3, "bfloat16": 6e-2}
"""How much of a sum may be lost, by the dtype of the result: eight roundings of 16 bits, and about
a thousand of 32."""


def wraparound(c: Comparison, known: Function = _ANY) -> Change | None:
    """Return what became of integers that are beyond the range of their dtype.

    Args:
        c: what is compared.
        known: what gave them. A difference of two readings of a clock, or of the numbers of
            packets, is right where those began again between them: it is positive, and less than
            half of the range. A mean is wrong by a part of the range only, if the sum before it
            wrapped.
    """
    numpy = sys.modules["numpy"]
    # floats of more than 53 bits round, by much less than what a wraparound changes
    half = 2.0 ** (8 * c.width - 1)
    least = _FRACTION + _ROUNDED * abs(c.expected) if known.averages else half
    wrapped = abs(c.expected - wide(c.actual)) > least
    if not wrapped.any():  # NaN is not a number, and is neither
        return None
    if known.has("differs") and c.actual.dtype.kind == "u":
        is_series = c.width < _CLOCK and c.actual.size >= _SERIES
        begun = wide(c.actual)[wrapped if c.width >= _CLOCK else ...] < half
        if (c.width >= _CLOCK or is_series) and begun.all():
            return None
    of, many = dtype_of(c.actual.dtype), c.operands[0].size / wrapped.size if known.averages else 1
    most = 2 * many * float(numpy.nanmax(abs(c.expected)))  # and some more
    # there may be more to add up another time
    wider = (by_name(name) for name in (_SUMS if known.is_accumulating else _SIGNED))
    is_sign = bool((c.expected[wrapped] < 0).all())  # which is all that int64 has and uint64 lacks
    most_of = of.max // 2 if is_sign and of.name == "uint64" else of.max
    room = next((w for w in wider if w.max >= max(most, most_of) and w is not of), None)
    is_near = of.kind == "unsigned" and not is_sign and _NEXT * most > by_name("int64").max
    if is_near and most <= by_name("uint64").max and of.name != "uint64":
        room = by_name("uint64")  # another product may be as large as can be
    return Change("wraparound", c.said(wrapped), room)


def cast_to_integers(c: Comparison, *, has_unsigned: bool) -> Change | None:
    """Return what became of numbers that integers have no place for.

    Floats beyond the range of samples and pixels, which others fill, are strays that are to be cut.
    Where they are of either sign, as noise is, unsigned integers are not what is wanted. What is
    missing has a place in floats alone.

    Args:
        c: what is compared.
        has_unsigned: whether their library computes with unsigned integers of all widths.
    """
    change, x = wraparound(c), c.operands[0]
    missing = sys.modules["numpy"].isnan(x) if x.dtype.kind == "f" else None
    if missing is not None and missing.any():
        return Change("wraparound", c.said(missing), dtype_of(x.dtype))
    if change is None:
        return None
    if x.dtype.kind != "f":
        if c.width < _CLOCK and (wide(c.actual) != c.expected).mean() > _MOST_OF_ALL:
            return change._replace(enough=None)  # as of an image, that is to be scaled
        is_count = has_unsigned and c.actual.dtype.kind == "u" and bool((x >= 0).all())
        return change._replace(enough=_unsigned(change.enough)) if is_count else change
    has_sign = c.actual.dtype.kind == "u" and (x < 0).mean() >= _OF_EITHER_SIGN
    are_strays = c.width < _CLOCK and _are_strays(c.expected, dtype_of(c.actual.dtype))
    return change._replace(enough=None) if are_strays and not has_sign else change


def _unsigned(d: DType | None) -> DType | None:
    """Return the unsigned integers of a width; those of 64 bits are met by floats alone."""
    return by_name(f"u{d}") if d is not None and dtypes.bits(d) < 64 else d


def _are_strays(x: Any, d: DType) -> bool:
    """Return whether numbers are a little beyond the range of integers, or the others fill it."""
    least, most = float(d.min), float(d.max)
    finite = x[sys.modules["numpy"].isfinite(x)]
    inside = finite[(finite >= least) & (finite <= most)]
    if not inside.size:
        return False
    room = most - least
    beyond = max(least - finite.min(), finite.max() - most)
    return bool(beyond <= _STRAY * room or inside.max() - inside.min() >= _KEPT * room)


def float_range(c: Comparison, d: DType) -> Change | None:
    """Return what became of floats that are beyond the range of a dtype, or too small for it.

    What float64 has as infinite, too, is not a fault of the dtype. What becomes zero counts if it
    is most of what there is, and the largest of it is: not the tails of a distribution.

    Args:
        c: what is compared.
        d: the dtype that came out, which NumPy may have none for.
    """
    numpy = sys.modules["numpy"]
    if any(type(v) in (int, float) and not dtypes.holds(v, d) for v in c.operands):
        return None  # that the number has no place is another finding
    finite = numpy.isfinite(c.expected)
    infinite = finite & numpy.isinf(c.actual)
    if infinite.any():
        # the largest number of a dtype stands for what is out of the question, in any dtype
        is_limit = any((abs(wide(x)) == float(d.max or 0)).any() for x in c.operands)
        enough = None if is_limit else wider(d, abs(c.expected[infinite]).max())
        return Change("float-overflow", c.said(infinite, f" in {d}"), enough)
    if len(c.operands) == 1 and d.name != "float16":
        return None  # the others have the range of float32: so small are the tails of something
    zero = finite & (c.actual == 0) & (c.expected != 0) & _came_at_once(c)
    zero &= abs(c.expected) < _least(d)  # else a difference was rounded to zero
    some = int(numpy.count_nonzero(zero))
    if not some or 2 * some < numpy.count_nonzero(c.expected[finite]):
        return None
    magnitudes = abs(c.expected)
    if magnitudes[zero].max() * 2.0 ** (d.precision or 0) < magnitudes[finite].max():
        return None
    more = f" in {d}, not {c.expected[first(zero)]:.3g}"
    enough = wider(d, 1.0 / magnitudes[zero].min())
    return Change("float-overflow", c.said(zero, more), enough)


def _came_at_once(c: Comparison) -> Any:
    """Return where operands are well above the least of their dtype, which what decays is not."""
    above: Any = True
    for operand in c.operands:
        d = dtype_of(sys.modules["numpy"].asarray(operand).dtype)
        above = above & (abs(wide(operand)) > _ABOVE * _least(d))
    return above


def _least(d: DType) -> float:
    """Return the least positive number of a dtype."""
    return float(d.smallest_normal or 0) * 2.0 ** (1 - (d.precision or 0))


def accumulation(c: Comparison, place: Location, d: DType) -> Change | None:
    """Return what a sum, mean, norm or the like has lost.

    That is measured against the sum of the magnitudes, so that numbers which cancel each other
    are not a finding.
    """
    numpy, arrays, known = sys.modules["numpy"], c.operands, facts_of(place.name)
    if known.name.startswith("nan"):
        arrays = [x[~numpy.isnan(x)] for x in arrays]  # which it leaves out
    if c.again is None or not all(x.size and _is_finite(x) for x in arrays):
        return None
    actual, is_count = wide(c.actual), _is_count(known, arrays[0], d)
    lost = ~numpy.isfinite(actual) & numpy.isfinite(c.expected)
    if not lost.any():
        if arrays[0].size < _FEWEST:
            return None
        magnitudes = c.expected
        if not known.has("squares") and any(x.min() < 0 for x in arrays):
            if not is_small(*arrays):
                return None
            magnitudes = c.again(*map(abs, c.operands))
        scale = numpy.maximum(abs(magnitudes), d.smallest_normal or 0)
        least = _of_equal_numbers(known, arrays[0], d)
        is_long = c.in_turn and arrays[0].size >= _LONG
        tolerance = 0.0 if is_count else min(_IN_TURN if is_long else 1.0, TOLERANCE[d.name])
        lost = abs(actual - c.expected) > numpy.maximum(tolerance * scale, least)
    if not lost.any():
        return None
    last = int(numpy.ravel(lost).nonzero()[0][-1])  # of a running sum, that is most of it
    one, other = numpy.ravel(actual)[last], numpy.ravel(c.expected)[last]
    where = f", in element {last:,} of {lost.size:,}" if lost.size > 1 else ""
    what = f"{place.name} of {arrays[0].size:,} elements"
    remark = f"{what} gives {one:.7g} in {d}, {other:.7g} in float64{where}"
    most = abs(c.expected).max()
    back = bool(most <= float(d.max or 0)) and getattr(c.again, "takes_dtype", False)
    back &= not is_count  # which would be rounded again
    back &= known.category != "cumulative" or not _are_merged(c.expected, c.actual.dtype)
    return Change("accumulation", remark, wider(d, most), back=back)


def _is_count(known: Function, x: Any, d: DType) -> bool:
    """Return whether a sum counts flags in half precision: zeros, and many ones."""
    if known.name != "sum" or dtypes.bits(d) >= dtypes.SINGLE:
        return False
    return bool(((x == 0) | (x == 1)).all())


def _are_merged(x: Any, native: Any) -> bool:
    """Return whether many neighbours of running sums would be equal in a dtype."""
    sums = sys.modules["numpy"].ravel(x)
    narrow = sums.astype(native)
    merged = (sums[1:] != sums[:-1]) & (narrow[1:] == narrow[:-1])
    return bool(_SPREAD * int(merged.sum()) > sums.size)


def _of_equal_numbers(known: Function, x: Any, d: DType) -> float:
    """Return how far from zero rounding leaves the variance, or the deviation, of equal numbers."""
    if not known.has("squares") or known.category == "norm":
        return 0.0
    deviation = _ROUNDINGS * 2.0 ** -(d.precision or 0) * float(abs(x).max())
    return deviation**2 if known.name.endswith("var") else deviation


def _is_finite(x: Any) -> bool:
    return bool(abs(float(x.max())) + abs(float(x.min())) < float("inf"))  # NaN is not less


def wider(narrow: DType, most: Any) -> DType:
    """Return the first wider dtype that has a place for a number."""
    few = narrow.name == "float16" or (narrow.name != "float32" and _has_place(most))
    return by_name("float32" if few and _has_place(most) else "float64")


def _has_place(most: Any) -> bool:
    return float(most) <= float(by_name("float32").max or 0)


def accumulates(name: str) -> bool:
    """Return whether a function adds up floats, or multiplies them.

    >>> accumulates("mean"), accumulates("max")
    (True, False)
    """
    return facts_of(name).adds_up or name in OF_UFUNCS


def conversion(c: Comparison, d: DType, *, strict: bool = False) -> Change | None:
    """Return what became of numbers in floats that have no place for them.

    A float that is rounded is not a finding; an integer that became another one is, and so is a
    series whose neighbours became equal, as timestamps and coordinates in float32 do. They may be
    one column among others.

    Args:
        c: what was converted, and what became of it.
        d: the dtype of that.
        strict: whether nobody asked for it, so that measurements must not be rounded either.
    """
    found, x = _of_conversion(c, d, strict=strict), c.operands[0]
    is_table = x.dtype.kind == "f" and x.ndim == 2 and 1 < x.shape[1] <= MOST_COLUMNS
    if found is not None or not is_table or 1 << (d.precision or 0) < _DIGITS:
        return found
    of_columns = (
        (n, _of_conversion(column, d, strict=strict)) for n, column in enumerate(c.columns())
    )
    lost = next(((n, one) for n, one in of_columns if one is not None), None)
    return lost and lost[1]._replace(remark=f"{lost[1].remark}, in the column [:, {lost[0]}]")


def _of_conversion(c: Comparison, d: DType, *, strict: bool) -> Change | None:
    numpy, x = sys.modules["numpy"], c.operands[0]
    beyond = float_range(c, d)
    if beyond is not None:
        return beyond
    finite, most = numpy.isfinite(c.expected), 1 << (d.precision or 0)
    if not finite.any():
        return None
    largest = abs(c.expected[finite]).max()
    if largest <= most:  # in which all whole numbers have a place
        has_digits = x.dtype.kind == "f" and most >= _DIGITS
        return _of_neighbours(x, c.actual, d, strict=strict) if has_digits else None
    if x.dtype.kind in "iu":
        changed = _differs(x, c.actual)
    else:
        whole = (c.expected == numpy.trunc(c.expected)) & (abs(c.expected) <= _EXACT)
        if not (whole | ~finite).all():
            return _of_few(c, d) or _of_neighbours(x, c.actual, d, strict=strict)
        changed = finite & (wide(c.actual) != c.expected)
    if not changed.any():
        return None
    at = first(changed)
    more = count_of(int(numpy.count_nonzero(changed)), changed.size, c.whole)
    is_few = dtypes.bits(d) < dtypes.bits(_FLOAT32) and largest <= _DIGITS
    enough = _FLOAT32 if is_few and x.dtype.kind in "iu" else _unrounded(x)
    return _changed(int(x[at]), c.actual[at], d, more, enough=enough)


def of_integers(values: Sequence[Any], became: Any, d: DType) -> Change | None:
    """Return what became of the first integer of a list, or of its lists, that floats changed.

    Integers may be written out, as those of the lines of a file are.
    """
    found, numpy = as_numpy(became), sys.modules["numpy"]
    if found is None:
        return None
    numbers = [*islice(_numbers(values), _SAMPLE + 1)]
    if len(numbers) != min(found.size, _SAMPLE + 1):
        return None
    most = 1 << (d.precision or 0)
    for given, one in zip(numbers, numpy.ravel(found[()])[:_SAMPLE], strict=False):
        is_written = type(given) is str and given.isascii() and given.isdigit()
        value = int(given) if is_written or isinstance(given, numpy.integer) else given
        is_number = type(value) is int and value & (value + 1)  # not the largest of a dtype
        counts = is_number and abs(value) > most and abs(one) < float("inf")
        if counts and int(one) != value:
            change = _changed(value, one, d)
            return change._replace(enough=_of_all(numbers)) if d is _FLOAT64 else change
    return None


def identifiers(x: Any, name: str) -> Change | None:
    """Return what was read as a float that has more digits than floats hold, as identifiers do.

    Args:
        x: what was read.
        name: the function that read it.
    """
    if x is None or x.dtype != "float64":
        return None
    large = x[(abs(x) >= _EXACT) & (abs(x) < _WORD)].ravel()[:_SAMPLE]
    odd = [value for value in large.tolist() if not has_few_digits(value, _WRITTEN)]
    if len(odd) < _SEVERAL:
        return None
    return Change("precision-loss", f"{name} reads {int(odd[0])} as float64, not each digit of it")


def has_few_digits(value: float, digits: int) -> bool:
    """Return whether a number has no more decimal digits than some.

    >>> has_few_digits(1.5e19, 12), has_few_digits(4675352109658261504.0, 12)
    (True, False)
    """
    return value == float(f"{value:.{digits}g}")


def _of_all(numbers: Sequence[Any]) -> DType | None:
    """Return the integers of 64 bits that hold all of some numbers, or None."""
    if not all(isinstance(x, (int, sys.modules["numpy"].integer)) for x in numbers):
        return None
    ends = int(min(map(int, numbers))), int(max(map(int, numbers)))
    found = (by_name(name) for name in ("int64", "uint64"))
    return next((d for d in found if d.min <= ends[0] and ends[1] <= d.max), None)


def _numbers(values: Any) -> Iterator[Any]:
    """Yield the numbers of lists of lists, or of arrays of NumPy, as deep as they are."""
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from _numbers(value)
    elif getattr(as_numpy(values), "ndim", 0):
        yield from as_numpy(values).flat
    else:
        yield values


def cut_off(value: Any, became: Any, *, is_named: bool = False) -> Change | None:
    """Return what became of a float that is no integer.

    Args:
        value: the float.
        became: the one integer that it became.
        is_named: whether the integers are named, which only a number has a place in.

    >>> import numpy as np
    >>> cut_off(0.9, np.array(0.9).astype(int)).remark
    '0.9 became 0'
    >>> cut_off(0.9, np.array(0), is_named=True)
    """
    found = as_numpy(became)
    if type(value) is not float or found is None or found.size != 1 or found.item() == value:
        return None
    if is_named and isfinite(value):
        return None
    kind = "precision-loss" if isfinite(value) else "wraparound"
    return Change(kind, f"{value} became {found.item()}", _FLOAT64)


def parts_dropped(x: Any, found: Any) -> Change | None:
    """Return what became of complex numbers whose imaginary parts a cast drops.

    Those that are rounding errors, as an inverse transform leaves them, are dropped on purpose.

    >>> import numpy as np
    >>> parts_dropped(np.array([2 + 1j]), np.array([2.0])).remark
    '2+1j became 2'
    >>> parts_dropped(np.array([2 + 1e-16j]), np.array([2.0]))
    """
    numpy = sys.modules["numpy"]
    if x is None or found is None or x.dtype.kind != "c" or found.dtype.kind not in "fiu":
        return None
    values = numpy.ravel(x)[:_SAMPLE]
    of = dtype_of(x.dtype).part
    rounding = _DROPPED * 2.0 ** -(of.precision or 0) * abs(values).max(initial=0.0)
    lost = abs(values.imag) > rounding
    if not lost.any():
        return None
    at = int(numpy.argmax(lost))
    one, became = values[at], numpy.ravel(found)[at]
    count = count_of(int(numpy.count_nonzero(lost)), values.size, x.size)
    remark = f"{one.real:.7g}{one.imag:+.7g}j became {became:.7g}{count}"
    return Change("precision-loss", remark, dtype_of(x.dtype))


def nothing_left(c: Comparison, *, is_named: bool = False) -> Change | None:
    """Return what became of floats of which integers leave nothing: all are zero now.

    Args:
        c: what was converted, and what became of it.
        is_named: whether the integers are named, so that only a signal is not meant to: a mask or a
            share is cut off on purpose, and has no negative numbers.
    """
    numpy, x = sys.modules["numpy"], c.operands[0]
    some = x != 0
    if x.dtype.kind != "f" or c.actual.any() or numpy.count_nonzero(some) < _SEVERAL:
        return None
    if is_named and (numpy.count_nonzero(some) < _SIGNAL or not x.min() < 0 < x.max()):
        return None
    return Change("precision-loss", c.said(some), None if is_named else _unrounded(x))


def nearly_whole(c: Comparison) -> Change | None:
    """Return what became of whole numbers that rounding has left a little below, and are cut off.

    So it is with 4.35 times 100, and only if they are all whole but for that.

    >>> import numpy as np
    >>> from supremum.audit.log.values.recompute import of_cast
    >>> x = np.array([4.35, 2.25]) * 100
    >>> nearly_whole(of_cast(x, x.astype(int))).remark
    '434.99999999999994 became 434, in 1 of 2 elements'
    """
    numpy, x = sys.modules["numpy"], c.operands[0]
    d = dtype_of(x.dtype) if x.dtype.kind == "f" else None
    if d is None or c.actual.dtype.kind not in "iu":
        return None
    exact = wide(x)
    rounded_by = _ULP * 2.0 ** -(d.precision or 0) * abs(exact)
    whole = numpy.rint(exact)
    if not (abs(exact - whole) <= rounded_by).all() or not (rounded_by < _NEAR).all():
        return None
    cut = wide(c.actual) != whole
    if not cut.any():
        return None
    return Change("precision-loss", c.said(cut), back=True)


def little_left(c: Comparison) -> Change | None:
    """Return what became of floats of which integers cut off more than a tenth.

    Those of few bits are pixels, of which the small ones are near nothing.
    """
    numpy, x = sys.modules["numpy"], c.operands[0]
    if c.width < _CLOCK:
        return None
    finite = wide(x)[numpy.isfinite(x)] if x.dtype.kind == "f" else wide(x)[:0]
    rest = abs(finite - numpy.trunc(finite))
    if numpy.count_nonzero(rest) < _SEVERAL or rest.sum() <= _TENTH * abs(finite).sum():
        return None
    return Change("precision-loss", c.said(x != numpy.trunc(x)), _unrounded(x))


def equality(value: Any, x: Any, equal: Any, d: DType) -> Change | None:
    """Return which elements are what a number is rounded to, and do not equal it.

    Args:
        value: the number, which has more digits.
        x: what it is compared with; of that, the first rows.
        equal: where it was found to be equal.
        d: the dtype that it is rounded to: that of `x`, or the one that `x` had before.
    """
    parts, rounded_to = start(x, equal), rounded(value, d)
    if parts is None or rounded_to == value:
        return None
    some, equal = parts
    missed = (some == rounded_to) & ~equal
    is_count = d.name != some.dtype.name and abs(value) < _EXACT and value == int(value)
    if not missed.any() or is_count:
        return None
    count = count_of(int(sys.modules["numpy"].count_nonzero(missed)), missed.size, x.size)
    return Change("precision-loss", f"{value} does not equal what it is in {d}{count}", d)


def _differs(x: Any, found: Any) -> Any:
    """Return where floats are not the integers that they were made of."""
    numpy, f = sys.modules["numpy"], wide(found)
    info = numpy.iinfo(x.dtype)
    fits = (f < float(info.max)) & (f >= info.min)
    return ~fits | (numpy.where(fits, f, 0).astype(x.dtype) != x)


def _unrounded(x: Any) -> DType:
    """Return the float that has a place for numbers as they are: their own, or float64."""
    return dtype_of(x.dtype) if x.dtype.kind == "f" else _FLOAT64


def _of_neighbours(x: Any, found: Any, d: DType, *, strict: bool) -> Change | None:
    """Return what became of numbers that became equal, most of them; a quarter of a series.

    Any data do so in few bits, which are taken to save memory; a series that goes up or down should
    not, nor should a grid, of which each number comes up again and again. Numbers that are the same
    but for rounding are so in any dtype.
    """
    numpy = sys.modules["numpy"]
    sample, after = numpy.ravel(x)[:_SAMPLE], numpy.ravel(found)[:_SAMPLE]
    before, left = len(numpy.unique(sample)), len(numpy.unique(after))
    steps = numpy.diff(sample)
    is_series = bool((steps > 0).all() or (steps < 0).all())
    is_grid = 2 * before <= len(sample)
    has_digits = 1 << (d.precision or 0) >= _DIGITS
    spread = float(wide(sample).max()) - float(wide(sample).min())
    error = abs(wide(after) - wide(sample)).max()
    if not is_series and error <= (_SAME if is_grid or strict else _FINE) * spread:
        return None
    most = _KEPT if (is_series or is_grid or strict) and has_digits else _HALF
    fewest = FEWEST_NEIGHBOURS if left == 1 else _SOME_NEIGHBOURS
    if before < fewest or left > most * before or not (is_series or has_digits):
        return None
    remark = f"of {before:,} different numbers, {left:,} {'is' if left == 1 else 'are'} left in {d}"
    return Change("precision-loss", remark, _unrounded(x))


def _of_few(c: Comparison, d: DType) -> Change | None:
    """Return what became of a few numbers that lost more than a unit, as the times of steps do.

    Many are data, which are taken to half precision to save memory.
    """
    if 1 << (d.precision or 0) >= _DIGITS or c.whole > _STEPS:
        return None
    lost = abs(wide(c.actual) - c.expected) >= 1
    return Change("precision-loss", c.said(lost), _FLOAT32) if lost.any() else None


def has_more_digits(x: Any) -> bool:
    """Return whether numbers are decimals with more digits than single precision has.

    >>> import numpy as np
    >>> [has_more_digits(np.array(x)) for x in ([4100547.846, 5.5], [0.587, 0.114], [1 / 3, 2 / 3])]
    [True, False, False]
    """
    numpy = sys.modules["numpy"]
    finite = x[numpy.isfinite(x)]
    largest = float(abs(finite).max(initial=0.0))
    rounding = _ULPS * largest
    for places in range(_PLACES):
        unit = 10.0**-places
        if rounding * _ULPS_APART > unit:
            return False  # no float64 has so many
        if (abs(finite - numpy.round(finite, places)) <= rounding).all():
            became = wide(finite.astype(numpy.float32))
            return bool((abs(became - finite) > _HALF * unit).any())  # another decimal
    return False


def is_far_from_zero(x: Any, *, beside: Any = None) -> bool:
    """Return whether numbers vary by so little of what they are that they need their digits.

    Args:
        x: the numbers.
        beside: those by which they vary, if these are added to them.

    >>> import numpy as np
    >>> [is_far_from_zero(np.arange(4.0) + far) for far in (2.0, 1000.0, 400_000.0)]
    [False, False, True]
    """
    numpy = sys.modules["numpy"]
    finite, varied = (
        numbers[numpy.isfinite(numbers)] for numbers in (x, x if beside is None else beside)
    )
    if not finite.size or len(numpy.unique(varied)) < FEWEST_NEIGHBOURS:
        return False
    least, most = float(finite.min()), float(finite.max())
    spread = float(varied.max()) - float(varied.min())
    return least * most > 0 and min(abs(least), abs(most)) > _FAR * spread


def offset(x: Any, y: Any, found: Any, d: DType) -> Change | None:
    """Return what became of numbers that became equal by an offset, which leaves few digits.

    So it is with points that are put where they are on a map. What all become equal are not
    numbers that anybody wants: the offset marks them.

    Args:
        x: the first numbers of one operand.
        y: those of the other one; one of the two is a number, or the same all through.
        found: what came out.
        d: the dtype of that.
    """
    numpy = sys.modules["numpy"]
    if 1 << (d.precision or 0) < _DIGITS:
        return None
    for varied, other, far_at in ((x, y, 1), (y, x, 0)):
        if varied.size != found.size or not other.size or (other != other.flat[0]).any():
            continue
        far, spread = abs(float(other.flat[0])), float(varied.max()) - float(varied.min())
        if not 0 < _FINE * spread < far * 2.0 ** -(d.precision or 0) < float("inf"):
            continue
        before, left = len(numpy.unique(varied)), len(numpy.unique(found))
        if _SOME_NEIGHBOURS <= left <= _HALF * before:
            remark = f"of {before:,} different numbers, {left:,} are left in {d}"
            return Change("precision-loss", remark, _FLOAT64, against=far_at)
    return None


def cancelled(x: Any, y: Any, found: Any, d: DType, *, is_cut: bool) -> Change | None:
    """Return what became of a difference from squares that are nearly as large, such as a variance.

    Most of it has lost its digits; or some has that is negative, which no square is.

    Args:
        x: what they are taken from, as a mean of squares is.
        y: the squares.
        found: what came out.
        d: the dtype of that.
        is_cut: whether what is negative is cut off at once.
    """
    numpy, most = sys.modules["numpy"], 2.0 ** (_LEFT - (d.precision or 0))
    large = numpy.broadcast_to(numpy.maximum(abs(wide(x)), abs(wide(y))), found.shape)
    difference = wide(found)
    some = (difference != 0) & (abs(difference) < most * large)
    negative = some & (difference < 0)
    if 2 * int(numpy.count_nonzero(some)) < some.size:
        some = negative
    if not some.any() or (some is negative and is_cut):
        return None
    at = first(some)
    one, other = (numpy.broadcast_to(v, found.shape)[at] for v in (x, y))
    gives = f"{one:.9g} - {other:.9g} gives {found[at]:.5g}"
    count = count_of(int(numpy.count_nonzero(some)), some.size, found.size)
    remark = f"{gives}, of which nearly all digits are rounding errors{count}"
    return Change("precision-loss", remark, against=1)


def angles(name: str, x: Any, d: DType) -> Change | None:
    """Return what became of angles that are so large that their neighbours are far apart.

    So it is with the phase of a tone in float16, and with positions times frequencies in bfloat16.
    """
    numpy = sys.modules["numpy"]
    few = numpy.ravel(x)[:_SAMPLE]
    sizes = abs(wide(few))
    steps = numpy.ldexp(1.0, numpy.frexp(sizes)[1] - (d.precision or 0))
    coarse = numpy.isfinite(sizes) & (steps >= _APART)
    if not coarse.any():
        return None
    at = int(numpy.argmax(numpy.where(coarse, steps, 0)))
    count = count_of(int(numpy.count_nonzero(coarse)), coarse.size, numpy.size(x))
    what = f"{name} of {float(few[at]):.7g}, whose neighbours in {d} are {steps[at]:.3g} away"
    return Change("precision-loss", f"{what}{count}", cause=0, follows=True)


def near_one(name: str, x: Any, d: DType) -> Change | None:
    """Return what became of cosines, or sines, that are so near one that few angles are left.

    So it is with points that are close together, whose unit vectors are multiplied. What is one is
    the angle of a thing to itself.

    >>> import numpy as np
    >>> cosines = np.full(3, 1 - 2**-23, np.float32)
    >>> near_one("arccos", cosines, by_name("float32")).remark
    'arccos of 0.9999999, whose neighbours in float32 are 0.00011 away, in 3 of 3 elements'
    """
    numpy = sys.modules["numpy"]
    sizes = abs(wide(numpy.ravel(x)[:_SAMPLE]))
    step = 2.0 ** -(d.precision or 0)  # below one
    others = numpy.isfinite(sizes) & (sizes < 1)
    near = others & (1 - sizes <= _STEPS_NEAR * step)
    some = int(numpy.count_nonzero(near))
    if some < _SEVERAL or 2 * some < numpy.count_nonzero(others):
        return None
    at = first(near)
    away = numpy.arccos(sizes[at] - step) - numpy.arccos(sizes[at])
    count = count_of(some, sizes.size, numpy.size(x))
    what = f"{name} of {numpy.ravel(x)[at]:.7g}, whose neighbours in {d} are {away:.3g} away"
    return Change("precision-loss", f"{what}{count}", cause=0, follows=True)


def beyond(value: Any, d: DType) -> Change | None:
    """Return what became of a number that an array of floats is filled with, if it is infinite."""
    most = float(d.max or 0)
    if type(value) not in (int, float) or not most < abs(value) < float("inf"):
        return None
    remark = f"{d} does not hold {value!r}, and takes {'-' * (value < 0)}inf for it"
    return Change("float-overflow", remark, wider(d, abs(value)))


def bound(value: float, d: DType) -> Change | None:
    """Return what became of a bound that keeps numbers away from zero, or from one, if nothing did.

    >>> import numpy
    >>> from supremum import dtype
    >>> bound(1 - 1e-6, dtype("bfloat16")).remark
    'bfloat16 does not hold 0.999999, and takes 1 for it'
    >>> bound(0.999, dtype("float16"))
    """
    became = float(rounded(value, d)) if dtypes.holds(value, d) else 0.0
    if abs(value) > 1 or became == value or abs(became) not in (0.0, 1.0):
        return None
    remark = f"{d} does not hold {value!r}, and takes {became:g} for it"
    return Change("precision-loss", remark, wider(d, 1.0))


def quotient(x: Any, found: Any) -> Change | None:
    """Return what became of integers of more than 53 bits that were divided, if many became equal.

    So it is with times in nanoseconds that are wanted in seconds. Of those that go up, none should.
    """
    numpy = sys.modules["numpy"]
    sample, after = numpy.ravel(x)[:_SAMPLE], numpy.ravel(found)[:_SAMPLE]
    if not sample.size or sample.size != after.size or int(abs(wide(sample)).max()) < _EXACT:
        return None
    before, left = len(numpy.unique(sample)), len(numpy.unique(after))
    goes_up = bool((numpy.diff(sample) > 0).all())
    if before < FEWEST_NEIGHBOURS or left == before or not (goes_up or left <= _KEPT * before):
        return None
    remark = f"of {before:,} different integers, {left:,} {'is' if left == 1 else 'are'} left"
    return Change("precision-loss", f"{remark} in float64")


def spread(found: Any, d: DType) -> Change | None:
    """Return that some of the numbers that are spread over a range became equal.

    >>> import numpy as np
    >>> spread(np.linspace(4359, 4361, 24_000, dtype="float32"), by_name("float32")).remark
    'of 24,000 numbers from 4359 to 4361, 4,097 are different in float32'
    """
    some = found[: 1 << 20] if found.ndim == 1 else found[:0]
    if some.size < _SPREAD or some[0] == some[-1]:
        return None
    same = int((some[1:] == some[:-1]).sum())
    if same * _SPREAD < some.size:
        return None
    ends = f"{float(some[0]):.7g} to {float(some[-1]):.7g}"
    remark = f"of {some.size:,} numbers from {ends}, {some.size - same:,} are different in {d}"
    return Change("precision-loss", remark, _FLOAT64 if d is not _FLOAT64 else None)


def _changed(
    value: int, became: Any, d: DType, more: str = "", *, enough: DType = _FLOAT64
) -> Change:
    has_room = dtypes.bits(d) < dtypes.bits(_FLOAT64) and abs(value) <= _EXACT
    remark = f"{value} became {float(became):.17g}{more}"
    return Change("precision-loss", remark, enough if has_room else None)


def stored(value: Any, into: Any) -> str:
    """Return what became of the first number that an array has no place for, or ``""``.

    Args:
        value: what is stored: a number or an array of any library.
        into: the array.
    """
    numpy = sys.modules["numpy"]
    x, array = number(value), as_numpy(into)
    parts = start(numpy.asarray(x)) if x is not None and array is not None else None
    if parts is None or parts[0].dtype.kind not in "iufc":
        return ""
    [some] = parts
    with numpy.errstate(all="ignore"):  # the program must not notice what is tried here
        drops = some.dtype.kind == "c" != array.dtype.kind  # of which the program has the warning
        became = (some.real if drops else some).astype(array.dtype)
        is_integer = (some.dtype.kind in "iu", became.dtype.kind) == (True, "f")
        changed = _differs(some, became) if is_integer else became != some
    if not changed.any():
        return ""
    count = count_of(int(numpy.count_nonzero(changed)), some.size, numpy.size(x))
    at = first(changed)
    return f"{some[at]} became {became[at]}{count}"

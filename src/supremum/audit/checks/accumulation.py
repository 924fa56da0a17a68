"""Sums in few bits: those that overflow, stop growing, or lose more than rounding once would.

A reduction is made again in float64. What the narrow one loses is measured against the sum of the
magnitudes, so that numbers which cancel each other are no finding. A running total is looked at
one addition at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.dtypes import dtype as dtype_of
from ..model.locations import Location
from .exact_values import Change, again, as_numpy, is_small, number, wide

TOLERANCE: Final = {"float32": 1e-4, "float16": 8e-3, "bfloat16": 6e-2}
"""How much of a sum may be lost, by the dtype of the result: eight roundings of 16 bits, and about
a thousand of 32."""

_SUMS: Final = frozenset(
    {"sum", "nansum", "cumsum", "nancumsum", "cumulative_sum", "mean", "nanmean", "average", "dot",
     "matmul", "vdot", "inner", "trace", "reduce", "accumulate", "trapezoid", "add"}
)  # fmt: skip
_SPREADS: Final = frozenset({"var", "std", "nanvar", "nanstd", "norm"})
_TAKE_DTYPE: Final = frozenset(
    {"sum", "nansum", "cumsum", "mean", "nanmean", "var", "std", "reduce", "accumulate", "trace"}
)
_IN_PARTS: Final = _TAKE_DTYPE - {"var", "std"}
"""Of these, those whose results take no memory of their own, or as much as they do anyway."""

_FEWEST: Final = 64  # elements that lose more than some roundings
_FEWEST_LOOKS: Final = 16  # before it is said which way additions are rounded
_FEW: Final = 4_096  # elements of a total that are looked at
_DRIFT: Final = 10  # times the tolerance, as it is an estimate


def accumulates(name: str) -> bool:
    """Tell whether a function adds up floats.

    >>> accumulates("mean"), accumulates("max")
    (True, False)
    """
    name = name.removeprefix("reduce_")  # as TensorFlow calls them
    return name in _SUMS or name in _SPREADS


def of_call(place: Location, operands: Sequence[Any], result: Any) -> Change | None:
    """Return what a sum, mean, norm or the like has lost.

    Args:
        place: where it is called.
        operands: its object or module, and its arguments.
        result: what came out, floats.
    """
    numpy = sys.modules["numpy"]
    call, data = again(place, operands)
    found = as_numpy(result)
    if call is None or found is None or not found.size:
        return None
    if getattr(operands[0], "__name__", "add") not in ("add", "numpy", "torch") and place.name in (
        "reduce", "accumulate"
    ):  # fmt: skip
        return None
    arrays = [numpy.asarray(x) for x in data]
    narrow = dtype_of(result.dtype)
    if narrow.name not in TOLERANCE or not all(_can_be_made_again(x, place) for x in arrays):
        return None
    expected = _in_float64(call, arrays, place)
    if numpy.shape(expected) != found.shape:
        return None
    actual = wide(found)
    what = f"{place.name} of {arrays[0].size:,} elements"
    if not numpy.isfinite(actual).all():
        lost = ~numpy.isfinite(actual)
        return _told(what, (actual, expected, lost), narrow, place)
    if arrays[0].size < _FEWEST:
        return None
    magnitudes = expected
    if place.name not in _SPREADS and any(x.min() < 0 for x in arrays):
        if not is_small(*arrays):
            return None
        magnitudes = _in_float64(call, [abs(x) for x in arrays], place)
    scale = numpy.maximum(abs(magnitudes), narrow.smallest_normal or 0)
    lost = abs(actual - expected) > TOLERANCE[narrow.name] * scale
    return _told(what, (actual, expected, lost), narrow, place) if lost.any() else None


def _can_be_made_again(x: Any, place: Location) -> bool:
    """Tell whether an array has finite floats alone, and it takes no memory to add them up."""
    if x.dtype.kind not in "fV" or not x.size:
        return False
    if not is_small(x) and place.name not in _IN_PARTS:
        return False
    return bool(abs(x.max()) + abs(x.min()) < float("inf"))  # of NaN it is none


def _in_float64(call: Any, arrays: Sequence[Any], place: Location) -> Any:
    """Return what a call gives in float64: without a copy of what it is given, if that can be."""
    if place.name in _TAKE_DTYPE:
        return call(*arrays, dtype="float64")
    return call(*map(wide, arrays))


def _told(what: str, values: tuple[Any, Any, Any], narrow: DType, place: Location) -> Change:
    actual, expected, lost = map(sys.modules["numpy"].ravel, values)
    last = int(lost.nonzero()[0][-1])  # of a running sum, that is most of it
    one, other = actual[last], expected[last]
    back = bool(abs(expected).max() <= float(narrow.max or 0))
    where = f", in element {last:,} of {lost.size:,}" if lost.size > 1 else ""
    told = f"{what} gives {one:.7g} in {narrow}, {other:.7g} in float64{where}"
    enough = _wider(narrow, abs(expected).max())
    return Change("accumulation", told, enough, back=back and place.name in _TAKE_DTYPE)


class Total:
    """Looks at additions to a running total: whether it is too large for what is added to it.

    One addition may well be lost; not as many as there were. Rounding that goes one way, as that
    of a step of a clock does, adds up as well.
    """

    def __init__(self) -> None:
        self._looks = 0
        self._drift: Any = 0.0

    def __call__(
        self, place: Location, result: Any, operands: Sequence[Any], times: int
    ) -> Change | None:
        """Return what became of an addition.

        Args:
            place: where it is.
            result: the total after it.
            operands: the total before, or the same array after it, and what is added.
            times: how often something was added at this place.
        """
        numpy = sys.modules["numpy"]
        a, b, found = number(operands[0]), number(operands[1]), as_numpy(result)
        narrow = dtype_of(result.dtype)
        if a is None or b is None or found is None or narrow.name not in TOLERANCE:
            return None
        if not is_small(a, b, found) or not found.size:
            return None
        a, b, found = (_line(values, found.shape) for values in (a, b, found))
        y, total = wide(b) if place.name == "add" else -wide(b), wide(found)
        if operands[0] is not result:
            before = wide(a)
            lost = abs(total - before) < abs(y) / 2
            self._looks += 1
            self._drift = self._drift + (total - before - y)
        else:
            before = total
            lost = (total + y).astype(found.dtype) == found  # the next one, which is like it
        tolerance = TOLERANCE[narrow.name] * abs(total)
        lost &= (y != 0) & (times * abs(y) > tolerance)
        if self._looks >= _FEWEST_LOOKS:
            lost |= abs(self._drift) / self._looks * times > _DRIFT * tolerance
        some = lost & numpy.isfinite(total)
        some |= ~numpy.isfinite(total) & numpy.isfinite(before) & numpy.isfinite(y)
        if 2 * int(numpy.count_nonzero(some)) < some.size:
            return None
        first = int(numpy.argmax(numpy.ravel(some)))
        one, other, after = (
            numpy.ravel(numpy.broadcast_to(values, some.shape))[first]
            for values in (before, y, total)
        )
        gives = "stays what it is" if one == after else f"gives {after:.9g}"
        told = f"{one:.9g} + {other:.7g} {gives} in {narrow}"
        return Change("accumulation", told, _wider(narrow, abs(total).max()), against=1, cause=0)


def _line(values: Any, shape: tuple[int, ...]) -> Any:
    """Return what is enough to look at of an array, or of what is broadcast to its shape."""
    numpy = sys.modules["numpy"]
    if numpy.prod(shape, dtype=float) <= _FEW:
        return values
    middle = tuple(n // 2 for n in shape[:-1])
    return numpy.broadcast_to(values, shape)[middle][:_FEW]


def _wider(narrow: DType, most: Any) -> DType:
    """Return the first wider dtype that has a place for a sum."""
    few = narrow.name != "float32" and float(most) <= float(by_name("float32").max or 0)
    return by_name("float32" if few else "float64")

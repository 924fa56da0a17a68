"""Totals and moving averages in few bits, which are looked at one step at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from ....core.dtypes import DType
from ....core.dtypes import dtype as dtype_of
from ...model.locations import Location
from ..tracked_types import reference
from .at_hand import as_numpy, is_small, number, rounded, wide
from .questions import TOLERANCE, wider
from .recompute import Change

_STUCK: Final = 8  # additions, none of which changed anything: nobody wants those
_GUARD: Final = 1e-6  # smaller numbers are there to keep others away from zero
_FEWEST_LOOKS: Final = 16  # before it is said which way additions are rounded
_FEWEST_BITS: Final = 8  # of a significand, as bfloat16 has
_FEW: Final = 4_096  # elements of a total that are looked at
_DRIFT: Final = 10  # times the tolerance, as it is an estimate


class Total:
    """Looks at additions to a running total: whether it is too large for what is added to it.

    One addition may well be lost; not as many as there were, nor all of the first. Rounding that
    goes one way, as that of a step of a clock does, adds up as well.

    Args:
        d: the dtype of the total.

    Attributes:
        numbers: how many of its first numbers are looked at: steps of one are lost soon.
    """

    def __init__(self, d: DType) -> None:
        self.numbers = 2 << (d.precision or 0) if (d.precision or 0) <= _FEWEST_BITS else 0
        self._looks = 0
        self._drift: Any = 0.0
        self._stays = True
        self._last: Callable[[], Any] = lambda: None

    def __call__(
        self, place: Location, result: Any, operands: Sequence[Any], times: int
    ) -> Change | None:
        """Return what became of an addition.

        Args:
            place: where it is.
            result: the total after it.
            operands: the total before, or the same array after it, and what is added; of a call
                in place, its object and its second argument besides.
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
        total = wide(found)
        y = _step(place, wide(b), total, operands[3:])
        self._looks += 1
        if operands[0] is not result:
            before = wide(a)
            lost = abs(total - before) < abs(y) / 2
            self._drift = self._drift + (total - before - y)
        else:
            before = total
            lost = rounded(total + y, narrow) == total  # the next one, which is like it
        is_added = y != 0
        stays = bool((lost | ~is_added).all()) and float(abs(y).max(initial=0.0)) >= _GUARD
        self._stays &= self._goes_on(place, result, operands[0]) and stays
        tolerance = TOLERANCE[narrow.name] * abs(total)
        is_stuck = self._stays and self._looks >= _STUCK
        lost &= is_added & (is_stuck | (times * abs(y) > tolerance))
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
        remark = f"{one:.9g} + {other:.7g} {gives} in {narrow}"
        return Change("accumulation", remark, wider(narrow, abs(total).max()), against=1, cause=0)

    def _goes_on(self, place: Location, result: Any, before: Any) -> bool:
        """Return whether this adds to what the last addition gave, if there was one.

        A new array, or number, has something added to it only to keep it away from zero.
        """
        last, self._last = self._last(), reference(result)
        is_kept = not place.operand_text(0).isidentifier()  # in an object, or an array
        return is_kept or self._looks == 1 or before is last


def stalled(
    _place: Location, result: Any, operands: Sequence[Any], _times: int = 0
) -> Change | None:
    """Return what became of a moving average that a factor close to one does not change any more.

    That is so in ``average = 0.999 * average + 0.001 * x``: what is added is not less for it.
    """
    numpy, d = sys.modules["numpy"], dtype_of(result.dtype)
    [factor] = [v for v in operands if type(v) is float] or [1.0]
    index = next((i for i, v in enumerate(operands) if type(v) is not float), 0)
    x = as_numpy(operands[index])
    if x is None or factor == 1.0 or (d.precision or 0) > _FEW_BITS or not numpy.size(x):
        return None
    x = wide(_line(x, x.shape))
    normal = numpy.isfinite(x) & (abs(x) >= float(d.smallest_normal or 0))
    if not normal.any() or (normal & (rounded(x * factor, d) != x)).any():
        return None
    one = numpy.ravel(x)[int(numpy.argmax(normal))]
    remark = f"{factor:.7g} * {one:.7g} stays what it is in {d}"
    enough = wider(d, abs(x[normal]).max())
    return Change("accumulation", remark, enough, against=index, cause=index)


_FEW_BITS: Final = 11  # of a significand


def _step(place: Location, value: Any, total: Any, more: Sequence[Any]) -> Any:
    """Return what is added to a total: `value` itself, or a part of it or of the way there."""
    name = place.name.rstrip("_")
    [weight] = [n for n in more if type(n) in (int, float)] or [1]
    if name == "lerp":
        return weight * (value - total)
    return weight * (value if name == "add" else -value)


def _line(values: Any, shape: tuple[int, ...]) -> Any:
    """Return what is enough to look at of an array, or of what is broadcast to its shape."""
    numpy = sys.modules["numpy"]
    if numpy.prod(shape, dtype=float) <= _FEW:
        return values
    middle = tuple(n // 2 for n in shape[:-1])
    return numpy.broadcast_to(values, shape)[middle][:_FEW]

"""What results are in float64 beside what came out, so that a difference shows what it has lost.

A difference of close numbers cancels what they have in common, and leaves what they were rounded
by. That is a fault of the formula if float64 gives another difference, and gives the same one as
well where what the program starts from is changed by a rounding: if not, as for a residual or the
step of an iteration that has converged, there is nothing to be known of it in any formula.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from ....core.dtypes import DType
from ....core.dtypes import dtype as dtype_of
from .at_hand import wide
from .recompute import Change, Comparison, first

MOST: Final = 1 << 14  # elements
_KEPT: Final = 64  # results
_LOST: Final = 1 / 8  # of a difference
_CERTAIN: Final = 1 / 64  # of it, that a rounding of what it starts from may change
_CLOSE: Final = 64  # roundings, within which a result is what it was


class _Shadow(NamedTuple):
    """A result, what float64 gives for it, and what that is for operands a rounding away."""

    result: Callable[[], Any]
    exact: Any
    moved: Any


_shadows: dict[int, _Shadow] = {}


def cancellation(c: Comparison, name: str, operands: Sequence[Any], result: Any) -> Change | None:
    """Keep what an operation gives in float64; return what a difference has lost of it.

    Args:
        c: the operation beside what float64 gives for the operands as they are.
        name: what the catalogue calls it.
        operands: what it was computed of: numbers, or arrays of any library.
        result: what came out.
    """
    numpy, d = sys.modules["numpy"], dtype_of(result.dtype)
    if c.again is None or c.whole > MOST or any(numpy.size(v) > MOST for v in c.operands):
        return None
    pairs = [_known(value, at_hand, d) for value, at_hand in zip(operands, c.operands, strict=True)]
    exact, moved = (numpy.asarray(c.again(*values)) for values in zip(*pairs, strict=True))
    _keep(result, exact, moved)
    if name not in ("add", "subtract"):
        return None
    actual, of = wide(c.actual), abs(exact)
    counts = numpy.isfinite(actual) & numpy.isfinite(exact) & (exact != 0)
    lost = counts & (abs(actual - exact) > _LOST * of) & (abs(moved - exact) < _CERTAIN * of)
    some = int(numpy.count_nonzero(lost))
    if not some or 2 * some < numpy.count_nonzero(counts):
        return None
    more = f" in {d}, not {exact[first(lost)]:.4g}"
    return Change("cancellation", c.said(lost, more))


def _keep(result: Any, exact: Any, moved: Any) -> None:
    try:
        shadow = _Shadow(weakref.ref(result), exact, moved)
    except TypeError:  # a scalar, which takes no weak references
        shadow = _Shadow(lambda: result, exact, moved)
    if len(_shadows) >= _KEPT:
        del _shadows[next(iter(_shadows))]
    _shadows[id(result)] = shadow


def _known(value: Any, found: Any, d: DType) -> tuple[Any, Any]:
    """Return what an operand is in float64, and what it is a rounding away."""
    actual = wide(found)
    rounding = 2.0 ** -(d.precision or 0)
    shadow = _shadows.get(id(value))
    if shadow is not None and shadow.result() is value and shadow.exact.shape == actual.shape:
        close = _CLOSE * rounding * abs(actual).max()
        if abs(actual - shadow.exact).max() <= close:  # otherwise it was changed since
            return shadow.exact, shadow.moved
    if type(value) in (int, float) and value == int(value):
        return actual, actual
    noise = _chance().uniform(rounding / 2, rounding, actual.shape)
    moved = actual * (1 + noise * _chance().choice([-1, 1], actual.shape))
    _keep(value, actual, moved)  # it is moved alike wherever it is used
    return actual, moved


@cache
def _chance() -> Any:
    return sys.modules["numpy"].random.default_rng(0)

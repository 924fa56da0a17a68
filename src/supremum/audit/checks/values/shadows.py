"""What results are in float64 beside what came out, so that a difference shows what it has lost.

A difference of close numbers cancels what they have in common, and leaves what they were rounded
by. That is a fault of the formula if float64 gives another difference, and gives the same one as
well where what the program starts from is changed by a rounding: if not, as for a residual, there
is nothing to be known of it in any formula. Nor is it a fault where an iteration has converged, so
nothing is said of what a place has computed from an earlier result of its own.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import Any, Final, NamedTuple

from ....core.dtypes import DType
from ....core.dtypes import dtype as dtype_of
from ...model.locations import Location
from .at_hand import wide
from .recompute import Change, Comparison, first

MOST: Final = 1 << 14  # elements
_KEPT: Final = 64  # results
_LOST: Final = 1 / 8  # of a difference
_CERTAIN: Final = 1 / 64  # of it, that a rounding of what it starts from may change
_CLOSE: Final = 64  # roundings, within which a result is what float64 gives
_MOVES: Final = 3  # of what a program starts from: by chance, one alone may change nothing
_chance: Final = Random(0)  # noqa: S311  # NumPy's would be imported while the program runs


class _Shadow(NamedTuple):
    """A result, and what float64 gives beside.

    Attributes:
        result: gives the result, if it is still there.
        actual: what it was; an array may be changed since.
        exact: what float64 gives.
        moved: the same for operands a rounding away, several times.
        places: where it was computed, and what it was computed of.
        counts: whether differences of it say anything: it is close to what float64 gives, and no
            place has computed it from a result of its own.
    """

    result: Callable[[], Any]
    actual: Any
    exact: Any
    moved: Sequence[Any]
    places: frozenset[int] = frozenset()
    counts: bool = True


_shadows: dict[int, _Shadow] = {}


def cancellation(
    c: Comparison, name: str, operands: Sequence[Any], result: Any, place: Location
) -> Change | None:
    """Keep what an operation gives in float64; return what a difference has lost of it.

    Args:
        c: the operation beside what float64 gives for the operands as they are.
        name: what the catalogue calls it.
        operands: what it was computed of: numbers, or arrays of any library.
        result: what came out.
        place: where.
    """
    numpy, d = sys.modules["numpy"], dtype_of(result.dtype)
    if c.again is None or c.whole > MOST or any(numpy.size(v) > MOST for v in c.operands):
        return None
    known = [_known(value, at_hand, d) for value, at_hand in zip(operands, c.operands, strict=True)]
    exact = numpy.asarray(c.again(*(shadow.exact for shadow in known)))
    moves = zip(*(shadow.moved for shadow in known), strict=True)
    moved = [numpy.asarray(c.again(*values)) for values in moves]
    places = frozenset[int]().union(*(shadow.places for shadow in known))
    counts = id(place) not in places and all(shadow.counts for shadow in known)
    close = counts and _is_close(wide(c.actual), exact, d)
    _keep(result, _Shadow(_nothing, c.actual, exact, moved, places | {id(place)}, close))
    if name not in ("add", "subtract") or not counts:
        return None
    return _lost(c, exact, moved, d)


def _lost(c: Comparison, exact: Any, moved: Sequence[Any], d: DType) -> Change | None:
    """Return what has become of most of some differences, if it can be known what they are."""
    numpy, actual, of = sys.modules["numpy"], wide(c.actual), abs(exact)
    counts = numpy.isfinite(actual) & numpy.isfinite(exact)
    lost = counts & (exact != 0) & (abs(actual - exact) > _LOST * of)
    for other in moved:
        lost &= abs(other - exact) < _CERTAIN * of
    some = int(numpy.count_nonzero(lost))
    if not some or 2 * some < numpy.count_nonzero(counts):
        return None
    more = f" in {d}, not {exact[first(lost)]:.4g}"
    return Change("cancellation", c.said(lost, more))


def _is_close(actual: Any, exact: Any, d: DType) -> bool:
    if not actual.size:
        return True
    close = _CLOSE * 2.0 ** -(d.precision or 0) * abs(actual).max()
    return bool(abs(actual - exact).max() <= close)


def _nothing() -> None:
    return None


def _keep(result: Any, shadow: _Shadow) -> _Shadow:
    actual = sys.modules["numpy"].array(shadow.actual)
    try:
        shadow = shadow._replace(result=weakref.ref(result), actual=actual)
    except TypeError:  # a scalar, which takes no weak references
        shadow = shadow._replace(result=lambda: result, actual=actual)
    if len(_shadows) >= _KEPT:
        del _shadows[next(iter(_shadows))]
    _shadows[id(result)] = shadow
    return shadow


def _known(value: Any, found: Any, d: DType) -> _Shadow:
    """Return what is known of an operand; what the program starts from is what it is."""
    numpy = sys.modules["numpy"]
    shadow = _shadows.get(id(value))
    if shadow is not None and shadow.result() is value and numpy.array_equal(shadow.actual, found):
        return shadow
    actual = wide(found)
    if type(value) in (int, float) and value == int(value):
        return _Shadow(_nothing, actual, actual, [actual] * _MOVES)
    rounding = 2.0 ** -(d.precision or 0)
    moved = [actual * (1 + rounding * _noise(actual.shape)) for _ in range(_MOVES)]
    # it is moved alike wherever it is used
    return _keep(value, _Shadow(_nothing, found, actual, moved))


def _noise(shape: tuple[int, ...]) -> Any:
    """Return numbers by chance between -1 and -1/2, or 1/2 and 1."""
    numpy, size = sys.modules["numpy"], prod(shape)
    drawn = numpy.frombuffer(_chance.randbytes(4 * size), numpy.int32) / 2.0**32
    return numpy.where(drawn < 0, drawn - 0.5, drawn + 0.5).reshape(shape)

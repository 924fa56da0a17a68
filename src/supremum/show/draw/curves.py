"""Curves: cubic Bézier pieces that lead from left to right, and what they run into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .drawing import Point

Slot = tuple[float, float, list[tuple[float, float]]]
"""A column: where it starts, where it ends, and the boxes in it, each from its top to its end."""


_LEAN = 18.0
"""How far from the height at which it passes a column an arrow may enter and leave it."""


def bend(
    start: Point, end: Point, leaving: float = 0.5, arriving: float = 0.5
) -> tuple[Point, ...]:
    """Return one piece that leaves and arrives level, each for a part of the way."""
    way = end[0] - start[0]
    return (
        start, (start[0] + leaving * way, start[1]), (end[0] - arriving * way, end[1]), end,
    )  # fmt: skip


BENDS = sorted(
    ((a / 10, b / 10) for a in range(3, 8) for b in range(3, 8)),
    key=lambda ends: (ends[0] - 0.5) ** 2 + (ends[1] - 0.5) ** 2,
)
"""For which parts of the way a piece is level at its ends, the gentlest first."""


def smooth(through: Sequence[Point]) -> tuple[Point, ...]:
    """Return pieces through some points without corners, which turn at these points alone."""
    steps = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(through)]
    slopes = [0.0]
    for before, after in pairwise(steps):
        turns = before * after <= 0
        slopes.append(0.0 if turns else 2 * before * after / (before + after))
    slopes.append(0.0)
    points = [through[0]]
    for i in range(len(steps)):
        (x0, y0), (x1, y1) = through[i], through[i + 1]
        third = (x1 - x0) / 3
        points += [(x0 + third, y0 + slopes[i] * third), (x1 - third, y1 - slopes[i + 1] * third)]
        points.append((x1, y1))
    return tuple(points)


def past(
    start: Point, end: Point, slots: Sequence[Slot], heights: Sequence[float], margin: float
) -> tuple[Point, ...]:
    """Return a smooth curve that passes each column near a height, and clear of its boxes.

    It keeps clear because it never leaves the heights between two points that it leads through.
    """
    middles = [((left + right) / 2, y) for (left, right, _), y in zip(slots, heights, strict=True)]
    way = [start, *middles, end]
    through = [start]
    for (left, right, boxes), before, (_, y), after in zip(
        slots, way, middles, way[2:], strict=False
    ):
        low = max([y - _LEAN, *(end + margin for _, end in boxes if end <= y)])
        high = min([y + _LEAN, *(top - margin for top, _ in boxes if top >= y)])
        room = max(0.0, min(y - low, high - y))
        rise = (after[1] - before[1]) / (after[0] - before[0]) * (right - left) / 2
        if (y - before[1]) * (after[1] - y) <= 0:
            rise = 0.0
        lean = max(-room, min(rise, room))
        through += [(left - margin, y - lean), (right + margin, y + lean)]
    return smooth([*through, end])


def samples(points: Sequence[Point], steps: int = 24) -> Iterator[Point]:
    """Return points on a curve, at equal steps of the parameter of each piece."""
    yield points[0]
    for i in range(0, len(points) - 1, 3):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[i : i + 4]
        for k in range(1, steps + 1):
            t = k / steps
            s = 1 - t
            a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
            yield (a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3)


def is_clear(points: Sequence[Point], slots: Sequence[Slot], margin: float) -> bool:
    """Tell whether a curve keeps a margin from all boxes in some columns, from left to right."""
    at = 0
    for x, y in samples(points, 32):
        while at < len(slots) and x > slots[at][1] + margin:
            at += 1
        if at == len(slots) or x < slots[at][0] - margin:
            continue
        if any(top - margin < y < end + margin for top, end in slots[at][2]):
            return False
    return True

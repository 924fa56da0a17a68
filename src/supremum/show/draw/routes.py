"""From places to pixels: the size of each box, and a curve for each arrow that runs into none."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .drawing import Arrow, Box, Drawing, Point
from .places import Places

LETTER = 8.43
"""How wide a letter of 14 pixels is in a monospaced font."""
CAPTION = 7.23
"""How wide one of 12 pixels is."""
HEIGHT = 32.0
STEP = 54.0
"""How far apart two boxes of a column are, from centre to centre."""
MARGIN = 24.0
_LEAN = 18.0
"""How far from the height at which it passes a column an arrow may enter and leave it: where it
passes there is room for half a box, so it stays clear of those above and below."""
_CLEAR = 5.0
"""How far before a column an arrow is at the height at which it passes."""
_HEAD = 2.0  # the point of an arrow stays this far from the box
_MOST_LETTERS = 28

Cover = tuple[int, int]


def shortened(name: str) -> str:
    """Return a name as a label shows it: one line, the middle cut out if it is long."""
    shown = printable(name)
    half = (_MOST_LETTERS - 1) // 2
    return shown if len(shown) <= _MOST_LETTERS else f"{shown[: half + 1]}…{shown[-half:]}"


def printable(name: str) -> str:
    """Return a name with a dot for what does not show, such as the end of a line."""
    return "".join(c if c.isprintable() else "·" for c in name) or "·"


def cells(text: str) -> int:
    """Return how many letters wide a text is: some scripts take two."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def laid_out(
    title: str,
    boxes: Sequence[tuple[str, str, str, bool]],
    covers: Sequence[Cover],
    places: Places | None,
    note: str,
) -> Drawing:
    """Return a drawing from places, or one that does not have any.

    Args:
        title: its title.
        boxes: the name, the label, the kind and the weakness of each node.
        covers: the arrows.
        places: where the nodes go, or None if that is not known.
        note: what must be said of it.
    """
    if places is None:
        unplaced = [Box(n, label, 0, 0, 0, 0, kind, weak) for n, label, kind, weak in boxes]
        arrows = tuple(Arrow(a, b, ()) for a, b in covers)
        return Drawing(title, 0, 0, tuple(unplaced), arrows, (), note, is_placed=False)
    spans = _spans([cells(label) for _, label, _, _ in boxes], covers, places)
    lines = [*places.heights, *(y for way in places.via.values() for y in way)]
    top = MARGIN + HEIGHT / 2 - STEP * min(lines, default=0.0)
    made = [
        Box(name, label, sum(spans[column]) / 2, top + height * STEP,
            spans[column][1] - spans[column][0], HEIGHT, kind, weak)
        for (name, label, kind, weak), column, height in zip(
            boxes, places.columns, places.heights, strict=True
        )
    ]  # fmt: skip
    height = top + STEP * max(lines, default=0.0) + HEIGHT / 2 + MARGIN
    width = (spans[-1][1] if spans else MARGIN) + MARGIN
    arrows = _arrows(made, covers, places, spans, top)
    return Drawing(title, width, height, tuple(made), arrows, (), note)


def _spans(
    letters: Sequence[int], covers: Sequence[Cover], places: Places
) -> list[tuple[float, float]]:
    """Return where each column starts and ends; where arrows are steep, gaps are wide."""
    count = max(places.columns, default=-1) + 1
    widths = [46.0] * count
    for n, column in zip(letters, places.columns, strict=True):
        widths[column] = max(widths[column], n * LETTER + 20)
    rises: list[list[float]] = [[] for _ in widths]
    for cover in covers:
        for column, (y0, y1) in enumerate(pairwise(places.way(cover)), places.columns[cover[0]]):
            rises[column].append(abs(y1 - y0))
    spans = []
    left = MARGIN
    for width, gap in zip(widths, rises, strict=True):
        spans.append((left, left + width))
        left += width + min(180.0, max(46.0, 30 + 13 * max(gap, default=0.0), 2.5 * len(gap)))
    return spans


def _arrows(
    boxes: Sequence[Box],
    covers: Sequence[Cover],
    places: Places,
    spans: Sequence[tuple[float, float]],
    top: float,
) -> tuple[Arrow, ...]:
    leaving, arriving = _ports(boxes, covers, 0), _ports(boxes, covers, 1)
    made = []
    for a, b in covers:
        start = (boxes[a].x + boxes[a].width / 2, boxes[a].y + leaving[a, b])
        end = (boxes[b].x - boxes[b].width / 2 - _HEAD, boxes[b].y + arriving[a, b])
        heights = [top + height * STEP for height in places.way((a, b))[1:-1]]
        between = spans[places.columns[a] + 1 : places.columns[b]]
        made.append(Arrow(a, b, _curve(start, end, between, heights)))
    return tuple(made)


def _ports(boxes: Sequence[Box], covers: Sequence[Cover], own: int) -> dict[Cover, float]:
    """Return how far from the middle of its lower (0) or upper (1) box each arrow has that end.

    What leads straight on has the middle, so that chains are straight.
    """
    found: dict[Cover, float] = {}
    sides: dict[int, list[Cover]] = defaultdict(list)
    for cover in covers:
        sides[cover[own]].append(cover)
    for node, side in sides.items():
        by_height = sorted(side, key=lambda c: boxes[c[1 - own]].y)
        rises = [boxes[c[1 - own]].y - boxes[node].y for c in by_height]
        above = sum(rise < -1 for rise in rises)
        straight = sum(abs(rise) <= 1 for rise in rises)
        centre = above if straight else len(side) / 2 - 0.5
        reach = max(above, len(side) - above - straight) if straight else centre
        step = min(5.0, 8.0 / reach) if reach else 0.0
        for place, cover in enumerate(by_height):
            found[cover] = (place - centre) * step
    return found


def _curve(
    start: Point, end: Point, between: Sequence[tuple[float, float]], heights: Sequence[float]
) -> tuple[Point, ...]:
    """Return a smooth curve that passes columns near some heights.

    It never leaves the heights between two points that it leads through.
    """
    if not between:
        half = (end[0] - start[0]) / 2
        return start, (start[0] + half, start[1]), (end[0] - half, end[1]), end
    middles = [(sum(span) / 2, y) for span, y in zip(between, heights, strict=True)]
    way = [start, *middles, end]
    through = [start]
    for (left, right), before, (_, y), after in zip(between, way, middles, way[2:], strict=False):
        is_turn = (y - before[1]) * (after[1] - y) <= 0
        rise = 0.0 if is_turn else (after[1] - before[1]) / (after[0] - before[0])
        room = min(_LEAN, abs(y - before[1]), abs(after[1] - y))
        lean = max(-room, min(rise * (right - left) / 2, room))
        through += [(left - _CLEAR, y - lean), (right + _CLEAR, y + lean)]
    return _smooth([*through, end])


def _smooth(through: Sequence[Point]) -> tuple[Point, ...]:
    """Return pieces through some points without corners, which turn at these points alone."""
    steps = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(through)]
    slopes = [0.0]
    for before, after in pairwise(steps):
        turns = before * after <= 0
        slopes.append(0.0 if turns else 2 * before * after / (before + after))
    slopes.append(0.0)
    points = [through[0]]
    for ((x0, y0), (x1, y1)), (leaving, arriving) in zip(
        pairwise(through), pairwise(slopes), strict=True
    ):
        third = (x1 - x0) / 3
        points += [(x0 + third, y0 + leaving * third), (x1 - third, y1 - arriving * third)]
        points.append((x1, y1))
    return tuple(points)


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

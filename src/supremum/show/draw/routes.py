"""From places to pixels: the size of each box, and a curve for each arrow that runs into none."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from .curves import BENDS, Slot, bend, is_clear, past
from .drawing import Arrow, Box, Caption, Drawing, Point
from .places import Places

LETTER = 8.43
"""How wide a letter of 14 pixels is in a monospaced font."""
CAPTION = 7.23
"""How wide one of 12 pixels is."""
HEIGHT = 32.0
STEP = 54.0
"""How far apart two boxes of a column are, from centre to centre."""
MARGIN = 24.0
CLEAR = 5.0
"""How near an arrow may come to a box that it passes."""
_HEAD = 2.0  # the point of an arrow stays this far from the box
_MOST_LETTERS = 28


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
    covers: Sequence[tuple[int, int]],
    places: Places,
    note: str,
) -> Drawing:
    """Return a drawing from places.

    Args:
        title: its title.
        boxes: the name, the label, the kind and the weakness of each node.
        covers: the arrows.
        places: where the nodes go.
        note: what must be said of it.
    """
    side = max((cells(row) * CAPTION + 26 for row, _ in places.rows), default=0.0)
    spans = _spans([cells(label) for _, label, _, _ in boxes], covers, places, MARGIN + side)
    top = MARGIN + HEIGHT / 2 - STEP * min(places.heights, default=0.0)
    made = [
        Box(name, label, sum(spans[column]) / 2, top + height * STEP,
            spans[column][1] - spans[column][0], HEIGHT, kind, weak)
        for (name, label, kind, weak), column, height in zip(
            boxes, places.columns, places.heights, strict=True
        )
    ]  # fmt: skip
    slots: list[Slot] = [
        (left, right, sorted((b.y - HEIGHT / 2, b.y + HEIGHT / 2)
                             for b, c in zip(made, places.columns, strict=True) if c == column))
        for column, (left, right) in enumerate(spans)
    ]  # fmt: skip
    arrows = _arrows(made, covers, places, slots, top)
    ys = [y for a in arrows for _, y in a.points] + [b.y for b in made]
    # a curve beyond the boxes moves everything into the picture
    shift = max(0.0, MARGIN + HEIGHT / 2 - min(ys, default=MARGIN + HEIGHT / 2))
    made = [_lower(box, shift) for box in made]
    arrows = [Arrow(a.lower, a.upper, tuple((x, y + shift) for x, y in a.points)) for a in arrows]
    captions = tuple(
        Caption(row, MARGIN, top + shift + height * STEP) for row, height in places.rows
    )
    height = max(ys, default=0.0) + shift + HEIGHT / 2 + MARGIN
    width = (spans[-1][1] if spans else MARGIN) + MARGIN
    return Drawing(title, width, height, tuple(made), tuple(arrows), captions, note)


def _lower(box: Box, shift: float) -> Box:
    return Box(box.name, box.label, box.x, box.y + shift, box.width, box.height, box.kind,
               box.weak)  # fmt: skip


def _spans(
    letters: Sequence[int], covers: Sequence[tuple[int, int]], places: Places, left: float
) -> list[tuple[float, float]]:
    """Return where each column starts and ends; where arrows are steep, gaps are wide."""
    count = max(places.columns, default=-1) + 1
    widths = [46.0] * count
    for n, column in zip(letters, places.columns, strict=True):
        widths[column] = max(widths[column], n * LETTER + 20)
    steepest = [0.0] * count
    crowd = [0] * count
    for a, b in covers:
        way = [places.heights[a], *places.via.get((a, b), ()), places.heights[b]]
        steps = places.columns[b] - places.columns[a]
        if len(way) != steps + 1:
            way = [way[0] + (way[-1] - way[0]) * k / steps for k in range(steps + 1)]
        for k, (y0, y1) in enumerate(pairwise(way)):
            column = places.columns[a] + k
            steepest[column] = max(steepest[column], abs(y1 - y0))
            crowd[column] += 1
    spans = []
    for column, width in enumerate(widths):
        spans.append((left, left + width))
        left += width + min(180.0, max(46.0, 30 + 13 * steepest[column], 2.5 * crowd[column]))
    return spans


def _arrows(
    boxes: Sequence[Box],
    covers: Sequence[tuple[int, int]],
    places: Places,
    slots: Sequence[Slot],
    top: float,
) -> list[Arrow]:
    leaving, arriving = _ports(boxes, covers)
    taken: dict[int, list[float]] = defaultdict(list)
    made: dict[tuple[int, int], tuple[Point, ...]] = {}
    # short ones have the least choice, so they come first
    for a, b in sorted(covers, key=lambda c: places.columns[c[1]] - places.columns[c[0]]):
        start = (boxes[a].x + boxes[a].width / 2, boxes[a].y + leaving[a, b])
        end = (boxes[b].x - boxes[b].width / 2 - _HEAD, boxes[b].y + arriving[a, b])
        between = slots[places.columns[a] + 1 : places.columns[b]]
        given = [top + height * STEP for height in places.via.get((a, b), ())]
        made[a, b] = _curve(start, end, between, given, taken, places.columns[a] + 1)
    return [Arrow(a, b, made[a, b]) for a, b in covers]


def _ports(
    boxes: Sequence[Box], covers: Sequence[tuple[int, int]]
) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float]]:
    """Return how far from the middle of its box each arrow leaves and arrives.

    What leads straight on has the middle, so that chains are straight.
    """
    leaving: dict[tuple[int, int], float] = {}
    arriving: dict[tuple[int, int], float] = {}
    for found, own, other in ((leaving, 0, 1), (arriving, 1, 0)):
        sides: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for cover in covers:
            sides[cover[own]].append(cover)
        for node, side in sides.items():
            by_height = sorted(side, key=lambda c: boxes[c[other]].y)
            rises = [boxes[c[other]].y - boxes[node].y for c in by_height]
            above = sum(rise < -1 for rise in rises)
            straight = sum(abs(rise) <= 1 for rise in rises)
            below = len(side) - above - straight
            centre = above if straight else len(side) / 2 - 0.5
            reach = max(above, below) if straight else centre
            step = min(5.0, 8.0 / reach) if reach else 0.0
            for place, cover in enumerate(by_height):
                found[cover] = (place - centre) * step
    return leaving, arriving


def _curve(  # noqa: PLR0917  # a curve has two ends, and a way between
    start: Point,
    end: Point,
    between: Sequence[Slot],
    given: Sequence[float],
    taken: dict[int, list[float]],
    first: int,
) -> tuple[Point, ...]:
    """Return the gentlest curve that keeps clear of the boxes between."""
    if not between:
        return bend(start, end)
    if not given:
        for leaving, arriving in BENDS:
            piece = bend(start, end, leaving, arriving)
            if is_clear(piece, between, CLEAR + 2):
                return piece
    heights = list(given) or _way(start, end, between, taken, first)
    for column, y in enumerate(heights, first):
        taken[column].append(y)
    return past(start, end, between, heights, CLEAR)


def _way(
    start: Point, end: Point, between: Sequence[Slot], taken: dict[int, list[float]], first: int
) -> list[float]:
    """Return heights at which to pass some columns, so that the way turns little."""
    rise = (end[1] - start[1]) / (end[0] - start[0])
    ways: list[tuple[float, list[float]]] = [(0.0, [start[1]])]
    for column, (left, right, boxes) in enumerate(between, first):
        ideal = start[1] + rise * ((left + right) / 2 - start[0])
        choices = _openings(ideal, boxes, taken[column])
        ways = [
            min(
                (
                    (cost + abs(y - way[-1]) + 0.004 * (y - ideal) ** 2 + crowd, [*way, y])
                    for cost, way in ways
                ),
                key=lambda found: found[0],
            )
            for y, crowd in choices
        ]
    return min(ways, key=lambda w: w[0] + abs(end[1] - w[1][-1]))[1][1:]


def _openings(
    ideal: float, boxes: Sequence[tuple[float, float]], taken: Sequence[float]
) -> list[tuple[float, float]]:
    """Return heights at which a column can be passed, each with the cost of arrows nearby."""
    edges = [-1e6, *(y for box in boxes for y in box), 1e6]
    found = set()
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        least, most = low + CLEAR + 2, high - CLEAR - 2
        if least > most:
            continue
        for y in (ideal, least, most, (low + high) / 2, *(t + d for t in taken for d in (-7, 7))):
            found.add(min(max(y, least), most))
    return [
        (y, sum(max(0.0, 8 - abs(y - t)) * 3 for t in taken)) for y in sorted(found)
        if -1e5 < y < 1e5
    ]  # fmt: skip

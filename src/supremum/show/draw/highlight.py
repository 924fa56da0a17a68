"""What is highlighted: the paths of operands to their join, and what two drawings do not share."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ...core.errors import NoJoinError, PromotionError, RulesError, did_you_mean, listed
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from .drawing import Arrow, Caption, Drawing, Mark
from .order import Order


def with_paths(
    drawing: Drawing, order: Order, what: Lattice[Any] | PromotionSystem, operands: Sequence[Any]
) -> Drawing:
    """Return a drawing in which the paths of some nodes to their join are highlighted.

    Args:
        drawing: the drawing.
        order: the order that it shows.
        what: what decides the join.
        operands: the nodes, or the names or labels of their boxes.

    Raises:
        RulesError: if there is no such box.
    """
    found = [_find(drawing, str(operand)) for operand in operands]
    named = listed([drawing.boxes[i].name for i in found])
    boxes: dict[int, Mark] = dict.fromkeys(found, "operand")
    nodes = [order.nodes[i] for i in found]
    try:
        taken, join, became = _decided(what, nodes)
    except (NoJoinError, PromotionError):
        return _noted(drawing.marked(boxes, {}), f"{named} have no join.")
    gives = "give" if len(found) > 1 else "gives"
    note = f"{named} {gives} {join}{became}{_taken_for(nodes, taken)}"
    if not {join, *taken} <= set(order.nodes):
        return _noted(drawing.marked(boxes, {}), f"{note}; not all of it is drawn.")
    starts, end = [order.nodes.index(node) for node in taken], order.nodes.index(join)
    if end not in order.bounds(starts):
        note += ", and not the first node that both reach"
        return _noted(drawing.marked({**boxes, end: "join"}, {}), f"{note}.")
    arrows: dict[tuple[int, int], Mark] = {}
    for start in starts:
        way = _explained(drawing, order, what, start, end) or _way(drawing, start, end)
        arrows |= dict.fromkeys(pairwise(way), "path")
        boxes = {**dict.fromkeys(way, "path"), **boxes}
    return _noted(drawing.marked({**boxes, end: "join"}, arrows), f"{note}.")


def _decided(
    what: Lattice[Any] | PromotionSystem, nodes: Sequence[Any]
) -> tuple[list[Any], Any, str]:
    """Return what nodes are taken for, their join, and what becomes of that, in words."""
    if isinstance(what, Lattice):
        return [*nodes], what.join(*nodes), ""
    why = what.explain(*nodes)
    became = "" if why.result is why.node else f", which becomes {why.result}"
    return [t.node for t in why.classified], why.node, became


def _taken_for(nodes: Sequence[Any], taken: Sequence[Any]) -> str:
    """Say which nodes are taken for others, as those of 64 bits are if these are off."""
    others = [f"{a} is taken for {b}" for a, b in zip(nodes, taken, strict=True) if a != b]
    return f"; {listed(others)}" if others else ""


def _find(drawing: Drawing, name: str) -> int:
    found = drawing.index(name)
    if found is None:
        names = [name for box in drawing.boxes for name in (box.name, box.label)]
        hint, close = did_you_mean(name, names)
        raise RulesError(f"the drawing has no node {name!r}{hint}", name, close)
    return found


def _noted(drawing: Drawing, note: str) -> Drawing:
    return replace(drawing, note=f"{note} {drawing.note}".rstrip())


def _explained(
    drawing: Drawing, order: Order, what: Lattice[Any] | PromotionSystem, start: int, end: int
) -> list[int]:
    """Return the way that explanations name, or no nodes if not all of it is drawn."""
    lattice = what if isinstance(what, Lattice) else what.join
    if not isinstance(lattice, Lattice):
        return []
    path = lattice.path(order.nodes[start], order.nodes[end])
    way = [order.nodes.index(node) for node in path if node in order.nodes]
    drawn = {(arrow.lower, arrow.upper) for arrow in drawing.arrows}
    return way if len(way) == len(path) and drawn.issuperset(pairwise(way)) else []


def _way(drawing: Drawing, start: int, end: int) -> list[int]:
    """Return a shortest way along the arrows, or no nodes if there is none."""
    ups: dict[int, list[int]] = {}
    for arrow in drawing.arrows:
        ups.setdefault(arrow.lower, []).append(arrow.upper)
    came_from = {start: start}
    queue = deque([start])
    while queue and end not in came_from:
        node = queue.popleft()
        for up in ups.get(node, ()):
            if up not in came_from:
                came_from[up] = node
                queue.append(up)
    if end not in came_from:
        return []
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


_APART = 60.0
_TITLE = 34.0


def side_by_side(first: tuple[Drawing, Order], second: tuple[Drawing, Order]) -> Drawing:
    """Return two drawings as one, with what one has and the other has not highlighted.

    Highlighted are dtypes that the other lacks, and arrows whose lower end is not below the upper
    one in the other.
    """
    (left, mine), (right, theirs) = first, second
    shift = left.width + _APART
    a, b = _differing(left, mine, theirs), _differing(right, theirs, mine)
    count = len(left.boxes)
    moved = _moved(b, shift, _TITLE, count)
    placed = _moved(a, 0, _TITLE, 0)
    titles = (Caption(left.title, 24, 20), Caption(right.title, shift + 24, 20))
    notes = " ".join(filter(None, (left.note, right.note)))
    return Drawing(
        f"{left.title} and {right.title}",
        shift + right.width,
        max(left.height, right.height) + _TITLE,
        placed.boxes + moved.boxes,
        placed.arrows + moved.arrows,
        titles + placed.captions + moved.captions,
        notes,
        left.is_placed and right.is_placed,
    )


def _differing(drawing: Drawing, own: Order, other: Order) -> Drawing:
    place = {node: i for i, node in enumerate(other.nodes)}
    lacking = {i for i, node in enumerate(own.nodes) if node not in place}
    boxes: dict[int, Mark] = dict.fromkeys(lacking, "differs")
    arrows: dict[tuple[int, int], Mark] = {}
    for arrow in drawing.arrows:
        low, high = (place.get(own.nodes[i]) for i in (arrow.lower, arrow.upper))
        if low is None or high is None or not other.leq(low, high):
            arrows[arrow.lower, arrow.upper] = "differs"
    return drawing.marked(boxes, arrows)


def _moved(drawing: Drawing, right: float, down: float, count: int) -> Drawing:
    return replace(
        drawing,
        boxes=tuple(replace(b, x=b.x + right, y=b.y + down) for b in drawing.boxes),
        arrows=tuple(
            Arrow(a.lower + count, a.upper + count,
                  tuple((x + right, y + down) for x, y in a.points), a.mark)
            for a in drawing.arrows
        ),
        captions=tuple(Caption(c.text, c.x + right, c.y + down) for c in drawing.captions),
    )  # fmt: skip

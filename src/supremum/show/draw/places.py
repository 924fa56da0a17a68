"""Where nodes go, before there are sizes: layers with few crossings, by fast-sugiyama."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from .order import Order

_PASSING = 0.5
"""How much room an arrow takes in a column that it passes; a box takes 1."""


@dataclass(frozen=True, slots=True)
class Places:
    """A column and a height for every node.

    Every arrow leads to a column further right.

    Attributes:
        columns: the column of each node, counted from 0.
        heights: how far down each node is, in steps of one box and the gap below it.
        via: the heights at which an arrow passes the columns between its ends, if there are any.
    """

    columns: tuple[int, ...]
    heights: tuple[float, ...]
    via: Mapping[tuple[int, int], tuple[float, ...]]

    def way(self, arrow: tuple[int, int]) -> list[float]:
        """Return the heights of an arrow in the columns from its start to its end."""
        low, high = arrow
        return [self.heights[low], *self.via.get(arrow, ()), self.heights[high]]


def placed(order: Order) -> Places | None:
    """Return the places of nodes by Sugiyama's method, each connected part below the last.

    None means that fast-sugiyama is not installed.
    """
    if find_spec("fast_sugiyama") is None:
        return None
    columns = [0] * len(order.nodes)
    heights = [0.0] * len(order.nodes)
    via: dict[tuple[int, int], tuple[float, ...]] = {}
    covers = order.covers()
    top = 0.0
    for found, steps in _parts(covers):
        left = max(y for _, y in found.values())
        low, high = min(x for x, _ in found.values()), max(x for x, _ in found.values())
        # the library's layers go down, and ours to the right
        places = {node: (round(left - y), x - low + top) for node, (x, y) in found.items()}
        for node in places.keys() & range(len(columns)):
            columns[node], heights[node] = places[node]
        for a, b, passed in _ways(steps, len(columns)):
            via[a, b] = tuple(places[dummy][1] for dummy in passed)
        top += high - low + 1
    touched = {node for cover in covers for node in cover}
    alone = [node for node in range(len(columns)) if node not in touched]
    wide = max(max(columns, default=0) + 1, round(len(alone) ** 0.5))
    for place, node in enumerate(alone):
        columns[node], heights[node] = place % wide, top + place // wide
    return Places(tuple(columns), tuple(heights), via)


def _ways(steps: list[tuple[int, int]], count: int) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the ends of each arrow that passes layers, and the nodes where it passes them."""
    following = dict(step for step in steps if step[0] >= count)
    for a, b in steps:
        if a < count <= b:
            passed = [b]
            while (b := following[passed[-1]]) >= count:
                passed.append(b)
            yield a, b, passed


_Part = tuple[dict[int, tuple[float, float]], list[tuple[int, int]]]


def _parts(covers: tuple[tuple[int, int], ...]) -> list[_Part]:
    """Return for each connected part of a graph where its nodes are, and its arrows in steps.

    A step leads from one layer to the next; where an arrow passes a layer is a node of its own.
    """
    if not covers:
        return []
    from fast_sugiyama import from_edges

    found = from_edges(
        covers, vertex_spacing=1, dummy_vertices=True, dummy_size=_PASSING, minimum_length=1
    )
    return [
        (
            {int(node): (float(x), float(y)) for node, (x, y) in places},
            [(int(a), int(b)) for a, b in edges or ()],
        )
        for places, _, _, edges in found
    ]

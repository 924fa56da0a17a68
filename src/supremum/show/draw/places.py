"""Where nodes go, before there are sizes: layers with few crossings, by fast-sugiyama."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.errors import SupremumError
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


def placed(order: Order) -> Places:
    """Return the places of nodes by Sugiyama's method, each connected part below the last.

    Raises:
        SupremumError: if fast-sugiyama is not installed.
    """
    columns = [0] * len(order.nodes)
    heights = [0.0] * len(order.nodes)
    via: dict[tuple[int, int], tuple[float, ...]] = {}
    covers = order.covers()
    top = 0.0
    for found, steps in _parts(covers):
        left = max(y for _, y in found.values())
        low, high = min(x for x, _ in found.values()), max(x for x, _ in found.values())
        # the library's layers go down, and ours to the right
        for node, (x, y) in found.items():
            if node < len(columns):
                columns[node], heights[node] = round(left - y), x - low + top
        passing = {a: b for a, b in steps if a >= len(columns)}
        for a, b in steps:
            if a < len(columns) <= b:
                way = [b]
                while (b := passing[b]) >= len(columns):
                    way.append(b)
                via[a, b] = tuple(found[dummy][0] - low + top for dummy in way)
        top += high - low + 1
    touched = {node for cover in covers for node in cover}
    alone = [node for node in range(len(columns)) if node not in touched]
    wide = max(max(columns, default=0) + 1, round(len(alone) ** 0.5))
    for place, node in enumerate(alone):
        columns[node], heights[node] = place % wide, top + place // wide
    return Places(tuple(columns), tuple(heights), via)


_Part = tuple[dict[int, tuple[float, float]], list[tuple[int, int]]]


def _parts(covers: tuple[tuple[int, int], ...]) -> list[_Part]:
    """Return for each connected part of a graph where its nodes are, and its arrows in steps.

    A step leads from one layer to the next; where an arrow passes a layer is a node of its own.
    """
    if not covers:
        return []
    try:
        from fast_sugiyama import from_edges
    except ImportError:
        raise SupremumError(
            "drawing needs fast-sugiyama; install it with pip install 'supremum[show]'"
        ) from None
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

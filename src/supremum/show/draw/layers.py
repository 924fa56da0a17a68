"""Places for nodes that are not dtypes: layers, with few crossings, by fast-sugiyama.

Of the layout libraries that pip installs without system packages, it crossed the fewest arrows.
"""

from __future__ import annotations

from ...core.errors import SupremumError
from .order import Order
from .places import Places

_PASSING = 0.5
"""How much room an arrow takes in a layer that it passes; a box takes 1."""


def place_in_layers(order: Order) -> Places:
    """Return the places of nodes by Sugiyama's method, each part of the graph below the last.

    Args:
        order: their order.

    Raises:
        SupremumError: if fast-sugiyama is not installed.
    """
    covers = order.covers()
    columns = [0] * len(order.nodes)
    heights = [0.0] * len(order.nodes)
    via: dict[tuple[int, int], tuple[float, ...]] = {}
    top = 0.0
    for found, edges in _parts(covers):
        left = max(y for _, y in found.values())
        low, high = min(x for x, _ in found.values()), max(x for x, _ in found.values())
        # the library's layers go down, and ours to the right
        for node, (x, y) in found.items():
            if node < len(columns):
                columns[node], heights[node] = round(left - y), x - low + top
        passing = {a: b for a, b in edges if a >= len(columns)}
        for a, b in edges:
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
            "drawing a lattice of nodes that are not dtypes needs fast-sugiyama; "
            "install it with pip install 'supremum[show]'"
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

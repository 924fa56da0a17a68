"""Drawings of lattices and rules: what goes where, and the formats that show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core.dtypes import DType, dtype
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ...core.systems import system
from .drawing import Arrow, Box, Caption, Drawing
from .formats import DRAWINGS
from .highlight import side_by_side, with_paths
from .layers import place_in_layers
from .order import Order, order_of
from .routes import laid_out, printable, shortened
from .rows import facts_of, place_in_rows

__all__ = ["DRAWINGS", "Arrow", "Box", "Caption", "Drawing", "common", "draw_diff", "layout"]


def common(dtypes: Iterable[DType]) -> list[DType]:
    """Return the dtypes that tables and drawings show: those under eight bits and float8 are not.

    >>> import supremum
    >>> [d.name for d in common(map(supremum.dtype, ["int4", "int8", "float8_e5m2"]))]
    ['int8']
    """
    return [d for d in dtypes if d.is_common]


def layout(
    what: Lattice[Any] | PromotionSystem | str,
    nodes: Sequence[Any] = (),
    *,
    highlight: Sequence[Any] = (),
    title: str = "",
) -> Drawing:
    """Return where everything is in the drawing of a lattice or of rules.

    Dtypes get a row for each kind, and columns by width; other nodes get layers, by fast-sugiyama.
    Rules without a lattice have the order of their table, in which `a` is below `b` if the two
    promote to `b`.

    Args:
        what: a lattice, or rules or their name.
        nodes: the nodes to draw; by default all, or of rules the common dtypes.
        highlight: nodes whose paths to their join are highlighted.
        title: what to call it; by default the name of the rules.

    Raises:
        RulesError: if there are no such rules, their table is not an order, or a node to highlight
            is not drawn.
        LatticeError: if a node is not in the lattice.
        DTypeError: if rules are asked for a node that is not a dtype.
        SupremumError: if fast-sugiyama is needed and not installed.

    >>> drawing = layout("python")
    >>> [box.label for box in drawing.boxes]
    ['i*', 'f*', 'c*']
    >>> [(arrow.lower, arrow.upper) for arrow in drawing.arrows]
    [(0, 1), (1, 2)]
    """
    if isinstance(what, str):
        what = system(what)
    if isinstance(what, PromotionSystem):
        nodes, highlight = [*map(dtype, nodes)], [*map(dtype, highlight)]
    order = _order(what, nodes)
    drawing = _drawn(what, order, title)
    return with_paths(drawing, order, what, highlight) if highlight else drawing


def draw_diff(first: PromotionSystem, second: PromotionSystem) -> Drawing:
    """Return the drawings of two rules side by side, with what only one has highlighted.

    Raises:
        RulesError: if the table of one is not an order.

    >>> import supremum
    >>> both = draw_diff(supremum.system("python"), supremum.system("jax"))
    >>> sorted({box.name for box in both.boxes if not box.mark})
    ['complex*', 'float*', 'int*']
    """
    one, other = _order(first), _order(second)
    return side_by_side((_drawn(first, one), one), (_drawn(second, other), other))


def _order(what: Lattice[Any] | PromotionSystem, nodes: Sequence[Any] = ()) -> Order:
    if isinstance(what, PromotionSystem) and not nodes:
        nodes = common(what.dtypes)
    return order_of(what, nodes)


def _drawn(what: Lattice[Any] | PromotionSystem, order: Order, title: str = "") -> Drawing:
    found = [facts_of(node) for node in order.nodes]
    facts = [f for f in found if f is not None]
    in_rows = len(facts) == len(found)
    places = place_in_rows(order, facts) if in_rows else place_in_layers(order)
    names = [(n.code or n.name) if isinstance(n, DType) else str(n) for n in order.nodes]
    labels = [shortened(name) for name in names]
    if len(set(labels)) < len(set(names)):  # what is cut out was the difference
        labels = [printable(name) for name in names]
    boxes = [
        (
            str(node),
            label,
            fact.kind if in_rows and fact else "",
            bool(in_rows and fact and fact.weak),
        )
        for node, label, fact in zip(order.nodes, labels, found, strict=True)
    ]
    called = title or (what.title if isinstance(what, PromotionSystem) else "Lattice")
    return laid_out(called, boxes, order.covers(), places, order.note)

"""Drawings of lattices and rules: what goes where, and the formats that show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...core.dtypes import DType, dtype
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ...core.systems import system
from . import files, formats  # noqa: F401  # they add what writes a drawing
from .drawing import DRAWINGS, Arrow, Box, Caption, Drawing
from .highlight import side_by_side, with_paths
from .order import Order, order_of
from .places import placed
from .routes import laid_out, printable, shortened

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

    Nodes are in layers from left to right, by fast-sugiyama; if that is not installed, only formats
    that leave the layout to another program can show the drawing. Rules without a lattice have the
    order of their table, in which `a` is below `b` if the two promote to `b`.

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
    usual = what.title if isinstance(what, PromotionSystem) else "Lattice"
    drawing = drawn(order, title or usual)
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
    return side_by_side((drawn(one, first.title), one), (drawn(other, second.title), other))


def _order(what: Lattice[Any] | PromotionSystem, nodes: Sequence[Any] = ()) -> Order:
    if isinstance(what, PromotionSystem) and not nodes:
        nodes = common(what.dtypes)
    return order_of(what, nodes)


def drawn(order: Order, title: str) -> Drawing:
    """Return the drawing of an order; boxes of dtypes have the colour of their kind."""
    kinds = [_kind_of(node) for node in order.nodes]
    names = [(n.code or n.name) if isinstance(n, DType) else str(n) for n in order.nodes]
    labels = [shortened(name) for name in names]
    if len(set(labels)) < len(set(names)):  # what is cut out was the difference
        labels = [printable(name) for name in names]
    of_all = [kind for kind in kinds if kind is not None]
    if len(of_all) < len(kinds):  # among other nodes, one called b is not a bool
        of_all = [("", False)] * len(kinds)
    boxes = [
        (str(node), label, kind, weak)
        for node, label, (kind, weak) in zip(order.nodes, labels, of_all, strict=True)
    ]
    return laid_out(title, boxes, order.covers(), placed(order), order.note)


_KINDS = {"b": "bool", "u": "unsigned", "i": "signed", "f": "float", "bf": "float",
          "c": "complex", "bc": "complex"}  # fmt: skip
_CODE = re.compile(r"(bf|bc|[uifc])(?:\d+\*?|\*)|b\*?")


def _kind_of(node: Any) -> tuple[str, bool] | None:
    """Return the kind of a dtype, or of a code such as ``i8`` or ``f*``, and whether it is weak."""
    if isinstance(node, DType):
        return node.kind, node.weak
    found = _CODE.fullmatch(node) if isinstance(node, str) else None
    return (_KINDS[found[1] or "b"], found[0].endswith("*")) if found else None

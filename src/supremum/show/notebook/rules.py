"""Lattices, tables and systems, as a notebook shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ...core.table import REFUSED, Table
from ..draw import common
from ..draw.svg import svg
from .elements import chip, fold, grid, heading, note, page, shade

_MARK: Final = "outline: 2px solid #2f9e57; outline-offset: -2px; font-weight: 700"
_OPEN: Final = 24  # nodes whose table is shown at once


def drawing(value: Any) -> str | None:
    """Return the drawing of a lattice or of rules as SVG, or None if they have none."""
    try:
        return svg(value.draw(), adapts=False)
    except SupremumError:
        return None


def _lattice(lattice: Lattice[Any]) -> str:
    head = heading("Lattice", f"{len(lattice)} nodes" + ("" if lattice.is_total else ", partial"))
    return page(head, drawing(lattice) or "", fold("Arrows", note(lattice.as_text())))


def _name(node: Any) -> str:
    return node.code or node.name if isinstance(node, DType) else str(node)


def _head(node: Any) -> str:
    return f'<span title="{escape(str(node))}">{escape(_name(node))}</span>'


def table(shown: Table[Any], caption: str = "") -> str:
    """Return a table in the colours of the kinds of its answers; marked cells have a frame."""
    rows = []
    for a, answers in zip(shown.nodes, shown.rows(), strict=True):
        cells = []
        for b, answer in zip(shown.nodes, answers, strict=True):
            styles = [shade(answer)] if isinstance(answer, DType) else []
            styles += [_MARK] if (a, b) in shown.marked else []
            text = REFUSED if answer is None else escape(_name(answer))
            given = "is refused" if answer is None else f"gives {answer}"
            title = escape(f"{a} with {b} {given}")
            cells.append(f'<td style="{"; ".join(styles)}" title="{title}">{text}</td>')
        rows.append([_head(a), *cells])
    return grid(["", *map(_head, shown.nodes)], rows, caption)


def _table(shown: Table[Any]) -> str:
    marked = f", {len(shown.marked)} marked" if shown.marked else ""
    return page(heading("Promotion table", f"{len(shown)} dtypes{marked}"), table(shown))


def _system(rules: PromotionSystem) -> str:
    label = f", {rules.label}" if rules.label else ""
    head = heading(f"{rules.name} rules{label}", rules.title)
    known = [
        f"{len(rules.dtypes)} dtypes, joined by a {type(rules.join).__name__.lower()}",
        f"depends on {', '.join(rules.depends_on)}" if rules.depends_on else "",
        f"source: {rules.source}" + (f" {rules.version}" if rules.version else ""),
    ]
    own = rules.table()
    own = own.only(common(own.nodes))
    whole = fold(f"Table of {len(own)} dtypes", table(own), is_open=len(own) <= _OPEN)
    dtypes = " ".join(map(chip, rules.dtypes))
    drawn = drawing(rules) or note("Its table has no order, so there is no drawing.")
    return page(head, *map(note, filter(None, known)), drawn, whole, fold("Dtypes", dtypes))


SHOWN: Final[Mapping[type, Callable[[Any], str]]] = {
    Lattice: _lattice,
    Table: _table,
    PromotionSystem: _system,
}
"""What is shown here, each with the function that gives its HTML."""

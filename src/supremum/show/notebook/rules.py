"""Lattices, tables and systems, as a notebook shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ...core.table import Table
from ..draw import common
from ..draw.svg import svg
from ..tables import short_name
from .elements import Piece, chip, fold, grid, heading, note, page, shade

_MARK: Final = "outline: 2px solid #2f9e57; outline-offset: -2px; font-weight: 700"
_OPEN: Final = 24  # nodes whose table is shown at once


def _drawing(value: Any) -> str:
    """Return the drawing of a lattice or of rules as SVG, or why there is none."""
    try:
        return svg(value.draw(), adapts=False)
    except SupremumError as error:
        return note(f"There is no drawing: {error}.")


def _lattice(lattice: Lattice[Any]) -> str:
    head = heading("Lattice", f"{len(lattice)} nodes" + ("" if lattice.is_total else ", partial"))
    return page(head, _drawing(lattice), fold("Arrows", note(lattice.as_text())))


def _head(node: Any) -> str:
    return f'<span title="{escape(str(node))}">{escape(short_name(node))}</span>'


def table(shown: Table[Any], caption: str = "") -> str:
    """Return a table in the colours of the kinds of its answers; marked cells have a frame."""
    rows: list[list[Piece]] = []
    for a, answers in zip(shown.nodes, shown.rows(), strict=True):
        cells: list[Piece] = []
        for b, answer in zip(shown.nodes, answers, strict=True):
            styles = [shade(answer)] if isinstance(answer, DType) else []
            styles += [_MARK] if (a, b) in shown.marked else []
            given = "is refused" if answer is None else f"gives {answer}"
            text = escape(short_name(answer))
            cells.append((text, "; ".join(styles), f"{a} with {b} {given}"))
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
    return page(
        head, *map(note, filter(None, known)), _drawing(rules), whole, fold("Dtypes", dtypes)
    )


SHOWN: Final[Mapping[type, Callable[[Any], str]]] = {
    Lattice: _lattice,
    Table: _table,
    PromotionSystem: _system,
}
"""What is shown here, each with the function that gives its HTML."""

"""Promotion tables in the formats that documents are written in."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable
from itertools import product
from typing import Any

from ..core.dtypes import DType
from ..core.errors import RulesError, did_you_mean
from ..core.table import REFUSED, Table

_Grid = list[list[str]]


def render(table: Table[DType], format: str = "text") -> str:
    """Return a promotion table in one of the `FORMATS`.

    What people read (text, markdown, rst, html) shows short codes that count bits where there are
    any, and what programs read (csv, json) full names. A refused pair is ``-`` (in JSON null). A
    marked cell is bold or highlighted; in text it has a ``!``.

    Args:
        table: what `PromotionSystem.table` returns.
        format: one of the `FORMATS`.

    Raises:
        RulesError: for another format.

    >>> import supremum
    >>> print(render(supremum.system("python").table()))
        i* f* c*
    i*  i* f* c*
    f*  f* f* c*
    c*  c* c* c*
    """
    if format not in FORMATS:
        hint, close = did_you_mean(format, list(FORMATS))
        listed = f"; there are {', '.join(FORMATS)}"
        raise RulesError(f"there is no format {format!r}{hint or listed}", format, close)
    return FORMATS[format](table)


def short_name(node: Any) -> str:
    """Return a node as tables show it: the code of a dtype, or the name."""
    return node.code or node.name if isinstance(node, DType) else _name(node)


def _name(node: Any) -> str:
    if node is None:
        return REFUSED
    return node.name if isinstance(node, DType) else str(node)


def _grid(
    table: Table[DType], mark: Callable[[str], str], escape: Callable[[str], str] = str
) -> _Grid:
    grid = [["", *(escape(short_name(d)) for d in table.nodes)]]
    for a, row in zip(table.nodes, table.rows(), strict=True):
        pairs = zip(table.nodes, row, strict=True)
        texts = [((a, b) in table.marked, escape(short_name(answer))) for b, answer in pairs]
        grid.append([escape(short_name(a)), *(mark(text) if m else text for m, text in texts)])
    return grid


def _padded(grid: _Grid) -> _Grid:
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return [[cell.ljust(w) for cell, w in zip(row, widths, strict=True)] for row in grid]


def _escaped(text: str) -> str:
    """Return a code in which the star of a weak dtype is no markup."""
    return text.replace("*", r"\*")


def _bold(text: str) -> str:
    return f"**{text}**"


def _markdown(table: Table[DType]) -> str:
    head, *rows = _padded(_grid(table, _bold, _escaped))
    lines = [head, ["-" * len(cell) for cell in head], *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def _rst(table: Table[DType]) -> str:
    grid = _grid(table, _bold, _escaped)
    grid[0][0] = r"\ "
    rows = _padded(grid)
    rule = "  ".join("=" * len(cell) for cell in rows[0])
    head, *body = ("  ".join(row).rstrip() for row in rows)
    return "\n".join([rule, head, rule, *body, rule])


def _csv(table: Table[DType]) -> str:
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(["", *map(_name, table.nodes)])
    for a, row in zip(table.nodes, table.rows(), strict=True):
        write([_name(a), *map(_name, row)])
    return out.getvalue().rstrip("\n")


def _html(table: Table[DType]) -> str:
    lines = [
        "<table>",
        f"<tr>{''.join(f'<th>{html.escape(c)}</th>' for c in _grid(table, str)[0])}</tr>",
    ]
    for a, row in zip(table.nodes, table.rows(), strict=True):
        cells = []
        for b, answer in zip(table.nodes, row, strict=True):
            style = ' style="background: #ccf2cc"' if (a, b) in table.marked else ""
            cells.append(f"<td{style}>{html.escape(short_name(answer))}</td>")
        lines.append(f"<tr><th>{html.escape(short_name(a))}</th>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</table>"])


def _latex(table: Table[DType]) -> str:
    """Return a tabular, which needs no package."""
    grid = _grid(table, r"\textbf{{{}}}".format, lambda text: text.replace("_", r"\_"))
    head, *rows = (f"{' & '.join(row)} \\\\".strip() for row in _padded(grid))
    columns = "l" * len(grid[0])
    lines = [rf"\begin{{tabular}}{{{columns}}}", head, r"\hline", *rows, r"\end{tabular}"]
    return "\n".join(lines)


def _json(table: Table[DType]) -> str:
    rows = {
        _name(a): {_name(b): d and _name(d) for b, d in zip(table.nodes, row, strict=True)}
        for a, row in zip(table.nodes, table.rows(), strict=True)
    }
    pairs = product(table.nodes, repeat=2)
    marked = [[_name(a), _name(b)] for a, b in pairs if (a, b) in table.marked]
    return json.dumps({"dtypes": list(rows), "table": rows, "marked": marked}, indent=1)


FORMATS: dict[str, Callable[[Table[DType]], str]] = {
    "text": str,
    "markdown": _markdown,
    "rst": _rst,
    "csv": _csv,
    "html": _html,
    "latex": _latex,
    "json": _json,
}
"""The formats of a table, each with the function that writes it."""

"""Where a place is, as editors and other tools count: lines and columns in characters, from 1."""

from __future__ import annotations

import linecache
from typing import Any, NamedTuple

from ..model.cells import CELLS, home
from ..model.locations import Span, character
from ..model.notebook_files import Notebook


class Extent(NamedTuple):
    """Where a place starts, and where it ends: `end_column` is that of the character after it."""

    line: int
    column: int
    end_line: int
    end_column: int


def extent(file: str, span: Span) -> Extent:
    """Return where a span is, in characters."""
    first, start, last, end = span
    before = character(linecache.getline(file, first), start)
    after = character(linecache.getline(file, last), end)
    return Extent(first, before + 1, last, after + 1)


def in_file(file: str, place: Extent) -> tuple[str, Extent]:
    """Return a place in a file that editors can open: of a cell, where its notebook has it."""
    cell = CELLS.get(file)
    if cell is None or not cell.notebook:
        return file, place
    try:
        notebook = Notebook(cell.notebook)
        first = notebook.position(cell.nth, place.line, place.column)
        last = notebook.position(cell.nth, place.end_line, place.end_column)
    except ValueError:  # it is another one by now, or written in an unusual way
        return cell.notebook, Extent(1, 1, 1, 1)
    return cell.notebook, Extent(*first, *last)


def at_line(file: str, line: int) -> dict[str, Any]:
    """Return the file and line of a place as plain values, of a cell with its number."""
    cell = CELLS.get(file)
    more = {"cell": cell.number} if cell is not None else {}
    return {"file": home(file), **more, "line": line}


def at_span(file: str, span: Span, line: int, column: int) -> dict[str, Any]:
    """Return where a place starts and ends, as its members in JSON."""
    end = extent(file, span)
    ends = {"end_line": end.end_line, "end_column": end.end_column}
    return {**at_line(file, line), "column": column, **ends}


def in_words(file: str, line: int) -> str:
    """Return which cell and line a place is in, or ``""`` if it is not in a cell of a notebook."""
    cell = CELLS.get(file)
    return f"cell {cell.number}, line {line}" if cell is not None and cell.notebook else ""

"""Where a place is, as editors and other tools count: lines and columns in characters, from 1."""

from __future__ import annotations

import linecache
from typing import NamedTuple

from ..model.locations import Span, character


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

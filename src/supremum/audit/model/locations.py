"""Where things happen: each place in the source that is watched, by its number."""

from __future__ import annotations

import ast
import linecache
import re
from typing import Final, NamedTuple

Span = tuple[int, int, int, int]
"""First line, first column, last line, last column: columns count bytes, as Python's do."""

DTYPE_OF: Final = "dtype of"
"""What an argument is called that is the dtype of something: the probe is handed that."""

GIVEN: Final = "given"
"""What the last argument is called where a function returns what another makes of its own, as in
``return f(*args, **kwargs)`` or ``return f(n, dtype=dtype)``: its caller decides on the dtype."""


class Location(NamedTuple):
    """A place in the source that is watched.

    Attributes:
        file: the path of the file.
        span: where in it.
        form: ``"operator"``, ``"in place"``, ``"comparison"``, ``"call"``, ``"part"`` (of a value:
            a subscript or an attribute) or ``"store"``.
        name: the operator's name (``"add"``), that of the function or attribute, or ``""``.
        spans: where its operands are; None for what is not written out.
        lists: for each argument of a call that is a list written out, which of the spans is that
            of its first element; else 0.
        keywords: what a call's arguments are called: ``""`` for one by position, ``"*"``.
    """

    file: str
    span: Span
    form: str
    name: str
    spans: tuple[Span | None, ...] = ()
    keywords: tuple[str, ...] = ()
    lists: tuple[int, ...] = ()

    @property
    def line(self) -> int:
        """The line that it starts on."""
        return self.span[0]

    @property
    def column(self) -> int:
        """The column that it starts at, in characters, from 1."""
        return character(linecache.getline(self.file, self.line), self.span[1]) + 1

    @property
    def text(self) -> str:
        """What is written there, on one line."""
        return text_of(self.file, self.span)

    def with_operand(self, index: int, new: str) -> str:
        """Return what is written there, with something else in the place of one operand."""
        first, start, last, end = self.span
        span = self.spans[index] or self.span
        before, after = (first, start, *span[:2]), (*span[2:], last, end)
        left, right = _source(self.file, before), _source(self.file, after)
        if new.startswith("(") and right.startswith(")") and _GROUPS.search(left):
            left, right = left[:-1], right[1:]
        return _on_one_line(left + new + right)

    def operand_text(self, index: int) -> str:
        """Return how one operand is written."""
        span = self.spans[index] if index < len(self.spans) else None
        return text_of(self.file, span) if span else ""


# a parenthesis that calls nothing
_GROUPS = re.compile(r"(?<![\w)\]])\($")

LOCATIONS: list[Location] = []
"""Every place that is watched; code that was rewritten names them by their index."""


def span_of(node: ast.expr | ast.stmt) -> Span:
    """Return where a node of a syntax tree is."""
    return (
        node.lineno,
        node.col_offset,
        node.end_lineno or node.lineno,
        node.end_col_offset or node.col_offset,
    )


def add(location: Location) -> int:
    """Number a place."""
    LOCATIONS.append(location)
    return len(LOCATIONS) - 1


def text_of(file: str, span: Span) -> str:
    """Return what is written somewhere, on one line."""
    return _on_one_line(_source(file, span))


def _source(file: str, span: Span) -> str:
    first, start, last, end = span
    lines = [linecache.getline(file, n).encode() for n in range(first, last + 1)]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    return b"".join(lines).decode(errors="replace")


def _on_one_line(text: str) -> str:
    """Return a text without line breaks, and with runs of white space as one."""
    text = re.sub(r"(?<=[(\[{])\s*\n\s*|\s*\n\s*(?=[)\]}])", "", text)
    return " ".join(text.split())


def character(line: str, byte: int) -> int:
    """Return the index of the character that starts at some byte of a line."""
    return len(line.encode()[:byte].decode(errors="replace"))

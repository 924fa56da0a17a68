"""Where things happen: each place in the source that is watched, by its number."""

from __future__ import annotations

import ast
import linecache
import re
from typing import Final, NamedTuple

Spot = tuple[int, int, int, int]
"""First line, first column, last line, last column: columns count bytes, as Python's do."""

DTYPE_OF: Final = "dtype of"
"""What an argument is called that is the dtype of something: the probe is handed that."""

GIVEN: Final = "given"
"""What the last argument is called where a function returns what another makes of its own, as in
``return f(*args, **kwargs)`` or ``return f(n, dtype=dtype)``: its caller decides on the dtype."""


class Site(NamedTuple):
    """A place in the source that is watched.

    Attributes:
        file: the path of the file.
        spot: where in it.
        form: ``"operator"``, ``"in place"``, ``"comparison"``, ``"call"``, ``"part"`` (of a value:
            a subscript or an attribute) or ``"store"``.
        name: the operator's name (``"add"``), that of the function or attribute, or ``""``.
        spots: where its operands are; None for what is not written out.
        lists: for each argument of a call that is a list written out, which of the spots is that
            of its first element; else 0.
        keywords: what a call's arguments are called: ``""`` for one by position, ``"*"``.
    """

    file: str
    spot: Spot
    form: str
    name: str
    spots: tuple[Spot | None, ...] = ()
    keywords: tuple[str, ...] = ()
    lists: tuple[int, ...] = ()

    @property
    def line(self) -> int:
        """The line that it starts on."""
        return self.spot[0]

    @property
    def column(self) -> int:
        """The column that it starts at, in characters, from 1."""
        return character(linecache.getline(self.file, self.line), self.spot[1]) + 1

    @property
    def text(self) -> str:
        """What is written there, on one line."""
        return text_of(self.file, self.spot)

    def with_operand(self, index: int, new: str) -> str:
        """Return what is written there, with something else in the place of one operand."""
        first, start, last, end = self.spot
        spot = self.spots[index] or self.spot
        before, after = (first, start, *spot[:2]), (*spot[2:], last, end)
        left, right = _source(self.file, before), _source(self.file, after)
        if new.startswith("(") and right.startswith(")") and _GROUPS.search(left):
            left, right = left[:-1], right[1:]
        return _on_one_line(left + new + right)

    def operand_text(self, index: int) -> str:
        """Return how one operand is written."""
        spot = self.spots[index] if index < len(self.spots) else None
        return text_of(self.file, spot) if spot else ""


# a parenthesis that calls nothing
_GROUPS = re.compile(r"(?<![\w)\]])\($")

SITES: list[Site] = []
"""Every place that is watched; code that was rewritten names them by their index."""


def spot_of(node: ast.expr | ast.stmt) -> Spot:
    """Return where a node of a syntax tree is."""
    return (
        node.lineno,
        node.col_offset,
        node.end_lineno or node.lineno,
        node.end_col_offset or node.col_offset,
    )


def add(site: Site) -> int:
    """Number a place."""
    SITES.append(site)
    return len(SITES) - 1


def text_of(file: str, spot: Spot) -> str:
    """Return what is written somewhere, on one line."""
    return _on_one_line(_source(file, spot))


def _source(file: str, spot: Spot) -> str:
    first, start, last, end = spot
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

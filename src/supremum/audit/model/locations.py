"""Where things happen: each place in the source that is watched, by its number.

Most places are never looked at, so those of a file stay packed until they are asked for.
"""

from __future__ import annotations

import ast
import linecache
import marshal
import re
import threading
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeGuard

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
        form: ``"operator"``, ``"in place"``, ``"comparison"``, ``"call"``, ``"item"`` (a
            subscript), ``"part"`` (an attribute) or ``"store"``.
        name: the operator's name (``"add"``), also that of a store by ``x[i] += y``; that of the
            function or attribute; or ``""``.
        spans: where its operands are; None for what is not written out.
        lists: for each argument of a call that is a list written out, which of the spans is that
            of its first element; else 0.
        keywords: what a call's arguments are called: ``""`` for one by position, ``"*"``.
        replaces: the operand whose variable or attribute takes the result, or what arithmetic
            makes of it, as that of a total does; or -1.
    """

    file: str
    span: Span
    form: str
    name: str
    spans: tuple[Span | None, ...] = ()
    keywords: tuple[str, ...] = ()
    lists: tuple[int, ...] = ()
    replaces: int = -1

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

    def holds(self, other: Location) -> bool:
        """Return whether another place is in this one."""
        first, last = self.span[:2], self.span[2:]
        return self.file == other.file and first <= other.span[:2] and other.span[2:] <= last

    def is_at(self, file: str, line: int) -> bool:
        """Return whether a line of a file is one of its own."""
        return self.file == file and self.span[0] <= line <= self.span[2]

    def operand_text(self, index: int) -> str:
        """Return how one operand is written."""
        span = self.spans[index] if index < len(self.spans) else None
        return text_of(self.file, span) if span else ""


class Table:
    """The places of one file, in the order of their numbers, packed.

    Args:
        file: the path of the file.
        packed: what `parts` gave of another table, if this is to be the same.
    """

    def __init__(self, file: str, packed: tuple[bytes, bytes] = (b"", b"")) -> None:
        self.file = file
        self._places = bytearray(packed[0])
        self._starts = array("I", packed[1])

    def add(self, location: Location) -> int:
        """Take a place up, and return its number in this table."""
        self._starts.append(len(self._places))
        self._places += marshal.dumps(location[1:])
        return len(self._starts) - 1

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, number: int) -> Location:
        place = memoryview(self._places)[self._starts[number] :]
        return Location(self.file, *marshal.loads(place))  # noqa: S302  # we packed it

    def __iter__(self) -> Iterator[Location]:
        return map(self.__getitem__, range(len(self)))

    @property
    def parts(self) -> tuple[bytes, bytes]:
        """The table, as it can be written to a file."""
        return bytes(self._places), self._starts.tobytes()


class Locations(dict[int, Location]):
    """The places of all tables, by number: those that were asked for, and the others once they are.

    The numbers of a table follow on those of the table before it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tables: list[Table] = []
        self._firsts: list[int] = []
        self._total = 0
        self._numbers: dict[str, dict[Location, int]] = {}  # by file, as far as they were asked for
        self._lock = threading.Lock()

    def take_up(self, table: Table) -> int:
        """Number the places of a table; returns the number of the first."""
        with self._lock:  # modules may be imported in several threads
            first = self._total
            self._total += len(table)
            self._tables.append(table)
            self._firsts.append(first)
            self._numbers.pop(table.file, None)
        return first

    def number_of(self, location: Location, likely: int = -1) -> int:
        """Return the number of a place, which is new if only another process has watched it.

        Args:
            location: the place.
            likely: its number in that process, which a forked one shares.
        """
        if 0 <= likely < self._total and self[likely] == location:
            return likely
        known = self._numbers.get(location.file)
        if known is None:
            known = self.numbers_in(location.file)
        if location not in known:
            table = Table(location.file)
            table.add(location)
            known[location] = self.take_up(table)
        self._numbers[location.file] = known
        return known[location]

    def numbers_in(self, file: str) -> dict[Location, int]:
        """Return the numbers of the places in a file."""
        return {
            place: first + number
            for first, table in zip(self._firsts, self._tables, strict=False)
            if table.file == file
            for number, place in enumerate(table)
        }

    @property
    def files(self) -> set[str]:
        """The files with places that are watched."""
        return {table.file for table in self._tables}

    def __missing__(self, number: int) -> Location:
        which = bisect_right(self._firsts, number) - 1
        place = self._tables[which][number - self._firsts[which]]
        self[number] = place
        return place


LOCATIONS: Final = Locations()
"""Every place that is watched; instrumented code names them by their number."""


def span_of(node: ast.expr | ast.stmt) -> Span:
    """Return where a node of a syntax tree is."""
    return (
        node.lineno,
        node.col_offset,
        node.end_lineno or node.lineno,
        node.end_col_offset or node.col_offset,
    )


def is_dtype(node: ast.AST | None) -> TypeGuard[ast.Attribute]:
    """Return whether an expression is the dtype of something, as ``x.dtype`` is."""
    return isinstance(node, ast.Attribute) and node.attr == "dtype"


def text_of(file: str, span: Span) -> str:
    """Return what is written somewhere, on one line."""
    return on_one_line(_source(file, span))


def _source(file: str, span: Span) -> str:
    first, start, last, end = span
    lines = [linecache.getline(file, n).encode() for n in range(first, last + 1)]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    return b"".join(lines).decode(errors="replace")


def on_one_line(text: str) -> str:
    """Return a text without line breaks, and with runs of white space as one."""
    text = re.sub(r"(?<=[(\[{])\s*\n\s*|\s*\n\s*(?=[)\]}])", "", text)
    return " ".join(text.split())


def character(line: str, byte: int) -> int:
    """Return the index of the character that starts at some byte of a line."""
    return len(line.encode()[:byte].decode(errors="replace"))

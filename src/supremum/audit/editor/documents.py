"""What a document is now, and where in it stands what a report says of the file as it was."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from ..model.locations import Span
from ..report.sources import checksums

_BREAK: Final = re.compile(r"\r\n|\r|\n")


class Where(NamedTuple):
    """Where something is now: lines and columns in characters, both from 0.

    Attributes:
        span: where it is.
        is_stale: whether a line of it has changed.
    """

    span: Span
    is_stale: bool


class Document:
    """A text, beside the lines that a report was made of.

    Args:
        text: the text.
        before: the checksums of the lines as they were.
    """

    def __init__(self, text: str, before: Sequence[str]) -> None:
        self.text = text
        self.lines = _BREAK.split(text)
        found = _BREAK.search(text)
        self.line_break = found[0] if found else "\n"
        told = checksums(self.lines)
        now = [told[at : at + 8] for at in range(0, len(told), 8)]
        self._now = moved(before, now)

    def find(self, span: Span) -> Where | None:
        """Return where something of the report is now, or None if its lines are gone.

        Args:
            span: where it was: lines and columns in characters, from 1.
        """
        first, start, last, end = span
        places = self._now[first - 1 : last]
        there = [place for place in places if place is not None]
        if not there:
            return None
        top, bottom = there[0][0], there[-1][0]
        kept = all(place is not None and place[1] for place in places)
        if kept and len(places) == last - first + 1 == bottom - top + 1:
            return Where((top, start - 1, bottom, end - 1), is_stale=False)
        line = self.lines[top]
        return Where((top, len(line) - len(line.lstrip()), top, len(line.rstrip())), is_stale=True)


def moved(before: Sequence[str], now: Sequence[str]) -> list[tuple[int, bool] | None]:
    """Return for each line which line it is now, and whether it is the same; None if it is gone.

    >>> moved(["a", "b", "c"], ["new", "a", "B", "c"])
    [(1, True), (2, False), (3, True)]
    >>> moved(["a", "b"], ["b"])
    [None, (0, True)]
    """
    found: list[tuple[int, bool] | None] = []
    head = 0
    while head < min(len(before), len(now)) and before[head] == now[head]:
        head += 1
    tail, most = 0, min(len(before), len(now)) - head
    while tail < most and before[-1 - tail] == now[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], now[head : len(now) - tail]
    found += [(line, True) for line in range(head)]
    for what, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for line in range(i, i_end):
            if what == "delete":
                found.append(None)
            else:
                found.append((head + min(j + line - i, j_end - 1), what == "equal"))
    found += [(line, True) for line in range(len(now) - tail, len(now))]
    return found


def text_of(path: str) -> str | None:
    """Return the text of a file of Python, or None if it cannot be read."""
    try:
        with tokenize.open(path) as stream:
            return stream.read()
    except (OSError, ValueError, SyntaxError):
        return None

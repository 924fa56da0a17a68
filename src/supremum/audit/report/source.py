"""Lines of source as HTML: coloured, marked, and with dtypes under their operands.

Every character of a line has classes. Labels below it are moved into place by a hidden copy of the
text before them, so that they stand under their operands whatever the width of a character is.
"""

from __future__ import annotations

import io
import keyword
import linecache
import tokenize
from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from .labels import Label, label_rows

_TOKENS: Final = {
    "COMMENT": "comment",
    "NUMBER": "figure",
    "STRING": "string",
    "FSTRING_START": "string",
    "FSTRING_MIDDLE": "string",
    "FSTRING_END": "string",
}


class Note(NamedTuple):
    """What one finding has to say about one line.

    Attributes:
        finding: the number of the finding.
        file: the path of the file.
        line: the line.
        marks: the first character, the one after the last, and ``"cause"`` or ``"operand"``.
        labels: the dtypes under it, from left to right.
        told: a sentence, or ``""`` where the first line of the same place has it.
    """

    finding: int
    file: str
    line: int
    marks: tuple[tuple[int, int, str], ...]
    labels: tuple[Label, ...]
    told: str


class Source:
    """A file of source, a line of which can be written as HTML."""

    def __init__(self, file: str) -> None:
        self._lines = [line.rstrip("\r\n") for line in linecache.getlines(file)]
        self._colours = _colours(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def indent(self, number: int) -> int:
        """Return how many characters of white space a line starts with."""
        text = self._lines[number - 1] if number <= len(self._lines) else ""
        return len(text) - len(text.lstrip())

    def line(
        self,
        number: int,
        notes: Sequence[Note] = (),
        *,
        name: str = "",
        drop: int = 0,
        linked: bool = True,
    ) -> str:
        """Return a line, and below it what some findings say of it.

        Args:
            number: the line's number, from 1.
            notes: what is said of it.
            name: its anchor, where it has one.
            drop: how many characters of its indentation to leave out.
            linked: whether what is said links to the finding that says it.
        """
        text = self._lines[number - 1] if number <= len(self._lines) else ""
        chars: list[frozenset[str]] = [frozenset()] * len(text)
        marks = [mark for note in notes for mark in note.marks]
        for left, right, kind in [*self._colours.get(number, ()), *marks]:
            chars[left:right] = [had | {kind} for had in chars[left:right]]
        anchor = f' id="{name}"' if name else ""
        code = f'<span class="no">{number}</span>{_spans(text[drop:], chars[drop:])}'
        rows = [f'<span class="line"{anchor}>{code}\n</span>']
        for note in notes:
            rows += [_row(text, row, drop) for row in label_rows(note.labels)]
            if note.told:
                starts = [*(label.start for label in note.labels), *(m[0] for m in note.marks), 0]
                told = f'<span class="told">{escape(note.told)}</span>'
                before = f"{link(note.finding)} " if linked else ""
                pad = _pad(text[drop : starts[0]])
                rows.append(f'<span class="row last">{pad}{before}{told}\n</span>')
        return "".join(rows)


def link(finding: int) -> str:
    """Return a finding's number as a link to it."""
    return f'<a class="number" href="#f{finding}" aria-label="finding {finding}">{finding}</a>'


def _spans(text: str, chars: Sequence[frozenset[str]]) -> str:
    parts, at = [], 0
    for kinds, group in groupby(chars):
        end = at + len(list(group))
        part = escape(text[at:end])
        parts.append(f'<span class="{" ".join(sorted(kinds))}">{part}</span>' if kinds else part)
        at = end
    return "".join(parts)


def _row(text: str, labels: Sequence[Label], drop: int) -> str:
    parts, at = [], drop
    for label in labels:
        parts.append(_pad(text[at : label.start]))
        if label.dtype:
            unseen = f'<span class="unseen">{escape(label.text)} is </span>'
            parts.append(f'<span class="dtype">{unseen}{escape(label.dtype)}</span>')
        else:
            parts.append('<span class="dtype" aria-hidden="true">│</span>')
        at = label.start
    return f'<span class="row">{"".join(parts)}\n</span>'


def _pad(text: str) -> str:
    return f'<span class="pad" aria-hidden="true">{escape(text)}</span>' if text else ""


def _colours(lines: Sequence[str]) -> dict[int, list[tuple[int, int, str]]]:
    """Return what Python makes of each line: the first character, the one after, and its class."""
    found: dict[int, list[tuple[int, int, str]]] = {}
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    try:
        for token in tokenize.generate_tokens(source.readline):
            kind = _TOKENS.get(tokenize.tok_name[token.type])
            if token.type == tokenize.NAME and keyword.iskeyword(token.string):
                kind = "keyword"
            if kind is None:
                continue
            (first, start), (last, end) = token.start, token.end
            for line in range(first, last + 1):
                left = start if line == first else 0
                right = end if line == last else len(lines[line - 1])
                found.setdefault(line, []).append((left, right, kind))
    except (tokenize.TokenError, SyntaxError):  # no Python: it stays without colours
        return {}
    return found

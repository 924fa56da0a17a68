"""The report as one HTML file: the findings, and the source with dtypes under its operands.

The page has no script and loads nothing. A line of source is marked by classes of its characters;
labels below it are moved into place by a hidden copy of the text before them, so that they stand
under their operands whatever the width of a character is.
"""

from __future__ import annotations

import io
import keyword
import linecache
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import supremum
from supremum.audit.formats.text import headline, near, plural, size
from supremum.audit.formats.where import extent
from supremum.audit.kinds import FORBIDDEN, KINDS, family
from supremum.audit.report import Finding, Place, Report
from supremum.audit.sites import Spot

_STYLE: Final = Path(__file__).with_name("report.css")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_MOST_LINES = 6  # of one finding, shown beside it
_NEAR = 3  # lines around a marked one that are always shown
_SHORTEST_FOLD = 6  # lines that are worth folding away
_FOLDED = 5_000  # the longest file that is shown in full

_MEANINGS: Final = {kind: told.meaning for kind, told in KINDS.items()}
_TOKENS: Final = {
    tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "number",
    getattr(tokenize, "FSTRING_START", -1): "string",
    getattr(tokenize, "FSTRING_MIDDLE", -1): "string",
    getattr(tokenize, "FSTRING_END", -1): "string",
}  # fmt: skip


class Label(NamedTuple):
    """What stands under part of a line: that part's first character, and its dtype."""

    start: int
    text: str
    dtype: str


class Note(NamedTuple):
    """What one finding has to say about one line.

    Attributes:
        finding: the number of the finding.
        file: the path of the file.
        line: the line.
        marks: the characters from, to, and their class: ``"cause"`` or ``"operand"``.
        labels: the dtypes under it.
        told: a sentence, or ``""`` where another line of the same place has it.
    """

    finding: int
    file: str
    line: int
    marks: tuple[tuple[int, int, str], ...]
    labels: tuple[Label, ...]
    told: str


def render(report: Report) -> str:
    """Return the report as one HTML file."""
    notes = {n: tuple(_notes(n, f)) for n, f in enumerate(report.findings, 1)}
    files = list(dict.fromkeys(note.file for told in notes.values() for note in told))
    page = [
        *_header(report),
        '<main id="main">',
        *_overview(report),
        *_cards(report, notes, files),
        *_sources(files, [note for told in notes.values() for note in told]),
        *_remarks(report),
        *_kinds(report),
        "</main>",
        f"<footer><p>Written by supremum {supremum.__version__}.</p></footer>",
    ]
    title = f"{_found(report)} – supremum audit"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>
{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
{"\n".join(page)}
</body>
</html>"""


def _found(report: Report) -> str:
    return plural(len(report.findings), "cause") if report.findings else "Nothing found"


# what is said of each line


def _notes(number: int, finding: Finding) -> Iterator[Note]:
    """Return what a finding says of each line, that of its cause first."""
    born = "is first seen here" if finding.elsewhere else "is born here"
    told = f"{finding.dtype} {born}"
    shown = [p for p in finding.places if p.operands or family(p.kind) != FORBIDDEN]
    itself = (finding.file, finding.spot)
    if not any((p.file, p.spot) == itself and p.operands for p in shown):
        dtype = [(finding.spot, finding.text, finding.dtype)]
        yield from _lines(number, finding.file, finding.spot, "cause", dtype, told)
    for place in shown:
        here = (place.file, place.spot) == itself
        labels = [(m.spot, m.text, m.dtype) for m in place.operands]
        effect = f"{told}: {_effect(place)}" if here else _effect(place)
        mark = "cause" if here else ""
        yield from _lines(number, place.file, place.spot, mark, labels, effect)


def _lines(
    number: int,
    file: str,
    spot: Spot,
    mark: str,
    labels: Sequence[tuple[Spot | None, str, str]],
    told: str,
) -> Iterator[Note]:
    """Return what one place says of each of its lines."""
    marks: dict[int, list[tuple[int, int, str]]] = {spot[0]: []}
    under: dict[int, list[Label]] = {}
    if mark:
        _mark(marks, file, spot, mark)
    for where, text, dtype in labels:
        if where is None:
            told += f", with {dtype}"
            continue
        if where != spot:
            _mark(marks, file, where, "operand")
        start = extent(file, where).column - 1
        under.setdefault(where[0], []).append(Label(start, text, dtype))
    for line, chars in marks.items():
        here = tuple(sorted(under.get(line, ())))
        yield Note(number, file, line, tuple(chars), here, told if line == spot[0] else "")


def _mark(marks: dict[int, list[tuple[int, int, str]]], file: str, spot: Spot, name: str) -> None:
    first, start, last, end = extent(file, spot)
    for line in range(first, last + 1):
        text = linecache.getline(file, line).rstrip("\n")
        left = start - 1 if line == first else len(text) - len(text.lstrip())
        right = end - 1 if line == last else len(text)
        marks.setdefault(line, []).append((left, right, name))


def _effect(place: Place) -> str:
    told = place.told or (f"gives {place.result}" if place.result else "")
    times = plural(place.count, "time") if place.count > 1 else ""
    return ", ".join(filter(None, [f"{place.kind}: {told}" if told else place.kind, times]))


# a line of source, and what stands under it


def _line(file: str, number: int, notes: Sequence[Note], classes: _Classes, name: str = "") -> str:
    """Return a line of source, with what some findings say of it below."""
    text = linecache.getline(file, number).rstrip("\n")
    chars = list(classes.of(file, number, len(text)))
    for note in notes:
        for left, right, mark in note.marks:
            chars[left:right] = [had | {mark} for had in chars[left:right]]
    code = "".join(
        _span(" ".join(sorted(key)), text[group[0] : group[-1] + 1])
        for key, group in ((k, list(g)) for k, g in groupby(range(len(text)), chars.__getitem__))
    )
    anchor = f' id="{name}"' if name else ""
    marked = " marked" if notes else ""
    rows = [f'<span class="line{marked}"{anchor}><span class="no">{number}</span>{code}</span>']
    said = set()
    for note in notes:
        rows += [_row(text, row) for row in _label_rows(note.labels)]
        if note.told and (note.finding, note.told) not in said:
            said.add((note.finding, note.told))
            indent = text[: len(text) - len(text.lstrip())]
            start = text[: note.labels[0].start] if note.labels else indent
            link = _number(note.finding)
            rows.append(f'<span class="row">{_pad(start)}{link} {_span("told", note.told)}</span>')
    return "\n".join(rows)


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if name else escape(text)


def _pad(text: str) -> str:
    return f'<span class="pad" aria-hidden="true">{escape(text)}</span>' if text else ""


def _number(finding: int) -> str:
    return f'<a class="number" href="#f{finding}" aria-label="finding {finding}">{finding}</a>'


def _label_rows(labels: Sequence[Label]) -> list[list[Label]]:
    """Return labels by rows: the last on the first row, and each other where it has room.

    Above a label that is further down stands a line to its operand: a label without a dtype.
    """
    rows: list[list[Label]] = []
    for label in reversed(labels):
        end = label.start + len(label.dtype) + 1
        room = (i for i, row in enumerate(rows) if not row or end <= row[0].start)
        at = next(room, len(rows))
        if at == len(rows):
            rows.append([])
        rows[at].insert(0, label)
        for row in rows[:at]:
            row.insert(0, label._replace(dtype=""))
    return rows


def _row(line: str, labels: Sequence[Label]) -> str:
    parts, at = [], 0
    for start, text, dtype in labels:
        parts.append(_pad(line[at:start]))
        if dtype:
            told = f'<span class="unseen">{escape(text)} is </span>'
            parts.append(f'<span class="dtype">{told}{escape(dtype)}</span>')
        else:
            parts.append('<span class="dtype" aria-hidden="true">│</span>')
        at = start
    return f'<span class="row">{"".join(parts)}</span>'


class _Classes:
    """The classes of the characters of each file: what Python makes of them."""

    def __init__(self) -> None:
        self._files: dict[str, dict[int, list[tuple[int, int, str]]]] = {}

    def of(self, file: str, line: int, length: int) -> list[frozenset[str]]:
        """Return the classes of each character of a line."""
        if file not in self._files:
            self._files[file] = _tokens(file)
        chars: list[frozenset[str]] = [frozenset()] * length
        for left, right, name in self._files[file].get(line, ()):
            chars[left:right] = [frozenset({name})] * (min(right, length) - left)
        return chars


def _tokens(file: str) -> dict[int, list[tuple[int, int, str]]]:
    found: dict[int, list[tuple[int, int, str]]] = {}
    source = io.StringIO("".join(linecache.getlines(file)))
    try:
        for token in tokenize.generate_tokens(source.readline):
            is_keyword = token.type == tokenize.NAME and keyword.iskeyword(token.string)
            name = "keyword" if is_keyword else _TOKENS.get(token.type)
            if name is None:
                continue
            (first, start), (last, end) = token.start, token.end
            for line in range(first, last + 1):
                right = end if line == last else len(linecache.getline(file, line))
                left = start if line == first else 0
                found.setdefault(line, []).append((left, right, name))
    except (tokenize.TokenError, SyntaxError):  # no Python, so nothing is coloured
        return {}
    return found

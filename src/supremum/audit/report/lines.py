"""Lines of source as reports show them: coloured, marked, and with dtypes under their operands."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from ..kinds import FORBIDDEN, STOPPED, base_name, find
from ..model.locations import Span
from ..model.wording import introduced, is_inside, times
from .places import Mark
from .report import Finding
from .where import extent
from .wording import introductions

_NEAR: Final = 3  # lines around a marked one that are shown
_LEAST_FOLDED: Final = 6  # lines that are worth folding


class Label(NamedTuple):
    """What stands under part of a line: that part's first character, its text and its dtype."""

    start: int
    text: str
    dtype: str


def label_rows(labels: Sequence[Label]) -> list[list[Label]]:
    """Return labels by rows: the last in the first row, and each other where it has room.

    A label without a dtype stands for a stroke, from an operand down to its own label.

    >>> rows = label_rows([Label(0, "x", "float32"), Label(4, "y", "int8")])
    >>> [[(label.start, label.dtype) for label in row] for row in rows]
    [[(0, ''), (4, 'int8')], [(0, 'float32')]]
    """
    rows: list[list[Label]] = []
    for label in reversed(labels):
        end = label.start + len(label.dtype) + 1
        at = next((i for i, row in enumerate(rows) if end <= row[0].start), len(rows))
        if at == len(rows):
            rows.append([])
        rows[at].insert(0, label)
        for row in rows[:at]:
            row.insert(0, label._replace(dtype=""))
    return rows


class Note(NamedTuple):
    """What one finding has to say about one line.

    Attributes:
        finding: the number of the finding.
        file: the path of the file.
        line: the line.
        marks: the first character, the one after the last, and ``"cause"`` or ``"operand"``.
        labels: the dtypes under it, from left to right.
        remark: a sentence, or ``""`` if the first line of the same place has it.
    """

    finding: int
    file: str
    line: int
    marks: tuple[tuple[int, int, str], ...]
    labels: tuple[Label, ...]
    remark: str


def notes_of(number: int, finding: Finding) -> Iterator[Note]:
    """Yield what a finding, by its number, has to say about each line."""
    stops = finding.kind == STOPPED and is_inside(finding, finding.places[0])
    names = find(finding.names[0]).names_introduction and not stops
    remark = introduced(finding) if names else ""
    itself = (finding.file, finding.span)
    places = [p for p in finding.places if p.operands or base_name(p.kind) != FORBIDDEN]
    if itself not in {(p.file, p.span) for p in places}:
        yield from _of_place(number, *itself, (), remark, is_cause=True)
    for place in places:
        here = (place.file, place.span) == itself
        came = [f"{place.kind}: {place.effect}{times(place)}", *introductions(place)]
        text = "; ".join([remark, *came] if here and remark else came)
        yield from _of_place(number, *place[:2], place.marks, text, is_cause=here)


def _of_place(
    number: int, file: str, span: Span, operands: Sequence[Mark], remark: str, *, is_cause: bool
) -> Iterator[Note]:
    marks: dict[int, list[tuple[int, int, str]]] = {span[0]: []}
    labels: dict[int, list[Label]] = {}
    if is_cause:
        _mark(marks, file, span, "cause")
    for mark in operands:
        if mark.span is None:
            remark += f", with {mark.dtype}"
            continue
        if mark.span != span:
            _mark(marks, file, mark.span, "operand")
        label = Label(extent(file, mark.span).column - 1, mark.text, mark.dtype)
        labels.setdefault(mark.span[0], []).append(label)
    for line, marked in marks.items():
        under = tuple(sorted(labels.get(line, ())))
        yield Note(number, file, line, tuple(marked), under, remark if line == span[0] else "")


def _mark(marks: dict[int, list[tuple[int, int, str]]], file: str, span: Span, kind: str) -> None:
    where = extent(file, span)
    for line in range(where.line, where.end_line + 1):
        text = linecache.getline(file, line).rstrip()
        left = where.column - 1 if line == where.line else len(text) - len(text.lstrip())
        right = where.end_column - 1 if line == where.end_line else len(text)
        marks.setdefault(line, []).append((left, right, kind))


def stretches(length: int, marked: Iterable[int]) -> Iterator[tuple[int, int, bool]]:
    """Return the first and the last line of each stretch, and whether it is folded.

    >>> list(stretches(40, [5, 30]))
    [(1, 1, False), (2, 8, False), (9, 26, True), (27, 33, False), (34, 40, True)]
    """
    shown = {n for line in marked for n in range(line - _NEAR, line + _NEAR + 1)}
    for away, group in groupby(range(1, length + 1), lambda n: n not in shown):
        lines = list(group)
        yield lines[0], lines[-1], away and len(lines) >= _LEAST_FOLDED


class Cell(NamedTuple):
    """What stands under an operand: the text before it, which is hidden, and its dtype."""

    before: str
    text: str = ""
    dtype: str = ""
    is_stroke: bool = False


class Row(NamedTuple):
    """A row under a line: the dtypes of operands, or what a finding remarks."""

    cells: Sequence[Cell]
    remark: str = ""
    finding: int = 0


class Line(NamedTuple):
    """A line of source with what findings say about it.

    Every character has classes. Labels below it are moved into place by a hidden copy of the text
    before them, so that they stand under their operands whatever the width of a character is.

    Attributes:
        number: its number, from 1.
        text: what is written there.
        classes: for each character, its classes.
        notes: what is said about it.
        anchor: the name by which others link to it, or ``""``.
        file: the file, if it is another one than that of the line before; else ``""``.
    """

    number: int
    text: str
    classes: Sequence[frozenset[str]]
    notes: Sequence[Note]
    anchor: str
    file: str

    @property
    def indent(self) -> int:
        """How many characters of white space it starts with."""
        return len(self.text) - len(self.text.lstrip())

    def parts(self, drop: int) -> Iterator[tuple[str, str]]:
        """Yield its parts after some characters, each with its classes."""
        at = drop
        for classes, group in groupby(self.classes[drop:]):
            end = at + len(list(group))
            yield self.text[at:end], " ".join(sorted(classes))
            at = end

    def rows(self, drop: int) -> Iterator[Row]:
        """Yield what stands below it."""
        for note in self.notes:
            for labels in label_rows(note.labels):
                starts = [drop, *(label.start for label in labels)]
                yield Row([
                    Cell(self.text[at : label.start], label.text, label.dtype, not label.dtype)
                    for at, label in zip(starts, labels, strict=False)
                ])  # fmt: skip
            if note.remark:
                starts = [*(label.start for label in note.labels), *(m[0] for m in note.marks), 0]
                yield Row([Cell(self.text[drop : starts[0]])], note.remark, note.finding)


class Source:
    """A file of source, as it was when its lines were read."""

    def __init__(self, file: str) -> None:
        self._lines = [line.rstrip("\r\n") for line in linecache.getlines(file)]
        self._colours = list(_colours(self._lines))

    def __len__(self) -> int:
        return len(self._lines)

    def line(
        self, number: int, notes: Sequence[Note] = (), *, anchor: str = "", file: str = ""
    ) -> Line:
        """Return a line, by its number from 1, with what some findings say about it."""
        known = number <= len(self._lines)
        text = self._lines[number - 1] if known else ""
        classes = list(self._colours[number - 1]) if known else []
        for left, right, kind in (mark for note in notes for mark in note.marks):
            classes[left:right] = [had | {kind} for had in classes[left:right]]
        return Line(number, text, classes, notes, anchor, file)


_COLOURS: Final = {
    "Token.Comment": "comment",
    "Token.Keyword": "keyword",
    "Token.Operator.Word": "keyword",
    "Token.Literal.Number": "figure",
    "Token.Literal.String": "string",
}


def _colours(lines: Sequence[str]) -> Iterator[list[frozenset[str]]]:
    """Yield the classes of the characters of each line, by what Python makes of them."""
    from pygments.lexers.python import PythonLexer  # type: ignore[import-untyped]  # it has no types

    text = "\n".join(lines)
    classes = [frozenset[str]()] * len(text)
    for start, token, value in PythonLexer().get_tokens_unprocessed(text):
        name = next((c for prefix, c in _COLOURS.items() if str(token).startswith(prefix)), "")
        if name:
            classes[start : start + len(value)] = [frozenset({name})] * len(value)
    at = 0
    for line in lines:
        yield classes[at : at + len(line)]
        at += len(line) + 1

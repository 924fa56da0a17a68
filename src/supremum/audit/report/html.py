"""The report as one HTML file, which has no script and loads nothing.

`templates/report.html` is the page, `templates/report.css` its style; here is what they show.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from ... import __version__
from ..kinds import FORBIDDEN, KINDS, STOPPED, family, find, page
from ..model.cells import CELLS
from ..model.locations import Span
from ..model.wording import introduced, is_inside, location_name, near, plural, size, times
from .lines import Label, Line, Note, Source
from .places import Mark
from .report import Finding, Report
from .where import extent
from .wording import introductions, nothing, remarks, same_dtypes, unanswered

_FOLDER: Final = Path(__file__).with_name("templates")
_MOST_LINES: Final = 6  # of one finding, shown beside it
_NEAR: Final = 3  # lines around a marked one that are shown
_LEAST_FOLDED: Final = 6  # lines that are worth folding
_MOST_FOLDED: Final = 2_000  # lines at a stretch that are in the page at all


class Shown(NamedTuple):
    """A finding as the page shows it.

    Attributes:
        finding: the finding.
        where: the name of its location.
        anchor: that of its line, further down.
        share: how much it costs, in hundredths of the most expensive one.
        lines: the lines of source that it is about.
        drop: how many characters of their indentation are left out.
        rest: the anchors and names of the lines that are not shown here.
    """

    finding: Finding
    where: str
    anchor: str
    share: int
    lines: Sequence[Line]
    drop: int
    rest: Sequence[tuple[str, str]]


@cache
def template() -> Any:
    """Return the template of the page."""
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True)
    environment.filters |= {"size": size, "plural": plural, "family": family, "page": page}
    return environment.get_template("report.html")


def render(report: Report) -> str:
    """Return the report as an HTML file."""
    notes = [list(_notes(n, finding)) for n, finding in enumerate(report.findings, 1)]
    every = [note for of_one in notes for note in of_one]
    sources = {file: Source(file) for file in dict.fromkeys(note.file for note in every)}
    most = max((finding.bytes for finding in report.findings), default=0)
    kinds = {family(kind) for f in report.findings for kind in (f.kind, *f.also)}
    found = plural(len(report.findings), "cause") if report.findings else "Nothing found"
    return str(
        template().render(
            report=report,
            found="No result" if report.warning else found,
            bytes=sum(finding.bytes for finding in report.findings),
            same_dtypes=same_dtypes(report),
            style=(_FOLDER / "report.css").read_text(encoding="utf-8"),
            findings=[
                _shown(*one, sources, most) for one in zip(report.findings, notes, strict=True)
            ],
            files=list(_files(every, sources)),
            remarks=list(_remarks(report)),
            kinds=[kind for name, kind in KINDS.items() if name in kinds],
            version=__version__,
        )
    )


def _notes(number: int, finding: Finding) -> Iterator[Note]:
    """Yield what a finding has to say about each line."""
    stops = finding.kind == STOPPED and is_inside(finding, finding.places[0])
    names = find(finding.kind).names_introduction and not stops
    remark = introduced(finding) if names else ""
    itself = (finding.file, finding.span)
    places = [p for p in finding.places if p.operands or family(p.kind) != FORBIDDEN]
    if itself not in {(p.file, p.span) for p in places}:
        yield from _of_place(number, *itself, (), remark, is_cause=True)
    for place in places:
        here = (place.file, place.span) == itself
        came = [f"{place.kind}: {place.effect}{times(place)}", *introductions(place)]
        text = "; ".join([remark, *came] if here and remark else came)
        yield from _of_place(number, *place[:2], place.operands, text, is_cause=here)


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


def _shown(
    finding: Finding, notes: Sequence[Note], sources: Mapping[str, Source], most: int
) -> Shown:
    """Return a finding with the lines that it says something about."""
    order = list(sources)
    lines = list(dict.fromkeys((note.file, note.line) for note in notes))
    shown = sorted(lines[:_MOST_LINES], key=lambda place: (order.index(place[0]), place[1]))
    excerpts, file_before = [], finding.file
    for file, number in shown:
        here = [note for note in notes if (note.file, note.line) == (file, number)]
        heading = Path(near(file)).as_posix() if file != file_before else ""
        excerpts.append(sources[file].line(number, here, file=heading))
        file_before = file
    return Shown(
        finding,
        _where(finding.file, finding.line),
        _anchor(order.index(finding.file), finding.line),
        round(100 * finding.bytes / most) if most else 0,
        excerpts,
        min(line.indent for line in excerpts),
        [(_anchor(order.index(f), n), _where(f, n)) for f, n in lines[_MOST_LINES:]],
    )


def _where(file: str, line: int) -> str:
    is_cell = file in CELLS
    return location_name(file, line) if is_cell else f"{Path(near(file)).as_posix()}:{line}"


def _anchor(file: int, line: int) -> str:
    return f"s{file + 1}-{line}"


def _files(notes: Sequence[Note], sources: Mapping[str, Source]) -> Iterator[dict[str, Any]]:
    """Yield each file with its lines, those without notes folded."""
    for index, (file, source) in enumerate(sources.items()):
        of_line: dict[int, list[Note]] = {}
        for note in notes:
            if note.file == file:
                of_line.setdefault(note.line, []).append(note)
        stretches = [
            (first, last, is_folded, [
                source.line(n, of_line.get(n, ()), anchor=_anchor(index, n) if n in of_line else "")
                for n in range(first, last + 1)
                if not is_folded or last - first < _MOST_FOLDED
            ])
            for first, last, is_folded in _stretches(max(len(source), *of_line), of_line)
        ]  # fmt: skip
        yield {"name": Path(near(file)).as_posix(), "stretches": stretches}


def _stretches(length: int, marked: Iterable[int]) -> Iterator[tuple[int, int, bool]]:
    """Return the first and the last line of each stretch, and whether it is folded.

    >>> list(_stretches(40, [5, 30]))
    [(1, 1, False), (2, 8, False), (9, 26, True), (27, 33, False), (34, 40, True)]
    """
    shown = {n for line in marked for n in range(line - _NEAR, line + _NEAR + 1)}
    for away, group in groupby(range(1, length + 1), lambda n: n not in shown):
        lines = list(group)
        yield lines[0], lines[-1], away and len(lines) >= _LEAST_FOLDED


def _remarks(report: Report) -> Iterator[str]:
    if report.warning:
        yield nothing(report)
    yield from remarks(report)
    yield from unanswered(report)
    if report.known:
        yield f"{plural(report.known, 'finding')} of the baseline left out."

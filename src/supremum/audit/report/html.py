"""The report as one HTML file, which has no script and loads nothing."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from ... import __version__
from ...core.errors import plural
from ..kinds import FORBIDDEN, KINDS, STOPPED, family, find, page
from ..model.cells import CELLS
from ..model.locations import Span
from ..model.wording import introduced, is_inside, location_name, near, size, times
from .labels import Label
from .places import Mark
from .report import Finding, Report
from .source import Note, Source, link
from .where import extent
from .wording import births, nothing, remarks, unanswered

_STYLE: Final = Path(__file__).with_name("report.css")
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_MOST_LINES = 6  # of one finding, shown beside it
_NEAR = 3  # lines around a marked one that are shown
_LEAST_FOLDED = 6  # lines that are worth folding
_MOST_FOLDED = 2_000  # lines at a stretch that are in the page at all

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{body}
</body>
</html>"""

_Marks = dict[int, list[tuple[int, int, str]]]
_Notes = Mapping[int, Sequence[Note]]


def render(report: Report) -> str:
    """Return the report as an HTML file."""
    notes = {n: list(_notes(n, finding)) for n, finding in enumerate(report.findings, 1)}
    every = [note for told in notes.values() for note in told]
    sources = {file: Source(file) for file in dict.fromkeys(note.file for note in every)}
    body = [
        *_header(report),
        "<main>",
        *_findings(report, notes, sources),
        *_files(every, sources),
        *_remarks(report),
        *_kinds(report),
        "</main>",
        f"<footer><p>Written by supremum {__version__}.</p></footer>",
    ]
    return _PAGE.format(
        policy=_POLICY,
        title=escape(f"{_found(report)} | supremum audit"),
        style=_STYLE.read_text(encoding="utf-8"),
        body="\n".join(body),
    )


def _found(report: Report) -> str:
    if report.warning:
        return "No result"
    return plural(len(report.findings), "cause") if report.findings else "Nothing found"


# what each finding has to say of each line


def _notes(number: int, finding: Finding) -> Iterator[Note]:
    stops = finding.kind == STOPPED and is_inside(finding, finding.places[0])
    is_told = not stops and find(finding.kind).names_introduction
    told = introduced(finding) if is_told else ""
    itself = (finding.file, finding.span)
    places = [p for p in finding.places if p.operands or family(p.kind) != FORBIDDEN]
    if itself not in {(p.file, p.span) for p in places}:
        yield from _of_place(number, *itself, (), told, cause=True)
    for place in places:
        here = (place.file, place.span) == itself
        came = "; ".join([f"{place.kind}: {place.effect}{times(place)}", *births(place)])
        came = f"{told}; {came}" if here and told else came
        yield from _of_place(number, place.file, place.span, place.operands, came, cause=here)


def _of_place(
    number: int,
    file: str,
    span: Span,
    operands: Sequence[Mark],
    told: str,
    *,
    cause: bool,
) -> Iterator[Note]:
    marks: _Marks = {span[0]: []}
    labels: dict[int, list[Label]] = {}
    if cause:
        _mark(marks, file, span, "cause")
    for mark in operands:
        if mark.span is None:
            told += f", with {mark.dtype}"
            continue
        if mark.span != span:
            _mark(marks, file, mark.span, "operand")
        label = Label(extent(file, mark.span).column - 1, mark.text, mark.dtype)
        labels.setdefault(mark.span[0], []).append(label)
    for line, marked in marks.items():
        under = tuple(sorted(labels.get(line, ())))
        yield Note(number, file, line, tuple(marked), under, told if line == span[0] else "")


def _mark(marks: _Marks, file: str, span: Span, kind: str) -> None:
    where = extent(file, span)
    for line in range(where.line, where.end_line + 1):
        text = linecache.getline(file, line).rstrip()
        left = where.column - 1 if line == where.line else len(text) - len(text.lstrip())
        right = where.end_column - 1 if line == where.end_line else len(text)
        marks.setdefault(line, []).append((left, right, kind))


# the parts of the page


def _header(report: Report) -> Iterator[str]:
    extra = sum(finding.bytes for finding in report.findings)
    yield "<header>"
    yield "<p>supremum audit</p>"
    yield f"<h1>{_found(report)} in {plural(report.operations, 'operation')} on arrays</h1>"
    if extra:
        yield f"<p><strong>{size(extra)}</strong> more memory than needed.</p>"
    if report.target:
        alike = sum(line.dtypes == line.target for line in report.predicted)
        places = f"{alike:,} of {plural(len(report.predicted), 'place')} give the same dtypes"
        yield f"<p>By <strong>{escape(report.target)}</strong> rules {places}.</p>"
    if len(report.findings) > 1:
        yield '<nav aria-label="Findings"><ol>'
        most = max(finding.bytes for finding in report.findings)
        yield from (_entry(n, finding, most) for n, finding in enumerate(report.findings, 1))
        yield "</ol></nav>"
    yield "</header>"


def _entry(number: int, finding: Finding, most: int) -> str:
    cost = size(finding.bytes) if finding.bytes else ""
    share = round(100 * finding.bytes / most) if most else 0
    bar = f'<span class="bar" style="width:{share}%"></span>' if share else ""
    return (
        f'<li><a href="#f{number}"><code>{escape(finding.text)}</code></a> '
        f'<span class="where">{_where(finding.file, finding.line)}</span> {_badge(finding)} '
        f'<span class="cost">{cost}{bar}</span></li>'
    )


def _where(file: str, line: int) -> str:
    return escape(
        location_name(file, line) if file in CELLS else f"{Path(near(file)).as_posix()}:{line}"
    )


def _badge(finding: Finding) -> str:
    target = f"#kind-{family(finding.kind)}"
    return f'<a class="badge {finding.severity}" href="{target}">{escape(finding.kind)}</a>'


def _findings(report: Report, notes: _Notes, sources: Mapping[str, Source]) -> Iterator[str]:
    if not report.findings:
        return
    yield '<section aria-labelledby="findings">'
    yield '<h2 id="findings">What to type instead</h2>'
    order = list(sources)
    for number, finding in enumerate(report.findings, 1):
        yield f'<article id="f{number}" aria-labelledby="f{number}-title">'
        where = _where(finding.file, finding.line)
        name = _anchor(order.index(finding.file), finding.line)
        yield f'<p class="meta">{link(number)} {_badge(finding)} <a href="#{name}">{where}</a></p>'
        yield f'<h3 id="f{number}-title">{escape(finding.headline)}.</h3>'
        if finding.suggestion:
            yield '<p class="mend"><span>Type instead</span>'
            yield f"<code>{escape(finding.suggestion)}</code></p>"
        if finding.needs:
            yield '<p class="mend"><span>And at the top</span>'
            yield f"<code>{escape(finding.needs)}</code></p>"
        yield from _excerpts(finding, notes[number], sources)
        if finding.explanation:
            yield "<details><summary>Why</summary>"
            yield f'<pre class="why" tabindex="0">{escape(finding.explanation)}</pre></details>'
        yield "</article>"
    yield "</section>"


def _excerpts(
    finding: Finding, notes: Sequence[Note], sources: Mapping[str, Source]
) -> Iterator[str]:
    """Return the lines that a finding says something of."""
    order = list(sources)
    lines = list(dict.fromkeys((note.file, note.line) for note in notes))
    shown, rest = lines[:_MOST_LINES], lines[_MOST_LINES:]
    shown.sort(key=lambda place: (order.index(place[0]), place[1]))
    drop = min(sources[file].indent(line) for file, line in shown)
    at = finding.file
    parts = []
    for file, line in shown:
        if file != at:
            parts.append(f'<span class="file">{escape(Path(near(file)).as_posix())}\n</span>')
            at = file
        here = [note for note in notes if (note.file, note.line) == (file, line)]
        parts.append(sources[file].line(line, here, drop=drop, linked=False))
    yield f'<pre class="code" tabindex="0">{"".join(parts)}</pre>'
    if rest:
        links = (
            f'<a href="#{_anchor(order.index(file), line)}">{_where(file, line)}</a>'
            for file, line in rest
        )
        yield f"<details><summary>{plural(len(rest), 'other line')}</summary>"
        yield f"<p>{', '.join(links)}</p></details>"


def _anchor(file: int, line: int) -> str:
    return f"s{file + 1}-{line}"


def _files(notes: Sequence[Note], sources: Mapping[str, Source]) -> Iterator[str]:
    if not sources:
        return
    yield '<section aria-labelledby="source">'
    yield '<h2 id="source">The source</h2>'
    yield '<p class="legend"><span class="cause">a cause</span>, and <span class="operand">an '
    yield "operand</span> with its dtype below.</p>"
    for index, (file, source) in enumerate(sources.items()):
        of_line: dict[int, list[Note]] = {}
        for note in notes:
            if note.file == file:
                of_line.setdefault(note.line, []).append(note)
        shown = Path(near(file)).as_posix()
        yield f'<section class="source" aria-labelledby="s{index + 1}">'
        yield f'<h3 id="s{index + 1}">{escape(shown)}</h3>'
        yield '<div class="scroll" tabindex="0">'
        for first, last, folded in _stretches(max(len(source), *of_line), of_line):
            lines = [
                source.line(n, of_line.get(n, ()), name=_anchor(index, n) if n in of_line else "")
                for n in range(first, last + 1)
                if not folded or last - first < _MOST_FOLDED
            ]
            code = "".join(['<pre class="code">', *lines, "</pre>"])
            if folded:
                told = f"lines {first} to {last}"
                yield f"<details><summary>{told}</summary>{code if lines else ''}</details>"
            else:
                yield code
        yield "</div></section>"
    yield "</section>"


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
    told = [nothing(report)] if report.warning else []
    told += remarks(report)
    told += unanswered(report)
    if report.known:
        told.append(f"{plural(report.known, 'finding')} of the baseline left out.")
    if told:
        yield '<section aria-labelledby="remarks"><h2 id="remarks">Remarks</h2><ul>'
        yield from (f"<li>{escape(line)}</li>" for line in told)
        yield "</ul></section>"


def _kinds(report: Report) -> Iterator[str]:
    kinds = {family(kind) for f in report.findings for kind in (f.kind, *f.also)}
    if kinds:
        yield '<section aria-labelledby="kinds"><h2 id="kinds">The kinds</h2><dl>'
        for kind in filter(kinds.__contains__, KINDS):
            name = f'<dt><a href="{page(kind)}">{kind}</a></dt>'
            meaning = escape(KINDS[kind].meaning)
            yield f'<div id="kind-{kind}">{name}<dd>{meaning}</dd></div>'
        yield "</dl></section>"

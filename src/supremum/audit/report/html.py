"""The report as one HTML file, which has no script and loads nothing.

`templates/report.html` is the page, `templates/report.css` its style; here is what they show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from ...version import __version__
from ..kinds import KNOWN, base_name, page
from ..model.cells import CELLS
from ..model.wording import location_name, near, plural, size
from .lines import Line, Note, Source, notes_of, stretches
from .report import Finding, Report
from .wording import nothing, remarks, same_dtypes, unanswered

_FOLDER: Final = Path(__file__).with_name("templates")
_MOST_LINES: Final = 6  # of one finding, shown beside it
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
    environment.filters |= {"size": size, "plural": plural, "base_name": base_name, "page": page}
    return environment.get_template("report.html")


def render(report: Report) -> str:
    """Return the report as an HTML file."""
    notes = [list(notes_of(n, finding)) for n, finding in enumerate(report.findings, 1)]
    every = [note for of_one in notes for note in of_one]
    sources = {file: Source(file) for file in dict.fromkeys(note.file for note in every)}
    most = max((finding.bytes for finding in report.findings), default=0)
    kinds = {base_name(name) for f in report.findings for name in f.names}
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
            kinds=[kind for name, kind in KNOWN.items() if name in kinds],
            version=__version__,
        )
    )


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
        shown = [
            (first, last, is_folded, [
                source.line(n, of_line.get(n, ()), anchor=_anchor(index, n) if n in of_line else "")
                for n in range(first, last + 1)
                if not is_folded or last - first < _MOST_FOLDED
            ])
            for first, last, is_folded in stretches(max(len(source), *of_line), of_line)
        ]  # fmt: skip
        yield {"name": Path(near(file)).as_posix(), "stretches": shown}


def _remarks(report: Report) -> Iterator[str]:
    if report.warning:
        yield nothing(report)
    yield from remarks(report)
    yield from unanswered(report)
    if report.known:
        yield f"{plural(report.known, 'finding')} of the baseline left out."

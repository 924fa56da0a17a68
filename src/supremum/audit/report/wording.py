"""What reports say, in one place: every format has the same headline, effect and remarks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent, indent

from ...core.errors import plural
from ..kinds import STOPPED
from ..model.cells import CELLS
from .places import Mark, Place
from .report import Finding, Report, Watched


def size(count: int) -> str:
    """Return a number of bytes in a unit that suits it.

    >>> size(512), size(2_500_000)
    ('512 bytes', '2.5 MB')
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return plural(count, "byte")


def near(file: str) -> str:
    """Return a path as it is short to write: relative to where we are, if it is below."""
    cell = CELLS.get(file)
    if cell is not None and cell.is_old:
        return f"{file} (run again since)"
    try:
        return str(Path(file).resolve().relative_to(Path.cwd()))
    except ValueError:
        return os.fspath(file)


def spot(file: str, line: int, column: int = 0, *, seen_from: str = "") -> str:
    """Return where something is: ``program.py:3:7``, or ``cell [3], line 7``.

    Args:
        file: the file, or the cell.
        line: its line.
        column: its column, or 0 if that is of no interest.
        seen_from: the file that this is said beside; cells of one notebook need no more than their
            numbers there.
    """
    cell, beside = CELLS.get(file), CELLS.get(seen_from)
    if cell is not None:
        same = cell.notebook and beside is not None and beside.notebook == cell.notebook
        return f"{f'cell {cell.number}' if same else near(file)}, line {line}"
    return f"{near(file)}:{line}:{column}" if column else f"{near(file)}:{line}"


def headline(finding: Finding) -> str:
    """Return in one sentence what a finding is."""
    first = finding.places[0]
    if finding.kind == STOPPED:
        if is_inside(finding, first):
            return first.told
        where = f"line {first.line}"
        if first.file != finding.file:
            where = spot(first.file, first.line, seen_from=finding.file)
        return f"{finding.dtype} is born here, and stops {where}: {first.told}"
    if finding.kind == "value-changed":
        return f"{first.told}{times(first)}"
    if finding.kind in ("other-dtype", "retracing", "wraparound", "accumulation"):
        return first.told
    if finding.kind in _WITH_OPERANDS or finding.kind in ("autocast", "other-meta"):
        return f"{effect(first)}{times(first)}"
    if finding.kind == "narrowing-store" and first.span == finding.span:
        value = next(
            (m for m in first.operands if plain_dtype(m) != finding.dtype), first.operands[-1]
        )
        return f"{plain_dtype(value)} is stored in {finding.dtype}{times(first)}"
    told = f"{finding.dtype} is {'first seen' if finding.elsewhere else 'born'} here"
    if finding.count > 1:
        told += f"; {plural(finding.count, 'result')} have it from here"
    return told + (f", {size(finding.bytes)} more than needed" if finding.bytes else "")


def is_inside(finding: Finding, place: Place) -> bool:
    """Tell whether the code to mend is part of what is written at a place."""
    first, last = finding.span[:2], finding.span[2:]
    return finding.file == place.file and place.span[:2] <= first and last <= place.span[2:]


def instead(finding: Finding) -> str:
    """Return what to type instead, or ``""`` if no change is known to be right."""
    if not finding.suggestion:
        return ""
    first, line_break, rest = finding.suggestion.partition("\n")
    told = f"type instead: {first}{line_break}{indent(dedent(rest), '  ')}"
    return f"{told}\nand at the top: {finding.needs}" if finding.needs else told


def effect(place: Place) -> str:
    """Return what came of a cause at a place."""
    if place.told and place.operands and place.kind == "narrowing-store":
        return f"it is stored in {plain_dtype(place.operands[0])}: {place.told}"
    if place.told:
        return place.told
    if place.kind in _WITH_OPERANDS:
        operands = " with ".join(plain_dtype(mark) for mark in place.operands)
        return f"{operands} gives {place.result}" if place.result else f"{operands} are compared"
    return {
        **dict.fromkeys(("larger-integer", "wide-total"), f"it becomes {place.result}"),
        "widening": f"it widens to {place.result}" if place.result else "it widens a comparison",
        "widening-store": f"only {plain_dtype(place.operands[-1])} is stored in it"
        if place.operands
        else "",
        "narrowing-store": f"it is stored in {plain_dtype(place.operands[0])}"
        if place.operands
        else "",
        "weak-lost": f"it decides for {place.result}",
    }.get(place.kind, place.kind)


def births(place: Place) -> list[str]:
    """Return where operands that a place tells of were born, a sentence for each."""
    told: dict[str, None] = {}
    for mark in place.operands:
        if place.kind == STOPPED and mark.span is None:
            told[f"{mark.text} is {mark.dtype}"] = None
        if mark.born is not None:
            line = mark.born.line
            same = mark.born.file == place.file
            at = f"line {line}" if same else spot(mark.born.file, line, seen_from=place.file)
            told[f"{plain_dtype(mark)} is born at {at}: {mark.born.text}"] = None
    return list(told)


def reason(explanation: str) -> str:
    """Return the sentences of an explanation, without its table, after the name of the rules."""
    head, _, rest = explanation.partition("\n\n")
    _, _, sentences = rest.partition("\n\n")
    rules = head.split(maxsplit=1)[1].strip()
    return f"by {rules}: {' '.join(sentences.split()).removeprefix('The table says so: ')}"


def times(place: Place) -> str:
    """Return how often something happened, after a comma, or ``""`` if it did once."""
    return f", {plural(place.count, 'time')}" if place.count > 1 else ""


def plain_dtype(mark: Mark) -> str:
    """Return the dtype of an operand without its shape."""
    return mark.dtype.partition("[")[0].removesuffix("()")


_MOST_UNWATCHED = 10  # for one reason that are named
_MOST_UNANSWERED = 10  # places that are named
_WITH_OPERANDS = ("mixed-kind", "precision-loss", "overflow-risk")


def summary(report: Report) -> list[str]:
    """Return the last lines of a report: how much was found, and what else there is to know."""
    lines = []
    if report.findings:
        counts: dict[str, int] = {}
        for finding in report.findings:
            counts[finding.kind] = counts.get(finding.kind, 0) + 1
        told = ", ".join(f"{n} {kind}" for kind, n in counts.items())
        extra = sum(f.bytes for f in report.findings)
        more = f"; {size(extra)} more than needed" if extra else ""
        lines.append(
            f"{plural(len(report.findings), 'cause')} ({told}) in "
            f"{plural(report.operations, 'operation')} on arrays{more}."
        )
    else:
        lines.append(nothing(report))
    if report.known:
        lines.append(f"{plural(report.known, 'finding')} of the baseline left out.")
    if report.target:
        alike = sum(line.dtypes == line.target for line in report.predicted)
        told = f"{alike:,} of {plural(len(report.predicted), 'place')} give the same dtypes"
        lines.append(f"By {report.target} rules {told}.")
    return [*lines, *unanswered(report), *remarks(report)]


def unanswered(report: Report) -> list[str]:
    """Return the places of which it is not known what the target's rules give there."""
    places = [p for p in report.predicted if not p.is_answered]
    lines = [f"Not answered: {near(p.file)}:{p.line}: {p.text}" for p in places[:_MOST_UNANSWERED]]
    rest = len(places) - len(lines)
    if rest:
        lines.append(f"Not answered: {plural(rest, 'more place')}; -f json has all.")
    return lines


def remarks(report: Report) -> list[str]:
    """Return what else there is to know of an audit: what was not needed, watched or judged."""
    lines = [f"Not needed: {a._replace(file=near(a.file))}" for a in report.unused]
    if report.watched is not None:
        lines.append(watched(report.watched))
        lines += [f"Not watched: process {name}: {why}" for name, why in report.watched.lost]
    lines += [f"Not watched: {files}: {reason}" for files, reason in _unwatched(report)]
    lines += [f"Not judged: {problem}" for problem in report.problems]
    return lines


def _unwatched(report: Report) -> Iterator[tuple[str, str]]:
    """Yield files that are not watched, with the reason; those of a large package as one."""
    reasons: dict[str, list[str]] = {}
    for file, reason in report.unwatched:
        reasons.setdefault(reason, []).append(near(file))
    for reason, files in reasons.items():
        if len(files) > _MOST_UNWATCHED:
            files[:] = [f"{files[0]} and {plural(len(files) - 1, 'other file')}"]
        for file in files:
            yield file, reason


def nothing(report: Report) -> str:
    """Return what is to be said of a report without findings."""
    if report.warning:
        return f"Warning: {report.warning}."
    new = "new " if report.known else ""
    return f"Nothing {new}found in {plural(report.operations, 'operation')} on arrays."


def watched(what: Watched) -> str:
    """Return in one line what was watched.

    >>> watched(Watched(2, ("/src",), processes=3))
    'Watched: 2 files in /src, by 3 processes.'
    """
    folders = " and ".join("this folder" if near(f) == "." else near(f) for f in what.folders)
    where = f" in {folders}" if folders else ""
    by = f", by {what.processes:,} processes" if what.processes > 1 else ""
    files = f"{plural(what.files, 'file')}{where}"
    if what.cells:
        told = plural(what.cells, "cell")
        files = f"{told} and {files}" if what.files else told
    return f"Watched: {files}{by}."

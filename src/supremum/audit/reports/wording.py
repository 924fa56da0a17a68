"""What reports say, in one place: every format has the same headline, effect and remarks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent, indent

from .findings import Finding, Report, Watched
from .places import Mark, Place


def plural(count: int, what: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "line"), plural(1200, "line")
    ('1 line', '1,200 lines')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


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
    try:
        return str(Path(file).resolve().relative_to(Path.cwd()))
    except ValueError:
        return os.fspath(file)


def headline(finding: Finding) -> str:
    """Return in one sentence what a finding is."""
    first = finding.places[0]
    if finding.kind == "value-changed":
        return f"{first.told}{times(first)}"
    if finding.kind == "other-dtype":
        return first.told
    if finding.kind in _WITH_OPERANDS:
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


def instead(finding: Finding) -> str:
    """Return what to type instead, or ``""`` if no change is known to be right."""
    if not finding.suggestion:
        return ""
    first, line_break, rest = finding.suggestion.partition("\n")
    told = f"type instead: {first}{line_break}{indent(dedent(rest), '  ')}"
    return f"{told}\nand at the top: {finding.needs}" if finding.needs else told


def effect(place: Place) -> str:
    """Return what came of a cause at a place."""
    if place.told:
        return place.told
    if place.kind in _WITH_OPERANDS:
        operands = " with ".join(plain_dtype(mark) for mark in place.operands)
        return f"{operands} gives {place.result}" if place.result else f"{operands} are compared"
    return {
        **dict.fromkeys(("larger-integer", "wide-total"), f"it becomes {place.result}"),
        "widening": f"it widens to {place.result}" if place.result else "it widens a comparison",
        "narrowing-store": f"it is stored in {plain_dtype(place.operands[0])}"
        if place.operands
        else "",
        "weak-lost": f"it decides for {place.result}",
    }.get(place.kind, place.kind)


def births(place: Place) -> list[str]:
    """Return where the integers that a place made floats of were born, a sentence for each."""
    told: dict[str, None] = {}
    for mark in place.operands:
        if mark.born is not None:
            where, line = near(mark.born.file), mark.born.line
            at = f"line {line}" if mark.born.file == place.file else f"{where}:{line}"
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
    if report.unknown:
        lines.append(f"Not predicted: what {', '.join(report.unknown)} give there.")
    return [*lines, *remarks(report)]


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
    return f"Watched: {plural(what.files, 'file')}{where}{by}."

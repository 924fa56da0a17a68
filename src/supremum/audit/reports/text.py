"""The report as a compiler would print it: source lines, with dtypes under the operands."""

from __future__ import annotations

import linecache
import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent

from ..model.kinds import family
from ..model.locations import Span, character
from .findings import Finding, Mark, Place, Report, Watched
from .labels import Label, label_rows

_MOST_PLACES = 2  # of one cause that are shown


def render(report: Report) -> str:
    """Return the report as text."""
    parts = [described(finding) for finding in report.findings]
    return "\n\n".join([*parts, "\n".join(summary(report))])


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
        return f"{first.told}{_times(first)}"
    if finding.kind == "other-dtype":
        return first.told
    if finding.kind in ("mixed-kind", "precision-loss", "overflow-risk"):
        operands = " with ".join(_dtype(mark) for mark in first.operands)
        gives = f"gives {first.result}" if first.result else "are compared"
        return f"{operands} {gives}{_times(first)}"
    if finding.kind == "narrowing-store" and first.span == finding.span:
        value = next((m for m in first.operands if _dtype(m) != finding.dtype), first.operands[-1])
        return f"{_dtype(value)} is stored in {finding.dtype}{_times(first)}"
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


def described(finding: Finding) -> str:
    """Return a finding with the lines of source that it is about."""
    head = f"{near(finding.file)}:{finding.line}:{finding.column}: {finding.kind}: "
    lines = [head + headline(finding)]
    told = [p for p in finding.places if family(p.kind) != "forbidden"]
    shown = list({(p.file, p.span): p for p in reversed(told)}.values())[::-1]
    if not shown or not _shows(shown[0], finding):
        lines += _excerpt(finding.file, finding.span, [(finding.span, finding.dtype, "^")])
    for index, place in enumerate(shown[:_MOST_PLACES]):
        if place.span != finding.span or index:
            same = place.file == finding.file
            where = f"line {place.line}" if same else f"{near(place.file)}:{place.line}"
            lines.append(f"  {_effect(place)} at {where}{_times(place)}:")
        labels = _labels(place, finding) or [(place.span, finding.dtype, "^")]
        lines += _excerpt(place.file, place.span, labels, place.told)
    if len(shown) > _MOST_PLACES:
        rest = sum(p.count for p in shown[_MOST_PLACES:])
        places = plural(len(shown) - _MOST_PLACES, "other place")
        lines.append(f"  and {plural(rest, 'time')} at {places}")
    lines += [f"  {line}" for line in instead(finding).splitlines()]
    if finding.explanation:
        lines.append(f"  why, {reason(finding.explanation)}")
    return "\n".join(lines)


def _shows(place: Place, finding: Finding) -> bool:
    """Tell whether a place shows the cause itself: as a whole, or as an operand."""
    spans = (place.span, *(mark.span for mark in place.operands))
    return place.file == finding.file and finding.span in spans


def _times(place: Place) -> str:
    return f", {plural(place.count, 'time')}" if place.count > 1 else ""


def _dtype(mark: Mark) -> str:
    """Return the dtype of an operand without its shape."""
    return mark.dtype.partition("[")[0].removesuffix("()")


def _effect(place: Place) -> str:
    return {
        **dict.fromkeys(("larger-integer", "wide-total"), f"it becomes {place.result}"),
        "widening": f"it widens to {place.result}" if place.result else "it widens a comparison",
        "narrowing-store": f"it is stored in {_dtype(place.operands[0])}" if place.operands else "",
        "weak-lost": f"it decides for {place.result}",
    }.get(place.kind, place.kind)


def reason(explanation: str) -> str:
    """Return the sentences of an explanation, without its table, after the name of the rules."""
    head, _, rest = explanation.partition("\n\n")
    _, _, sentences = rest.partition("\n\n")
    rules = head.split(maxsplit=1)[1].strip()
    return f"by {rules}: {' '.join(sentences.split()).removeprefix('The table says so: ')}"


def _labels(place: Place, finding: Finding) -> list[tuple[Span, str, str]]:
    return [
        (mark.span, mark.dtype, "^" if mark.span == finding.span else "~")
        for mark in place.operands
        if mark.span is not None
    ]


def _excerpt(
    file: str, span: Span, labels: Sequence[tuple[Span, str, str]], more: str = ""
) -> list[str]:
    """Return the first line of a place, with what is to be said under each part of it."""
    number = span[0]
    line = linecache.getline(file, number).rstrip("\n")
    if not line:
        return []
    here = sorted((s, label, sign) for s, label, sign in labels if s[0] == number)
    marks, under = "", []
    for (_, start, last, end), label, sign in here:
        first = character(line, start)
        after = character(line, end) if last == number else len(line)
        marks = marks.ljust(first) + sign * max(after - first, 1)
        under.append(Label(first, "", label))
    rows = []
    for row in label_rows(under):
        text = ""
        for one in row:
            text = text.ljust(one.start) + (one.dtype or "|")
        rows.append(text)
    away = [label for s, label, _ in labels if s[0] != number]
    tail = ", ".join(filter(None, [*away, more]))
    if tail:
        rows[:1] = [f"{rows[0] if rows else marks}   {tail}"]
    indent = len(line) - len(line.lstrip())
    indent = min(indent, *(len(r) - len(r.lstrip()) for r in (marks, *rows) if r.strip()))
    margin = f"{'':>6} | "
    return [
        f"{number:>6} | {line[indent:]}",
        *(margin + text[indent:] for text in (marks, *rows) if text.strip()),
    ]


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
    lines += [f"Not needed: {a._replace(file=near(a.file))}" for a in report.unused]
    if report.watched is not None:
        lines.append(watched(report.watched))
        lines += [f"Not watched: process {name}: {why}" for name, why in report.watched.lost]
    lines += [f"Not watched: {near(file)}: {reason}" for file, reason in report.unwatched]
    lines += [f"Not judged: {problem}" for problem in report.problems]
    return lines


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

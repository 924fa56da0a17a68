"""The report as a compiler would print it: source lines, with dtypes under the operands."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Final

from ...core.errors import plural
from ..kinds import FORBIDDEN, STOPPED, base_name, find
from ..model.locations import Span, character
from ..model.wording import is_inside, location_name, times
from .lines import Label, label_rows
from .places import Place
from .report import Finding, Report
from .wording import instead, introductions, reason, summary

_MOST_PLACES: Final = 2  # of one cause that are shown
_WIDEST: Final = 110  # characters of a line of source, beyond which it is cut
_BEFORE: Final = 30  # of these, so many are before what is marked
_LONGEST: Final = 1000  # characters of a suggestion


def render(report: Report, most: int | None = None) -> str:
    """Return the report as text.

    Args:
        report: the report.
        most: how many causes are shown, those that cost most; then comes how to see the rest.
    """
    parts = [described(finding) for finding in report.findings[:most]]
    rest = len(report.findings) - len(parts)
    if rest:
        parts.append(f"and {plural(rest, 'more cause')}; -o report.html or -o report.txt has all.")
    return "\n\n".join([*parts, "\n".join(summary(report))])


def described(finding: Finding) -> str:
    """Return a finding with the lines of source that it is about."""
    head = f"{location_name(finding.file, finding.line, finding.column)}: {finding.kind}: "
    lines = [head + finding.headline, *excerpts(finding)]
    change = instead(finding)
    if len(change) > _LONGEST:
        change = f"type instead: a change of {len(change):,} characters, which -f json has"
    lines += [f"  {line}" for line in change.splitlines()]
    if finding.explanation:
        lines.append(f"  why, {reason(finding.explanation)}")
    return "\n".join(lines)


def excerpts(finding: Finding) -> list[str]:
    """Return the lines of source that a finding is about, with dtypes under the operands."""
    lines = []
    places = [p for p in finding.places if base_name(p.kind) != FORBIDDEN]
    shown = list({(p.file, p.span): p for p in reversed(places)}.values())[::-1]
    if not shown or not (_shows(shown[0], finding) or _is_stop(finding)):
        lines += _excerpt(finding.file, finding.span, [(finding.span, finding.dtype, "^")])
    for index, place in enumerate(shown[:_MOST_PLACES]):
        if (place.span != finding.span and not _is_stop(finding)) or index:
            lines.append(_elsewhere(place, finding))
        lines += _excerpt_of(place, finding)
    if len(shown) > _MOST_PLACES:
        rest = sum(p.count for p in shown[_MOST_PLACES:])
        others = plural(len(shown) - _MOST_PLACES, "other place")
        lines.append(f"  and {plural(rest, 'time')} at {others}")
    return lines


def _elsewhere(place: Place, finding: Finding) -> str:
    """Return what came of a cause at another place."""
    same = place.file == finding.file
    elsewhere = location_name(place.file, place.line, seen_from=finding.file)
    where = f"line {place.line}" if same else elsewhere
    did = "it is used" if place.kind == STOPPED else place.effect
    return f"  {did} at {where}{times(place)}:"


def _excerpt_of(place: Place, finding: Finding) -> list[str]:
    """Return the line of a place, and where integers among its operands were introduced."""
    labels = _labels(place, finding) or [(place.span, finding.dtype, "^")]
    is_said = place.kind == STOPPED or find(place.kind).is_of_values  # by the headline
    lines = _excerpt(place.file, place.span, labels, "" if is_said else place.told)
    for text in introductions(place):
        lines.append(f"  {text if len(text) <= _WIDEST else text[:_WIDEST] + '…'}")
    return lines


def _is_stop(finding: Finding) -> bool:
    """Return whether a finding is where a program stopped, not where its dtypes were introduced."""
    return finding.kind == STOPPED and is_inside(finding, finding.places[0])


def _shows(place: Place, finding: Finding) -> bool:
    """Return whether a place shows the cause itself: as a whole, or as an operand."""
    spans = (place.span, *(mark.span for mark in place.operands))
    return place.file == finding.file and finding.span in spans


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
    marks, rows = _marked(line, sorted(label for label in labels if label[0][0] == number))
    away = [label for s, label, _ in labels if s[0] != number]
    tail = ", ".join(filter(None, [*away, more]))
    if tail:
        rows[:1] = [f"{rows[0] if rows else marks}   {tail}"]
    return _cut(number, line, marks, rows)


def _marked(line: str, labels: Sequence[tuple[Span, str, str]]) -> tuple[str, list[str]]:
    """Return the signs under the parts of a line, and the rows of labels under these."""
    marks, under = "", []
    for (number, start, last, end), label, sign in labels:
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
    return marks, rows


def _cut(number: int, line: str, marks: str, rows: Sequence[str]) -> list[str]:
    """Return a line with what stands under it, without margins, and no wider than a screen."""
    start = min(len(t) - len(t.lstrip()) for t in (line, marks, *rows) if t.strip())
    if len(line) - start > _WIDEST:
        start = max(start, len(marks) - len(marks.lstrip()) - _BEFORE)
    end = start + _WIDEST
    shown = f"{'…' if line[:start].strip() else ''}{line[start:end]}{'…' if line[end:] else ''}"
    shift = " " if shown.startswith("…") else ""
    cut = [marks[start:end].rstrip(), *(text[start:] for text in rows)]
    margin = f"{'':>6} | {shift}"
    return [f"{number:>6} | {shown}", *(margin + text for text in cut if text.strip())]

"""The report as a compiler would print it: source lines, with dtypes under the operands."""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from ...core.errors import plural
from ...terminal import hanging, styled
from ..kinds import FORBIDDEN, KNOWN, STOPPED, base_name, find
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
_MARGIN: Final = len("     1 | ")


def render(report: Report, most: int | None = None, width: int | None = None) -> str:
    """Return the report as text.

    Args:
        report: the report.
        most: how many causes are shown, those that cost most; then comes how to see the rest.
        width: how many columns the terminal has that it is for, or None if it is for none.
    """
    parts = [described(finding, width) for finding in report.findings[:most]]
    rest = len(report.findings) - len(parts)
    if rest:
        parts.append(f"and {plural(rest, 'more cause')}; -o report.html or -o report.txt has all.")
    return "\n\n".join([*parts, "\n".join(_broken(line, width) for line in summary(report))])


def described(finding: Finding, width: int | None = None) -> str:
    """Return a finding with the lines of source that it is about.

    Lines are broken for a terminal, but for what is to be typed: that is to be copied.
    """
    kind = f"{finding.kind} ({finding.note})" if finding.note else finding.kind
    head = f"{location_name(finding.file, finding.line, finding.column)}: {kind}: "
    lines = [_broken(head + finding.headline, width), *excerpts(finding, width)]
    change = instead(finding)
    if len(change) > _LONGEST:
        change = f"type instead: a change of {len(change):,} characters, which -f json has"
    lines += [f"  {line}" for line in change.splitlines()]
    if finding.explanation:
        lines.append(_broken(f"  why, {reason(finding.explanation)}", width))
    return "\n".join(lines)


def _broken(line: str, width: int | None) -> str:
    return hanging(line, width, indent=4) if width else line


_KINDS: Final = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}
_STYLES: Final = (
    (r"\s+\| [ ^~|]*", ((r"^\s+\|", "dim"), (r"\^+", "bold yellow"), (r"~+", "blue"))),
    (r"\s*\d* \| .*", ((r"^\s*\d* \|", "dim"),)),
    (r"  (?:type instead|and at the top): .*", ((r"(?<=: ).*", "green"),)),
    (r"\S.*", (
        (r"^\S+?:\d+:\d+(?=: )|^.*cell \[.+?\], line \d+(?=: )", "bold"),
        *((rf"(?<=: ){re.escape(kind.title)}(?::\w+)?(?=: )", _KINDS[kind.severity])
          for kind in KNOWN.values()),
    )),
)  # fmt: skip
"""What the lines of a report are, each with the styles of what is in it."""


def coloured(text: str) -> str:
    """Return a report as text in the colours of a terminal."""
    return "\n".join(map(_coloured, text.split("\n")))


def _coloured(line: str) -> str:
    styles = next((styles for what, styles in _STYLES if re.fullmatch(what, line)), ())
    return styled(line, styles)


def excerpts(finding: Finding, width: int | None = None) -> list[str]:
    """Return the lines of source that a finding is about, with dtypes under the operands."""
    lines = []
    places = [p for p in finding.places if base_name(p.kind) != FORBIDDEN]
    shown = list({(p.file, p.span): p for p in reversed(places)}.values())[::-1]
    if not shown or not (_shows(shown[0], finding) or _is_stop(finding)):
        labels = [(finding.span, finding.dtype, "^")]
        lines += _excerpt(finding.file, finding.span, labels, width=width)
    for index, place in enumerate(shown[:_MOST_PLACES]):
        if (place.span != finding.span and not _is_stop(finding)) or index:
            lines.append(_broken(_elsewhere(place, finding), width))
        lines += _excerpt_of(place, finding, width)
        beside = (p.told for p in places if (p.file, p.span) == (place.file, place.span))
        more = dict.fromkeys(told for told in beside if told not in ("", place.told))
        lines += [_broken(f"  {told}", width) for told in more]
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


def _excerpt_of(place: Place, finding: Finding, width: int | None) -> list[str]:
    """Return the line of a place, and where integers among its operands were introduced."""
    labels = _labels(place, finding) or [(place.span, finding.dtype, "^")]
    by_headline = find(place.kind).is_of_values or place.told == finding.headline
    is_said = place.kind == STOPPED or by_headline
    lines = _excerpt(place.file, place.span, labels, "" if is_said else place.told, width)
    for text in introductions(place):
        line = f"  {text if len(text) <= _WIDEST else text[:_WIDEST] + '…'}"
        lines.append(_broken(line, width))
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
        for mark in place.marks
        if mark.span is not None
    ]


def _excerpt(
    file: str,
    span: Span,
    labels: Sequence[tuple[Span, str, str]],
    more: str = "",
    width: int | None = None,
) -> list[str]:
    """Return the first line of a place, with what is to be said under each part of it."""
    number = span[0]
    line = linecache.getline(file, number).rstrip("\n")
    if not line:
        return []
    room = min(_WIDEST, max(width - _MARGIN - 2, 20)) if width else _WIDEST  # dots at both ends
    here = sorted(label for label in labels if label[0][0] == number)
    start, end = _window(line, here, room)
    here = [label for label in here if character(line, label[0][1]) < end]
    marks, rows = _marked(line, here)
    away = [label for s, label, sign in labels if (s, label, sign) not in here]
    tail = ", ".join(filter(None, [*away, more]))
    rows = _beside([row[start:] for row in rows], tail, room if width else None)
    return _cut(number, line, start, end, [marks[start:end].rstrip(), *rows])


def _beside(rows: Sequence[str], tail: str, room: int | None) -> list[str]:
    """Return rows of labels with more to be said: beside the first, or below where it is long."""
    first = f"{rows[0] if rows else ''}   {tail}"
    if not tail:
        return [*rows]
    if room is None or len(first) <= room:
        return [first, *rows[1:]]
    return [*rows, *wrap(tail, room)]


def _cut(number: int, line: str, start: int, end: int, under: Sequence[str]) -> list[str]:
    """Return part of a line, with dots for the rest, and below it what stands under that part."""
    before, after = "…" if line[:start].strip() else "", "…" if line[end:] else ""
    margin = f"{'':>6} | {' ' * len(before)}"
    shown = f"{number:>6} | {before}{line[start:end]}{after}"
    return [shown, *(margin + text for text in under if text.strip())]


def _window(line: str, labels: Sequence[tuple[Span, str, str]], room: int) -> tuple[int, int]:
    """Return the first character of a line that is shown, and the one after the last."""
    indent = len(line) - len(line.lstrip())
    places = [(character(line, span[1]), len(label)) for span, label, _ in labels]
    first = min((start for start, _ in places), default=indent)
    start = min(indent, first)
    if len(line) - start > room:
        start = max(start, first - min(_BEFORE, room // 3))
    last = max((begin + length for begin, length in places), default=0)
    if last - start > room:
        start = max(start, min(first, last - room))
    return start, start + room


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

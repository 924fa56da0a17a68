"""The report as a compiler would print it: source lines, with dtypes under the operands."""

from __future__ import annotations

import linecache
import os
from collections.abc import Sequence
from pathlib import Path

from supremum.audit.kinds import KINDS, family
from supremum.audit.report import Finding, Place, Report
from supremum.audit.sites import Spot, character

_MOST_PLACES = 4  # lines of one cause that are told of one by one


def render(report: Report) -> str:
    """Return the report as text."""
    parts = [_finding(finding) for finding in report.findings]
    return "\n\n".join([*parts, "\n".join(_summary(report))])


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
        return f"{first.told}, {plural(first.count, 'time')}"
    if family(finding.kind) == "other-dtype":
        return first.told
    if finding.kind in ("mixed-kind", "precision-loss", "overflow-risk"):
        operands = " with ".join(m.dtype.partition("[")[0].removesuffix("()") for m in first.operands)
        return f"{operands} gives {first.result}, {plural(first.count, 'time')}"
    born = "is first seen here" if finding.elsewhere else "is born here"
    told = f"{finding.dtype} {born}"
    if finding.count > 1:
        told += f"; {plural(finding.count, 'result')} have it from here"
    return told + (f", {size(finding.bytes)} more than needed" if finding.bytes else "")


def _finding(finding: Finding) -> str:
    head = f"{near(finding.file)}:{finding.line}:{finding.column}: {finding.kind}: "
    lines = [head + headline(finding)]
    shown = [p for p in finding.places if family(p.kind) != "forbidden"]
    first = shown[0] if shown else None
    if first is None or first.spot != finding.spot:
        lines += _excerpt(finding.file, finding.spot, [(finding.spot, finding.dtype, "^")])
    for index, place in enumerate(shown[:_MOST_PLACES]):
        where = f"line {place.line}" if place.file == finding.file else f"{near(place.file)}:{place.line}"
        if place.spot != finding.spot or index:
            lines.append(f"  {_effect(place)} at {where}, {plural(place.count, 'time')}:")
        lines += _excerpt(place.file, place.spot, _labels(place), _result(place))
    if len(shown) > _MOST_PLACES:
        rest = sum(p.count for p in shown[_MOST_PLACES:])
        lines.append(f"  and {plural(rest, 'time')} on {plural(len(shown) - _MOST_PLACES, 'other line')}")
    lines.append(f"  type instead: {finding.suggestion}")
    if finding.explanation:
        lines.append(f"  why: {_reason(finding.explanation)}")
    return "\n".join(lines)


def _effect(place: Place) -> str:
    return {
        "widening": "it widens",
        "narrowing-store": "it is stored in less",
        "weak-lost": "it decides",
    }.get(place.kind, place.kind)


def _reason(explanation: str) -> str:
    """Return the sentences of an explanation, without its table, after the name of the rules."""
    head, _, rest = explanation.partition("\n\n")
    _, _, sentences = rest.partition("\n\n")
    rules = head.split(maxsplit=1)[1].strip()
    return f"by {rules}: {' '.join(sentences.split()).removeprefix('The table says so: ')}"


def _labels(place: Place) -> list[tuple[Spot, str, str]]:
    return [(m.spot, m.dtype, "~") for m in place.operands if m.spot is not None]


def _result(place: Place) -> str:
    if place.told:
        return place.told
    return f"gives {place.result}" if place.result else ""


def _excerpt(
    file: str, spot: Spot, labels: Sequence[tuple[Spot, str, str]], more: str = ""
) -> list[str]:
    """Return the first line of a place, with what is to be said under each part of it."""
    number = spot[0]
    line = linecache.getline(file, number).rstrip("\n")
    if not line:
        return []
    here = sorted((s, label, sign) for s, label, sign in labels if s[0] == number)
    marks, rows = "", [""]
    for (_, start, last, end), label, sign in here:
        first = character(line, start)
        after = character(line, end) if last == number else len(line)
        marks = marks.ljust(first) + sign * max(after - first, 1)
        # a label that would run into the one before goes below it
        row = next((i for i, text in enumerate(rows) if len(text) < max(first, 1)), len(rows))
        if row == len(rows):
            rows.append("")
        rows[row] = rows[row].ljust(first) + label
    away = [label for s, label, _ in labels if s[0] != number]
    tail = ", ".join(filter(None, [*away, more]))
    rows[0] = f"{rows[0]}   {tail}" if tail else rows[0]
    indent = len(line) - len(line.lstrip())
    indent = min(indent, *(len(r) - len(r.lstrip()) for r in (marks, *rows) if r.strip()))
    margin = f"{'':>6} | "
    return [
        f"{number:>6} | {line[indent:]}",
        *(margin + text[indent:] for text in (marks, *rows) if text.strip()),
    ]


def _summary(report: Report) -> list[str]:
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
        lines.append(f"Nothing found in {plural(report.operations, 'operation')} on arrays.")
    if report.known:
        lines.append(f"{plural(report.known, 'finding')} of the baseline left out.")
    if report.target:
        alike = sum(line.dtypes == line.target for line in report.predicted)
        told = f"{alike:,} of {plural(len(report.predicted), 'place')} give the same dtypes"
        lines.append(f"By {report.target} rules {told}.")
    if report.unknown:
        lines.append(f"Not predicted: what {', '.join(report.unknown)} give there.")
    lines += [f"Not needed: {allowance}" for allowance in report.unused]
    lines += [f"Not watched: {near(file)}: {reason}" for file, reason in report.unwatched]
    lines += [f"Not judged: {problem}" for problem in report.problems]
    return lines


MEANINGS = {kind: told.meaning for kind, told in KINDS.items()}

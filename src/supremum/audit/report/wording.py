"""What reports say, in one place: every format has the same headline, effect and remarks."""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator
from textwrap import dedent, indent
from typing import Final

from ...core.errors import listed, plural
from ..kinds import STOPPED, base_name
from ..model.wording import location_name, near, plain_dtype, size
from .places import Place
from .report import Finding, Report, Watched


def instead(finding: Finding) -> str:
    """Return what to type instead, or ``""`` if no change is known to be right."""
    if not finding.suggestion:
        return ""
    first, line_break, rest = finding.suggestion.partition("\n")
    text = f"type instead: {first}{line_break}{indent(dedent(rest), '  ')}"
    return f"{text}\nand at the top: {finding.needs}" if finding.needs else text


def introductions(place: Place) -> list[str]:
    """Return where the operands at a place were introduced, a sentence for each."""
    found: dict[str, None] = {}
    for mark in place.operands:
        if place.kind == STOPPED and mark.span is None:
            found[f"{mark.text} is {mark.dtype}"] = None
        if mark.born is not None:
            line = mark.born.line
            same = mark.born.file == place.file
            at = (
                f"line {line}"
                if same
                else location_name(mark.born.file, line, seen_from=place.file)
            )
            found[f"{plain_dtype(mark)} is introduced at {at}: {mark.born.text}"] = None
    return list(found)


def reason(explanation: str) -> str:
    """Return the sentences of an explanation, without its table, after the name of the rules."""
    head, _, rest = explanation.partition("\n\n")
    _, _, sentences = rest.partition("\n\n")
    rules = head.split(maxsplit=1)[1].strip()
    return f"by {rules}: {' '.join(sentences.split()).removeprefix('The table says so: ')}"


_OF_LINTERS: Final = re.compile(r"# *(noqa|type: ignore|pylint: disable|pyright: ignore)[^#]*$")
_SMALL: Final = ("int8", "int16", "uint8", "uint16")
_MOST_UNWATCHED = 10  # for one reason that are named
_MOST_UNANSWERED = 10  # places that are named


def summary(report: Report) -> list[str]:
    """Return the last lines of a report: how much was found, and what else there is to know."""
    lines = []
    if report.findings:
        counts: dict[str, int] = {}
        for finding in report.findings:
            counts[finding.kind] = counts.get(finding.kind, 0) + 1
        counted = ", ".join(f"{n} {kind}" for kind, n in counts.items())
        extra = sum(f.bytes for f in report.findings)
        more = f"; {size(extra)} more than needed" if extra else ""
        lines.append(
            f"{plural(len(report.findings), 'cause')} ({counted}) in "
            f"{plural(report.operations, 'operation')} on arrays{more}."
        )
    else:
        lines.append(nothing(report))
    if report.known:
        lines.append(f"{plural(report.known, 'finding')} of the baseline left out.")
    if report.target:
        setting = f", {report.setting}," if report.setting else ""
        lines.append(f"By {report.target} rules{setting} {same_dtypes(report)}.")
    return [*lines, *untried(report), *of_integers(report), *unanswered(report), *remarks(report)]


def of_integers(report: Report) -> list[str]:
    """Return that float64 came out where there are small integers, if no finding speaks of it.

    A float is what ``pixels / 255`` is for, so that it is no finding; its width is NumPy's choice.
    """
    results = dict(report.results)
    small, count = [name for name in results if name in _SMALL], results.get("float64", 0)
    if not (small and count) or any(f.dtype == "float64" for f in report.findings):
        return []
    came = f"float64 came out of {plural(count, 'operation')}"
    return [f"{came}, beside {listed(small)}: --forbid float64 names them."]


def untried(report: Report) -> list[str]:
    """Return what tries the suggestions of a whole program, if there are some."""
    count = sum(bool(finding.suggestion) for finding in report.findings)
    if not count or report.watched is None:
        return []
    it = "it" if count == 1 else "them"
    return [
        f"{plural(count, 'suggestion')}, not tried: supremum fix types {it} and compares results."
    ]


def same_dtypes(report: Report) -> str:
    """Return how many places give the same dtypes by the rules of the target."""
    alike = sum(line.dtypes == line.target for line in report.predicted)
    verb = "gives" if alike == 1 or len(report.predicted) == 1 else "give"
    return f"{alike:,} of {plural(len(report.predicted), 'place')} {verb} the same dtypes"


def unanswered(report: Report) -> list[str]:
    """Return the places of which it is not known what the target's rules give there."""
    places = [p for p in report.predicted if not p.is_answered]
    told = (f"{near(p.file)}:{p.line}: {p.text}" for p in places[:_MOST_UNANSWERED])
    lines = [f"Not covered by these rules: {text}" for text in told]
    rest = len(places) - len(lines)
    if rest:
        lines.append(f"Not covered by these rules: {plural(rest, 'more place')}; -f json has all.")
    return lines


def remarks(report: Report) -> list[str]:
    """Return what else there is to know of an audit: what was not needed, watched or judged."""
    lines = [f"Not needed: {a._replace(file=near(a.file))}" for a in report.unused]
    if report.watched is not None:
        lines.append(watched(report.watched))
        lines += [f"Not watched: process {name}: {why}" for name, why in report.watched.lost]
    lines += [f"Not watched: {files}: {reason}" for files, reason in _unwatched(report)]
    for problem in report.problems:
        of_comment = ": # " in problem
        lines.append(f"Not {'heeded' if of_comment else 'judged'}: {problem}")
    return [*lines, *_unheeded(report)]


def _unheeded(report: Report) -> Iterator[str]:
    """Yield the comments for other tools on lines of findings, which hide none of these."""
    lines = dict.fromkeys((x.file, x.line, base_name(x.kind)) for x in report.findings)
    for file, line, kind in lines:
        comment = _OF_LINTERS.search(linecache.getline(file, line))
        if comment:
            ours = f"# supremum: allow {kind} REASON"
            given = f"{comment[0].strip()} at {near(file)}:{line}"
            yield f"Not heeded: {given}; {ours} hides the finding"


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
    'Watched: 2 files in /src, in 3 processes.'
    """
    folders = " and ".join("this folder" if near(f) == "." else near(f) for f in what.folders)
    where = f" in {folders}" if folders else ""
    by = f", in {what.processes:,} processes" if what.processes > 1 else ""
    files = f"{plural(what.files, 'file')}{where}"
    if what.cells:
        cells = plural(what.cells, "cell")
        files = f"{cells} and {files}" if what.files else cells
    return f"Watched: {files}{by}."

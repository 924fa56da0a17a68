"""What a test run found, and in which tests; from several processes where there are some."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...core.errors import plural
from ..kinds import base_name, rank
from ..log.recorder import Recorder
from ..log.suppressions import Suppression
from ..model.log import Key, Log
from ..options import Options, not_known
from ..report import text, wording
from ..report.findings import casts_of, findings_of, reported
from ..report.places import Place
from ..report.report import Finding, Predicted, Report, Watched
from ..runner.watching import files_of, watching
from .modules import Finder

OUTSIDE = ""
"""Stands for what no test did: the import of a module, a hook."""

_MOST_CAUSES = 10
_MOST_TESTS = 3


class Found(NamedTuple):
    """A cause, and the tests in which it came up."""

    finding: Finding
    tests: tuple[str, ...]


class Outcome(NamedTuple):
    """What one process found, as plain data that another can read.

    Attributes:
        found: the causes.
        report: what else there is to tell, without any finding.
        used: the suppressions that something needed.
        files: the files that were watched.
    """

    found: tuple[Found, ...]
    report: Report
    used: tuple[Suppression, ...]
    files: frozenset[str] = frozenset()


def outcome(
    asked: Options,
    recorder: Recorder,
    total: Log,
    tests: Mapping[Key, Mapping[str, None]],
    finder: Finder,
) -> Outcome:
    """Return what a process found.

    Args:
        asked: what the audit was asked to do.
        recorder: what it heard.
        total: what of that counts.
        tests: the tests in which each cause came up.
        finder: what found the modules of the process.
    """
    found, casts = [], casts_of(total)
    for key, origin in total.origins.items():
        effects = [m for m in reported(origin, casts) if base_name(m.kind) in asked.kinds]
        if effects:
            found.append(Found(findings_of(origin, effects), tuple(tests[key])))
    silent = replace(asked, kinds=frozenset(), baseline={})
    return Outcome(
        tuple(found),
        silent.report(recorder, watching(finder)),
        tuple(recorder.settings.suppressions.used),
        files_of(finder),
    )


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """Return what several processes found together: counts add up."""
    used = {a for o in outcomes for a in o.used}
    files = frozenset().union(*(o.files for o in outcomes))
    reports = [o.report for o in outcomes]
    return Outcome(_found(outcomes), _rest(reports, used, len(files)), tuple(used), files)


def _found(outcomes: Sequence[Outcome]) -> tuple[Found, ...]:
    found: dict[object, Found] = {}
    for new in (new for o in outcomes for new in o.found):
        cause = new.finding.file, new.finding.span, new.finding.dtype, new.finding.elsewhere
        known = found.get(cause)
        if known is not None:
            tests = tuple(dict.fromkeys((*known.tests, *new.tests)))
            found[cause] = Found(_both(known.finding, new.finding), tests)
        else:
            found[cause] = new
    return tuple(found.values())


def _rest(reports: Sequence[Report], used: Container[Any], files: int) -> Report:
    """Return a report of what several processes say beside their findings."""

    def each(name: str) -> dict[Any, None]:
        return dict.fromkeys(item for report in reports for item in getattr(report, name))

    return reports[0]._replace(
        watched=_watched([r.watched for r in reports if r.watched], files),
        operations=sum(r.operations for r in reports),
        unused=tuple(a for a in each("unused") if a not in used),
        unwatched=tuple(each("unwatched")),
        problems=tuple(each("problems")),
        predicted=_predicted(each("predicted")),
        unknown=tuple(sorted(each("unknown"))),
        warning=reports[0].warning if all(r.warning for r in reports) else "",
    )


def _watched(each: Sequence[Watched], files: int) -> Watched | None:
    """Return what several processes watched together."""
    folders = dict.fromkeys(folder for watched in each for folder in watched.folders)
    lost = dict(lost for watched in each for lost in watched.lost)
    processes = sum(watched.processes for watched in each)
    return Watched(files, tuple(folders), processes, tuple(lost.items())) if each else None


def _predicted(places: Iterable[Predicted]) -> tuple[Predicted, ...]:
    found: dict[object, Predicted] = {}
    for place in places:
        known = found.setdefault(place[:4], place)
        found[place[:4]] = known._replace(
            dtypes=tuple(sorted({*known.dtypes, *place.dtypes})),
            target=tuple(sorted({*known.target, *place.target})),
        )
    return tuple(sorted(found.values()))


def _both(one: Finding, other: Finding) -> Finding:
    """Return the finding that two processes have of the same cause."""
    first, second = (one, other) if rank(one.names[0]) <= rank(other.names[0]) else (other, one)
    places: dict[object, Place] = {}
    for place in (*first.places, *second.places):
        key = place.file, place.span, place.name
        known = places.get(key)
        places[key] = place._replace(count=place.count + known.count) if known else place
    return first._replace(
        names=tuple(sorted({*one.names, *other.names}, key=rank)),
        count=one.count + other.count,
        bytes=one.bytes + other.bytes,
        places=tuple(places.values()),
    )


def report(outcome: Outcome, asked: Options) -> tuple[Report, dict[Finding, tuple[str, ...]]]:
    """Return the report of a run, without what is known already, and the tests of each finding."""
    order = sorted(outcome.found, key=lambda f: (f.finding.severity == "note", -f.finding.bytes))
    unknown = set(not_known([f.finding for f in order], asked.baseline))
    new = {f.finding: f.tests for f in order if f.finding in unknown}
    whole = outcome.report._replace(findings=tuple(new), known=len(order) - len(new))
    return whole, new


def lines(whole: Report, tests: Mapping[Finding, Sequence[str]], verbosity: int) -> Iterator[str]:
    """Yield the lines of the terminal's summary: the causes first, each with its tests.

    Args:
        whole: the report.
        tests: the tests of each finding.
        verbosity: as pytest counts it: below 0 a cause takes one line, below -1 there are totals.
    """
    shown = whole.findings if verbosity > 0 else whole.findings[:_MOST_CAUSES]
    for finding in shown if verbosity >= -1 else ():
        excerpt = text.described(finding)
        where = _in_tests(tests[finding])
        if verbosity < 0:
            yield f"{excerpt.splitlines()[0]} ({where})"
        else:
            yield from (excerpt, f"  {where}", "")
    if rest := len(whole.findings) - len(shown):
        yield f"And {plural(rest, 'cause')} more: -v shows all."
    yield from wording.summary(whole)


def _in_tests(names: Sequence[str]) -> str:
    """Say in which tests something came up."""
    tests = [name for name in names if name != OUTSIDE]
    if not tests:
        return "outside of tests"
    shown = ", ".join(tests[:_MOST_TESTS]) + (", ..." if len(tests) > _MOST_TESTS else "")
    outside = "outside of tests, and " if OUTSIDE in names else ""
    return f"{outside}in {plural(len(tests), 'test')}: {shown}"

"""What a test run found, and in which tests; from several processes where there are some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from supremum.audit.allowances import Allowance
from supremum.audit.formats import FORMATS, text
from supremum.audit.kinds import family, rank
from supremum.audit.load import UNWATCHED
from supremum.audit.options import Options, relative
from supremum.audit.report import Finding, Place, Report, findings_of
from supremum.audit.session import Session
from supremum.audit.sites import SITES
from supremum.audit.stretch import Key

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
        operations: how many operations on arrays were heard of.
        unused: the allowances that nothing needed.
        used: those that something did.
        unwatched: the files that ran as they are, with the reason.
        problems: the places that could not be judged.
    """

    found: tuple[Found, ...] = ()
    operations: int = 0
    unused: tuple[Allowance, ...] = ()
    used: tuple[Allowance, ...] = ()
    unwatched: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


def outcome(
    asked: Options,
    session: Session,
    total: Session,
    tests: Mapping[Key, Mapping[str, None]],
    missed: Sequence[str],
) -> Outcome:
    """Return what a process found.

    Args:
        asked: what the audit was asked to do.
        session: what it heard.
        total: what of that counts.
        tests: the tests in which each cause came up.
        missed: the files that were imported too early.
    """
    found = []
    for key, origin in total.origins.items():
        meetings = [m for m in origin.meetings.values() if family(m.kind) in asked.kinds]
        if meetings:
            found.append(Found(findings_of(origin, meetings), tuple(tests[key])))
    allowances = session.settings.allowances
    files = {SITES[origin.site].file for origin in session.origins.values()}
    early = dict.fromkeys(missed, "imported before the audit began")
    problems = (
        f"{SITES[site].file}:{SITES[site].line}: {told}" for site, told in session.problems.items()
    )
    return Outcome(
        tuple(found),
        session.operations,
        tuple(allowances.unused(files)),
        tuple(allowances.used),
        tuple({**UNWATCHED, **early}.items()),
        tuple(problems),
    )


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """Return what several processes found together: counts add up."""
    found: dict[object, Found] = {}
    for finding, tests in (found for o in outcomes for found in o.found):
        cause = finding.file, finding.spot, finding.dtype, finding.elsewhere
        if cause in found:
            before = found[cause]
            tests = tuple(dict.fromkeys((*before.tests, *tests)))
            finding = _both(before.finding, finding)
        found[cause] = Found(finding, tests)
    used = {a for o in outcomes for a in o.used}
    return Outcome(
        tuple(found.values()),
        sum(o.operations for o in outcomes),
        tuple(dict.fromkeys(a for o in outcomes for a in o.unused if a not in used)),
        tuple(used),
        tuple(dict.fromkeys(u for o in outcomes for u in o.unwatched)),
        tuple(dict.fromkeys(p for o in outcomes for p in o.problems)),
    )


def _both(one: Finding, other: Finding) -> Finding:
    """Return the finding that two processes have of the same cause."""
    first, second = (one, other) if rank(one.kind) <= rank(other.kind) else (other, one)
    kinds = sorted({one.kind, *one.also, other.kind, *other.also}, key=rank)
    places: dict[object, Place] = {}
    for place in (*first.places, *second.places):
        key = place.file, place.spot, place.kind
        known = places.get(key)
        places[key] = place._replace(count=place.count + known.count) if known else place
    return first._replace(
        also=tuple(kinds[1:]),
        count=one.count + other.count,
        bytes=one.bytes + other.bytes,
        places=tuple(places.values()),
    )


def report(outcome: Outcome, asked: Options) -> tuple[Report, dict[Finding, tuple[str, ...]]]:
    """Return the report of a run, without what is known already, and the tests of each finding."""
    order = sorted(outcome.found, key=lambda f: (f.finding.severity == "note", -f.finding.bytes))
    new = {f.finding: f.tests for f in order if relative(f.finding) not in asked.baseline}
    told = Report(
        tuple(new),
        outcome.operations,
        outcome.unused,
        outcome.unwatched,
        outcome.problems,
        asked.target.name if asked.target else "",
        len(order) - len(new),
    )
    return told, new


def lines(told: Report, tests: Mapping[Finding, Sequence[str]], verbosity: int) -> Iterator[str]:
    """Yield the lines of the terminal's summary: the causes first, each with its tests.

    Args:
        told: the report.
        tests: the tests of each finding.
        verbosity: as pytest counts it: below 0 a cause takes one line, below -1 there are totals.
    """
    shown = told.findings if verbosity > 0 else told.findings[:_MOST_CAUSES]
    for finding in shown if verbosity >= -1 else ():
        excerpt = text._finding(finding)  # noqa: SLF001  # our own
        where = _in_tests(tests[finding])
        if verbosity < 0:
            yield f"{excerpt.splitlines()[0]} ({where})"
        else:
            yield from (excerpt, f"  {where}", "")
    if rest := len(told.findings) - len(shown):
        yield f"And {text.plural(rest, 'cause')} more: -v shows all."
    yield from text._summary(told)  # noqa: SLF001  # our own


def _in_tests(names: Sequence[str]) -> str:
    """Say in which tests something came up."""
    tests = [name for name in names if name != OUTSIDE]
    if not tests:
        return "outside of tests"
    shown = ", ".join(tests[:_MOST_TESTS]) + (", ..." if len(tests) > _MOST_TESTS else "")
    outside = "outside of tests, and " if OUTSIDE in names else ""
    return f"{outside}in {text.plural(len(tests), 'test')}: {shown}"


def format_of(path: str) -> str:
    """Return the format that a file's suffix asks for."""
    by_suffix = {suffix: name for name, suffix in FORMATS.items()}
    return by_suffix.get(Path(path).suffix, "text")

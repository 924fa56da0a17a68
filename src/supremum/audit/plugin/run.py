"""A test run that is audited: one recorder for all tests, and what each of them adds to it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest

from .. import options
from ..api import Watch
from ..kinds import FORBIDDEN, base_name, kind_of
from ..log import hooks
from ..log.recorder import Recorder
from ..model.log import BEGINNING, Key, Log, Moment
from ..model.wording import near
from ..options import Options
from ..probes.import_hook import watch_imports
from ..report import known_format, render, text
from ..report.report import Finding, Report
from ..report.stopped import why
from ..runner.user_code import missed_by
from .aggregate import OUTSIDE, Outcome, joined, lines, outcome, report
from .markers import MarkerOptions, marker_options, read
from .modules import Finder

_WORKER = "supremum"
_SECTION = "promotion audit"
_WHY = "supremum why"


def listening(asked: Options) -> Recorder:
    """Return a recorder that says nothing while tests run; each test says what is forbidden."""
    recorder = asked.recorder()
    recorder.settings = recorder.settings._replace(forbid=frozenset(), announce=None, tick=None)
    return recorder


_NOT_WATCHED: Final = (
    "promotion_audit saw no operation of this test, whose modules were imported before it; "
    "type pytest --promotion-audit, which watches them"
)


class OneTest(Watch):
    """What is found in one test.

    Args:
        asked: what the audit is asked to do.
        part: gives what was heard of the test so far.
        missed: the files that are not watched.
        watched: those that are, as they are imported.
    """

    def __init__(
        self,
        asked: Options,
        part: Callable[[], Recorder],
        missed: Sequence[str] = (),
        watched: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._asked = asked
        self._part = part
        self._missed = missed
        self._watched = watched

    @property
    def report(self) -> Report:
        """All that was found in the test so far.

        The test fails if nothing was watched in it, so that an empty list is not taken for a pass.
        """
        reason = "imported before this test; pytest --promotion-audit watches it"
        missed = tuple((file, reason) for file in self._missed)
        found = self._asked.report(self._part())
        if missed and not self._watched and not found.operations:
            pytest.fail(_NOT_WATCHED, pytrace=False)
        return found._replace(unused=(), unwatched=(*found.unwatched, *missed))


class Run:
    """The hooks of a test run that is audited.

    Args:
        config: pytest's.
        asked: what the audit is asked to do.
        given: the options of the plugin.

    Attributes:
        is_silent: whether only the errors that fail tests are explained.
    """

    def __init__(self, config: pytest.Config, asked: Options, given: dict[str, Any]) -> None:
        self.config = config
        self.asked = asked
        self.given = given
        others = (value for name, value in given.items() if name not in ("why", "include"))
        self.is_silent = bool(given["why"]) and not any(others)
        self.recorder = listening(asked)
        self.total = Log()
        self.tests: dict[Key, dict[str, None]] = {}
        self.start = self.called = BEGINNING
        self.marked = MarkerOptions()
        self.reported: set[tuple[str, str, str]] = set()
        self.section = ""
        self.unread = ""
        self.workers: list[Outcome] = []
        self.lost: list[str] = []
        self.finder = Finder([config.rootpath], asked.include)
        self.result: tuple[Report, dict[Finding, tuple[str, ...]]] | None = None
        self.written: list[str] = []

    def hear(self) -> None:
        """Begin, until pytest is done."""
        self.config.add_cleanup(watch_imports(self.finder))
        before = hooks.activate(self.recorder)
        self.config.add_cleanup(lambda: _ignore(hooks.activate(before)))

    # one test

    def part(self, start: Moment | None = None) -> Recorder:
        """Return what the running test did so far, or did since some moment of it."""
        since = self.start if start is None else start
        return _part(self.recorder, since, self.asked, self.marked)

    def moment(self) -> Moment:
        """Return where the run is.

        What was seen often before is looked at again: nothing of it is taken for granted.
        """
        self.recorder.look_anew()
        return self.recorder.log.moment()

    def watch(self) -> Watch:
        """Return what is found in the running test."""
        return OneTest(self.asked, self.part)

    def end(self, name: str) -> None:
        """End a stretch: a test, or what came before it."""
        if self.marked.audit:
            part = self.part().log
            part.origins = {key: found for key, found in part.origins.items() if found.effects}
            for key in part.origins:
                self.tests.setdefault(key, {})[name] = None
            self.total.add(part)
        self.start = self.called = self.moment()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Ascribe to a test what happens in it, its fixtures included."""
        self.end(OUTSIDE)
        self.reported = set()
        self.unread = ""
        try:
            self.marked = marker_options(item)
        except pytest.UsageError as error:  # a worker of pytest-xdist gets as far as this
            self.unread = str(error)
        try:
            return (yield)
        finally:
            hooks.activate(self.recorder)
            self.end(item.nodeid)
            self.marked = MarkerOptions()

    # These run behind pytest's own, and wrap nothing: no frame is added to what a test raises.

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Fail a test whose markers cannot be read."""
        if self.unread:
            pytest.fail(self.unread, pytrace=False)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_call(self) -> None:
        """Fail a test that would pass, for what is found in it."""
        self.fail(self.start)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self) -> None:
        """Fail it for what is found after it, too."""
        self.fail(self.called)

    @property
    def fatal(self) -> frozenset[str]:
        """The kinds of finding that fail the running test."""
        if self.is_silent or not self.marked.audit:
            return frozenset()
        kinds = self.asked.fail_on if self.marked.fail_on is None else self.marked.fail_on
        return kinds | {FORBIDDEN} if self.marked.forbid else kinds

    def failures(self, start: Moment) -> list[Finding]:
        """Return, and keep for the report, what a test fails for since a moment, if it is new."""
        kinds = self.fatal
        part = self.part(start) if kinds else None
        if part is None or not any(origin.effects for origin in part.log.origins.values()):
            return []
        found = [
            f
            for f in self.asked.report(part).findings
            if f.is_of(kinds) and not f.fingerprints <= self.reported
        ]
        self.reported.update(*(f.fingerprints for f in found))
        self.section = "\n\n".join(text.described(f) for f in found)
        return found

    def fail(self, start: Moment) -> None:
        """Fail the running test for what was found since a moment, if it is to."""
        if found := self.failures(start):
            causes = (f"{f.kind} from {near(f.file)}:{f.line}: {f.text}" for f in found)
            pytest.fail("\n".join(causes), pytrace=False)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put what a test fails for, and why it stopped, into sections of their own."""
        if call.when == "setup" and not self.marked.audit:
            hooks.activate(None)
        if call.when == "call":
            hooks.activate(self.recorder)
            if call.excinfo is not None and not self.section:
                self.failures(self.start)  # beside what failed
            if self.fatal:  # else nothing asks what came after
                self.called = self.moment()
        stop = None
        if call.excinfo is not None:
            stop = why(call.excinfo.value, self.recorder)
            hooks.forget()
        made = yield
        if stop is not None and made.failed:
            made.sections.append((_WHY, str(stop)))
        if self.section and not made.passed:
            made.sections.append((_SECTION, self.section))
        self.section = ""
        return made

    # the run

    def pytest_report_header(self) -> str:
        """Say what is asked for."""
        if self.is_silent:
            return "promotion audit: why tests stop"
        named = {"fail_on": {*map(kind_of, self.asked.fail_on)}, "forbid": self.asked.forbid}
        words = [f"{n} {', '.join(sorted(v))}" for n, v in named.items() if v]
        words += [f"target {self.asked.target.name}"] if self.asked.target else []
        words += [f"include {', '.join(self.asked.include)}"] if self.asked.include else []
        return "promotion audit: " + ("; ".join(words).replace("_", " ") or "on")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read all markers before the first test runs."""
        if not hasattr(self.config, "workerinput"):  # where an error ends all of pytest-xdist
            for item in items:
                marker_options(item)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker of pytest-xdist found."""
        sent = getattr(node, "workeroutput", {}).get(_WORKER)
        if sent is None:
            self.lost.append(node.gateway.id)
        else:
            self.workers.append(pickle.loads(sent))  # noqa: S301  # a process of ours sent it

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Send what was found to the process that reports, or write it."""
        self.end(OUTSIDE)
        found = outcome(self.asked, self.recorder, self.total, self.tests, self.finder)
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[_WORKER] = pickle.dumps(found)
            return
        found = joined(self.workers or [found])
        self.result = report(found, self.asked)
        for path in self.given["output"] or ():
            self.write(path, render(self.result[0], known_format(path)) + "\n")
        if path := self.given["write_baseline"]:
            options.write_baseline(path, Report(tuple(f for f, _ in found.found)))
            self.written.append(f"Baseline written: {near(path)}")

    def write(self, path: str, text: str) -> None:
        """Write a report."""
        try:
            Path(path).write_text(text, encoding="utf-8")
            self.written.append(f"Report written: {near(path)}")
        except OSError as error:
            self.written.append(f"{near(path)} cannot be written: {error.strerror}")

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int
    ) -> None:
        """Tell what was found, causes first."""
        if self.is_silent or self.result is None or exitstatus == pytest.ExitCode.USAGE_ERROR:
            return
        terminalreporter.section(_SECTION)
        for line in lines(*self.result, terminalreporter.verbosity):
            terminalreporter.line(line)
        for worker in self.lost:
            terminalreporter.line(f"Missing results: worker {worker} exited before reporting.")
        for line in self.written:
            terminalreporter.line(line)


def begin(config: pytest.Config, given: dict[str, Any]) -> Run:
    """Begin an audit of a test run.

    Raises:
        UsageError: for a value that cannot be.
    """
    run = Run(config, read(config, given), given)
    run.hear()
    return run


@contextmanager
def alone(
    config: pytest.Config, given: dict[str, Any], item: pytest.Item
) -> Iterator[tuple[Watch, list[str]]]:
    """Audit a single test of a run that is not audited; gives what is not watched in it, too.

    Raises:
        UsageError: for a value that cannot be.
    """
    asked, marked = read(config, given), marker_options(item)
    finder = Finder([config.rootpath], asked.include)
    recorder = listening(asked)

    def part() -> Recorder:
        return _part(recorder, BEGINNING, asked, marked)

    missed = sorted({file for file, _ in missed_by(finder) if file.endswith(".py")})
    undo = watch_imports(finder)
    before = hooks.activate(recorder)
    try:
        yield OneTest(asked, part, missed, finder.watched), [near(file) for file in missed]
    finally:
        hooks.activate(before)
        undo()


def _part(recorder: Recorder, start: Moment, asked: Options, marked: MarkerOptions) -> Recorder:
    """Return a recorder that has heard only what came after a moment.

    Args:
        recorder: what heard all.
        start: the moment.
        asked: what the audit is asked to do.
        marked: what the markers of the test say.
    """
    log = recorder.log.since(start)
    forbidden = frozenset() if FORBIDDEN in marked.allow else asked.forbid | marked.forbid
    for key, origin in log.origins.items():
        kept = (m for m in origin.effects.values() if base_name(m.kind) not in marked.allow)
        origin.effects = {(m.kind, m.location): m for m in kept}
        is_here = key not in start.origins or origin.operations or origin.effects
        if is_here and origin.dtype.name in forbidden:
            recorder.forbid(origin)
    return Recorder(recorder.settings, log)


def _ignore(_: object) -> None:
    """Give back nothing, as what cleans up does."""

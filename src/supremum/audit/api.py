"""Watching code from Python: run a program, or hear what imported modules do."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final

from . import options
from .instrument import import_hook
from .options import Options
from .record import hooks
from .record.recorder import Recorder
from .record.sharing import Scope, Shared, current, heard_by
from .report import render
from .report.report import Finding, Report
from .report.stopped import Stop
from .report.stopped import why as explain_stop
from .runner import program
from .runner.watching import watching

_finder: import_hook.Finder | None = None
_last: Report | None = None
_last_recorder: Recorder | None = None  # which heard of the last `run` or `watch`
_watches: list[Scope] = []  # those that last, in the order of their beginnings
_outside: Recorder | None = None  # what heard of everything before the first of them
_lock = Lock()

_MISSED: Final = (
    "what threads without a watch of their own did while several watches lasted is left out; watch "
    "in these threads, too, or run them in the context of one: contextvars.copy_context().run"
)


class Watch:
    """What is found while a `watch` lasts, and after."""

    def __init__(self, scope: Scope, asked: Options) -> None:
        self._scope = scope
        self._asked = asked

    @property
    def report(self) -> Report:
        """All that was found so far."""
        reported = self._asked.report(self._scope.recorder)
        missed = (_MISSED,) if self._scope.has_missed else ()
        return reported._replace(problems=(*reported.problems, *missed))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings so far, those that cost most first."""
        return self.report.findings

    def __str__(self) -> str:
        return render(self.report, "text", brief=True)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        self.report._repr_pretty_(printer, cycle)


def install(*packages: str, roots: Iterable[str | Path] = (".",)) -> None:
    """Have the modules that are imported from now on watched.

    Args:
        packages: installed packages to look inside, too.
        roots: the folders of your own code; by default the current one.

    >>> install()
    >>> uninstall()
    """
    global _finder  # noqa: PLW0603  # there is one
    uninstall()
    _finder = import_hook.Finder(roots, packages)
    import_hook.watch_imports(_finder)


def uninstall() -> None:
    """Have modules imported as they are again; those that are watched stay so."""
    global _finder  # noqa: PLW0603  # there is one hook in a process
    if _finder is not None:
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not _finder]
    _finder = None


@contextmanager
def watch(**asked: Any) -> Iterator[Watch]:
    """Hear what watched code does inside a ``with`` block; gives the `Watch` that collects it.

    Code is watched if it was imported after `install`, or runs under ``supremum audit``. It hears
    of all threads, unless several threads or tasks of asyncio use it at once: then each hears of
    its own thread or task. What nobody can ascribe to one is left out, and the report says so.

    Args:
        asked: the options of an audit; see `Options`: ``kinds``, ``forbid``, ``target``,
            ``on_finding``, ``allow``, ``baseline``, as texts, and ``exact``.

    Raises:
        RulesError: for an unknown option, kind, action or set of rules.
        DTypeError: for an unknown dtype.

    >>> with watch(forbid="float64") as found:
    ...     pass
    >>> found.findings
    ()
    """
    wanted = options.read(**asked)
    scope = Scope(wanted.recorder())
    _begin(scope)
    try:
        yield Watch(scope, wanted)
    finally:
        _end(scope)


def _begin(scope: Scope) -> None:
    global _outside, _last_recorder  # noqa: PLW0603  # there is one
    _last_recorder = scope.recorder
    with _lock:
        before = hooks.active()
        if not _watches and not isinstance(before, Shared):
            _outside = before
        scope.begin()
        _watches.append(scope)
        hooks.activate(heard_by(_watches, _outside))


def _end(scope: Scope) -> None:
    """End a `watch`, whichever thread began another one meanwhile."""
    with _lock:
        scope.end()
        _watches.remove(scope)
        hooks.activate(heard_by(_watches, _outside))


def why(error: BaseException | None = None) -> Stop | None:
    """Return why an exception was raised, if an operation on arrays was refused for its dtypes.

    The text of a `Stop` shows the operation with the dtypes of its operands, where these were
    introduced, and what to type instead. Only watched code is explained: see `install`, `run`.

    Args:
        error: the exception; by default the last one that nobody caught, as `sys.last_value` is.

    >>> why(KeyError("x")) is None
    True
    """
    if error is None:
        error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    scope = current()
    here = scope.recorder if scope is not None else hooks.active()
    return explain_stop(error, here if isinstance(here, Recorder) else _last_recorder)


def last_report() -> Report | None:
    """Return the report of the last `run`, of a script that raised, too; None if there was none."""
    return _last


def run(script: str, arguments: Sequence[str] = (), **asked: Any) -> Report:
    """Run a script, watched, in this process, and return what was found.

    Args:
        script: its path.
        arguments: what it finds in `sys.argv` after its name.
        asked: the options of an audit, as `watch` takes them, and ``include``, the installed
            packages to look inside.

    Raises:
        RulesError: where there is no such script, it is not Python, or an option is unknown.
        BaseException: whatever the script raises, other than the end of itself; `last_report`
            has what was found until then.
    """
    global _last, _last_recorder  # noqa: PLW0603  # there is one
    wanted = options.read(**asked)
    _last_recorder = recorder = wanted.recorder()
    others = dict(import_hook.UNWATCHED)
    import_hook.UNWATCHED.clear()
    try:
        found = program.script(script, arguments)
        finder = program.finder(found, wanted.include)
        try:
            program.run_here(found, recorder, finder)
        finally:
            _last = wanted.report(recorder, watching(finder))
        return _last
    finally:
        import_hook.UNWATCHED.clear()
        import_hook.UNWATCHED.update(others)

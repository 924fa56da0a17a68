"""Watching code from Python: run a program, or hear what imported modules do."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any

from ..core.errors import RulesError, short
from . import options
from .log import hooks
from .log.recorder import Recorder
from .options import Options
from .probes import import_hook
from .report import render
from .report.report import Finding, Report, lacking
from .report.stopped import Stop
from .report.stopped import why as explain_stop
from .runner import program
from .runner.watching import Watching, watching

_finder: import_hook.Finder | None = None
_last: Report | None = None
_last_recorder: Recorder | None = None  # which heard of the last `run` or `watch`
_watches: list[Watch] = []  # those that last, in the order of their beginnings
_outside: Recorder | None = None  # what heard of everything before the first of them
_lock = Lock()


class Watch:
    """What is found while a `watch` lasts, and after."""

    def __init__(self, asked: Options, what: Callable[[], Watching] | None = None) -> None:
        self._asked, self._what = asked, what
        self.recorder = asked.recorder()
        self.began_in = threading.get_ident(), _task()

    @property
    def report(self) -> Report:
        """All that was found so far."""
        return self._asked.report(self.recorder, self._what and self._what())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings so far, those that cost most first."""
        return self.report.findings

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(Report, name):
            lacking(self, name)
        return getattr(self.report, name)

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
    of all threads and tasks of asyncio. Inside of another one, the inner one hears.

    Args:
        asked: the options of an audit; see `Options`: ``kinds``, ``forbid``, ``target``,
            ``on_finding``, ``allow`` and ``baseline``, as texts.

    Raises:
        RulesError: for an unknown option, kind, action or set of rules, or while another thread or
            task watches.
        DTypeError: for an unknown dtype.

    >>> with watch(forbid="float64") as found:
    ...     pass
    >>> found.findings
    ()
    """
    with heard(Watch(options.read(**asked))) as found:
        yield found


@contextmanager
def heard(watch: Watch) -> Iterator[Watch]:
    """Have a watch hear what watched code does, as long as this lasts."""
    _begin(watch)
    try:
        yield watch
    finally:
        _end(watch)


def _begin(watch: Watch) -> None:
    global _outside, _last_recorder  # noqa: PLW0603  # there is one
    with _lock:
        if _watches and _watches[-1].began_in != watch.began_in:
            msg = "another thread or task watches, and hears of this one, too; watch around both"
            raise RulesError(msg, watch.began_in)
        if not _watches:
            _outside = hooks.active()
        _watches.append(watch)
        _last_recorder = watch.recorder
        hooks.activate(watch.recorder)


def _end(watch: Watch) -> None:
    with _lock:
        _watches.remove(watch)
        hooks.activate(_watches[-1].recorder if _watches else _outside)


def _task() -> int | None:
    """Return the number of the task of asyncio that runs, or None if there is none."""
    asyncio = sys.modules.get("asyncio")
    try:
        task = asyncio.current_task() if asyncio is not None else None
    except RuntimeError:  # there is no loop
        return None
    return None if task is None else id(task)


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
    return explain_stop(error, hooks.active() or _last_recorder)


def last_report() -> Report | None:
    """Return the report of the last `run`, of a script that raised, too; None if there was none."""
    return _last


def _around(x: object) -> str:
    return (
        "; write @supremum.audit() above it, or `with supremum.audit():` around its calls"
        if callable(x)
        else ""
    )


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
    if not isinstance(script, (str, PathLike)):
        raise RulesError(
            f"supremum.audit.run takes the path of a script, not "
            f"{short(script)}{_around(script)}", script
        )  # fmt: skip
    wanted = options.read(**asked)
    _last_recorder = recorder = wanted.recorder()
    others = dict(import_hook.UNWATCHED)
    import_hook.UNWATCHED.clear()
    try:
        found = program.script(script, arguments)
        finder = program.finder(found, wanted.include)
        status = 0
        try:
            status = program.run_here(found, recorder, finder)
        finally:
            _last = wanted.report(recorder, watching(finder))._replace(status=status)
        return _last
    finally:
        import_hook.UNWATCHED.clear()
        import_hook.UNWATCHED.update(others)

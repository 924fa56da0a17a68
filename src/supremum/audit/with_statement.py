"""``with supremum.audit():``, in a script, a test or a notebook, and ``@supremum.audit()``.

What stands in the ``with`` statement is compiled already, without probes. So its body is run with
probes as the statement is entered, in the place of itself, which is skipped then. A function is
given probes as long as a call of it lasts.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

from ..core.errors import RulesError, plural, short
from . import api, options
from .log import hooks
from .log.settings import AuditStop
from .model.cells import BLOCKS, CELLS, Block, Cell
from .model.cells import write as write_cell
from .model.wording import location_name
from .probes import import_hook
from .probes.in_place import body_of, source_of, watched_functions
from .probes.plain_code import has_probes
from .report import render
from .runner.program import note
from .runner.user_code import UserFinder, roots
from .runner.watching import is_hosted, watching

P = ParamSpec("P")
R = TypeVar("R")

_RUNS_LATER: Final = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


_WITHOUT: Final = ("end", "findings", "report", "start", "stop")
"""What people ask of an audit that they hold, rather than one that a statement has."""


class _SkippedError(BaseException):
    """Raised where the body would run once more, which ends the statement."""


class Audited:
    """A ``with`` statement whose body is watched; it gives the `Watch` that collects the findings.

    The report is printed at the end, unless the statement binds the audit with ``as``. In a program
    that is audited already, that audit hears, unless this one is asked for something. As a
    decorator, it watches each call of a function, and prints a report after it. With ``fail_on``,
    it raises at the end if a finding is of such a kind.
    """

    def __init__(self, **asked: Any) -> None:
        self._options = options.combined(options.from_project(Path.cwd()), asked)
        self._is_asked = bool(asked)
        self._ends = ExitStack()
        self._is_called = False
        self._watch: api.Watch

    def __getattr__(self, name: str) -> NoReturn:
        hint = "; write `with supremum.audit() as found:`" if name in _WITHOUT else ""
        what = f"an audit has no attribute {name!r}{hint}"
        raise AttributeError(what, name=name, obj=self)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return a function whose calls are watched.

        Raises:
            RulesError: for what is no function, or runs after its call, as a coroutine does.
        """
        code = getattr(function, "__code__", None)
        if not isinstance(code, CodeType) or code.co_flags & _RUNS_LATER:
            what = f"@supremum.audit() watches calls of plain functions, not {short(function)}"
            raise RulesError(f"{what}; write `with supremum.audit():` in it", function)

        @wraps(function)
        def audited(*args: P.args, **kwargs: P.kwargs) -> R:
            is_heard = hooks.active() is not None and not self._is_asked
            if self._is_called or (is_heard and has_probes(code)):
                return function(*args, **kwargs)
            called = _called()
            self._is_called = True
            try:
                with self._heard(called(code.co_filename), called, is_told=True) as watch:
                    result = function(*args, **kwargs)
            finally:
                self._is_called = False
            self._fail(watch)
            return result

        return audited

    def __enter__(self) -> api.Watch:
        frame = sys._getframe(1)  # noqa: SLF001  # there is no other way to ask
        outer = hooks.active()
        if not has_probes(frame.f_code):
            self._watch = self._body(frame)
            return self._watch
        self._watch = api.Watch(self._options)
        if outer is not None and not self._is_asked:
            self._watch.recorder = outer
        else:
            self._ends.enter_context(api.heard(self._watch))
        return self._watch

    def _body(self, frame: FrameType) -> api.Watch:
        """Run the body of the statement, which a frame enters, in its place."""
        called = _called()
        file = called(frame.f_code.co_filename)
        body = body_of(frame, called)
        with ExitStack() as ends:
            watch = ends.enter_context(self._heard(file, called, is_told=not body.is_bound))
            body.run(watch)
            ends.callback(_skip(frame, body.lines))
            self._ends = ends.pop_all()
        return watch

    @contextmanager
    def _heard(
        self, file: str, called: Callable[[str], str], *, is_told: bool
    ) -> Iterator[api.Watch]:
        """Watch the functions of a file, and those of its project, as long as this lasts."""
        folder = Path.cwd() if file in CELLS else Path(file).parent
        finder = UserFinder(roots(folder), self._options.include, [] if file in CELLS else [file])
        watch = api.Watch(self._options, lambda: watching(finder))
        with ExitStack() as ends:
            if is_told:
                ends.callback(_tell, watch)
            own = partial(_is_own, finder, called)
            files = {file, *ends.enter_context(watched_functions(own, called))}
            finder.cells |= files & CELLS.keys()
            finder.watched.update(dict.fromkeys(files - CELLS.keys(), ""))
            ends.callback(import_hook.watch_imports(finder))
            ends.enter_context(api.heard(watch))
            try:
                yield watch
            except BaseException as error:
                if not isinstance(error, _SkippedError):
                    note(error, watch.recorder)
                raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._ends.close()
        if kind in (None, _SkippedError):
            self._fail(self._watch)
        return kind is _SkippedError

    def _fail(self, watch: api.Watch) -> None:
        """Raise if something was found that the audit is asked to fail on."""
        if not (self._is_asked and self._options.fail_on):
            return
        failing = [x for x in watch.report.findings if x.is_of(self._options.fail_on)]
        if failing:
            kinds = ", ".join(sorted({x.kind for x in failing}))
            found, first = plural(len(failing), "finding"), failing[0]
            where = f"{location_name(first.file, first.line)}: {first.text}"
            raise AuditStop(f"{found} of {kinds}; the first at {where}") from None


def _is_own(finder: UserFinder, called: Callable[[str], str], module: str, file: str) -> bool:
    return called(file) in CELLS or finder.watches(module, file)


def _skip(frame: FrameType, lines: tuple[int, int]) -> Callable[[], None]:
    """Leave a frame's ``with`` statement once it comes to its body; returns what ends that."""
    before, own = sys.gettrace(), frame.f_trace

    def trace(at: FrameType, event: str, _: Any) -> Any:
        if event == "line" and lines[0] <= at.f_lineno <= lines[1]:
            raise _SkippedError
        return trace

    def undo() -> None:
        frame.f_trace = own
        sys.settrace(before)

    frame.f_trace = trace
    sys.settrace(lambda *_: None)
    return undo


def _called() -> Callable[[str], str]:
    """Return what tells what a file is called: a cell of a notebook has a name of its own."""
    shell = sys.modules["IPython"].get_ipython() if is_hosted() else None
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})

    def called(file: str) -> str:
        number = numbers.get(file)
        if number is None:
            return file
        cell = f"cell [{number}]"
        if cell not in CELLS:
            lines = source_of(file).splitlines()
            CELLS[cell] = Cell(number)
            BLOCKS[file] = Block(cell, range(1, len(lines) + 1))
            write_cell(cell, lines)
        return cell

    return called


def _tell(watch: api.Watch) -> None:
    """Show what was found: in a notebook below the cell, else on standard error."""
    if is_hosted():
        from IPython.display import display

        display(watch.report)  # type: ignore[no-untyped-call]  # IPython has no types
    else:
        print(render(watch.report, "text", brief=True), file=sys.stderr)  # noqa: T201  # the report

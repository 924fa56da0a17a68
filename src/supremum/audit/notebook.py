"""The audit in a notebook: ``%load_ext supremum``.

From then on the cells that are run are watched, and what is found is shown beside the cell in which
it was found. ``%audit_report`` shows all that has been found so far.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..core.errors import SupremumError
from . import options
from .instrument import import_hook
from .instrument.cells import CellCompiler, is_attached
from .model import cells
from .model.cells import CELLS, Cell
from .model.locations import LOCATIONS
from .options import Options
from .record import hooks
from .record.recorder import Recorder
from .report import FORMATS, render
from .report.notebook import Shown
from .report.report import Finding, Report
from .runner.user_code import UserFinder, roots
from .runner.watching import watching

_USAGE: Final = (
    "type %audit on, %audit off, or %audit quiet (watch, and show nothing until %audit_report); "
    "options come after on, as in %audit on --forbid float64"
)
_OPTIONS: Final = (
    "kinds", "forbid", "target", "include", "on_finding", "allow", "baseline", "exact",
)  # fmt: skip
_CELL_MAGIC: Final = "%%audit"

_sessions: dict[int, Session] = {}  # by the number of the shell


class _Asked(NamedTuple):
    """What ``%%audit`` asks for one cell.

    Attributes:
        options: the options.
        operations: how many operations had been heard of before.
        was_on: whether cells were watched anyway.
        usual: what hears of the other cells, if that is not what hears of this one.
    """

    options: Options
    operations: int
    was_on: bool
    usual: Recorder | None


class Session:
    """The audit of the cells of one shell of IPython.

    Args:
        shell: the shell.
        name: what its cells are called before their numbers.

    Attributes:
        is_guest: whether ``supremum audit`` runs the notebook, which then reports all itself, or
            ``supremum fix`` runs it as it is.
    """

    def __init__(self, shell: Any, name: str) -> None:
        self.shell = shell
        self.name = name
        self.is_quiet = False
        self.options = options.combined(_of_project(), {})
        outer = hooks.active()
        self.is_guest = is_attached(shell)
        is_heard = self.is_guest and isinstance(outer, Recorder)
        self.recorder: Recorder = outer if is_heard else self.options.recorder()  # type: ignore[assignment]  # it is one
        self.finder = UserFinder(roots(Path.cwd()), self.options.include)
        self.cells = CellCompiler(shell, self.watches)
        self._undo: Any = None
        self._before: Any = None
        self._depth = 0
        self._versions: dict[str, list[str]] = {}
        self._told: set[tuple[str, str, Any, Any]] = set()
        self._asked: _Asked | None = None

    def watches(self, file: str) -> bool:
        """Tell whether a script that ``%run`` runs is watched."""
        path = str(Path(file).resolve())
        if self.finder.watches("__main__", path):
            self.finder.watched.setdefault(path, "__main__")
            return True
        return False

    # on and off

    def start(self) -> None:
        """Watch what is run from now on."""
        if self._undo is None and not self.is_guest:
            self._undo = import_hook.watch_imports(self.finder)
            self._before = hooks.activate(self.recorder)
        self.cells.is_on = True

    def stop(self) -> None:
        """Watch nothing from now on."""
        self.cells.is_on = False
        if self._undo is not None:
            self._undo()
            self._undo = None
            hooks.activate(self._before)

    def change(self, asked: Options) -> None:
        """Go on with other options."""
        was_on = self._undo is not None
        self.stop()
        recorder = asked.recorder()
        recorder.go_on_from(self.recorder)
        self.recorder, self.options = recorder, asked
        if asked.include != self.finder.include:
            cells_before = self.finder.cells
            self.finder = UserFinder(roots(Path.cwd()), asked.include)
            self.finder.cells = cells_before
        if was_on:
            self.start()

    # what IPython tells of

    def before_cell(self, info: Any) -> None:
        """Take note that a cell begins, or code that a cell has IPython run."""
        with _harmless():
            self._depth += 1
            if self._depth > 1:
                self.cells.nested(info.raw_cell)
                return
            number = self.shell.execution_count - bool(info.store_history)
            self._begin(info.raw_cell, number, getattr(info, "cell_id", None))

    def in_a_cell(self) -> None:
        """Take note that a cell has begun: the one that loads the extension."""
        number = self.shell.execution_count - 1
        history = getattr(self.shell.history_manager, "input_hist_raw", ())
        if number > 0 and len(history) > number:
            self._depth = 1
            self._begin(history[number], number, None)

    def _begin(self, raw: str, number: int, identity: str | None) -> None:
        file = f"{self.name}cell [{number}]"
        old = self._versions.pop(identity or raw, [])
        if old:
            self.recorder.forget_places(old)
            for one in old:
                cells.retire(one)
        self._versions[identity or raw] = [file]
        CELLS[file] = Cell(number)
        self.finder.cells.add(file)
        self.cells.begin(file, raw)

    def after_cell(self, result: Any) -> None:
        """Show what was found while a cell ran."""
        self._depth = max(self._depth - 1, 0)
        if self._depth:
            return
        with _harmless():
            self.cells.end()
            asked, self._asked = self._asked, None
            try:
                error = getattr(result, "error_in_exec", None)
                if error is not None:
                    self._explain(error)
                self._show(asked)
            finally:
                hooks.forget()
                if asked is not None:
                    self._put_back(asked)

    def _put_back(self, asked: _Asked) -> None:
        """Go on as before a cell that asked for something of its own."""
        if asked.usual is not None:
            asked.usual.go_on_from(self.recorder)
            self.recorder = asked.usual
            hooks.activate(asked.usual)
        if not asked.was_on:
            self.stop()

    # what is shown

    def report(self) -> Report:
        """Return all that was found so far."""
        what = None if self.is_guest else watching(self.finder)
        return self.options.report(self.recorder, what)

    def _show(self, asked: _Asked | None) -> None:
        new = self._new_effects()
        if asked is None and (self.is_quiet or self._undo is None or not new):
            self._told |= new
            return
        wanted = asked.options if asked is not None else self.options
        found = [f for f in wanted.report(self.recorder).findings if self._is_new(f, new)]
        self._told |= new
        if found:
            self._display(Shown(found))
        elif asked is not None:
            self.recorder.count_all()
            count = self.recorder.operations - asked.operations
            times = "1 operation" if count == 1 else f"{count:,} operations"
            told = f" in {times} on arrays" if count else ""
            self._display(Shown((), f"Nothing found{told} in this cell."))

    def _new_effects(self) -> set[tuple[str, str, Any, Any]]:
        """Return what was found that no cell has shown: kinds, and where the effects are."""
        found = {
            (effect.kind, place.file, place.span, origin.index)
            for origin in list(self.recorder.origins.values())
            for effect in list(origin.effects.values())
            for place in [LOCATIONS[effect.location]]
        }
        return found - self._told

    @staticmethod
    def _is_new(finding: Finding, new: set[tuple[str, str, Any, Any]]) -> bool:
        kinds = {(kind, file, span) for kind, file, span, _ in new}
        return any((place.kind, place.file, place.span) in kinds for place in finding.places)

    def _display(self, shown: Shown) -> None:
        from IPython.display import display

        display(shown)  # type: ignore[no-untyped-call]  # IPython has no types

    def _explain(self, error: BaseException) -> None:
        """Say below a traceback what dtypes had to do with it, if anything."""
        from .. import audit

        why = getattr(audit, "why", None)
        told = str(why(error) or "").strip() if why is not None else ""
        if told:
            print(told, file=sys.stderr)  # noqa: T201  # beside the traceback

    # magics

    def audit(self, line: str, cell: str | None = None) -> None:
        """Watch cells or not: ``%audit on``, ``%audit off``, ``%audit quiet``.

        ``%%audit`` as the first line of a cell watches that cell, and shows what is found in it:

            %%audit --forbid float64
        """
        word, *words = _words(line) or [""]
        if cell is not None:  # asked for from Python: what is typed is handled before
            self._ask([word, *words] if word else [])
            self.shell.run_cell(cell)
        elif word == "cell":
            self._ask(words)
        elif word in {"on", "quiet"}:
            self.is_quiet = word == "quiet"
            asked = _read(words) if words else None
            if asked is not None and not self.is_guest:
                self.change(asked)
            self.start()
        elif word == "off" and not words:
            self.stop()
        elif word:
            raise _usage(f"{line!r} is not known here; {_USAGE}")
        else:
            state = "off" if self._undo is None else "quiet" if self.is_quiet else "on"
            print(f"The audit is {state}; {_USAGE}.")  # noqa: T201  # the answer

    def _ask(self, words: Sequence[str]) -> None:
        """Watch this cell, by options of its own."""
        if self.is_guest:
            _read(words)
            return
        asked, usual = _read(words) if words else self.options, self.recorder
        was_on = self._undo is not None
        self.start()
        if not words:
            self._asked = _Asked(asked, usual.operations, was_on, None)
            return
        self.recorder = asked.recorder()
        self.recorder.go_on_from(usual)
        hooks.activate(self.recorder)
        self._asked = _Asked(asked, usual.operations, was_on, usual)

    def audit_report(self, line: str) -> Report | None:
        """Show all that was found so far; ``%audit_report FILE`` writes it to a file."""
        report = self.report()
        words = _words(line)
        if not words:
            return report
        path = Path(words[0]).expanduser()
        by_suffix = {suffix: name for name, suffix in FORMATS.items()}
        if len(words) > 1 or path.suffix not in by_suffix:
            known = ", ".join(by_suffix)
            raise _usage(f"%audit_report takes one file, whose name ends in {known}, not {line!r}")
        try:
            path.write_text(render(report, by_suffix[path.suffix]) + "\n", encoding="utf-8")
        except OSError as error:
            raise _usage(f"{path} cannot be written: {error.strerror}") from None
        return None

    def transform(self, lines: list[str]) -> list[str]:
        """Make ``%%audit`` a line of the cell like others, so that the cell runs as it would."""
        head, _, rest = (lines[0] if lines else "").rstrip("\n").partition(" ")
        if head != _CELL_MAGIC:
            return lines
        body = lines[1:]
        for transform in self.shell.input_transformer_manager.line_transforms:
            body = transform(body) if body else body
        return [f"get_ipython().run_line_magic('audit', {f'cell {rest.strip()}'!r})\n", *body]


def load(shell: Any) -> None:
    """Watch the cells that a shell of IPython runs from now on."""
    if id(shell) in _sessions:
        return
    for number in [number for number, session in _sessions.items() if session.is_guest]:
        del _sessions[number]  # of a notebook that was run to its end
    session = _sessions[id(shell)] = Session(
        shell, f"notebook {len(_sessions) + 1}: " * bool(_sessions)
    )
    shell.register_magic_function(session.audit, "line_cell", "audit")
    shell.register_magic_function(session.audit_report, "line", "audit_report")
    shell.input_transformers_cleanup.append(session.transform)
    if session.is_guest:
        return
    shell.events.register("pre_run_cell", session.before_cell)
    shell.events.register("post_run_cell", session.after_cell)
    session.cells.attach()
    session.start()
    session.in_a_cell()


def unload(shell: Any) -> None:
    """Let a shell run cells as it did before."""
    session = _sessions.pop(id(shell), None)
    if session is None:
        return
    if not session.is_guest:
        session.stop()
        session.cells.detach()
        shell.events.unregister("pre_run_cell", session.before_cell)
        shell.events.unregister("post_run_cell", session.after_cell)
    shell.input_transformers_cleanup.remove(session.transform)
    for kind, name in (("line", "audit"), ("cell", "audit"), ("line", "audit_report")):
        shell.magics_manager.magics[kind].pop(name, None)


def _of_project() -> dict[str, Any]:
    """Return the options of the project, without those that make sense for a command alone."""
    return {k: v for k, v in options.from_project(Path.cwd()).items() if k in _OPTIONS}


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:  # a quotation mark without another
        raise _usage(f"{line!r}: {error}") from None


def _read(words: Sequence[str]) -> Options:
    """Return options from the words of a magic."""
    given: dict[str, Any] = {}
    left = list(words)
    while left:
        word, equals, value = left.pop(0).partition("=")
        name = word.removeprefix("--").replace("-", "_")
        if not word.startswith("--"):
            raise _usage(f"{word!r} is not an option; write it as --forbid float64")
        if name not in _OPTIONS or name == "allow":
            known = ", ".join(f"--{o.replace('_', '-')}" for o in _OPTIONS if o != "allow")
            raise _usage(f"there is no option {word}; there are {known}")
        if name == "exact":
            given[name] = True
        elif equals or left:
            given[name] = value if equals else left.pop(0)
        else:
            raise _usage(f"{word} needs a value")
    try:
        return options.combined(_of_project(), given)
    except SupremumError as error:
        raise _usage(str(error)) from None


def _usage(told: str) -> Exception:
    """Return the error that IPython shows as one line."""
    from IPython.core.error import UsageError

    return UsageError(told)


@contextmanager
def _harmless() -> Iterator[None]:
    """Let no error of ours reach a cell."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  # whatever it is
        print(f"supremum: {type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201  # a remark

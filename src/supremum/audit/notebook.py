"""The audit in a notebook: ``%load_ext supremum``.

From then on the cells that are run are watched, and what is found is shown beside the cell in which
it was found. ``%audit_report`` shows all that has been found so far.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from IPython.core.error import UsageError
from IPython.display import display

from ..core.errors import SupremumError, plural
from . import api, options
from .log import hooks
from .log.recorder import Recorder
from .model import cells
from .model.cells import CELLS, Cell
from .model.locations import LOCATIONS
from .options import Options
from .probes import import_hook
from .probes.cells import CellCompiler, is_attached
from .report import FORMATS, render
from .report.notebook import Shown
from .report.report import Report
from .runner.user_code import UserFinder, roots
from .runner.watching import watching

_MAGICS: Final = (
    ("line", "audit"), ("cell", "audit"), ("line", "audit_report"), ("line", "supremum"),
)  # fmt: skip
_USAGE: Final = (
    "type %audit on, %audit off, or %audit quiet (watch, and show nothing until %audit_report); "
    "options come after on, as in %audit on --forbid float64"
)
_OPTIONS: Final = ("kinds", "forbid", "target", "include", "on_finding", "baseline")
_CELL_MAGIC: Final = "%%audit"

_Effect = tuple[str, str, Any, Any]

_sessions: dict[int, Session] = {}  # by the number of the shell


class _Cell(NamedTuple):
    """What holds again after a cell that has ``%%audit``.

    Attributes:
        options: the options.
        recorder: what records other cells.
        is_on: whether these are watched.
        operations: how many operations had been recorded before.
    """

    options: Options
    recorder: Recorder
    is_on: bool
    operations: int


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
        self.is_guest = is_attached(shell)
        outer = hooks.active() if self.is_guest else None
        self.recorder = outer if isinstance(outer, Recorder) else self.options.recorder()
        self.finder = UserFinder(roots(Path.cwd()), self.options.include)
        self.cells = CellCompiler(shell, self.watches)
        self._undo: Any = None
        self._before: Any = None
        self._depth = 0
        self._files: dict[str, str] = {}  # what each cell is called, by its identity or source
        self._shown: set[_Effect] = set()
        self._cell: _Cell | None = None

    def watches(self, file: str) -> bool:
        """Return whether a script that ``%run`` runs is watched."""
        path = str(Path(file).resolve())
        if self.finder.watches("__main__", path):
            self.finder.watched.setdefault(path, "__main__")
            return True
        return False

    # on and off

    @property
    def is_on(self) -> bool:
        """Whether cells are watched."""
        return self._undo is not None

    def start(self) -> None:
        """Watch what is run from now on."""
        if not (self.is_on or self.is_guest):
            self._undo = import_hook.watch_imports(self.finder)
            self._before = hooks.activate(self.recorder)
        self.cells.is_on = True

    def stop(self) -> None:
        """Watch nothing from now on."""
        self.cells.is_on = False
        if self.is_on:
            self._undo()
            self._undo = None
            hooks.activate(self._before)

    def change(self, asked: Options, recorder: Recorder, *, is_on: bool) -> None:
        """Go on with other options, watching or not."""
        self.stop()
        if recorder is not self.recorder:
            recorder.go_on_from(self.recorder)
        if asked.include != self.finder.include:
            cells_before = self.finder.cells
            self.finder = UserFinder(roots(Path.cwd()), asked.include)
            self.finder.cells = cells_before
        self.options, self.recorder = asked, recorder
        if is_on:
            self.start()

    # what IPython calls

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
        if old := self._files.get(identity or raw):
            self.recorder.forget_places([old])
            cells.retire(old)
        self._files[identity or raw] = file
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
            cell, self._cell = self._cell, None
            try:
                error = getattr(result, "error_in_exec", None)
                if error is not None and (why := api.why(error)):
                    print(str(why).strip(), file=sys.stderr)  # noqa: T201  # below the traceback
                self._show(cell)
            finally:
                hooks.forget()
                if cell is not None:
                    self.change(cell.options, cell.recorder, is_on=cell.is_on)

    # what is shown

    def report(self) -> Report:
        """Return all that was found so far."""
        what = None if self.is_guest else watching(self.finder)
        return self.options.report(self.recorder, what)

    def _show(self, cell: _Cell | None) -> None:
        """Show what was found in a cell, which has ``%%audit`` or is one of those watched."""
        new = self._effects() - self._shown
        self._shown |= new
        if cell is None and (self.is_quiet or not self.is_on or not new):
            return
        places = {effect[:3] for effect in new}
        found = [
            finding
            for finding in self.options.report(self.recorder).findings
            if any((place.name, place.file, place.span) in places for place in finding.places)
        ]
        if found:
            display(Shown(found))  # type: ignore[no-untyped-call]  # IPython has no types
        elif cell is not None:
            self.recorder.count_all()
            count = self.recorder.log.operations - cell.operations
            said = f"Nothing found in {plural(count, 'operation')} on arrays in this cell."
            if not count:
                said = (
                    "Nothing was checked: this cell has no operation on arrays that is watched; "
                    "what it runs by exec, or by a magic such as %timeit, is not."
                )
            display(Shown((), said))  # type: ignore[no-untyped-call]

    def _effects(self) -> set[_Effect]:
        """Return what was found so far: kinds, and where the effects and their origins are."""
        return {
            (effect.kind, place.file, place.span, origin.index)
            for origin in list(self.recorder.log.origins.values())
            for effect in list(origin.effects.values())
            for place in [LOCATIONS[effect.location]]
        }

    # magics

    def audit(self, line: str, cell: str | None = None) -> None:
        """Watch cells or not: ``%audit on``, ``%audit off``, ``%audit quiet``.

        ``%%audit`` as the first line of a cell watches that cell, and shows what is found in it:

            %%audit --forbid float64
        """
        word, *words = _words(line) or [""]
        if cell is not None:  # called from Python: `transform` handles what is typed
            self._ask([word, *words] if word else [])
            self.shell.run_cell(cell)
        elif word == "cell":
            self._ask(words)
        elif word in {"on", "quiet"}:
            self.is_quiet = word == "quiet"
            if words and not self.is_guest:
                asked = _read(words)
                self.change(asked, asked.recorder(), is_on=True)
            self.start()
        elif word == "off" and not words:
            self.stop()
        elif word:
            raise UsageError(f"{line!r} is not known here; {_USAGE}")
        else:
            state = "off" if not self.is_on else "quiet" if self.is_quiet else "on"
            print(f"The audit is {state}; {_USAGE}.")  # noqa: T201  # the answer

    def _ask(self, words: Sequence[str]) -> None:
        """Watch this cell, by options of its own."""
        asked = _read(words) if words else self.options
        if not self.is_guest:
            operations = self.recorder.log.operations
            self._cell = _Cell(self.options, self.recorder, self.is_on, operations)
            self.change(asked, asked.recorder() if words else self.recorder, is_on=True)

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
            raise UsageError(
                f"%audit_report takes one file, whose name ends in {known}, not {line!r}"
            )
        try:
            path.write_text(render(report, by_suffix[path.suffix]) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        return None

    def transform(self, lines: list[str]) -> list[str]:
        """Make ``%%audit`` a line of the cell like others, so that the cell runs as it would."""
        head, _, rest = (lines[0] if lines else "").rstrip("\n").partition(" ")
        if head == "%%supremum":
            head, rest = _CELL_MAGIC, rest.removeprefix("audit")
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
    shell.register_magic_function(_run_command, "line", "supremum")
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
    for kind, name in _MAGICS:
        shell.magics_manager.magics[kind].pop(name, None)


def _run_command(line: str) -> None:
    """Run the command ``supremum``, and print what it prints: ``%supremum explain int8 1.0``."""
    words = [sys.executable, "-m", "supremum", *_words(line)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  # what was typed
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)


def _of_project() -> dict[str, Any]:
    """Return the options of the project, without those that make sense for a command alone."""
    return {k: v for k, v in options.from_project(Path.cwd()).items() if k in {*_OPTIONS, "allow"}}


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:  # a quotation mark without another
        raise UsageError(f"{line!r}: {error}") from None


class _Parser(ArgumentParser):
    """Reads the options of a magic."""

    def __init__(self) -> None:
        super().__init__(prog="", add_help=False, allow_abbrev=False)
        for name in _OPTIONS:
            self.add_argument(f"--{name.replace('_', '-')}", default=SUPPRESS)

    def error(self, message: str) -> NoReturn:
        known = ", ".join(f"--{name.replace('_', '-')}" for name in _OPTIONS)
        raise UsageError(f"{message}; there are {known}")


def _read(words: Sequence[str]) -> Options:
    """Return options from the words of a magic."""
    try:
        return options.combined(_of_project(), vars(_Parser().parse_args(words)))
    except SupremumError as error:
        raise UsageError(str(error)) from None


@contextmanager
def _harmless() -> Iterator[None]:
    """Let no error of ours reach a cell."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  # whatever it is
        print(f"supremum: {type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201  # a remark

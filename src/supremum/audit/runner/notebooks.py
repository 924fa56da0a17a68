"""Running a notebook from its first cell to its last, in a shell of IPython of its own."""

from __future__ import annotations

import atexit
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from ...core.errors import RulesError
from ..log import hooks
from ..model.cells import CELLS, Cell
from ..model.notebook_files import CodeCell, Notebook
from ..probes.cells import CellCompiler
from .user_code import UserFinder
from .watching import is_hosted

_MAY_FAIL = "raises-exception"  # what nbconvert and others call a cell that is to go on after it
_OF_KERNELS = ("autosave", "clear", "connect_info")  # magics that a kernel has besides
_PLOTS = "module://matplotlib_inline.backend_inline"  # as a kernel has it


def read(file: str, asked: str) -> Notebook:
    """Return a notebook that can be run here.

    Args:
        file: its path.
        asked: how it was asked for.

    Raises:
        RulesError: if it cannot be read, is not in Python, or IPython is missing or runs already.
    """
    found = Notebook(file)
    if found.language.lower() not in {"python", "ipython"}:
        raise RulesError(f"{asked} is a notebook in {found.language}, not in Python", asked)
    if not any(cell.source.strip() for cell in found.cells):
        raise RulesError(f"{asked} has no cell of code to run", asked)
    if find_spec("IPython") is None:
        how = 'pip install "supremum[notebook]"'
        raise RulesError(f"{asked} is a notebook, which IPython runs; type {how}", asked)
    if is_hosted():
        raise RulesError(
            f"{asked} cannot be run inside of another notebook; type !supremum audit {asked}", asked
        )
    return found


def run(notebook: Notebook, main: ModuleType, finder: UserFinder | None) -> None:
    """Run the cells of a notebook.

    An error is shown as IPython shows it, and ends the notebook, unless the cell has the tag
    ``raises-exception``.

    Args:
        notebook: the notebook.
        main: the module whose names it has.
        finder: finds the modules that are watched, as cells are, too; None if nothing is.

    Raises:
        BaseException: what ends it.
    """
    if find_spec("matplotlib_inline") is not None:
        os.environ.setdefault("MPLBACKEND", _PLOTS)
    with chdir(Path(notebook.path).parent), _shell(main) as shell:
        compiler = CellCompiler(shell, lambda file: _watches(finder, file))
        compiler.is_on = finder is not None
        compiler.attach()
        shell.events.register("pre_run_cell", lambda info: compiler.nested(info.raw_cell))
        try:
            for cell in notebook.cells:
                if cell.source.strip() and not _ran(cell, notebook, shell, compiler, finder):
                    break
        finally:
            compiler.detach()


def _watches(finder: UserFinder | None, file: str) -> bool:
    return finder is not None and finder.watches("__main__", file)


def _ran(
    cell: CodeCell,
    notebook: Notebook,
    shell: Any,
    compiler: CellCompiler,
    finder: UserFinder | None,
) -> bool:
    """Run a cell, and return whether the notebook goes on."""
    number = shell.execution_count
    file = f"{notebook.path}: cell {number}"
    CELLS[file] = Cell(number, notebook.path, cell.nth)
    if finder is not None:
        finder.cells.add(file)
    compiler.begin(file, cell.source)
    try:
        result = shell.run_cell(cell.source, store_history=True)
    finally:
        compiler.end()
    error = result.error_before_exec or result.error_in_exec
    if error is None:
        return not shell.exit_now
    hooks.forget()
    if _MAY_FAIL in cell.tags and not isinstance(error, SystemExit):
        return True
    raise error


@contextmanager
def _shell(main: ModuleType) -> Iterator[Any]:
    """Give a shell whose names are those of a module."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Shell(InteractiveShell):
        """A shell that ends as a script does: errors go to standard error, exits say nothing."""

        exit_now = False

        def ask_exit(self) -> None:
            self.exit_now = True

        def enable_gui(self, gui: str | None = None) -> None:
            """Take windows for granted: nobody looks at them, as ``%matplotlib`` asks for them."""

        def showtraceback(self, *given: Any, **named: Any) -> None:
            if not isinstance(sys.exception(), SystemExit):
                super().showtraceback(*given, **named)

        def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:  # noqa: ARG002  # as IPython calls it
            print(self.InteractiveTB.stb2text(stb), file=sys.stderr)  # noqa: T201  # as Python does

    config = Config()
    config.HistoryManager.enabled = False
    if not sys.stderr.isatty():
        config.InteractiveShell.colors = "nocolor"
    displayed = sys.displayhook
    shell: Any = Shell.instance(user_module=main, config=config)
    for name in _OF_KERNELS:
        shell.register_magic_function(lambda _line: None, magic_name=name)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "To exit: use", UserWarning)
            yield shell
    finally:
        sys.displayhook = displayed
        atexit.unregister(shell.atexit_operations)  # it empties the module before its threads end
        Shell.clear_instance()

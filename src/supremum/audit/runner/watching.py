"""What an audit watched and what it did not, with the reason."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ...core.libraries import library_of_module
from ..log.recorder import Recorder
from ..model.wording import near, swept
from ..probes.import_hook import UNWATCHED, Finder
from .user_code import missed_by

if TYPE_CHECKING:
    from ..report.report import Finding, Watched


class Watching(NamedTuple):
    """What an audit watched.

    Attributes:
        watched: it, as the report has it.
        missed: the user's files that were not watched, with the reason.
        libraries: whether an array library was imported.
        stops: the operations that were refused in other processes, each as a finding.
    """

    watched: Watched
    missed: tuple[tuple[str, str], ...]
    libraries: bool
    stops: tuple[Finding, ...] = ()


class Elsewhere(NamedTuple):
    """What other processes of the program watched.

    Attributes:
        files: the files.
        missed: the user's files that were not watched, with the reason.
        processes: the number of processes.
        lost: the processes that were not watched, with the reason.
        libraries: whether an array library was imported in one.
        stops: the operations that were refused there, each as a finding.
    """

    files: frozenset[str] = frozenset()
    missed: tuple[tuple[str, str], ...] = ()
    processes: int = 0
    lost: tuple[tuple[str, str], ...] = ()
    libraries: bool = False
    stops: tuple[Finding, ...] = ()


def is_hosted() -> bool:
    """Return whether this process belongs to another program, such as a notebook's kernel."""
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None


def imports_arrays() -> bool:
    """Return whether this process imported an array library."""
    return any("." not in name and library_of_module(name) for name in [*sys.modules])


def files_of(finder: Finder) -> frozenset[str]:
    """Return the files that were watched in this process."""
    return frozenset(finder.watched) - UNWATCHED.keys()


def watching(finder: Finder, elsewhere: Elsewhere | None = None) -> Watching:
    """Return what was watched, here and in other processes.

    Args:
        finder: what found the modules of this process.
        elsewhere: what other processes watched.
    """
    from ..report.report import Watched

    other = elsewhere or Elsewhere()
    files = files_of(finder) | other.files
    outermost = [root for root in finder.roots if not {*root.parents}.intersection(finder.roots)]
    used = [root for root in outermost if any(root in Path(file).parents for file in files)]
    folders = tuple(str(root) for root in used or outermost)
    missed = {**dict(other.missed), **dict(missed_by(finder))}
    return Watching(
        Watched(len(files), folders, 1 + other.processes, other.lost, len(finder.cells)),
        tuple((file, why) for file, why in sorted(missed.items()) if file not in files),
        other.libraries or imports_arrays(),
        other.stops,
    )


def _not_run(program: Path) -> str:
    """Return what runs what a file defines, if it only defines something, or ``""``."""
    try:
        body = ast.parse(program.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return ""
    defined = [n.name for n in body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    runs = [n for n in body if isinstance(n, (ast.Expr, ast.If, ast.For, ast.While, ast.With))]
    if any(name.startswith(("test_", "Test")) for name in defined):
        return f"it defines tests: type supremum audit -m pytest {near(str(program))}"
    is_plain = all(isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in runs)
    if not defined or not is_plain:
        return ""
    return f"it only defines functions: {swept(program.resolve())}"


def stops_of(recorder: Recorder, *, tries: bool = False) -> Iterator[Finding]:
    """Yield the operations that were refused in this process, each as a finding.

    Args:
        recorder: what observed the process.
        tries: whether each has its candidates, for somebody who tries them.
    """
    if recorder.stops:
        from ..report.stopped import explained  # most programs end well

        yield from (explained(stop, recorder, tries=tries).finding for stop in recorder.stops)


_INSIDE: Final = {
    "polars": "expressions of Polars run inside it, where they are not followed, and operations "
    "on its Series are",
}
"""What to say of libraries that compute where no probe is, by their modules."""


def why_nothing(what: Watching | None, program: Path | None = None, failure: str = "") -> str:
    """Return what to say of a program in which no operation on arrays was seen.

    Args:
        what: what was watched, or None if a part of a program was audited.
        program: the script, if it is one.
        failure: the error that stopped the program, if one did.
    """
    seen = "no operation on arrays was seen, so nothing was checked"
    if failure.startswith(("a ModuleNotFoundError: ", "an ImportError: ")):
        return f"{seen}; {failure.partition(': ')[2]}"
    if program is not None and what is not None and (instead := _not_run(program)):
        return f"{seen}; {instead}"
    if what is None and is_hosted():
        return f"{seen}; type %load_ext supremum, then run the cells again that are to be watched"
    if what is None:
        return f"{seen}; only modules that are imported after the audit began are watched"
    if what.watched.lost:
        return f"{seen}; there were processes that are not watched"
    if not what.libraries:
        return f"{seen}; the program imported no array library"
    if what.missed:
        return f"{seen}; some of the program's files are not watched"
    inside = next((said for name, said in _INSIDE.items() if name in sys.modules), "")
    if inside:
        return f"{seen}; {inside}"
    if failure:
        return f"{seen}; the program ends before there is one"
    return f"{seen}; an installed package is watched with --include PACKAGE, what exec runs is not"

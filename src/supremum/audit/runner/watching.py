"""What an audit watched and what it did not, with the reason: for the report, and as a list."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ..instrument.import_hook import UNWATCHED, Finder, is_ours
from ..report.report import Finding, Watched
from .user_code import WATCHED, UserFinder, file_of, missed_by, why_missed

_LIBRARIES: Final = ("numpy", "torch", "jax", "tensorflow", "mlx", "pandas", "dask", "tinygrad")


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
    """Tell whether this process belongs to another program, such as a notebook's kernel."""
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None


def imports_arrays() -> bool:
    """Tell whether this process imported an array library."""
    return any(name in sys.modules for name in _LIBRARIES)


def files_of(finder: Finder) -> frozenset[str]:
    """Return the files that were watched in this process."""
    return frozenset(finder.watched) - UNWATCHED.keys()


def watching(finder: Finder, elsewhere: Elsewhere | None = None) -> Watching:
    """Return what was watched, here and in other processes.

    Args:
        finder: what found the modules of this process.
        elsewhere: what other processes watched.
    """
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


def why_nothing(what: Watching | None) -> str:
    """Return what to say of a program in which no operation on arrays was seen."""
    told = "no operation on arrays was seen, so nothing was checked"
    if what is None and is_hosted():
        return f"{told}; type %load_ext supremum, then run the cells again that are to be watched"
    if what is None:
        return f"{told}; only modules that are imported after the audit began are watched"
    if what.watched.lost:
        return f"{told}; there were processes that are not watched"
    if not what.libraries:
        return f"{told}; the program imported no array library"
    if what.missed:
        return f"{told}; some of the program's files are not watched"
    return f"{told}; --include PACKAGE watches an installed package, too"


def listed(finder: UserFinder) -> Iterator[str]:
    """Yield a line for each module that was imported: whether it is watched, and why not."""
    for name, module in sorted(sys.modules.items()):
        file = file_of(module)
        if not file or name == "__main__" or is_ours(name):
            continue
        yield f"{_verdict(finder, name, file)}: {name} ({file})"


def _verdict(finder: UserFinder, name: str, file: str) -> str:
    if file in UNWATCHED:
        return f"not watched, {UNWATCHED[file]}"
    why = finder.reason(name, file) or why_missed(finder, name, sys.modules[name], file)
    return f"not watched, {why}" if why != WATCHED else "watched"


_OPTIONS: Final = frozenset(
    f"--{name}"
    for name in ("kinds", "fail-on", "forbid", "on-finding", "write-baseline", "list-modules")
)  # programs have options that are called --output, --format, --target, --include and --baseline


_OPTIONS_OF_FIX: Final = frozenset({"--diff", "--once", "--force", "--compare", "--tolerance"})


def misplaced(arguments: Sequence[str], *, of_fix: bool = False) -> list[str]:
    """Return the options of the audit that stand after the program, which gets them.

    Args:
        arguments: what stands after the program.
        of_fix: whether these are the options of a fix.

    >>> misplaced(["--epochs", "3", "--fail-on=widening", "--", "--forbid"])
    ['--fail-on']
    """
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    names = dict.fromkeys(word.partition("=")[0] for word in before)
    known = _OPTIONS_OF_FIX if of_fix else _OPTIONS
    return [name for name in names if name in known]

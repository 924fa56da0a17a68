"""Code that is watched: compiled from the rewritten tree, and imported that way.

What rewritten code refers to is put among the constants of the code itself. So a function that is
pickled by value, as Dask and joblib do it, takes along what it needs.
"""

from __future__ import annotations

import ast
import gc
import linecache
import operator
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import _bootstrap
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from ..log import hooks
from ..log.formulas import Formula, Step, Variable
from ..log.settled import Place, places_from
from ..model.locations import LOCATIONS, Table
from ..model.silence import silence
from . import code_readers
from .ast_builders import PLACE, constant
from .code_cache import CachedCode, cached
from .formulas import FORMULA, VARIABLE
from .module_variables import in_frame, unseen
from .plain_code import remember
from .rewriter import NAMES, rewrite

_PROBES = {
    constant(name): getattr(hooks if hasattr(hooks, name) else operator, name) for name in NAMES
}

_DEEPEST = 5_000  # calls; the main thread's stack takes more

PACKAGE: Final = __name__.partition(".")[0]
"""The package that this is a part of, which is never watched."""

UNWATCHED: dict[str, str] = {}
"""The files that could not be rewritten, with the reason; they run as they are."""


def is_ours(module: str) -> bool:
    """Return whether a module is a part of this package."""
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


def compiled(source: bytes | str, file: str) -> CodeType:
    """Return the code of a file, watched; it warns and fails as Python itself would.

    Raises:
        SyntaxError: as Python's compiler does.
    """
    return _watched(source, file, compile(source, file, "exec", dont_inherit=True))


def checked(source: bytes, file: str) -> CodeType:
    """Return the code of a file as it is, without a warning: it is compiled again where it runs.

    Raises:
        SyntaxError: as Python's compiler does.
    """
    with silence():
        return compile(source, file, "exec", dont_inherit=True)


def _watched(
    source: bytes | str, file: str, plain: CodeType, kept: CachedCode | None = None
) -> CodeType:
    """Return the code of a file, watched, or the plain code where that cannot be made."""
    linecache.checkcache(file)  # it may have changed since another audit in this process
    watched = made(lambda: _rewritten(source, file), file, kept)
    if watched is None:
        return plain
    remember(file, source)
    return watched


def made(
    make: Callable[[], tuple[CodeType, Table]], file: str, kept: CachedCode | None = None
) -> CodeType | None:
    """Return code with probes in it, or None, with the reason in `UNWATCHED`, if it fails.

    Args:
        make: gives the code before its probes are put in, and its places.
        file: what it is of.
        kept: where it is to be kept.
    """
    try:
        with silence(), _no_collection():
            try:
                found = make()
            except RecursionError:  # long expressions, which probes make longer
                with _deeper():
                    found = make()
        if kept is not None:
            kept.write(*found)
        watched = with_probes(*found)
    except Exception as error:  # noqa: BLE001  # the program runs all the same
        UNWATCHED[file] = f"{type(error).__name__}: {error}"
        return None
    UNWATCHED.pop(file, None)
    return watched


def _rewritten(source: bytes | str, file: str) -> tuple[CodeType, Table]:
    tree, places = rewrite(ast.parse(source, file), file)
    return in_frame(compile(tree, file, "exec", dont_inherit=True)), places


@contextmanager
def _deeper() -> Iterator[None]:
    """Let the compiler go deeper, where the stack is known to suffice."""
    before = sys.getrecursionlimit()
    if threading.current_thread() is threading.main_thread():
        sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let the collector not look through trees, which grow large and have no cycles."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def with_probes(code: CodeType, places: Table) -> CodeType:
    """Return some code in which the constants that stand for probes are the probes.

    So do the numbers of its places become the places that they have in this process.
    """
    return _replaced(code, places_from(LOCATIONS.take_up(places), len(places)))


def _replaced(code: CodeType, places: Sequence[Place]) -> CodeType:
    constants = list(code.co_consts)
    formulas = _formulas(constants, places)
    for index, value in enumerate(constants):
        kind = type(value)
        if kind is str:
            if value in _PROBES:
                constants[index] = _PROBES[value]
        elif kind is CodeType:
            constants[index] = _replaced(value, places)
        elif kind is tuple and value and value[0] == PLACE:
            constants[index] = places[value[1]]
        elif kind is tuple and value and value[0] == FORMULA:
            constants[index] = formulas[value[1]][0]
        elif kind is tuple and value and value[0] == VARIABLE:
            constants[index] = formulas[value[1]][1][value[2]]
    return code.replace(co_consts=tuple(constants))


def _formulas(
    constants: Sequence[object], places: Sequence[Place]
) -> dict[int, tuple[Formula, Sequence[Variable]]]:
    """Return the formulas that some constants stand for, each with its variables."""
    found: dict[int, tuple[Formula, Sequence[Variable]]] = {}
    for value in constants:
        if type(value) is tuple and value and value[0] == FORMULA:
            _, number, packed, count, shows_all = value
            steps = [Step(places[place], *step) for place, *step in packed]
            variables = [Variable() for _ in range(count)]
            found[number] = Formula(steps, variables, shows_all=shows_all), variables
    return found


def _as_in_python(code: CodeType) -> CodeType:
    """Return the code of a method such that tracebacks show it as Python's own, or not at all."""
    own = getattr(SourceFileLoader, code.co_name).__code__
    last, last_own = (max(line or 0 for *_, line in one.co_lines()) for one in (code, own))
    first = code.co_firstlineno + last_own - last
    return code.replace(co_filename=own.co_filename, co_firstlineno=first)


class Loader(SourceFileLoader):
    """Loads a module with probes in it, past the cache of compiled files."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the module's code, watched: from the cache of such code, or compiled."""
        path = self.get_filename(fullname)
        kept = cached(path)
        found = kept.read() if kept is not None else None
        if found is not None:
            linecache.checkcache(path)
            UNWATCHED.pop(path, None)
            return with_probes(*found)
        source = self.get_data(path)
        plain = self.source_to_code(source, path)
        return _watched(source, path, plain, kept)

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code."""
        code, closure = unseen(self.get_code(module.__name__))
        _bootstrap._call_with_frames_removed(exec, code, vars(module), closure=closure)  # type: ignore[attr-defined]  # noqa: SLF001  # as the base class does

    get_code.__code__ = _as_in_python(get_code.__code__)
    exec_module.__code__ = _as_in_python(exec_module.__code__)


class Finder:
    """Finds modules as Python does, and has those that are to be watched loaded by `Loader`.

    Args:
        roots: the folders whose modules are the user's own.
        include: the packages that are watched wherever they are.
        files: the files that are, too.

    Attributes:
        watched: the files that were found to be watched, with the names of their modules.
        before: the modules that were imported before the audit began.
        cells: the cells of notebooks that are watched.
    """

    def __init__(
        self,
        roots: Iterable[str | Path],
        include: Iterable[str] = (),
        files: Iterable[str] = (),
    ) -> None:
        installed()  # finding that out imports modules
        self.roots = list(dict.fromkeys(Path(root).resolve() for root in roots))
        self.include = tuple(include)
        self.files = frozenset(files)
        self.watched = dict.fromkeys(self.files, "__main__")
        self.before = frozenset(sys.modules)
        self.cells: set[str] = set()

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the module's specification where it is to be watched, else None."""
        if is_ours(fullname):
            return None
        reader = code_readers.find_spec(fullname, path, target)
        if reader is not None:
            return reader
        for finder in sys.meta_path:
            if isinstance(finder, Finder) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                break
        else:
            return None
        if type(spec.loader) is not SourceFileLoader or not spec.origin:
            return None
        if not self.watches(fullname, spec.origin):
            return None
        spec.loader = Loader(fullname, spec.origin)
        spec.cached = None
        self.watched[spec.origin] = fullname
        return spec

    def watches(self, module: str, file: str) -> bool:
        """Return whether a module is the user's own, or one that was asked for."""
        if any(module == name or module.startswith(f"{name}.") for name in self.include):
            return True
        if file in self.files:
            return True
        path = Path(file).resolve()
        return not _is_installed(path) and any(root in path.parents for root in self.roots)


@cache
def installed() -> tuple[Path, ...]:
    """Return the folders of Python's own modules and of installed packages."""
    known = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = [Path(path).resolve() for key, path in sysconfig.get_paths().items() if key in known]
    return (*paths, Path(__file__).resolve().parents[2])


def _is_installed(path: Path) -> bool:
    return bool({"site-packages", "dist-packages"} & {*path.parts}) or any(
        root in path.parents for root in installed()
    )


_Hook = Callable[[], None]


def watch_imports(finder: Finder) -> _Hook:
    """Let what is imported from now on be watched; returns what undoes it."""
    sys.meta_path.insert(0, finder)
    code_readers.teach_loaded()

    def undo() -> None:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)

    return undo


def run(code: CodeType, namespace: Mapping[str, Any]) -> None:
    """Run some code in a namespace."""
    code, closure = unseen(code)
    exec(code, namespace, closure=closure)  # type: ignore[arg-type]  # noqa: S102  # running a program is the task

"""Running a program as Python would, with probes in it."""

from __future__ import annotations

import importlib.machinery
import io
import runpy
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Final, NamedTuple
from zipimport import ZipImportError, zipimporter

from ...core.errors import RulesError, did_you_mean, short
from ...core.operands import begins_as_operand
from ..kinds import KIND_WORDS
from ..log import hooks
from ..log.recorder import Recorder
from ..model.notebook_files import Notebook
from ..probes import import_hook
from ..stops.messages import explained_by
from . import commands, shutdown, user_code
from .isolation import ModuleIsolation
from .user_code import UserFinder


class Program(NamedTuple):
    """A program that is ready to run.

    Attributes:
        file: the path of its main module.
        code: that, watched; None where Python's own `runpy` is to load and run it.
        name: what `runpy` is to run: a module's name, or ``"__main__"`` for a folder.
        argv: what `sys.argv` is to be.
        path: what comes first on `sys.path`.
        root: the folder of the user's own code.
        notebook: the notebook that it is, or None.
    """

    file: str
    code: CodeType | None
    name: str
    argv: list[str]
    path: str
    root: str
    notebook: Notebook | None = None


def script(path: str, arguments: Sequence[str]) -> Program:
    """Return the program of a file, a folder with a ``__main__.py``, or an installed command.

    Raises:
        RulesError: if there is no such file, it cannot be read, or is not Python.
    """
    file = Path.cwd() / path
    argv = [path, *arguments]
    if not file.exists() and (command := commands.find(path)):
        file, argv[0] = command, str(command)
    if file.is_dir():
        main = file / "__main__.py"
        if not main.is_file():
            what = f"there is no __main__.py in {path!r} to run"
            raise RulesError(f"{what}; {_in_folder(file, path)}", path)
        _check(str(main), import_hook.checked)
        return Program(
            str(main), None, "__main__", argv, str(Path.cwd() / path), str(file.resolve())
        )
    if not file.is_file():
        if text := commands.source(path):
            code = import_hook.compiled(text, path)
            return Program(path, code, "", argv, sysconfig.get_path("scripts"), str(Path.cwd()))
        raise RulesError(f"there is no script {short(path)}; {_instead(path)}", path)
    if file.suffix == ".ipynb":
        return _notebook(file, argv)
    if file.suffix in _DATA:
        raise RulesError(f"{path!r} is data, not a program; give the program that reads it", path)
    if _is_archive(str(file)):
        raise RulesError(f"{path!r} is an archive; unpack it, and give the folder", path)
    folder = str(file.resolve().parent)
    return Program(str(file), _check(str(file)), "", argv, folder, folder)


_PROGRAMS: Final = (".py", ".ipynb")

_WORDS: Final = {
    "help": "type supremum audit --help",
    **dict.fromkeys(
        ("python", "python3"), "leave it out, and give what it runs: a file, or -m MODULE"
    ),
    "-": "write the program into a file, since a report quotes its lines; of a traceback, give the "
    "script that it names, as in supremum why SCRIPT",
}
"""What is typed where a program is meant, with what to type instead."""

_DATA: Final = (
    ".cfg", ".csv", ".html", ".ini", ".json", ".md", ".npy", ".npz", ".parquet", ".rst", ".toml",
    ".txt", ".yaml", ".yml",
)  # fmt: skip
"""The suffixes of files that some type where a program is meant."""


def _instead(path: str) -> str:
    """Return what to type if there is no script of a name."""
    if path in KIND_WORDS:
        several = "several are joined by commas, as in widening,stopped"
        return f"it is a kind of finding, which supremum explain {path} explains: {several}"
    if " " in path and (said := explained_by(path)):
        return said
    if begins_as_operand(path):
        return "type 'supremum explain' for dtypes"
    if (word := "-" if path.startswith("/dev/") else path) in _WORDS:
        return _WORDS[word]
    if Path(file := path.partition(":")[0]).is_file():
        return f"each finding names its line: type supremum audit {file}"
    if {*"*?"} & {*path}:
        return "a run is of one program: give the path of a file"
    if Path(path.partition(" ")[0]).is_file():
        return "leave the quotes out, so that its arguments stand after it"
    beside = {f.stem: f.name for f in Path(path).parent.glob("*") if f.suffix in _PROGRAMS}
    if close := did_you_mean(Path(path).stem, sorted(beside))[1]:
        return f"did you mean {' or '.join(beside[stem] for stem in close)}?"
    return "give the path of a file, or -m MODULE"


def _in_folder(folder: Path, path: str) -> str:
    """Return what to type for a folder that is not a program."""
    if any(folder.rglob("test_*.py")):
        return f"it has tests: type supremum audit -m pytest {path}"
    mains = sorted(folder.glob("*/__main__.py"))
    if mains:
        return f"go to {path!r}, and type supremum audit -m {mains[0].parent.name}"
    if (folder / "__init__.py").is_file():
        return f"type supremum sweep {folder.name} for the functions of a package, or name a script"
    scripts = sorted(file.name for file in folder.glob("*.py"))
    return f"name a script, such as {Path(path) / scripts[0]}" if scripts else "name a script"


def _notebook(file: Path, argv: list[str]) -> Program:
    from . import notebooks

    cells = notebooks.read(str(file), argv[0])
    folder = str(file.resolve().parent)
    return Program(str(file), None, "", argv, folder, folder, cells)


def _is_archive(file: str) -> bool:
    """Return whether Python would run a file as an archive of modules."""
    try:
        zipimporter(file)
    except ZipImportError:
        return False
    return True


def module(name: str, arguments: Sequence[str]) -> Program:
    """Return the program of a module, as ``python -m`` would find it.

    Raises:
        RulesError: where there is no such module, or it has no code to run.
    """
    here = str(Path.cwd())
    spec = _find(name, [here, *sys.path])
    if spec is not None and spec.submodule_search_locations is not None:
        spec = _find(f"{name}.__main__", [here, *sys.path])
    if spec is None or not spec.origin or not Path(spec.origin).is_file():
        raise RulesError(f"there is no module {name!r} to run{_below(name)}", name)
    root = Path(spec.origin).resolve().parents[spec.name.count(".")]
    _check(spec.origin, import_hook.checked)
    return Program(spec.origin, None, name, ["-m", *arguments], here, str(root))


_ENDS: Final = (".py", "/__main__.py", "/__init__.py")


def _below(name: str) -> str:
    """Return what to type for a module that a folder below the current one may have."""
    file = name.replace(".", "/")
    found = next((x for end in _ENDS for x in Path().glob(f"*/{file}{end}")), None)
    if found is None:
        return "; give a script, or -m MODULE"
    return f"; it is in {found.parts[0]}: type cd {found.parts[0]} before the command"


def _find(name: str, path: Sequence[str] | None) -> importlib.machinery.ModuleSpec | None:
    """Return the specification of a module, without importing what it is in."""
    parts = name.split(".")
    spec = None
    for end in range(1, len(parts) + 1):
        try:
            spec = importlib.machinery.PathFinder.find_spec(".".join(parts[:end]), path)
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        path = spec.submodule_search_locations or []
    return spec


def is_there(name: str, program: Program) -> bool:
    """Return whether a program could import a module, without importing it."""
    return _find(name, [program.path, *sys.path[1:]]) is not None


def _check(
    file: str, compiled: Callable[[bytes, str], CodeType] = import_hook.compiled
) -> CodeType:
    """Return the code of a file: watched, where it is to run."""
    try:
        with io.open_code(file) as opened:
            source = opened.read()
    except OSError as error:
        raise RulesError(f"{file} cannot be read: {error.strerror}", file) from None
    try:
        return compiled(source, file)
    except SyntaxError as error:
        where = f"{file}:{error.lineno}" if error.lineno else file
        raise RulesError(f"{where}: not Python: {error.msg}{_excerpt(error)}", file) from None
    except ValueError as error:
        raise RulesError(f"{file}: not Python: {error}", file) from None


def _excerpt(error: SyntaxError) -> str:
    """Return the line that is not Python, with a caret, as lines of their own."""
    line = (error.text or "").rstrip("\n")
    if not line.strip():
        return ""
    indent = len(line) - len(line.lstrip())
    caret = max((error.offset or 1) - 1 - indent, 0)
    return f"\n    {line.strip()}\n    {' ' * caret}^"


def finder(program: Program, include: Sequence[str] = ()) -> UserFinder:
    """Return what finds the modules of a program that are to be watched.

    Args:
        program: the program.
        include: the installed packages to look inside.
    """
    files = [program.file] if program.code is not None else []
    return UserFinder(user_code.roots(program.root), include, files)


def run(program: Program, recorder: Recorder, finder: UserFinder) -> int:
    """Run a program to its end, threads and exit handlers too; returns its exit code.

    What it prints, and how it fails, is as without the audit. It becomes the main program of this
    process.

    Args:
        program: the program.
        recorder: hears what its modules do.
        finder: finds the modules that are watched.
    """
    main = _become(program)
    hide_from_pytest()
    with _watching(finder, recorder), _room(), _threads_noted(recorder):
        code = _code_of_exit(program, main, finder, recorder)
        return shutdown.end_of_program(code)


def run_notebook(file: str, arguments: Sequence[str]) -> int:
    """Run a notebook to the end of this process, unwatched; returns its exit code.

    A fix compares what it gives and takes with what it gives and takes once it is changed.

    Args:
        file: its path.
        arguments: what it finds in `sys.argv` after its name.
    """
    program = script(file, arguments)
    ModuleIsolation(program.path).begin()
    main = _become(program)
    hide_from_pytest()
    with _room():
        code = shutdown.end_of_program(_code_of_exit(program, main, None, None))
    shutdown.as_interrupted()
    return code


def run_here(program: Program, recorder: Recorder, watching: UserFinder | None = None) -> int:
    """Run a program within another, which goes on after it; returns its exit code. See `run`."""
    before = list(sys.argv), sys.modules["__main__"], list(sys.path)
    main = _become(program)
    try:
        found = watching or finder(program)
        with _watching(found, recorder):
            _run(program, main, found)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:
        note(error, recorder)
        raise
    finally:
        sys.argv[:], sys.modules["__main__"], sys.path[:] = before
    return 0


def _become(program: Program) -> ModuleType:
    """Make a program the main one, and return its module."""
    main = ModuleType("__main__")
    vars(main).update(
        __loader__=importlib.machinery.SourceFileLoader("__main__", program.file),
        __annotations__={},
        __builtins__=sys.modules["builtins"],
    )
    if program.code is not None:
        vars(main).update(__file__=program.file, __cached__=None)
    sys.argv[:] = program.argv
    sys.modules["__main__"] = main
    if not sys.flags.safe_path:
        sys.path[0] = program.path
    elif program.name == "__main__":
        sys.path.insert(0, program.path)
    return main


def _run(program: Program, main: ModuleType, finder: UserFinder | None) -> None:
    if program.notebook is not None:
        from . import notebooks

        notebooks.run(program.notebook, main, finder)
    elif program.code is not None:
        import_hook.run(program.code, vars(main))
    else:
        runpy._run_module_as_main(program.name, program.name != "__main__")  # type: ignore[attr-defined]  # noqa: SLF001  # what -m does, whose frames are in tracebacks


@contextmanager
def _watching(finder: UserFinder, recorder: Recorder) -> Iterator[None]:
    undo = import_hook.watch_imports(finder)
    before = hooks.activate(recorder)
    if before is None:
        hooks.forget()  # what a program kept that stopped: its frames' numbers come up again
    try:
        yield
    finally:
        hooks.activate(before)
        undo()


def hide_from_pytest() -> None:
    """Have pytest not warn that our package, which brings a plugin, is imported already."""
    package = sys.modules[import_hook.PACKAGE]
    if "PYTEST_DONT_REWRITE" not in (package.__doc__ or ""):
        package.__doc__ = f"{package.__doc__ or ''}\n\nPYTEST_DONT_REWRITE\n"


@contextmanager
def _room() -> Iterator[None]:
    """Let a program call as deep as it could if nothing had called it."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001  # there is no other way to ask
    depth = 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + depth)
    try:
        yield
    finally:
        if sys.getrecursionlimit() == before + depth:
            sys.setrecursionlimit(before)


@contextmanager
def _threads_noted(recorder: Recorder) -> Iterator[None]:
    """Write down why threads end, unless the program has a hook of its own for that."""
    as_it_is = threading.excepthook

    def noted(given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None:
            failure = recorder.failure
            note(given.exc_value, recorder)
            recorder.failure = failure  # the program goes on
        as_it_is(given)

    threading.excepthook = noted
    try:
        yield
    finally:
        if threading.excepthook is noted:
            threading.excepthook = as_it_is


def note(error: BaseException, recorder: Recorder) -> None:
    """Write down why a program stopped, if an operation on arrays was refused."""
    from ..stops import stops  # most programs end well, and need not wait for it

    stops.note(error, recorder)


def _code_of_exit(
    program: Program, main: ModuleType, finder: UserFinder | None, recorder: Recorder | None
) -> int:
    try:
        _run(program, main, finder)
    except SystemExit as error:
        return shutdown.exit_code(error)
    except BaseException as error:  # noqa: BLE001  # as Python does with what a program raises
        if recorder is not None:
            note(error, recorder)
        return shutdown.tell(error, is_shown=program.notebook is not None)
    return 0

"""Running a program as Python would, with probes in it."""

from __future__ import annotations

import atexit
import importlib.machinery
import importlib.util
import io
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import NamedTuple

from supremum.audit import load, probes
from supremum.audit.session import Session
from supremum.errors import RulesError


class Program(NamedTuple):
    """A program that is ready to run.

    Attributes:
        code: its main module, watched.
        file: the path of that.
        argv: what `sys.argv` is to be.
        path: what comes first on `sys.path`.
        spec: the specification of a module that is run by its name, else None.
        root: the folder of the user's own code.
    """

    code: CodeType
    file: str
    argv: list[str]
    path: str
    spec: importlib.machinery.ModuleSpec | None
    root: str


def script(path: str, arguments: Sequence[str]) -> Program:
    """Return the program of a file.

    Raises:
        RulesError: where there is no such file, it cannot be read, or is no Python.
    """
    file = Path(path)
    if file.is_dir() and (file / "__main__.py").exists():
        file /= "__main__.py"
    if not file.is_file():
        raise RulesError(f"there is no script {path!r}; give the path of a file, or -m MODULE", path)
    folder = str(file.resolve().parent)
    return Program(_code(str(file)), str(file), [path, *arguments], folder, None, folder)


def module(name: str, arguments: Sequence[str]) -> Program:
    """Return the program of a module, as ``python -m`` would find it.

    Raises:
        RulesError: where there is no such module, or it has no code to run.
    """
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            name = f"{name}.__main__"
            spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError) as error:
        raise RulesError(f"module {name!r} cannot be found: {error}", name) from None
    finally:
        sys.path.remove(here)
    if spec is None or not spec.origin or not Path(spec.origin).is_file():
        raise RulesError(f"there is no module {name!r} to run; give a script, or -m MODULE", name)
    root = Path(spec.origin).resolve().parents[name.count(".")]
    code = _code(spec.origin)
    return Program(code, spec.origin, [spec.origin, *arguments], here, spec, str(root))


def _code(file: str) -> CodeType:
    try:
        with io.open_code(file) as opened:
            source = opened.read()
    except OSError as error:
        raise RulesError(f"{file} cannot be read: {error.strerror}", file) from None
    try:
        return load.compiled(source, file)
    except SyntaxError as error:
        raise RulesError(f"{file}:{error.lineno}: no Python: {error.msg}", file) from None
    except ValueError as error:
        raise RulesError(f"{file}: no Python: {error}", file) from None


def run(program: Program, session: Session, include: Sequence[str] = ()) -> int:
    """Run a program to its end, threads and exit handlers too; returns its exit code.

    Its modules are watched as they are imported: those under its folder, and the packages of
    `include`. What it prints, and how it fails, is as without. It becomes the main program of
    this process.
    """
    main = _become(program)
    with _watching(program, session, include):
        code = _code_of_exit(program.code, main)
        _end_of_program()
    return code


def run_here(program: Program, session: Session, include: Sequence[str] = ()) -> None:
    """Run a program within another, which goes on after it."""
    before = list(sys.argv), sys.modules["__main__"], sys.path[0]
    main = _become(program)
    try:
        with _watching(program, session, include):
            load.run(program.code, vars(main))
    except SystemExit:
        pass
    finally:
        sys.argv[:], sys.modules["__main__"], sys.path[0] = before


def _become(program: Program) -> ModuleType:
    """Make a program the main one, and return its module."""
    loader = importlib.machinery.SourceFileLoader("__main__", program.file)
    main = ModuleType("__main__")
    vars(main).update(
        __file__=program.file,
        __builtins__=sys.modules["builtins"],
        __spec__=program.spec,
        __loader__=program.spec.loader if program.spec else loader,
        __cached__=None,
    )
    if program.spec is not None:
        main.__package__ = program.spec.parent
    sys.argv[:] = program.argv
    sys.modules["__main__"] = main
    sys.path[0] = program.path
    return main


@contextmanager
def _watching(program: Program, session: Session, include: Sequence[str]) -> Iterator[None]:
    undo = load.watch_imports(load.Finder([program.root], include))
    before = probes.activate(session)
    try:
        yield
    finally:
        probes.activate(before)
        undo()


def _code_of_exit(code: CodeType, main: ModuleType) -> int:
    try:
        load.run(code, vars(main))
    except SystemExit as error:
        return _exit_code(error)
    except KeyboardInterrupt as error:
        _tell(error)
        return 130
    except BaseException as error:  # noqa: BLE001  # as Python does with what a program raises
        _tell(error)
        return 1
    return 0


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)  # noqa: T201  # Python prints it, too
    return 1


def _tell(error: BaseException) -> None:
    """Hand an exception to `sys.excepthook`, with the program's own frames alone."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None and _is_ours(trace):
        trace = trace.tb_next
    error.__traceback__ = trace
    try:
        sys.excepthook(type(error), error, trace)
    except BaseException:  # noqa: BLE001  # a program's own hook may fail
        traceback.print_exc()
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace


def _is_ours(trace: TracebackType) -> bool:
    return os.path.dirname(trace.tb_frame.f_code.co_filename) == os.path.dirname(__file__)  # noqa: PTH120  # a path is text here


def _end_of_program() -> None:
    """Wait for the program's threads and run its exit handlers, as Python does at its end."""
    shut = getattr(threading, "_shutdown", None)
    if shut is not None:
        shut()
    run_exit = getattr(atexit, "_run_exitfuncs", None)
    if run_exit is not None:
        run_exit()

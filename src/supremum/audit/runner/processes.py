"""The processes that a program starts: each Python among them is watched, as the program is.

A variable of the environment names the folder where they write down what they find, and
``PYTHONPATH`` has them run `begin` before anything else, which the module ``sitecustomize`` calls.
"""

from __future__ import annotations

import os
import pickle
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

from ..log import hooks
from ..log.fork import Forks
from ..log.recorder import Recorder
from ..probes import import_hook
from .user_code import UserFinder, missed_by
from .watching import Elsewhere, files_of, imports_arrays, stops_of

if TYPE_CHECKING:
    from ..options import Options

VARIABLE: Final = "SUPREMUM_AUDIT"
"""The variable that names the folder."""

STARTUP: Final = str(Path(__file__).with_name("startup"))
"""The folder that has a ``sitecustomize``."""

_ASKED: Final = "asked.pickle"
_STARTS: Final = {"subprocess.Popen": (0, 1, 3), "os.posix_spawn": (0, 1, 2), "os.exec": (0, 1, 2)}
_MOST_SHOWN: Final = 60  # characters of a command


class Processes(Forks):
    """Follows the processes of a program, and collects what they find.

    Args:
        recorder: the recorder of this process.
        finder: what finds the modules of this process.
        asked: what the audit is asked to do.
        folder: the folder, in a process that another one started.
    """

    def __init__(
        self, recorder: Recorder, finder: UserFinder, asked: Options, folder: str = ""
    ) -> None:
        super().__init__(recorder, folder, self._more_to_say)
        self._here = recorder
        self._finder = finder
        self._asked = asked
        self._lost: dict[str, str] = {}
        self._listens = False

    def _more_to_say(self) -> Elsewhere:
        finder = self._finder
        return Elsewhere(
            files_of(finder),
            tuple(missed_by(finder)),
            1,
            tuple(self._lost.items()),
            imports_arrays(),
            tuple(stops_of(self._here)),
        )

    def collect(self) -> Elsewhere:  # type: ignore[override]  # it knows what they say
        """Take over what other processes found, and return what they watched."""
        return self._joined(super().collect())

    def _joined(self, others: Sequence[Elsewhere]) -> Elsewhere:
        return Elsewhere(
            frozenset().union(*(other.files for other in others)),
            tuple(missed for other in others for missed in other.missed),
            len(others),
            tuple({**self._lost, **dict(lost for other in others for lost in other.lost)}.items()),
            any(other.libraries for other in others),
            tuple(dict.fromkeys(stop for other in others for stop in other.stops)),
        )

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Have the processes that are started in the meantime watched."""
        before = {name: os.environ.get(name) for name in (VARIABLE, "PYTHONPATH")}
        asked = self._asked, self._finder.roots, self._finder.include
        Path(self.folder(), _ASKED).write_bytes(pickle.dumps(asked))
        os.environ[VARIABLE] = self.folder()
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [STARTUP, before["PYTHONPATH"]]))
        self.listen()
        try:
            yield
        finally:
            self._listens = False
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value

    def listen(self) -> None:
        """Take note of the processes that are started such that they cannot be watched."""
        self._listens = True
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STARTS and self._listens:
            with suppress(Exception):  # the program starts it all the same
                program, words, environment = (arguments[place] for place in _STARTS[event])
                words = [os.fsdecode(w) for w in ([words] if isinstance(words, str) else words)]
                reason = why_lost(os.fsdecode(program or words[0]), words, environment)
                if reason:
                    command = " ".join(words)
                    is_long = len(command) > _MOST_SHOWN
                    short = f"{command[:_MOST_SHOWN]}..." if is_long else command
                    self._lost[short] = reason


def why_lost(program: str, words: Sequence[str], environment: Mapping[Any, Any] | None) -> str:
    """Return why a process that is started will not be watched, or ``""`` if it may be.

    >>> why_lost("/usr/bin/python3", ["python3", "-I", "x.py"], None)
    'it is run with -I, which keeps the audit out'
    """
    if not Path(program).name.lower().startswith(("python", "pypy")):
        return ""
    flags = iter(words[1:])
    for word in flags:
        if word in ("-W", "-X"):
            next(flags, None)
            continue
        if not word.startswith("-") or word.startswith("--") or word in ("-", "-c", "-m"):
            break
        for flag in "IES":
            if flag in word.partition("c")[0] and word[1] not in "WX":
                return f"it is run with -{flag}, which keeps the audit out"
    if environment is not None:
        names = {os.fsdecode(name) for name in environment}
        if not {VARIABLE, "PYTHONPATH"} <= names:
            return "its environment was replaced, so that it knows nothing of the audit"
    return ""


def begin() -> None:
    """Begin to watch this process, which one that is audited started."""
    folder = os.environ.get(VARIABLE, "")
    if not folder or not Path(folder, _ASKED).is_file() or _is_no_program(sys.orig_argv):
        return
    finder, recorder, asked = _as_asked(folder)
    script = sys.argv[0] if sys.argv else ""
    if script not in ("", "-", "-c", "-m") and Path(script).is_file():
        flags = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv)]
        runner = str(Path(STARTUP, "run_script.py"))
        os.execv(sys.executable, [sys.executable, *flags, runner, *sys.argv])  # noqa: S606  # the same Python
    import atexit

    from .program import hide_from_pytest

    hide_from_pytest()
    processes = _follow(finder, recorder, asked, folder)
    atexit.register(processes.write)
    import_hook.watch_imports(finder)
    hooks.activate(recorder)
    _watch_main(finder)


def script_in_child() -> int:
    """Run the script that `sys.argv` names, in a process that one that is audited started.

    Returns:
        The exit code.
    """
    from . import endings, program, shutdown
    from .isolation import ModuleIsolation

    folder = os.environ[VARIABLE]
    arguments = sys.argv[1:]
    found = program.script(arguments[0], arguments[1:])
    finder, recorder, asked = _as_asked(folder, [found.file])
    processes = _follow(finder, recorder, asked, folder)

    def finish(code: int) -> int:
        processes.write()
        return code

    isolation = ModuleIsolation(found.path)
    with endings.reported(finish):
        isolation.begin()
        code = program.run(found, recorder, finder)
    finish(code)
    shutdown.as_interrupted()
    return code


def lose(error: BaseException) -> None:
    """Write down that this process is not watched."""
    folder = os.environ.get(VARIABLE, "")
    lost = " ".join(sys.orig_argv)[:_MOST_SHOWN], f"{type(error).__name__}: {error}"
    with suppress(OSError):
        found: Any = 0, [], [], [], Elsewhere(lost=(lost,))
        Path(folder, f"{os.getpid()}.found").write_bytes(pickle.dumps(found))


def _is_no_program(words: Sequence[str]) -> bool:
    """Return whether a process only serves others, or is an audit of its own."""
    command = " ".join(words)
    own = " -m supremum" in command or any(Path(word).name == "supremum" for word in words[1:3])
    return own or "resource_tracker import main" in command or "run_script.py" in command


def _as_asked(folder: str, files: Sequence[str] = ()) -> tuple[UserFinder, Recorder, Options]:
    asked, roots, include = pickle.loads(Path(folder, _ASKED).read_bytes())  # noqa: S301  # the process that is audited wrote it
    return UserFinder(roots, include, files), asked.recorder(), asked


def _follow(finder: UserFinder, recorder: Recorder, asked: Options, folder: str) -> Processes:
    processes = Processes(recorder, finder, asked, folder)
    processes.listen()
    processes.write()
    return processes


def _watch_main(finder: UserFinder) -> None:
    """Have the main module of a program watched where `multiprocessing` runs it once more."""
    as_it_is: Callable[..., Any] = runpy._get_code_from_file  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other hook

    def watched(*arguments: str) -> Any:
        found = as_it_is(*arguments)
        code, file = found if isinstance(found, tuple) else (found, arguments[-1])
        if not isinstance(code, CodeType) or not finder.watches("__mp_main__", file):
            return found
        code = import_hook.compiled(Path(file).read_bytes(), file)
        finder.watched[file] = "__mp_main__"
        return (code, file) if isinstance(found, tuple) else code

    runpy._get_code_from_file = watched  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other hook

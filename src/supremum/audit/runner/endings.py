"""Ends that skip what Python does last: `os._exit`, `os.execv`, and signals that end a process.

While a program is audited, its report is written before any of these.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)

Finish = Callable[[int], int]
"""Writes the report; takes the exit code of the program, and returns that of the process."""


class Endings:
    """Writes the report wherever a process ends without Python's own end.

    Args:
        finish: writes the report.
    """

    def __init__(self, finish: Finish) -> None:
        self._finish = finish
        self._pid = os.getpid()
        self._real: dict[str, Any] = {"_exit": os._exit}
        if hasattr(os, "posix_spawn"):
            self._real.update(execv=os.execv, execve=os.execve)
        os.register_at_fork(after_in_child=self._in_child)

    def begin(self) -> None:
        """Take the place of what ends a process."""
        for name in self._real:
            setattr(os, name, getattr(self, name))
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                with suppress(ValueError):  # not the main thread
                    signal.signal(number, self._die)

    def end(self) -> None:
        """Put everything back."""
        for name, real in self._real.items():
            if getattr(os, name) == getattr(self, name):
                setattr(os, name, real)
        self._let_signals_go()

    def _let_signals_go(self) -> None:
        for number in _SIGNALS:
            if signal.getsignal(number) == self._die:
                with suppress(ValueError):
                    signal.signal(number, signal.SIG_DFL)

    def _in_child(self) -> None:
        self._let_signals_go()

    def _written(self, code: int) -> int:
        try:
            return self._finish(code)
        except BaseException:  # noqa: BLE001  # the process ends, and must not seem to be clean
            traceback.print_exc()
            return code or 1

    def _exit(self, status: int) -> NoReturn:
        """End this process at once, as `os._exit` does."""
        code = self._written(status & 0xFF)
        self._real["_exit"](code)
        raise AssertionError

    def execv(self, path: Any, args: Sequence[Any], /) -> NoReturn:
        """Run another program in the place of this one, as `os.execv` does."""
        self.execve(path, args, os.environ)

    def execve(self, path: Any, args: Sequence[Any], env: Mapping[Any, Any]) -> NoReturn:
        """Run another program in the place of this one, as `os.execve` does.

        It is run as a child that this process waits for: the report has what it does, too.
        """
        if os.getpid() != self._pid or isinstance(path, int):
            self._written(0)
            self._real["execve"](path, args, env)
        child = os.posix_spawn(path, list(args), env)

        def pass_on(number: int, _: FrameType | None) -> None:
            with suppress(ProcessLookupError):
                os.kill(child, number)

        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGINT, lambda *_: None)  # a terminal sends it to both
            for number in _SIGNALS:
                signal.signal(number, pass_on)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code < 0:
            self._written(128 - code)
            die(-code)
        self._real["_exit"](self._written(code))
        raise AssertionError

    def _die(self, number: int, _: FrameType | None) -> None:
        self._written(128 + number)
        die(number)


def die(number: int) -> None:
    """End this process by a signal, as if nobody had handled it."""
    with suppress(OSError):  # nobody can handle SIGKILL
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


@contextmanager
def reported(finish: Finish) -> Iterator[None]:
    """Have the report written wherever the process ends in the meantime."""
    endings = Endings(finish)
    endings.begin()
    try:
        yield
    finally:
        endings.end()

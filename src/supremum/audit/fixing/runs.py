"""Runs of a program, each in a process of its own: as it is, or audited."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

_PATIENCE: Final = (30.0, 10.0)
"""How long a changed program may take: so many seconds, and so many times as long as before."""

# It is much smaller than any program, which would else count what this process takes as its own.
_MEASURE: Final = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
start = time.perf_counter()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, setsigdef=[signal.SIGINT])
_, status, used = os.wait4(child, 0)
code = os.waitstatus_to_exitcode(status)
with open(sys.argv[1], "w") as told:
    told.write(f"{code} {time.perf_counter() - start} {used.ru_maxrss}")
"""


class Run(NamedTuple):
    """What came of a run.

    Attributes:
        status: the exit status; negative for a signal, None if the program did not end in time.
        output: what it printed.
        errors: what it wrote to standard error.
        seconds: how long it took.
        peak: the most memory that it took at a time, in bytes, or None if that is not known.
        report: the report of the audit, or None.
        files: what the files that are compared hold, by their names; None for one that it did not
            write.
        result: what a function returned, or None.
    """

    status: int | None
    output: str
    errors: str
    seconds: float
    peak: int | None
    report: dict[str, Any] | None = None
    files: dict[str, bytes | None] = {}  # noqa: RUF012  # no one changes it
    result: Any = None

    @property
    def last_line(self) -> str:
        """The last line that it wrote to standard error."""
        return (self.errors.strip().splitlines() or [""])[-1].strip()

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        if self.status is None:
            return f"does not end within {self.seconds:.0f} seconds"
        told = f"ends with exit status {self.status}"
        if self.status < 0:
            told = f"is ended by signal {-self.status}"
        return f"{told} ({self.last_line})" if self.status and self.last_line else told


class Runner:
    """Runs one program again and again, with the same input.

    Args:
        plain: the words that run the program.
        audited: the words that name it to the audit, options included.
        compared: the files that it writes, and that are compared.
        result: the file to which the result of a function is pickled, if it is one.
        env: variables that it gets besides those of this process.
        reads: whether it is given what this process can read.
    """

    def __init__(
        self,
        plain: Sequence[str],
        audited: Sequence[str],
        *,
        compared: Sequence[str] = (),
        result: Path | None = None,
        env: dict[str, str] | None = None,
        reads: bool = True,
    ) -> None:
        self._plain = [sys.executable, *plain]
        self._audited = [sys.executable, "-m", "supremum", "audit"]
        self._named = list(audited)
        self._compared = compared
        self._result = result
        self._env = {"PYTHONHASHSEED": "0", **os.environ, **(env or {})}
        self._limit: float | None = None
        self._input = Input(reads=reads)

    @property
    def has_input(self) -> bool:
        """Whether the program is given anything to read."""
        return self._input.is_given

    def plain(self) -> Run:
        """Run the program as it is."""
        return self._run(self._plain)

    def audited(self) -> Run:
        """Run the program with the audit."""
        handle, report = tempfile.mkstemp(suffix=".json", prefix="supremum-fix-")
        os.close(handle)
        try:
            options = ["--fail-on", "none", "--on-finding", "report", "-f", "json", "-o", report]
            run = self._run([*self._audited, *options, *self._named])
            if self._limit is None:
                self._limit = _PATIENCE[0] + _PATIENCE[1] * run.seconds
            told = None
            with suppress(OSError, ValueError):  # nothing was written
                told = json.loads(Path(report).read_text(encoding="utf-8"))
            return run._replace(report=told)
        finally:
            with suppress(OSError):
                Path(report).unlink()

    def _run(self, words: Sequence[str]) -> Run:
        before = {name: _stamp(name) for name in self._compared}
        if self._result is not None:
            self._result.unlink(missing_ok=True)
        with (
            tempfile.TemporaryFile() as output,
            tempfile.TemporaryFile() as errors,
            tempfile.TemporaryDirectory() as folder,
        ):
            told = Path(folder, "measured")
            measured = os.name == "posix"
            shim = [sys.executable, "-I", "-S", "-c", _MEASURE, str(told)] if measured else []
            start = time.perf_counter()
            status = self._ended([*shim, *words], output, errors)
            seconds, peak = time.perf_counter() - start, None
            if measured and told.exists() and status is not None:
                code, took, used = told.read_text().split()
                status, seconds = int(code), float(took)
                peak = int(used) * (1 if sys.platform == "darwin" else 1024)
            files = {
                name: Path(name).read_bytes() if _stamp(name) not in (None, stamp) else None
                for name, stamp in before.items()
            }
            return Run(
                status, _text(output), _text(errors), seconds, peak, None, files, self._returned()
            )

    def _ended(self, words: Sequence[str], output: Any, errors: Any) -> int | None:
        """Run some words to their end; returns the exit status, or None if that took too long."""
        group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        process = subprocess.Popen(  # noqa: S603  # the program that we were asked to run
            words, stdin=self._input.handle(), stdout=output, stderr=errors, env=self._env, **group
        )
        try:
            self._input.fed(process)
            return process.wait(self._limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                _end(process)

    def _returned(self) -> Any:
        if self._result is None or not self._result.exists():
            return None
        import pickle

        return pickle.loads(self._result.read_bytes())  # noqa: S301  # our own process wrote it


class Input:
    """What this process is given to read, kept for every run."""

    def __init__(self, *, reads: bool) -> None:
        self._data: bytes | None = None
        self._parts: list[bytes] = []
        self._source = self._given() if reads else None

    @staticmethod
    def _given() -> int | None:
        """Return what standard input is read from, or None if a person sits there, or nobody."""
        try:
            number = sys.__stdin__.fileno() if sys.__stdin__ is not None else None
            return None if number is None or os.isatty(number) else number
        except (OSError, ValueError):
            return None

    @property
    def is_given(self) -> bool:
        """Whether there is anything to read."""
        return self._source is not None and (self._data or b"".join(self._parts)) != b""

    def handle(self) -> int:
        """Return what a process is to be given."""
        return subprocess.DEVNULL if self._source is None else subprocess.PIPE

    def fed(self, process: subprocess.Popen[bytes]) -> None:
        """Give a process its input: as it comes for the first one, and what came for others."""
        if self._source is None:
            return
        first = self._data is None
        if first:
            threading.Thread(target=self._relayed, args=(process.stdin,), daemon=True).start()
            process.wait()
            self._data = b"".join(self._parts)
        else:
            kept = self._data
            threading.Thread(target=_give, args=(process.stdin, [kept]), daemon=True).start()

    def _relayed(self, pipe: Any) -> None:
        _give(pipe, self._read())

    def _read(self) -> Any:
        """Yield what comes, and keep it."""
        if self._source is None:
            return
        while True:
            try:
                part = os.read(self._source, 1 << 16)
            except OSError:
                return
            if not part:
                return
            self._parts.append(part)
            yield part


def _give(pipe: Any, parts: Any) -> None:
    """Write to a process until it ends."""
    with suppress(OSError, ValueError):
        for part in parts:
            pipe.write(part)
            pipe.flush()
    with suppress(OSError, ValueError):
        pipe.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it has started."""
    if os.name != "posix":
        process.kill()
        process.wait()
        return
    for number, patience in ((signal.SIGINT, 2.0), (signal.SIGKILL, 10.0)):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)


def _text(file: Any) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").replace("\r\n", "\n")  # type: ignore[no-any-return]  # it is text


def _stamp(name: str) -> tuple[int, int, int] | None:
    try:
        status = Path(name).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

"""Runs of a program, each in a process of its own, and whether two of them give the same."""

from __future__ import annotations

import json
import os
import pickle
import re
import select
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from ..log.samples import SampledRow, read_samples
from .comparison import (
    Tolerance,
    file_differences,
    only_states,
    text_differences,
    value_differences,
)

_PATIENCE: Final = (30.0, 10.0)  # unless a runner is given other
_EXCEPTION: Final = re.compile(r"^[\w.]*(?:Error|Exception): .*\S", re.MULTILINE)
_NO_DATA: Final = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages"})
_SOURCES: Final = (".py", ".pyc", ".ipynb", ".orig", ".so")
_MOST_FILES: Final = 4_096
_LARGEST: Final = 1 << 26  # bytes

Stamp = tuple[int, int, int]
"""When a file was changed last, how large it is, and which one it is."""

_WAIT: Final = 1.0  # seconds, for a pipe that nothing comes from

# It is much smaller than any program, which would else count what this process takes as its own.
_MEASURE: Final = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
start = time.perf_counter()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, setsigdef=[signal.SIGINT])
_, status, used = os.wait4(child, 0)
code = os.waitstatus_to_exitcode(status)
with open(sys.argv[1], "w") as measured:
    measured.write(f"{code} {time.perf_counter() - start} {used.ru_maxrss}")
"""
_CAN_MEASURE: Final = hasattr(os, "wait4") and hasattr(os, "posix_spawn")


class Run(NamedTuple):
    """What came of a run.

    Attributes:
        status: the exit status; negative for a signal, None if the program did not end in time.
        output: what it printed.
        errors: what it wrote to standard error.
        seconds: how long it took.
        peak: the most memory that it took at a time, in bytes, or None if that is not known.
        report: the report of the audit, or None.
        rows: samples of what operations gave, if it was audited.
        files: what the files that are compared hold, by their names; None for one that it did not
            write.
        result: what a function returned, or None.
        uncompared: the names of those files that nobody can compare.
    """

    status: int | None
    output: str
    errors: str
    seconds: float
    peak: int | None
    report: dict[str, Any] | None = None
    files: dict[str, bytes | None] = {}  # noqa: RUF012  # no one changes it
    result: Any = None
    rows: Sequence[SampledRow] = ()
    uncompared: frozenset[str] = frozenset()

    @property
    def printed(self) -> int:
        """How many lines it printed, without blank ones."""
        return sum(not line.isspace() for line in self.output.splitlines(keepends=True))

    @property
    def last_line(self) -> str:
        """The last line that it wrote to standard error."""
        return (self.errors.strip().splitlines() or [""])[-1].strip()

    @property
    def error(self) -> str:
        """The line of standard error that names the exception, or else the last one."""
        found: list[str] = _EXCEPTION.findall(self.errors)
        return found[-1] if found else self.last_line

    @property
    def exception(self) -> str:
        """The name of the exception that ended it, or ``""``."""
        found = _EXCEPTION.search(self.errors) if self.status else None
        return self.error.partition(":")[0] if found else ""

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        if self.status is None:
            return f"does not end within {self.seconds:.0f} seconds"
        how = f"ends with exit status {self.status}"
        if self.status < 0:
            how = f"is ended by signal {-self.status}"
        return f"{how} ({self.error})" if self.status and self.error else how

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to compare: it prints nothing, and gives nothing else."""
        is_written = self.files.keys() > self.uncompared
        return not (self.output.strip() or is_written or self.result is not None)

    def findings(self, kind: str = "") -> list[dict[str, Any]]:
        """Return the findings of the audit, all or those of a kind."""
        found = (self.report or {}).get("findings", ())
        return [finding for finding in found if kind in ("", finding["kind"])]


def differ(before: Run, after: Run, within: Tolerance) -> str:
    """Return where two runs differ first, or ``""``; see `differences`."""
    return next(differences(before, after, within), "")


def differences(before: Run, after: Run, within: Tolerance) -> Iterator[str]:
    """Yield where two runs differ in what they print, return, or write to files.

    A program that failed, and fails no more, prints what it printed, and may go on.
    """
    goes_on = bool(before.status) and after.status == 0
    yield from text_differences(before.output, after.output, within, goes_on=goes_on)
    for name, content in before.files.items():
        if name in before.uncompared:
            continue
        other = after.files.get(name)
        if (content is None) != (other is None):
            yield f"{name} is not written{'' if other is None else ' before'}"
        else:
            yield from file_differences(name, content or b"", other or b"", within)
    yield from value_differences(before.result, after.result, within)


def states(before: Run, after: Run, within: Tolerance) -> bool:
    """Return whether two runs differ in no result, but in words and sizes that they print."""
    is_said = only_states(before.output, after.output, within)
    return is_said and not differ(before, after._replace(output=before.output), within)


class Runner:
    """Runs one program again and again, with the same input.

    Args:
        plain: the words that run the program.
        audited: the words that name it to the audit, options included.
        compared: the files that it writes, and that are compared.
        folders: where others that it writes are looked for, in its first run. Those elsewhere are
            known if Python opens them.
        result: the file to which the result of a function is pickled, if it is one.
        reads: whether it is given what this process can read.
        patience: how long a changed program may take: so many seconds, and so many times as long
            as before.

    Attributes:
        found: the files that were found to be written in the first run.
        uncompared: those of them that nobody can compare.
    """

    def __init__(
        self,
        plain: Sequence[str],
        audited: Sequence[str],
        *,
        compared: Sequence[str] = (),
        folders: Sequence[Path] = (),
        result: Path | None = None,
        reads: bool = True,
        patience: tuple[float, float] | None = None,
    ) -> None:
        self._patience = patience or _PATIENCE
        self._plain = [sys.executable, *plain]
        self._audited = [sys.executable, "-m", "supremum", "audit"]
        self._named = list(audited)
        self._compared = list(compared)
        self._folders = folders
        self._is_first = bool(folders)
        self.found: tuple[str, ...] = ()
        self.uncompared: frozenset[str] = frozenset()
        self._result = result
        self._env = {"PYTHONHASHSEED": "0", **os.environ}
        self._limit: float | None = None
        self._input = _input_file() if reads else None

    def plain(self) -> Run:
        """Run the program as it is."""
        return self._run(self._plain)

    def audited(self) -> Run:
        """Run the program with the audit."""
        with tempfile.TemporaryDirectory(prefix="supremum-fix-") as folder:
            report = Path(folder, "report.json")
            rows = Path(folder, "rows.json")
            options = ["--fail-on", "none", "--on-finding", "report", "-f", "json"]
            files = ["-o", str(report), "--samples", str(rows)]
            run = self._run([*self._audited, *options, *files, *self._named])
            with suppress(OSError, ValueError):  # nothing was written
                run = run._replace(report=json.loads(report.read_text(encoding="utf-8")))
                sampled, written = read_samples(rows)
                run = run._replace(rows=sampled)
                if self._is_first:
                    self._is_first = False
                    own = os.path.realpath(folder)
                    run = self._with_others(run, [x for x in written if not x.startswith(own)])
            return run

    def _with_others(self, run: Run, written: Sequence[str]) -> Run:
        """Compare what a program writes elsewhere, too, from now on; return the run with that."""
        known = {os.path.realpath(name) for name in self._compared}
        others = [name for name in written if name not in known and _is_result(Path(name))]
        self._compared += others
        self.found += tuple(others)
        return run._replace(files=run.files | {x: Path(x).read_bytes() for x in others})

    def _run(self, words: Sequence[str]) -> Run:
        before = {name: _stamp(name) for name in self._compared}
        around = files_in(self._folders) if self._folders else {}
        if self._result is not None:
            self._result.unlink(missing_ok=True)
        with (
            tempfile.TemporaryFile() as output,
            tempfile.TemporaryFile() as errors,
            tempfile.TemporaryDirectory() as folder,
        ):
            measured = Path(folder, "measured")
            shim = [sys.executable, "-I", "-S", "-c", _MEASURE, str(measured)]
            start = perf_counter()
            status = self._ended([*shim, *words] if _CAN_MEASURE else words, output, errors)
            seconds, peak = perf_counter() - start, None
            if status is not None and measured.exists():
                code, took, used = measured.read_text().split()
                status, seconds = int(code), float(took)
                peak = int(used) * (1 if sys.platform == "darwin" else 1024)
            if self._folders:
                now = files_in(self._folders)
                new = [name for name in now if name not in before and now[name] != around.get(name)]
                before |= {name: around.get(name) for name in new}
                self.found, self._folders = tuple(new), ()
                self._compared += new
            written = {
                name: Path(name).read_bytes() if _stamp(name) not in (None, stamp) else None
                for name, stamp in before.items()
            }
            texts = _text(output), _text(errors)
        if self._limit is None:
            self._limit = self._patience[0] + self._patience[1] * seconds
        result = None
        if self._result is not None and self._result.exists():
            result = pickle.loads(self._result.read_bytes())  # noqa: S301  # our own process wrote it
        run = Run(status, *texts, seconds, peak, None, written, result)
        return run._replace(uncompared=self.uncompared)

    def put_back(self, run: Run) -> None:
        """Write what a run left in the files that were found, over what a later one did."""
        for name in self.found:
            content = run.files.get(name)
            with suppress(OSError):
                if content is not None and Path(name).read_bytes() != content:
                    Path(name).write_bytes(content)

    def _ended(self, words: Sequence[str], output: Any, errors: Any) -> int | None:
        """Run some words to their end; returns the exit status, or None if that took too long."""
        if self._input is not None:
            os.lseek(self._input[0], self._input[1], os.SEEK_SET)
        process = subprocess.Popen(  # noqa: S603  # the program that we were asked to run
            words,
            stdin=subprocess.DEVNULL if self._input is None else self._input[0],
            stdout=output,
            stderr=errors,
            env=self._env,
            process_group=0 if os.name == "posix" else None,
        )
        try:
            return process.wait(self._limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                _end(process)


def _input_file() -> tuple[int, int] | None:
    """Return a file with what this process is given to read and where it starts, if anything."""
    with suppress(OSError, ValueError, AttributeError):
        given = sys.__stdin__.fileno()  # type: ignore[union-attr]  # there may be none
        if stat.S_ISREG(os.fstat(given).st_mode):
            return given, os.lseek(given, 0, os.SEEK_CUR)
        if stat.S_ISFIFO(os.fstat(given).st_mode) and select.select([given], [], [], _WAIT)[0]:
            kept, name = tempfile.mkstemp(prefix="supremum-fix-")
            Path(name).unlink()
            while part := os.read(given, 1 << 16):
                os.write(kept, part)
            return kept, 0
    return None


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


def _is_result(path: Path) -> bool:
    """Return whether a file may be one that a program is run for: of data, and not hidden."""
    is_hidden = any(part.startswith(".") or part in _NO_DATA for part in path.parts)
    is_data = not is_hidden and not path.name.endswith(_SOURCES)
    return is_data and path.is_file() and path.stat().st_size <= _LARGEST


def files_in(folders: Sequence[Path]) -> dict[str, Stamp]:
    """Return the files of data in some folders, as they are; nothing of folders with too many."""
    found: dict[str, Stamp] = {}
    seen = 0
    for folder in folders:
        for place, inside, names in os.walk(folder):
            is_environment = "pyvenv.cfg" in names
            kept = (name for name in inside if name[0] != "." and name not in _NO_DATA)
            inside[:] = [] if is_environment else kept
            seen += 1 + len(names)
            if seen > _MOST_FILES:
                return {}
            for name in names if not is_environment else ():
                if name[0] == "." or name.endswith(_SOURCES):
                    continue
                path = os.path.relpath(os.path.join(place, name))  # noqa: PTH118  # there are many
                stamp = _stamp(path)
                if stamp is not None and stamp[1] <= _LARGEST:
                    found[path] = stamp
    return found


def _stamp(name: str) -> Stamp | None:
    try:
        status = Path(name).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

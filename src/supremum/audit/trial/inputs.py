"""Runs of a program with some changes typed in, for each input that it is given."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from .changed import Texts
from .comparison import Tolerance
from .runs import Run, Runner, differ

Input = tuple[bool, Sequence[str]]

_PATIENCE: Final = (10.0, 5.0)
_STEPS: Final = 4  # to each power of ten
_LEAST: Final = -17  # the power of ten below which a change is none
_ROUNDS: Final = 3
_LONG: Final = 5.0  # seconds, for a program that is timed once


class Traces:
    """The files that a program makes in the current folder, which later runs are not to find.

    Args:
        compared: those that are compared.
    """

    def __init__(self, compared: Sequence[str]) -> None:
        self._before = _stamps()
        self._compared = {Path(name).resolve() for name in compared}
        self._kept: dict[Path, bytes] = {}

    def keep(self) -> None:
        """Remember what the program as it is has written, to put it back at last."""
        changed = (path for path, stamp in _stamps().items() if self._before.get(path) != stamp)
        self._kept = {path: path.read_bytes() for path in changed}

    def clear(self) -> None:
        """Remove the files that were not there before."""
        for path in _stamps().keys() - self._before.keys():
            path.unlink(missing_ok=True)

    def restore(self) -> None:
        """Put back what the program as it is has written."""
        for path, content in self._kept.items():
            path.write_bytes(content)

    @property
    def missed(self) -> list[str]:
        """The files that the program writes, and that are not compared."""
        return sorted(path.name for path in self._kept if path not in self._compared)


def _stamps() -> dict[Path, tuple[int, int]]:
    files = (path for path in Path.cwd().iterdir() if path.is_file() and path.suffix != ".py")
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


class Trials:
    """Runs one program with each of its inputs, from texts instead of its files.

    Args:
        inputs: for each input whether it is a module that runs, and the words after ``python``.
        folder: a folder for what is handed to these processes.
        compare: the files that it writes, and that are compared.
        check: an expression that is evaluated in the program once it has ended, or ``""``.
        command: a command that is run after it, whose output is compared, too, or ``""``.

    Attributes:
        count: how many runs there were.
        traces: what it leaves in the current folder.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        folder: Path,
        *,
        compare: Sequence[str] = (),
        check: str = "",
        command: str = "",
    ) -> None:
        self.count = 0
        self.traces = Traces(compare)
        self._texts = folder / "texts.json"
        self._result = folder / "result"
        self._given: dict[str, Any] = {"check": check, "result": str(self._result)}
        self._command = command
        called = ["-m", f"{__package__}.changed", str(self._texts)]
        result = self._result if check else None
        self._runners = [
            Runner([*called, *words], [], compared=compare, result=result, patience=_PATIENCE)
            for _, words in inputs
        ]
        self._are_modules = [is_module for is_module, _ in inputs]

    def run(self, files: Mapping[Path, str]) -> list[Run]:
        """Run the program with some texts in the place of its files; return a run per input."""
        texts = {str(path): text for path, text in files.items()}
        self.count += len(self._runners)
        found = []
        for runner, is_module in zip(self._runners, self._are_modules, strict=True):
            self.traces.clear()
            given = Texts(files=texts, as_module=is_module, **self._given)  # type: ignore[typeddict-item]  # the rest
            self._texts.write_text(json.dumps(given), encoding="utf-8")
            found.append(self._checked(runner.plain()))
        return found

    def seconds(self, variants: Sequence[Mapping[Path, str]]) -> list[list[float]]:
        """Return how long the program takes with each of some texts, in each of a few rounds."""
        rounds: list[list[float]] = []
        while not rounds or (len(rounds) < _ROUNDS and rounds[0][0] < _LONG):
            rounds.append([sum(run.seconds for run in self.run(files)) for files in variants])
        return [list(column) for column in zip(*rounds, strict=True)]

    def _checked(self, run: Run) -> Run:
        if not self._command or run.status:
            return run
        words = [sys.executable if w == "python" else w for w in shlex.split(self._command)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  # the user's own command
        return run._replace(status=done.returncode, output=run.output + done.stdout)


def difference(before: Sequence[Run], after: Sequence[Run], within: Tolerance) -> str:
    """Return where runs differ by more than a tolerance, or ``""``."""
    for one, other in zip(before, after, strict=True):
        if one.status != other.status:
            return f"the program {other.ending}"
        if why := differ(one, other, within):
            return why
    return ""


def change(before: Sequence[Run], after: Sequence[Run], within: Tolerance) -> float:
    """Return the least relative tolerance, in steps, within which runs agree; inf if none does.

    Args:
        before: the runs of the program as it is, one for each input.
        after: those of the changed program.
        within: a tolerance that has the epsilon of the narrower dtype.
    """
    exact = within._replace(of_print=False, of_noise=False)

    def agree(relative: float) -> bool:
        return not difference(before, after, exact._replace(relative=relative))

    if agree(0.0):
        return 0.0
    return _least(agree, _LEAST * _STEPS, 0)


def _least(agree: Callable[[float], bool], low: int, high: int) -> float:
    """Return the least power of ten, in steps, with which something agrees, by bisection."""
    if not agree(10.0 ** (high / _STEPS) * (1 - 2**-50)):
        return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if agree(10.0 ** (middle / _STEPS)) else (middle, high)
    return float(10.0 ** (high / _STEPS))

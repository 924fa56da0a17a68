"""Comparing rules with the library that they describe, cell by cell."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from queue import Empty, Queue
from typing import Any, NamedTuple

from ..core.errors import PromotionError, listed
from ..core.system import PromotionSystem
from ..core.systems import options, system
from ..core.table import REFUSED
from .calls import LACKS, WEAK
from .questions import Library, Question, load, questions

Progress = Callable[[str, int], None]
"""What is told of a long run: the setting, and how many questions have been answered."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A question that the rules and the library answer differently.

    Attributes:
        operands: the operands, as they are written.
        rules: the answer of the rules, ``"-"`` for a refusal.
        library: the answer of the library, likewise, or ``"hangs"`` or ``"crashes"``.
        op: the operator, if one was asked about.
    """

    operands: tuple[str, ...]
    rules: str
    library: str
    op: str = ""


@dataclass(slots=True)
class Measured:
    """What became of asking one library in one setting.

    Attributes:
        system: the name of the rules.
        setting: their options.
        written_for: the release that the rules were measured on.
        installed: the release that was asked, or ``""``.
        unmeasured: the installed releases, if no rules were measured on them: each with its name,
            and with the release that the rules are those of.
        asked: how many questions were answered.
        not_asked: how many could not be asked, since the library lacks a dtype or a function.
        lacks: the names of these.
        differences: those that were answered otherwise than the rules say.
        table: the library's answers for pairs of arrays with dimensions.
        reason: why nothing was measured, or ``""``.
    """

    system: str
    setting: dict[str, Any]
    written_for: str
    installed: str = ""
    unmeasured: list[tuple[str, str]] = field(default_factory=list)
    asked: int = 0
    not_asked: int = 0
    lacks: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    table: dict[tuple[str, str], str] = field(default_factory=dict)
    reason: str = ""

    def note(self, question: Question, rules: str, library: str) -> None:
        """Count an answer, and keep it where it differs from that of the rules.

        Args:
            question: what was asked.
            rules: the answer of the rules.
            library: the answer of the library, ``"hangs"`` or ``"crashes"``; or ``?`` and the name
                of what the library lacks, and then it is no answer.
        """
        if library.startswith(LACKS):
            self.not_asked += 1
            name = library.removeprefix(LACKS).strip()
            if name not in self.lacks:
                self.lacks.append(name)
            return
        self.asked += 1
        if question.op is None and [op.rank for op in question.operands] == [1, 1]:
            a, b = (op.dtype.name for op in question.operands)
            self.table[a, b] = REFUSED if library in ("hangs", "crashes") else library
        if rules != library:
            texts = tuple(op.text for op in question.operands)
            self.differences.append(Difference(texts, rules, library, question.op or ""))

    @property
    def verdict(self) -> str:
        """``"agrees"``, ``"differs"``, or ``"not measured"``."""
        if self.reason:
            return "not measured"
        return "differs" if self.differences else "agrees"

    def as_dict(self) -> dict[str, Any]:
        """Return the measurement as plain lists and texts, as ``--format json`` prints it."""
        return {
            "system": self.system,
            "setting": self.setting,
            "verdict": self.verdict,
            "installed": self.installed,
            "written_for": self.written_for,
            "unmeasured": [list(pair) for pair in self.unmeasured],
            "asked": self.asked,
            "not_asked": self.not_asked,
            "lacks": self.lacks,
            "differences": [
                {"operands": list(d.operands), "op": d.op, "rules": d.rules, "library": d.library}
                for d in self.differences
            ],
            "reason": self.reason,
        }

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.setting.items())
        head = f"{self.system}{f' ({options})' if options else ''}"
        if self.reason:
            return f"{head}: not measured: {self.reason}"
        agreed = self.asked - len(self.differences)
        lines = [f"{head}: {agreed:,} of {self.asked:,} agree with {self.installed}"]
        for release, known in self.unmeasured:
            lines[0] += f" ({release} was not measured; the rules are those of {known})"
        if self.not_asked:
            lines[0] += f", {self.not_asked:,} not asked: it lacks {listed(self.lacks)}"
        for d in self.differences[:20]:
            said = f"the rules say {d.rules}, the library {d.library}"
            op = f"{d.op} " if d.op else ""
            lines.append(f"    {op}{' with '.join(d.operands)}: {said}")
        if len(self.differences) > 20:
            lines.append(f"    and {len(self.differences) - 20:,} more")
        return "\n".join(lines)


def conform(
    name: str,
    *,
    rules: PromotionSystem | None = None,
    count: int = 0,
    seed: int = 0,
    functions: bool = True,
    patience: float = 60.0,
    progress: Progress | None = None,
) -> list[Measured]:
    """Return how far a live library agrees with its rules, a measurement a setting.

    Args:
        name: the rules, one of `conformable`.
        rules: rules to compare instead of those of this name; then in their own setting alone.
        count: how many random lists of two to five operands to ask about besides.
        seed: what these lists are drawn from.
        functions: whether to ask about functions.
        patience: seconds to wait for one answer.
        progress: called now and then with the setting and the number of answers.
    """
    library = load(name)
    settings = [dict(setting) for setting in library.SETTINGS]
    if rules:
        settings = [{name: rules.setting[name] for name in settings[0]}]
    found = []
    for usual in settings:
        setting = usual if rules else {**usual, **_of_releases(library)}
        described = rules or system(library.SYSTEM, **setting)
        measured = Measured(library.SYSTEM, setting, _written_for(library, setting))
        found.append(measured)
        chosen = _Chosen(count, seed, functions)
        _measure(measured, name, described, chosen=chosen, patience=patience, progress=progress)
    return found


class _Chosen(NamedTuple):
    """Which questions are asked, besides those of pairs and triples."""

    lists: int
    seed: int
    functions: bool


def _pinned(library: Library) -> tuple[str, str]:
    """Return the distribution of a library, and the release that its rules describe."""
    name, _, release = library.DISTRIBUTION.partition(" ")[0].partition("==")
    return name.partition("[")[0], release


def _of_releases(library: Library) -> dict[str, str]:
    """Return the options of the rules that describe what is installed, if it is not the usual."""
    found = {}
    known = options(library.SYSTEM)
    for option, distribution in getattr(library, "OF_RELEASES", {}).items():
        release = _installed(distribution)
        if release in known[option][1:]:
            found[option] = release
    return found


def _installed(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _written_for(library: Library, setting: dict[str, Any]) -> str:
    name, release = _pinned(library)
    of_releases: dict[str, str] = getattr(library, "OF_RELEASES", {})
    chosen = [
        setting[option] for option, of in of_releases.items() if of == name and option in setting
    ]
    return chosen[0] if chosen else release


def _unmeasured(
    library: Library, described: PromotionSystem, measured: Measured
) -> list[tuple[str, str]]:
    """Return the releases that are installed and were not measured, with what the rules are of."""
    name, _ = _pinned(library)
    found = []
    if measured.installed not in (measured.written_for, *described.releases):
        found.append((f"{name} {measured.installed}", measured.written_for))
    for option, distribution in getattr(library, "OF_RELEASES", {}).items():
        release, known = _installed(distribution), options(library.SYSTEM)[option]
        if distribution != name and release and release not in known:
            found.append((f"{distribution} {release}", known[0]))
    return found


def _measure(
    measured: Measured,
    name: str,
    described: PromotionSystem,
    *,
    chosen: _Chosen,
    patience: float,
    progress: Progress | None,
) -> None:
    try:
        library = load(name)
        rules = system(library.SYSTEM, **measured.setting)
        asked = list(
            questions(library, rules, chosen.lists, chosen.seed, functions=chosen.functions)
        )
    except Exception as error:  # noqa: BLE001  # whatever it is, it costs this row and no other
        measured.reason = f"there are no questions: {type(error).__name__}: {error}"
        return
    weak: bool = getattr(library, "WEAK_RESULTS", False)
    next_one = 0
    while next_one < len(asked):
        process = _Process(name, measured.setting, chosen, next_one)
        measured.installed = process.line(patience) or ""
        if not measured.installed:
            measured.reason = process.last_words() or "the library could not be imported"
            process.end()
            return
        measured.unmeasured = _unmeasured(library, described, measured)
        first = next_one
        for i, answer in process.answers(patience):
            measured.note(asked[i], said(described, asked[i], weak=weak), answer)
            next_one = i + 1
            if progress and not i % 500:
                progress(measured.system, i)
        # an answer before may be to blame: a question that ends the process is asked first again
        if next_one < len(asked) and (next_one == first or not process.has_ended()):
            fate = "crashes" if process.has_ended() else "hangs"
            measured.note(asked[next_one], said(described, asked[next_one], weak=weak), fate)
            next_one += 1
        process.end()
    if measured.not_asked and not measured.asked:
        measured.reason = f"it lacks {listed(measured.lacks)}"


def said(rules: PromotionSystem, question: Question, *, weak: bool = False) -> str:
    """Return what rules say to a question; ``-`` is a refusal.

    Args:
        rules: the rules.
        question: the question.
        weak: whether the answer of a function says if it is weak.
    """
    try:
        if question.op is None or not weak:
            return rules.result_type(*question.operands, op=question.op).name
        why = rules.explain(*question.operands, op=question.op)
    except PromotionError:
        return REFUSED
    return f"{why.result}{WEAK if why.weak else ''}"


class _Process:
    """A worker, and the lines that it writes."""

    def __init__(self, name: str, setting: dict[str, Any], chosen: _Chosen, first: int) -> None:
        words = ["-m", f"{__package__}.worker", name, json.dumps(setting)]
        numbers = [str(number) for number in (*chosen, first)]
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, with words of our own
            [sys.executable, *words, *numbers],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: Queue[str | None] = Queue()
        self._complaints: list[str] = []
        self._threads = [
            threading.Thread(target=f, daemon=True) for f in (self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _listen(self) -> None:
        self._complaints.extend(self._process.stderr or ())

    def line(self, patience: float) -> str | None:
        """Return the next line, or None where there is none in time."""
        try:
            return self._lines.get(timeout=patience)
        except Empty:
            return None

    def answers(self, patience: float) -> Iterator[tuple[int, str]]:
        """Yield the answers with their numbers, until the process ends or one takes too long."""
        while line := self.line(patience):
            number, _, answer = line.partition(" ")
            if not answer:
                return
            yield int(number), answer

    def has_ended(self) -> bool:
        """Tell whether the process has ended, which it may be about to."""
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_words(self) -> str:
        """Return the last line that the process complained with, or that it takes too long."""
        if not self.has_ended():
            return "the library takes too long to import"
        self._threads[1].join()  # it may not have read all of them yet
        told = [line.strip() for line in self._complaints if line.strip()]
        return told[-1] if told else ""

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for thread, pipe in zip(
            self._threads, (self._process.stdout, self._process.stderr), strict=True
        ):
            thread.join()
            if pipe:
                pipe.close()

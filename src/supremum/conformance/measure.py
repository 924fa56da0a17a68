"""Comparing rules with the library that they describe, cell by cell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from queue import Empty, Queue
from typing import Any, Final

from ..core.errors import PromotionError, RulesError, listed
from ..core.system import PromotionSystem
from ..core.systems import options, system
from ..core.table import REFUSED
from .calls import WEAK
from .library import Library, compilable, load
from .measured import Measured
from .questions import CELLS, Chosen, Question

Progress = Callable[[str, int, int], None]
"""What hears of a long run: what is asked, how many questions are answered, and of how many."""

_MISSING = re.compile(
    r"(?:ModuleNotFoundError: No module named|"
    r"importlib\.metadata\.PackageNotFoundError: No package metadata was found for) '?([\w.]+)'?"
)
NOT_INSTALLED = "is not installed"
"""What the reason ends with if a library is missing."""

_OF_BATCHES: Final = 10.0  # how much longer than for an answer the wait for compiled code may be

_LAST: Final = 5.0  # seconds that a process may take to end after it has complained


def conform(
    name: str,
    *,
    rules: PromotionSystem | None = None,
    count: int = 0,
    seed: int = 0,
    functions: bool = True,
    compiled: bool = False,
    dtypes: Sequence[str] = (),
    cells: int | None = None,
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
        compiled: whether to ask what the library's compiler makes of functions, instead; then in
            the first setting alone, unless rules in another one are given.
        dtypes: the dtypes that compiled code is asked about; by default those that the library's
            file says, and all for "all".
        cells: how many questions of each function are asked, drawn from the seed, or 0 for all; by
            default 8 of compiled code, and all otherwise.
        patience: seconds to wait for one answer; for compiled code ten times as long.
        progress: called now and then with the rules, the number of answers, and that of questions.

    Raises:
        RulesError: if the library has no compiler that can be asked.
    """
    library = load(name)
    if compiled and not library.compiled_dtypes:
        raise RulesError(f"{name} has no compiler to ask; {listed(compilable())} have one", name)
    settings = [{**setting, **_of_releases(library)} for setting in library.settings]
    if compiled:
        del settings[1:]
    if rules:
        settings = [{option: rules.setting[option] for option in library.settings[0]}]
    if cells is None:
        cells = CELLS if compiled else 0
    found: list[Measured] = []
    for setting in settings:
        measured = Measured(library.system, setting, _written_for(library, setting))
        measured.compiled = compiled
        chosen = Chosen(name, count, seed, functions, compiled, ",".join(dtypes), cells)
        if found and found[-1].reason.endswith(NOT_INSTALLED):  # in any setting
            measured.reason = found[-1].reason
        else:
            described = rules or system(library.system, **setting)
            waits = patience * (_OF_BATCHES if compiled else 1)
            _measure(measured, described, chosen, patience=waits, progress=progress)
        found.append(measured)
    return found


def _written_for(library: Library, setting: dict[str, Any]) -> str:
    """Return the release that the rules of a setting describe."""
    name, release = library.pinned
    return next(
        (setting[o] for o, n in library.of_releases.items() if n == name and o in setting), release
    )


def _of_releases(library: Library) -> dict[str, str]:
    """Return the options of the rules that describe what is installed, if it is not the usual."""
    installed = {option: _installed(name) for option, name in library.of_releases.items()}
    known = options(library.system)
    return {option: r for option, r in installed.items() if r in known[option][1:]}


def _installed(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _unmeasured(
    library: Library, described: PromotionSystem, measured: Measured
) -> list[tuple[str, str]]:
    """Return the releases that are installed and were not measured, with what the rules are of."""
    name, _ = library.pinned
    found = []
    if measured.installed not in (measured.written_for, *described.releases):
        found.append((f"{name} {measured.installed}", measured.written_for))
    for option, distribution in library.of_releases.items():
        release, known = _installed(distribution), options(library.system)[option]
        if distribution != name and release and release not in known:
            found.append((f"{distribution} {release}", known[0]))
    return found


def _measure(
    measured: Measured,
    described: PromotionSystem,
    chosen: Chosen,
    *,
    patience: float,
    progress: Progress | None,
) -> None:
    """Ask the questions, in as many processes as it takes."""
    library = load(chosen.name)
    try:
        rules = system(library.system, **measured.setting)
        asked = list(chosen.questions(library, rules))
    except Exception as error:  # noqa: BLE001  # whatever it is, it costs this row and no other
        measured.reason = f"there are no questions: {type(error).__name__}: {error}"
        return

    def note(number: int, answer: str) -> None:
        ours = said(described, asked[number], weak=library.weak_results)
        cell = asked[number].text(library.calls) if chosen.compiled else ""
        measured.note(asked[number], ours, answer, cell)
        if progress and not (number + 1) % 100:
            progress(measured.label, number + 1, len(asked))

    if progress:
        progress(measured.label, 0, len(asked))
    next_one = 0
    while next_one < len(asked):
        process = _Process(measured.setting, chosen, next_one)
        measured.installed = process.line(patience) or ""
        if not measured.installed:
            measured.reason = process.why_not()
            process.end()
            return
        measured.unmeasured = _unmeasured(library, described, measured)
        first = next_one
        for number, answer in process.answers(patience):
            note(number, answer)
            next_one = number + 1
        # an answer before, or another of the batch, may be to blame: a question that ends the
        # process is asked first again, and alone
        is_to_blame = next_one == first or not (chosen.compiled or process.has_ended())
        if next_one < len(asked) and is_to_blame:
            note(next_one, "crashes" if process.has_ended() else "hangs")
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
    if question.dtype:
        cast = tuple(x._replace(dtype=question.dtype) for x in question.operands)
        is_refused = said(rules, Question(cast, question.op)) == REFUSED
        return REFUSED if is_refused else question.dtype.name
    try:
        if question.op is None or not weak:
            return rules.result_type(*question.operands, op=question.op).name
        why = rules.explain(*question.operands, op=question.op)
    except PromotionError:
        return REFUSED
    return f"{why.result}{WEAK if why.weak else ''}"


class _Process:
    """A worker, and the lines that it writes."""

    def __init__(self, setting: dict[str, Any], chosen: Chosen, first: int) -> None:
        words = [f"{__package__}.worker", json.dumps(setting), str(first), *map(str, chosen)]
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, with words of our own
            [sys.executable, "-m", *words],
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

    def has_ended(self, seconds: float = 0.5) -> bool:
        """Tell whether the process has ended, which it may be about to."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_words(self) -> str:
        """Return the last line that the process complained with, or that it takes too long."""
        if not self.has_ended(_LAST):
            return "the library takes too long to import"
        self._threads[1].join()  # it may not have read all of them yet
        told = [line.strip() for line in self._complaints if line.strip()]
        return told[-1] if told else ""

    def why_not(self) -> str:
        """Return why the library could not be asked."""
        words = self.last_words() or "the library could not be imported"
        missing = _MISSING.fullmatch(words)
        return f"{missing[1]} {NOT_INSTALLED}" if missing else words

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

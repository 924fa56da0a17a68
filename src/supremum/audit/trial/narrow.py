"""Finding which arrays of a program may be narrower: births, their ranks, trials, measurements."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.errors import plural
from ..model.dtypes import family
from ..runner import program
from .changed import FAILED
from .comparison import Tolerance, tolerance
from .edits import Change, EditError, edited
from .files import Files
from .fixed import FixError, check_tolerance
from .inputs import Input, Trials, change, difference
from .narrowed import Narrowed, Narrowing, Taken
from .places import Places
from .runs import Run
from .search import largest
from .seeds import unseeded

_SLOWER: Final = (1.05, 0.05)
"""How many times as long, and so many seconds more, a program takes at least that is slower."""

_STEADY: Final = "; give it a seed, and print no times"

_MOST_TIMED: Final = 12  # places that are measured one by one


def narrow(
    subject: str,
    /,
    arguments: Sequence[str] = (),
    *,
    to: str,
    within: float | None = None,
    inputs: Sequence[Sequence[str]] = (),
    check: str = "",
    compare: Sequence[str] = (),
    include: Sequence[str] = (),
    as_module: bool = False,
    write: bool = False,
    force: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Narrowing:
    """Find which arrays of a program may have a narrower dtype, with results within a tolerance.

    The program is run again and again, each time with other expressions changed; its files stay as
    they are.

    Args:
        subject: the path of a script, or the name of a module.
        arguments: what it finds in `sys.argv`.
        to: the narrower dtype, such as ``float32``, ``bfloat16`` or ``int32``.
        within: how far results may be apart, relative to the larger number; by default 512 times
            the epsilon of the dtype.
        inputs: the arguments of further runs that the changes have to hold for. One that begins
            with the path of another script runs that. The run with `arguments` is one more, or
            that without any if the program ends well without them.
        check: an expression whose value is compared, too, or a command whose output is.
        compare: files that the program writes, and that are compared.
        include: installed packages to look inside.
        as_module: whether `subject` is the name of a module.
        write: whether the changes are written into the files.
        force: whether files with uncommitted changes may be written.
        progress: called with what is being done.

    Raises:
        FixError: if there is nothing to compare with, such as for a program whose results differ
            from run to run.
        RulesError: if there is no such program or dtype.
    """
    wanted = _narrower_dtype(to)
    check_tolerance(within)
    found = (program.module if as_module else program.script)(subject, arguments)
    if found.notebook is not None:
        raise FixError("a notebook is not narrowed; export it as a script first", subject)
    every = [_input(subject, words, as_module=as_module) for words in inputs]
    own = (as_module, [subject, *arguments])
    expression = check if _is_expression(check) else ""
    command = "" if expression else check
    with TemporaryDirectory(prefix="supremum-narrow-") as folder:
        if arguments or not inputs or _ends_well(own, Path(folder), compare):
            every.insert(0, own)
        trials = Trials(every, Path(folder), compare=compare, check=expression, command=command)
        files = Files([Path(found.root), Path.cwd()], force=force, to_read=not write)
        files.start()
        progress("running the program with the audit")
        options = [wanted.name, ",".join(include)]
        places = Places([_births(Path(folder), options, one) for one in every], files.refused)
        if write and places.refused:
            raise FixError(f"nothing is changed: {places.refused[0]}")
        allowed = tolerance("" if family(wanted) == "integer" else wanted.name, within)
        search = _Search(
            trials, files, places, to=wanted.name, within=allowed._replace(of_noise=False),
            progress=progress,
        )  # fmt: skip
        try:
            return search.found(write=write)
        finally:
            trials.traces.restore()


def _narrower_dtype(name: str) -> DType:
    found = by_name(name)
    if found.weak or not family(found) or found.kind == "complex":
        raise FixError(f"arrays cannot be narrowed to {name}; name a float or integer dtype", name)
    return found


def _input(subject: str, words: Sequence[str], *, as_module: bool) -> Input:
    is_script = bool(words) and words[0].endswith(".py") and Path(words[0]).is_file()
    return (False, [*words]) if is_script else (as_module, [subject, *words])


def _ends_well(own: Input, folder: Path, compare: Sequence[str]) -> bool:
    """Return whether a program runs to its end as it is called."""
    trials = Trials([own], folder, compare=compare)
    try:
        return trials.run({})[0].status == 0
    finally:
        trials.traces.restore()


def _is_expression(check: str) -> bool:
    """Return whether a check is an expression of Python, rather than a command."""
    first, *others = check.split() or [""]
    if others and which(first):
        return False
    try:
        ast.parse(check.strip(), mode="eval")
    except SyntaxError:
        return False
    return True


def _births(folder: Path, options: Sequence[str], given: Input) -> dict[str, Any]:
    """Run a program with the audit, and return where it introduces wide dtypes."""
    output = folder / "births.json"
    output.unlink(missing_ok=True)
    is_module, words = given
    worker = [sys.executable, "-m", f"{__package__}.births", str(output)]
    done = subprocess.run(  # noqa: S603  # the program that we were asked to run
        [*worker, *options, str(int(is_module)), *words],
        capture_output=True, text=True, errors="replace", check=False,
        env={"PYTHONHASHSEED": "0", **os.environ}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    if not output.exists():
        raise FixError(f"the program ends before its last line ({last}), so that nothing is known")
    report: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    if report["failure"]:
        raise FixError(f"the program fails as it is ({last}); give it what it needs to run")
    return report


class _Search:
    """The search for the places that may be narrower together.

    Args:
        trials: runs the program.
        files: reads and writes its files.
        places: the places.
        to: the name of the narrower dtype.
        within: how far results may be apart.
        progress: called with what is being done.
    """

    def __init__(
        self,
        trials: Trials,
        files: Files,
        places: Places,
        *,
        to: str,
        within: Tolerance,
        progress: Callable[[str], None],
    ) -> None:
        self.trials = trials
        self.files = files
        self.places = places
        self.to = to
        self.within = within
        self.progress = progress
        self.effects: dict[int, float] = {}
        self.reasons: dict[int, str] = {}
        self.kept: list[int] = []
        self.before: list[Run] = []
        self.after: list[Run] = []

    # the search

    def found(self, *, write: bool) -> Narrowing:
        """Return which places may be narrower."""
        if not self.places.candidates and not self.places.wide:
            seen = plural(self.places.operations, "operation")
            why = f"no array is wider than {self.to} in {seen}"
            raise FixError(f"nothing to narrow: {why}")
        self.progress("running the program as it is")
        self.before = self.after = self.trials.run({})
        self.trials.traces.keep()
        self._check_steady()
        is_partial = False
        measured: tuple[Any, ...] = (None, None, {})
        try:
            self._rank()
            largest(self.places.groups(), self._is_right)
            for number in self.places.candidates:
                if number not in self.kept and not self._is_right_cast(number):
                    why = self.reasons.get(number, "with the others")
                    self.places.wide[number] = f"it changes the results: {why}"
            measured = self._measured()
        except KeyboardInterrupt:
            is_partial = True
        return self._narrowing(*measured, is_partial=is_partial, write=write and not is_partial)

    def _check_steady(self) -> None:
        """Refuse a program whose own results differ by more than the tolerance."""
        for run in self.before:
            if run.last_line.startswith(FAILED):
                why = run.last_line.removeprefix("supremum: ")
                raise FixError(f"{why}; name what the program has at its end, or a command")
            if run.status is None:
                raise FixError(f"the program {run.ending} as it is")
        missing = [n for run in self.before for n, content in run.files.items() if content is None]
        if missing:
            raise FixError(f"the program does not write {missing[0]!r}, which --compare names")
        self._check_there_are_numbers()
        again = self.trials.run({})
        why = difference(self.before, again, self.within)
        if not why:
            return
        drawn = unseeded({Path(place.file) for place in self.places.found})
        seed = f"; {'; '.join(drawn)}" if drawn else _STEADY
        least = change(self.before, again, self.within)
        larger = f", or --within {least:.0e} or more" if least < 1 and not drawn else ""
        then = why.replace(" became ", ", then ")
        raise FixError(f"the program gives other results each time: {then}{seed}{larger}")

    def _check_there_are_numbers(self) -> None:
        """Refuse a program without results that could tell whether a change is right."""
        printed = any(re.search(r"\d", run.output) or run.result is not None for run in self.before)
        if printed or any(run.files for run in self.before):
            return
        names = self.trials.traces.missed
        name = names[0] if names else "FILE"
        more = f"name what it writes, as --compare {name}, or --check EXPRESSION"
        raise FixError(f"the program prints no numbers to compare; {more}")

    def _rank(self) -> None:
        """Note how the results change if the values of one place are rounded."""
        for n, number in enumerate(able := self.places.candidates):
            place = self.places.found[number]
            self.progress(f"rounding {place} ({n + 1} of {len(able)})")
            if not place.rounded or family(by_name(place.dtype)) == "integer":
                continue
            after = self._tried([place.rounding])
            if [run.status for run in after] != [run.status for run in self.before]:
                continue  # what it is called with takes no rounded values
            self.effects[number] = change(self.before, after, self.within)
            if why := difference(self.before, after, self.within):
                self.places.wide[number] = f"rounding it changes the results: {why}"

    def _is_right(self, chosen: Sequence[int]) -> bool:
        """Return whether the program gives the same with some places narrowed."""
        self.progress(f"narrowing {plural(len(chosen), 'place')} of {len(self.places.found)}")
        reach = self.places.overflowing(chosen)
        after = self.before if reach else self._tried(self.places.changes(chosen))
        overflows = f"values reach {reach:,}" if reach else ""
        if why := overflows or difference(self.before, after, self.within):
            added = {*chosen}.difference(self.kept)
            self.reasons.update(dict.fromkeys(added if len(added) == 1 else (), why))
            return False
        self.kept, self.after = list(chosen), after
        return True

    def _is_right_cast(self, number: int) -> bool:
        """Return whether a place can be narrowed after all, by a cast of what it gives."""
        place = self.places.found[number]
        if place.cast in ("", place.narrow):
            return False
        self.places.found[number] = place._replace(narrow=place.cast)
        return self._is_right([*self.kept, number])

    def _tried(self, chosen: Sequence[Change]) -> list[Run]:
        try:
            return self.trials.run(self._texts(chosen))
        except EditError as error:
            return [run._replace(status=1, errors=str(error)) for run in self.before]

    def _texts(self, chosen: Sequence[Change]) -> dict[Path, str]:
        """Return the texts of files with changes in them."""
        return {
            Path(file).resolve(): edited(
                self.files.source(file).text, [c for c in chosen if c.file == file]
            )
            for file in dict.fromkeys(c.file for c in chosen)
        }

    # what it saves

    def _measured(self) -> tuple[Taken, Taken, dict[int, float]]:
        """Return what the program takes before and after, and the seconds that places save.

        What saves no memory, or makes the program slower, is left out.
        """
        right = list(self.kept)
        for number in right:
            if self.places.saves_nothing(number, self.kept):
                self.kept.remove(number)
                self.places.wide[number] = "it saves next to nothing: what it meets stays wide"
        while True:
            before, after, without = self._timed()
            slowest = min(without, key=lambda number: min(without[number]), default=None)
            # each of its runs is clearly slower than any of the program as it is
            ratio, more = _SLOWER
            if slowest is None or min(after) <= max(before) * ratio + more:
                break
            self.kept.remove(slowest)
            longer = min(after) - min(without[slowest])
            self.places.wide[slowest] = f"the program takes {longer:.2f} s longer with it"
        if self.kept != right and not self._is_right(self.kept):
            self._is_right(right)
        noise = max(max(taken) - min(taken) for taken in (before, after))
        saved = {number: min(taken) - min(after) for number, taken in without.items()}
        seconds = {number: s for number, s in saved.items() if s > noise}
        taken = (Taken(_peak(self.before), min(before)), Taken(_peak(self.after), min(after)))
        return *taken, seconds

    def _timed(self) -> tuple[list[float], list[float], dict[int, list[float]]]:
        """Return the seconds of some runs: before, after, and after without a single place.

        These places are those that save most memory.
        """
        self.progress(f"measuring {plural(len(self.kept), 'place')}")
        timed = sorted(self.kept, key=self._saved, reverse=True)[:_MOST_TIMED]
        without = [[n for n in self.kept if n != number] for number in timed]
        variants = map(self.places.changes, ([], self.kept, *without))
        before, after, *others = self.trials.seconds([*map(self._texts, variants)])
        return before, after, dict(zip(timed, others, strict=True))

    def _saved(self, number: int) -> int:
        return self.places.saved_by(number, self.kept)

    # the result

    def _narrowing(
        self,
        before: Taken | None,
        after: Taken | None,
        seconds: Mapping[int, float],
        *,
        is_partial: bool,
        write: bool,
    ) -> Narrowing:
        changed = self._texts(self.places.changes(self.kept))
        texts = {path: self._encoded(path, text) for path, text in changed.items()}
        written = write and bool(texts) and self._written(texts)
        self.files.now.update(texts)
        narrowed = [
            Narrowed(self.places.found[n], self._saved(n), seconds.get(n), self.effects.get(n))
            for n in self.kept
        ]
        note = "" if narrowed else "Nothing is narrowed."
        if is_partial:
            found = "this is what was found so far" if narrowed else "nothing was found so far"
            note = f"Interrupted: {found}."
        elif names := self.trials.traces.missed:
            note += f" The program writes {names[0]}, which --compare {names[0]} compares, too."
        if self.files.kept:
            note += f" {self.files.kept}"
        return Narrowing(
            tuple(sorted(narrowed, key=lambda found: -found.saved)),
            tuple((self.places.found[n], why) for n, why in sorted(self.places.wide.items())),
            self.within,
            change(self.before, self.after, self.within) if narrowed else 0.0,
            before if narrowed else None,
            after if narrowed else None,
            self.files.patch(),
            self.trials.count,
            len(self.before),
            written,
            is_partial,
            note.strip(),
        )

    def _encoded(self, path: Path, text: str) -> bytes:
        return text.encode(self.files.source(str(path)).encoding)

    def _written(self, texts: Mapping[Path, bytes]) -> bool:
        """Write the changes, and run the program from its files; undo them if it is another."""
        self.progress("running the changed program")
        why = "it was interrupted"
        try:
            self.files.write(texts)
            why = difference(self.before, self.trials.run({}), self.within)
        finally:
            if why:
                self.files.write({path: self.files.before[path] for path in texts})
        if why:
            raise FixError(f"once written, the program gives something else: {why}; it is undone")
        return True


def _peak(runs: Sequence[Run]) -> int | None:
    """Return the most memory that some runs took at a time."""
    peaks = [run.peak for run in runs]
    return max(peak for peak in peaks if peak is not None) if None not in peaks else None

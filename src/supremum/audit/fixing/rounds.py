"""Rounds of typing what a report suggests, and running the program again."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ...core.errors import plural
from ..model.wording import near
from .agreement import Tolerance, files_differ, texts_differ, tolerance, values_differ
from .edits import Change, EditError, apart, changes, narrowest
from .files import FileChangedError, Files, decoded
from .notebook_edits import changed, is_there
from .results import Fixed, FixError, fixes, measures, without_suggestion
from .runs import Run, Runner

_ROUNDS: Final = 20
_WRONG_USAGE: Final = 2  # the exit status of argparse, click and many others


class Fixing:
    """The changes of one program, round by round.

    Args:
        runner: runs the program.
        files: writes its files.
        command: how the user calls it, for messages.
        given: the relative tolerance, or None for that of the narrower dtype.
        progress: hears what is being done.
    """

    def __init__(
        self,
        runner: Runner,
        files: Files,
        *,
        command: str = "supremum fix",
        given: float | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._runner = runner
        self._files = files
        self._command = command
        self._given = given
        self._progress = progress
        self._applied: list[Change] = []
        self._undone: dict[Change, str] = {}
        self._left: dict[tuple[str, int, str, str], str] = {}
        self._verified: dict[Path, bytes] = {}
        self._rounds = 0
        self._lossy = 0  # how many casts lose values that the program needs

    def once(self, *, write: bool) -> Fixed:
        """Make the changes of one run, without running the program again.

        Args:
            write: whether the files are written, or a patch is returned alone.
        """
        first, batch = self._first(to_read=not write)
        if not batch:
            return self._nothing(first)
        contents = self._contents(batch)
        if write:
            try:
                self._write(contents)
            except BaseException:
                self._restore()
                raise
        else:
            self._files.now.update(contents)
        others = [c for c in self._suggested(first) if c not in batch]
        left = tuple((c, self._left.get(_key(c), "it overlaps another one")) for c in others)
        note = "Nothing was checked: run the program, and compare what it gives."
        return Fixed(tuple(batch), left=left, patch=self._patch(), note=note)

    def checked(self) -> Fixed:
        """Make changes as long as a run suggests some, and keep those that are right."""
        first, batch = self._first()
        if not batch:
            return self._nothing(first)
        self._progress("running the program as it is")
        self._before = before = self._runner.plain()
        self._check_steady(first, before)
        run, self._lossy = first, len(_lossy(first))
        try:
            for mends in (True, False):
                while self._rounds < _ROUNDS and (part := [c for c in batch if c.mends is mends]):
                    self._rounds += 1
                    run = self._round(part) or run
                    batch = self._next(run)
                if mends and self._applied:
                    self._progress("running the program with results that are right")
                    self._before = self._runner.plain()
            after = self._last() if self._applied else before
        except KeyboardInterrupt:
            self._restore()
            kept = f" with the {fixes(len(self._applied))} that were checked" * bool(self._applied)
            raise KeyboardInterrupt(f"interrupted: the files are as they were{kept}") from None
        except BaseException:
            self._restore()
            raise
        return Fixed(
            tuple(self._applied),
            tuple(self._undone.items()),
            tuple(self._still_left(run)),
            self._patch(),
            measures(first, before),
            measures(run, after),
            self._rounds,
            self._within(self._applied),
            without_suggestion(run),
            self._meant(before),
        )

    def _meant(self, unfixed: Run) -> str:
        """Return how results changed that were wrong."""
        if not any(change.mends for change in self._applied):
            return ""
        if unfixed.status != self._before.status:
            return f"the program {unfixed.ending}, and now it {self._before.ending}"
        return differ(unfixed, self._before, self._within(self._applied))

    # the first run

    def _first(self, *, to_read: bool = False) -> tuple[Run, list[Change]]:
        """Run the program, and return what to change first."""
        self._progress("running the program with the audit")
        self._files.start()
        run = self._runner.audited()
        if why := self._why_not(run):
            raise FixError(why)
        suggested = self._suggested(run)
        refused = self._files.refused((c.file for c in suggested), to_read=to_read)
        if refused:
            lines = "\n".join(refused)
            raise FixError(f"nothing is changed:{' ' if len(refused) == 1 else chr(10)}{lines}")
        return run, self._able(suggested)

    def _why_not(self, run: Run) -> str:
        """Return why nothing can be known of a program that was run, or ``""``."""
        if run.report is None and run.last_line.startswith("supremum: "):
            return run.last_line.removeprefix("supremum: ")
        if run.last_line.startswith("EOFError") and not self._runner.has_input:
            return f"the program reads standard input; give it with < FILE: {self._command} < FILE"
        seen = run.report is not None and run.report["operations"]
        if run.status == _WRONG_USAGE and not seen and "usage:" in run.errors.lower():
            told = f"the program asks for other arguments ({run.last_line}); give them after it"
            return f"{told}: {self._command} ARGUMENTS"
        if run.report is None:
            return f"the program {run.ending}, and left no report; nothing is changed"
        return ""

    def _nothing(self, run: Run) -> Fixed:
        """Return why nothing is changed after one run."""
        left = tuple(self._still_left(run))
        return Fixed((), left=left, note="" if left else self._why_nothing(run))

    def _why_nothing(self, run: Run) -> str:
        report = run.report or {}
        seen = plural(report["operations"], "operation") + " on arrays"
        ended = f" The program {run.ending}." if run.status else ""
        if report["warning"]:
            return f"Nothing to fix: {report['warning']}.{ended}"
        if not report["findings"]:
            return f"Nothing to fix: nothing found in {seen}.{ended}"
        count = len(report["findings"])
        told = f"Nothing to fix: no change is known to be right for {plural(count, 'finding')}"
        return f"{told}; supremum audit shows {'it' if count == 1 else 'them'}.{ended}"

    def _check_steady(self, one: Run, other: Run) -> None:
        """Refuse a program that gives something else each time."""
        told = differ(one, other, tolerance(""))
        if told:
            what = (
                f"the program gives other results each time: {told.replace(' became ', ', then ')}"
            )
            hint = "give it a seed, leave out what it prints of time, or use --once"
            raise FixError(f"{what}; {hint}, which checks nothing")
        missing = [name for name, content in other.files.items() if content is None]
        if missing:
            raise FixError(f"the program does not write {missing[0]!r}, which --compare names")

    # one round

    def _suggested(self, run: Run) -> list[Change]:
        return changes((run.report or {}).get("findings", ()))

    def _able(self, suggested: Iterable[Change]) -> list[Change]:
        """Return the changes that can be made together, those that save most first."""
        found: list[Change] = []
        for change in suggested:
            try:
                changed(change.file, self._files.source(change.file).text, [change])
            except (EditError, OSError, SyntaxError, UnicodeDecodeError) as error:
                self._left[_key(change)] = str(error)
            else:
                found.append(change)
        return apart(found)

    def _next(self, run: Run) -> list[Change]:
        """Return what to change next: what was not tried, and has not been typed already."""
        tried = {_key(c) for c in self._undone}
        found = [c for c in self._suggested(run) if _key(c) not in tried]
        new: list[Change] = []
        refused = {}
        for change in found:
            if change.file not in refused:
                why = self._files.refused([change.file])
                refused[change.file] = why[0] if why else ""
            if refused[change.file]:
                self._left[_key(change)] = refused[change.file]
            elif is_there(self._files.source(change.file).text, change):
                self._left[_key(change)] = "it is typed there already, and has not helped"
            else:
                new.append(change)
        return self._able(new)

    def _still_left(self, run: Run) -> Iterator[tuple[Change, str]]:
        """Yield what a run suggests, other than what was undone, with why it is not done."""
        tried = {_key(c) for c in self._undone}
        for change in self._suggested(run):
            if _key(change) not in tried:
                yield change, self._left.get(_key(change), f"it came up after {_ROUNDS} rounds")

    def _round(self, batch: Sequence[Change]) -> Run | None:
        """Make changes, all at once if they are right together; return the last right run."""
        base = dict(self._files.now)
        accepted: list[Change] = []
        latest, latest_of = None, accepted[:]
        waiting = [list(batch)]
        while waiting:
            part = waiting.pop(0)
            self._progress(f"round {self._rounds}: running it with {fixes(len(accepted + part))}")
            run, why = self._tried(base, [*accepted, *part])
            if not why:
                accepted += part
                latest, latest_of = run, accepted[:]
            elif len(part) == 1:
                self._undone[part[0]] = why
            else:
                half = (len(part) + 1) // 2
                waiting[:0] = [part[:half], part[half:]]
        self._write({**base, **self._contents(latest_of, base)})
        self._verified = dict(self._files.now)
        self._applied += accepted
        if latest is not None:
            self._lossy = len(_lossy(latest))
        return latest

    def _tried(self, base: Mapping[Path, bytes], chosen: Sequence[Change]) -> tuple[Run, str]:
        """Run the program with changes; returns why they are not right, or ``""``."""
        try:
            contents = self._contents(chosen, base)
        except EditError as error:
            return self._before, str(error)
        self._write({**base, **contents})
        self._files.start()
        run = self._runner.audited()
        wrong = self._why_not_mended if chosen[-1].mends else self._why_wrong
        return run, wrong(run, [*self._applied, *chosen])

    def _why_wrong(self, run: Run, chosen: Sequence[Change]) -> str:
        """Return why a run with changes is another one than that without, or ``""``."""
        if run.status != self._before.status:
            return f"the program {run.ending} with it"
        if told := differ(self._before, run, self._within(chosen)):
            return f"it changes the results: {told}"
        if len(lossy := _lossy(run)) > self._lossy:
            return f"values do not survive it: {lossy[-1]['places'][0]['told']}"
        return "" if run.report is not None else "the audit left no report with it"

    def _why_not_mended(self, run: Run, chosen: Sequence[Change]) -> str:
        """Return why changes of what was wrong are not right: results are to change."""
        if run.report is None:
            return "the audit left no report with it"
        found = {f["kind"] for f in run.report["findings"]}
        stopped = any(change.kind == "stopped" for change in chosen)
        if stopped and "stopped" in found:
            return "the program stops all the same"
        is_same = stopped or run.status == self._before.status
        return "" if is_same else f"the program {run.ending} with it"

    def _within(self, chosen: Sequence[Change]) -> Tolerance:
        return tolerance(narrowest(chosen), self._given)

    def _last(self) -> Run:
        """Run the changed program as it is, for what it takes."""
        self._progress("running the fixed program as it is")
        run = self._runner.plain()
        if why := self._why_wrong(run._replace(report={}), self._applied):
            self._verified = {}
            raise FixError(f"without the audit, the fixed program is another: {why}; all is undone")
        return run

    # the files

    def _contents(
        self, chosen: Sequence[Change], base: Mapping[Path, bytes] | None = None
    ) -> dict[Path, bytes]:
        """Return the files as they are with changes made."""
        found = {}
        for file in dict.fromkeys(change.file for change in chosen):
            place = Path(file).resolve()
            self._files.source(file)
            source = decoded((base or self._files.now).get(place, self._files.now[place]))
            text = changed(file, source.text, [c for c in chosen if c.file == file])
            try:
                found[place] = source.encoded(text)
            except UnicodeEncodeError:
                raise EditError(
                    f"{near(file)} is in {source.encoding}, which lacks a letter"
                ) from None
        return found

    def _write(self, contents: Mapping[Path, bytes]) -> None:
        try:
            self._files.write(contents)
        except FileChangedError as error:
            raise FixError(str(error)) from None
        except OSError as error:
            raise FixError(f"{error.filename} cannot be written: {error.strerror}") from None

    def _restore(self) -> None:
        """Put the files back as they were when all was right: a fix that was checked stays."""
        with _undisturbed():
            for place in self._files.now:
                kept = self._verified.get(place, self._files.before[place])
                try:
                    self._files.write({place: kept})
                except (FileChangedError, OSError) as error:
                    self._progress(str(error))

    def _patch(self) -> bytes:
        from .told import patch

        return patch(self._files.before, self._files.now)


def differ(before: Run, after: Run, within: Tolerance) -> str:
    """Return where two runs differ: in what they print, return, or write to files."""
    if told := texts_differ(before.output, after.output, within):
        return told
    for name, content in before.files.items():
        other = after.files.get(name)
        if (content is None) != (other is None):
            return f"{name} is not written{'' if other is None else ' before'}"
        told = files_differ(name, content or b"", other or b"", within)
        if told:
            return told
    return values_differ(before.result, after.result, within)


def _lossy(run: Run) -> list[Mapping[str, Any]]:
    """Return the findings of a run on casts that lose values."""
    findings = (run.report or {}).get("findings", ())
    return [found for found in findings if found["kind"] == "precision-loss"]


def _key(change: Change) -> tuple[str, int, str, str]:
    """Return what a change is known by when lines have been added above it."""
    return change.file, change.cell, change.text, change.suggestion


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let nobody interrupt what has to be done to the end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {n: signal.signal(n, signal.SIG_IGN) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

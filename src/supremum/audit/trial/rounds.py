"""Rounds of typing what a report suggests, and running the program again."""

from __future__ import annotations

import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from ...core.errors import plural
from ..kinds import STOPPED, WIDE_STORAGE, find
from ..log.samples import SampledRow
from ..model.wording import near
from .agreement import Agreement, agreement, steady
from .comparison import (
    Tolerance,
    alike,
    can_compare,
    failing_check,
    file_differences,
    text_differences,
    tolerance,
)
from .edits import Change, EditError, apart, candidates, changes, narrowest
from .files import FileChangedError, Files, decoded
from .fixed import Fixed, FixError, fixes, measures
from .notebook_edits import changed, is_there
from .runs import Run, Runner, differ, differences, states
from .search import largest
from .seeds import unseeded

_ROUNDS: Final = 20
_FEW: Final = 4  # changes of which each is left out by itself, if that takes a moment
_MOMENT: Final = 5.0  # seconds
_HALVES: Final = ("float16", ".half()")  # bfloat16, too
_TRIES: Final = 12  # of changes that are not known to be right
_SECONDS: Final = 120.0  # after which no other finding has any of them tried
_INFINITE: Final = re.compile(r"\b(?:inf|nan)\b")
_WARNING: Final = re.compile(r"RuntimeWarning: (.*encountered in .*)")
_PART: Final = re.compile(r"carry (?:component )?(\S+) has type")
_WRONG_USAGE: Final = 2  # the exit status of argparse, click and many others


class Fixing:
    """The changes of one program, round by round.

    Args:
        runner: runs the program.
        files: writes its files.
        command: how the user calls it, for messages.
        given: the relative tolerance, or None for that of the narrower dtype.
        progress: called with what is being done.
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
        self._made_in: dict[Change, int] = {}  # by the number of the round
        self._undone: dict[Change, str] = {}
        self._left: dict[tuple[str, int, str, str], str] = {}
        self._verified: dict[Path, bytes] = {}
        self._given_up: set[_Known] = set()  # findings for which all was tried
        self._rounds = 0
        self._latest: Run  # the last run that was right
        self._rows: Sequence[SampledRow] = ()  # what operations gave before
        self._made_of: dict[Path, bytes] = {}  # the files then
        self._is_steady = False  # whether it is known that they give it each time
        self._tries = 0  # of changes that are not known to be right
        self._first_known: frozenset[_Known] = frozenset()  # what was found in the program as it is
        self._agreed = Agreement()  # how far what they give now is the same

    def proposed(self) -> Fixed:
        """Return the changes of one run as a patch, without running the program again."""
        first, batch = self._first()
        if not batch:
            return self._nothing(first)
        self._files.now.update(self._contents(batch, self._files.now))
        left = [c for c in changes(first.findings()) if c not in batch]
        return Fixed(
            tuple(batch),
            left=tuple((c, self._left.get(c.key, "it overlaps another one")) for c in left),
            patch=self._files.patch(),
            note="Nothing was checked: run the program, and compare what it gives.",
        )

    def checked(self) -> Fixed:
        """Make changes as long as a run suggests some, and keep those that are right."""
        first, batch = self._first()
        if not batch and not any(map(candidates, self._wanting(first))):
            return self._nothing(first)
        self._progress("running the program as it is")
        self._before = self._runner.plain()
        first = self._without_unsteady(first)
        unfixed = self._before
        self._first_known = frozenset(_known(f) for f in first.findings())
        self._check_steady(first)
        self._keep_rows(first)
        run = self._latest = first
        with self._restored():
            run = self._suggested(first, batch)
            while (found := self._searched(run)) is not run:
                run = self._suggested(found, self._able(found))
            run = self._without_needless(run)
            after = self._last() if self._applied else unfixed
            if not self._applied:
                self._runner.put_back(unfixed)
        if not (self._applied or self._undone or changes(run.findings())):
            return self._nothing(run)
        meant = tuple(self._meant(unfixed, after))
        if not after.status:  # others were right
            self._undone = {c: why for c, why in self._undone.items() if c.kind != STOPPED}
        return Fixed(
            applied=tuple(self._applied),
            undone=tuple(self._undone.items()),
            left=self._still_left(run),
            patch=self._files.patch(),
            before=measures(first, unfixed),
            after=measures(run, after),
            rounds=self._rounds,
            within=self._within(self._applied),
            note=_without_suggestion(run, self._tries),
            unmended=_unmended(run),
            is_silent=after.is_silent,
            compared=self._agreed.compared if self._agreed else 0,
            stated=differ(self._before, after, self._within(self._applied)),
            meant=meant,
            still=after.ending if after.status and self._were_stops() else "",
            unchanged=alike(unfixed.output, after.output, self._within(self._applied)),
            kept=self._files.kept,
            files=tuple(x for x in self._runner.found if x not in self._runner.uncompared),
            uncompared=tuple(sorted(self._runner.uncompared)),
        )

    def _suggested(self, run: Run, batch: Sequence[Change]) -> Run:
        """Make what is suggested, as long as there is some: first what makes wrong results right.

        Returns the last run that is right.
        """
        for is_wrong in (True, False):
            made = len(self._applied)
            while part := [c for c in batch if c.is_of_wrong_results is is_wrong]:
                if self._rounds == _ROUNDS:
                    break
                self._rounds += 1
                run = self._round(part) or run
                batch = self._able(run)
            if is_wrong and len(self._applied) > made:
                self._progress("running the program with results that are right")
                self._before = self._runner.plain()
                self._check_steady(run)
                self._keep_rows(run)
        return run

    def _were_stops(self) -> bool:
        return any(change.kind == STOPPED for change in self._applied)

    def _meant(self, unfixed: Run, after: Run) -> Iterator[str]:
        """Yield how results changed that were wrong, and others that came of them."""
        was_wrong = any(change.is_of_wrong_results for change in self._applied)
        if unfixed.status != after.status or (was_wrong and unfixed.ending != after.ending):
            yield f"the program {unfixed.ending}, and now it {after.ending}"
        if was_wrong:
            yield from differences(unfixed, self._before, self._within(self._applied))

    # the first run

    def _first(self) -> tuple[Run, list[Change]]:
        """Run the program, and return what to change first."""
        self._progress("running the program with the audit")
        self._files.start()
        run = self._runner.audited()
        if why := self._why_unknown(run):
            raise FixError(why)
        refused = self._files.refused(change.file for change in changes(run.findings()))
        if refused:
            lines = "\n".join(refused)
            raise FixError(f"nothing is changed:{' ' if len(refused) == 1 else chr(10)}{lines}")
        return run, self._able(run)

    def _why_unknown(self, run: Run) -> str:
        """Return why nothing can be known of a program that was run, or ``""``."""
        if run.report is None and run.last_line.startswith("supremum: "):
            return run.last_line.removeprefix("supremum: ")
        if run.last_line.startswith("EOFError"):
            return f"the program reads standard input; give it with < FILE: {self._command} < FILE"
        seen = run.report is not None and run.report["operations"]
        if run.status == _WRONG_USAGE and not seen and "usage:" in run.errors.lower():
            why = f"the program asks for other arguments ({run.last_line}); give them after it"
            return f"{why}: {self._command} ARGUMENTS"
        if run.report is None:
            return f"the program {run.ending}, and left no report; nothing is changed"
        return ""

    def _nothing(self, run: Run) -> Fixed:
        """Return why nothing is changed after one run."""
        left = self._still_left(run)
        report, count = run.report or {}, len(run.findings())
        if report["warning"]:
            why = report["warning"]
        elif count:
            shows = f"supremum audit shows {'it' if count == 1 else 'them'}"
            tried = _tried_in_vain(self._tries)
            why = f"no change is known to be right for {plural(count, 'finding')}{tried}; {shows}"
        else:
            why = f"nothing found in {plural(report['operations'], 'operation')} on arrays"
        ending = f" The program {run.ending}." if run.status else ""
        note = "" if left else f"Nothing to fix: {why}.{ending}"
        unchecked = int(bool(report["warning"]))
        return Fixed((), left=left, note=note, unmended=_unmended(run) + unchecked)

    def _without_unsteady(self, first: Run) -> Run:
        """Leave out the files that were found, as far as nobody can compare them."""
        for name in self._runner.found:
            one, other = first.files.get(name), self._before.files.get(name)
            if (
                one is None or other is None or not can_compare(name, one)
                or any(file_differences(name, one, other, tolerance("")))
            ):  # fmt: skip
                self._runner.uncompared |= {name}
        self._before = self._before._replace(uncompared=self._runner.uncompared)
        return first._replace(uncompared=self._runner.uncompared)

    def _check_steady(self, first: Run) -> None:
        """Refuse a program that gives something else each time."""
        if why := differ(first, self._before, tolerance("")):
            self._verified = {}
            then = why.replace(" became ", ", then ")
            drawn = unseeded(path for path in self._files.now if path.suffix == ".py")
            seed = "; ".join(drawn) or "give it a seed, and print no times"
            raise FixError(
                f"the program gives other results each time: {then}; {seed}; "
                "--diff makes a patch that is not checked"
            )
        named = [name for name in self._before.files if name not in self._runner.found]
        missing = [name for name in named if self._before.files[name] is None]
        if missing:
            raise FixError(f"the program does not write {missing[0]!r}, which --compare names")

    def _keep_rows(self, run: Run) -> None:
        """Keep what the operations of the program gave, as it is now."""
        self._rows, self._made_of, self._is_steady = run.rows, dict(self._files.now), False
        if self._before.is_silent:
            self._steady()

    def _steady(self) -> None:
        """Leave out of the rows what the operations of the program do not give each time."""
        now, self._is_steady = dict(self._files.now), True
        self._progress("running the program with the audit once more")
        self._rows = steady(self._rows, self._audited(self._made_of).rows)
        self._write(now)

    def _agreement(self, run: Run, within: Tolerance) -> Agreement:
        """Return whether operations gave the same, if they do so each time."""
        is_early = bool(self._before.status)
        agreed = agreement(self._rows, run.rows, within, goes_on=is_early)
        if not agreed.difference or self._is_steady:
            return agreed
        self._steady()
        return agreement(self._rows, run.rows, within, goes_on=is_early)

    # what a run suggests

    def _able(self, run: Run) -> list[Change]:
        """Return the changes that can be made together, those that save most first."""
        found: list[Change] = []
        tried = {change.key for change in self._undone}
        for change in changes(run.findings()):
            if change.key in tried:
                continue
            if why := self._why_unable(change):
                self._left[change.key] = why
            else:
                found.append(change)
        # what a library does of itself may come of the others, as that it compiles once more
        others = [change for change in found if not find(change.kind).is_of_library]
        return apart(others or found)

    def _why_unable(self, change: Change) -> str:
        """Return why a change cannot be made, or ``""``."""
        if refused := self._files.refused([change.file]):
            return refused[0]
        mended = [c.suggestion for c in self._applied if c.is_of_wrong_results]
        if _casts_to_half(change) and any(text in change.text for text in mended):
            return "it rounds again what is computed in more digits now"
        is_new = change.kind != STOPPED and not change.is_of_wrong_results and self._were_stops()
        if is_new and _casts_to_half(change):
            return "it takes to half precision what no error asks for; to have it, fix once more"
        try:
            text = self._files.source(change.file).text
            if is_there(text, change):
                return "it is typed there already, and has not helped"
            changed(change.file, text, [change])
        except (EditError, OSError, SyntaxError, UnicodeDecodeError) as error:
            return str(error)
        return ""

    def _still_left(self, run: Run) -> tuple[tuple[Change, str], ...]:
        """Return what a run suggests, other than what was undone, with why it is not done."""
        tried = {change.key for change in self._undone}
        left = [change for change in changes(run.findings()) if change.key not in tried]
        is_last = self._rounds == _ROUNDS
        late = f"it came up after {_ROUNDS} rounds" if is_last else "it came up last; run fix again"
        return tuple((change, self._left.get(change.key, late)) for change in left)

    # one round

    def _round(self, batch: Sequence[Change]) -> Run | None:
        """Make changes, all at once if they are right together; return the last right run."""
        base = dict(self._files.now)
        accepted: list[Change] = []
        latest: Run | None = None

        def is_right(chosen: Sequence[Change]) -> bool:
            nonlocal accepted, latest
            self._progress(f"round {self._rounds}: running it with {fixes(len(chosen))}")
            run, agreed, why = self._tried(base, chosen)
            if not why:
                accepted, latest, self._agreed = list(chosen), run, agreed
            elif len(chosen) == len(accepted) + 1:
                self._undone[chosen[-1]] = why
            return not why

        largest([batch], is_right)
        self._write({**base, **self._contents(accepted, base)})
        self._verified = dict(self._files.now)
        self._applied += accepted
        self._made_in |= dict.fromkeys(accepted, self._rounds)
        if latest is not None:
            self._latest = latest
        for change in [c for c in self._undone if len(apart([*accepted, c])) == len(accepted)]:
            del self._undone[change]  # a part of what is changed now, with which it may be right
        return latest

    def _tried(
        self,
        base: Mapping[Path, bytes],
        chosen: Sequence[Change],
        beside: Sequence[Change] = (),
    ) -> tuple[Run, Agreement, str]:
        """Run the program with changes; returns why they are not right, or ``""``.

        If results were wrong, what operations gave is not compared: it is to change.

        Args:
            base: what the files contain without them.
            chosen: the changes.
            beside: those that the files have already, and that are right with these or not at all.
        """
        unknown = Agreement()
        try:
            contents = self._contents(chosen, base)
        except EditError as error:
            return self._before, unknown, str(error)
        run = self._audited({**base, **contents})
        if run.report is None:
            why = f"the program {run.ending} with it, and the audit left no report"
            return run, unknown, why
        every = [*self._applied, *beside, *chosen]
        if (beside or chosen)[-1].is_of_wrong_results:
            return run, unknown, self._why_still_wrong(run, every)
        agreed = self._agreement(run, self._within(every))
        return run, agreed, self._why_other(run, every, agreed)

    def _why_other(self, run: Run, chosen: Sequence[Change], agreed: Agreement) -> str:
        """Return why a run with changes gives something else than that without, or ``""``."""
        is_mended = run.status == 0 and (self._before.status or -1) > 0
        is_other = run.status != self._before.status or run.exception != self._before.exception
        if is_other and not is_mended:
            return f"the program {run.ending} with it"
        within = self._within(chosen)
        why = differ(self._before, run, within)
        if why and not (agreed and states(self._before, run, within)):
            return f"it changes the results: {why}"
        if why := agreed.gross or (agreed.difference if self._before.is_silent else ""):
            return f"it changes the results: {why}"
        lossy = _losses(run)
        if len(lossy) > len(_losses(self._latest)):
            return f"values do not survive it: {lossy[-1]['places'][0]['told']}"
        return ""

    def _why_still_wrong(self, run: Run, chosen: Sequence[Change]) -> str:
        """Return why changes of what was wrong are not right: results are to change."""
        stopped = any(change.kind == STOPPED for change in chosen)
        is_stopped = bool(run.findings(STOPPED)) or run.status != 0
        if stopped and is_stopped and not _goes_further(self._latest, run, chosen):
            return "the program stops all the same"
        if not stopped and run.status not in (0, self._before.status):
            return f"the program {run.ending} with it"
        if changed := self._changed_before_stop(run, every=chosen):
            return f"it changes what was printed before the program stopped: {changed}"
        if failing := failing_check(self._before.output, run.output):
            return f"what the program checks holds no more: {failing}"
        if warned := sorted(_warned(run) - _warned(self._before)):
            return f"the program warns with it: {warned[0]}"
        before, after = _told(self._latest), _told(run)
        same = [c.told for c in chosen if c.told and after[c.told] >= before[c.told] > 0]
        same = same or [c.told for c in chosen if _is_still_there(run, c)]
        if same := same or [*filter(None, (_lost_as_before(self._latest, run, c) for c in chosen))]:
            return f"it does not help: {same[0]}"
        lost = next((told for c in chosen if (told := _lost_at_once(run, c))), "")
        return f"what it gives is stored where it has no place: {lost}" if lost else ""

    def _changed_before_stop(self, run: Run, every: Sequence[Change]) -> str:
        """Return how changes of stops alone change what was printed before them, or ``""``."""
        before, after = self._before.output, run.output
        if self._before.status == 0 or any(change.kind != STOPPED for change in every):
            return ""
        return next(text_differences(before, after, self._within(every), goes_on=True), "")

    def _within(self, chosen: Sequence[Change]) -> Tolerance:
        keeps_whole = any(change.note == WIDE_STORAGE for change in chosen)
        return tolerance(narrowest(chosen), self._given)._replace(of_kind=keeps_whole)

    def _last(self) -> Run:
        """Run the changed program as it is, for what it takes."""
        self._progress("running the fixed program as it is")
        run = self._runner.plain()
        if why := self._why_other(run, self._applied, self._agreed):
            self._verified = {}
            raise FixError(f"without the audit the fixed program differs: {why}; all is undone")
        return run

    # what nobody knows to be right

    def _searched(self, run: Run) -> Run:
        """Try changes that are not known to be right, one by one; return the last right run."""
        start = perf_counter()
        while self._tries < _TRIES and perf_counter() - start < _SECONDS:
            wanting = (f for f in self._wanting(run) if _known(f) not in self._given_up)
            if (finding := next(wanting, None)) is None:
                break
            self._given_up.add(_known(finding))
            undone = [c for c in self._undone_of(finding) if c.is_of_wrong_results]
            for change in (*candidates(finding), *undone):  # which may need others beside them
                if self._tries == _TRIES or any(map(self._why_unable, (change, *change.others))):
                    continue
                self._tries += 1
                if (found := self._found(run, finding, change)) is not None:
                    run = found
                    for one in self._undone_of(finding):
                        del self._undone[one]
                    break
        return run

    def _wanting(self, run: Run) -> list[dict[str, Any]]:
        """Return the findings, notes aside, for which nothing is suggested that is right."""
        return [
            f for f in run.findings()
            if f["severity"] != "note" and (not f["suggestion"] or self._undone_of(f))
        ]  # fmt: skip

    def _undone_of(self, finding: Mapping[str, Any]) -> list[Change]:
        """Return what was suggested for a finding, and undone."""
        keys = {change.key for change in changes([finding])}
        return [change for change in self._undone if change.key in keys]

    def _found(self, before: Run, finding: Mapping[str, Any], change: Change) -> Run | None:
        """Return the run with one change, if it is without the finding, and with no other.

        With it goes what has to be changed together.
        """
        self._progress(f"trying {change.suggestion}")
        base = dict(self._files.now)
        chosen = [change._replace(others=()), *change.others]
        first = self._tried(base, chosen)
        now = dict(self._files.now)
        for then in self._following(first[0], change, why=first[2]):
            run, agreed, why = self._tried(now, then, beside=chosen) if then else first
            every = [*chosen, *then]
            if not why and self._is_without(before, finding, run, every):
                break
        else:
            self._write(base)
            return None
        chosen = every
        self._verified = dict(self._files.now)
        self._agreed, self._rounds = agreed or self._agreed, self._rounds + 1
        self._applied += chosen
        self._made_in |= dict.fromkeys(chosen, self._rounds)
        self._latest = run
        if change.is_of_wrong_results:
            self._before = self._runner.plain()
            self._keep_rows(run)
        return run

    def _following(self, run: Run, change: Change, *, why: str) -> Iterator[list[Change]]:
        """Yield what has to be changed with a change: what it gives is refused later, or stored.

        What is cast to half precision there may be infinite again, so that the other operand is
        cast instead.
        """
        then = self._able(run) if why and change.is_of_wrong_results else []
        if not run.status:
            then = [one for one in then if one.is_of_lost_values]
        others = (c for f in run.findings(STOPPED) for c in candidates(f)) if then else ()
        wider = [c for c in others if not _casts_to_half(c) and not self._why_unable(c)]
        yield from (then, *([one] for one in wider[:_FEW]))

    def _is_without(
        self, before: Run, finding: Mapping[str, Any], run: Run, chosen: Sequence[Change]
    ) -> bool:
        """Return whether a run with changes is without a finding, and has no other one."""
        change = chosen[0]
        known = self._first_known.union(_known(f) for f in before.findings())
        new = [f for f in run.findings() if _known(f) not in known and f["severity"] != "note"]
        if change.is_of_wrong_results:  # what is right may be wider, until that is mended
            new = [f for f in new if not (find(f["kind"]).widens and f["suggestion"])]
        if _INFINITE.search(change.told):  # of what came of it, nothing was found before
            new = [f for f in new if not (find(f["kind"]).is_of_values and f["suggestion"])]
        if change.kind == "wraparound":  # the last digits of a float are less than that
            typed = {one.suggestion for one in chosen}
            new = [
                f for f in new if f["kind"] != "precision-loss" or f["cause"]["text"] not in typed
            ]
        return not new and len(_alike(run, finding)) < len(_alike(before, finding))

    def _without_needless(self, run: Run) -> Run:
        """Take back what other changes made needless: what it is of may be found later.

        Values that are wrong may all have come of those where the first change is.
        """
        early = [
            c
            for c in self._applied
            if self._made_in[c] < self._rounds or c.key in self._left  # it is found all the same
        ]
        stopped = [c for c in self._applied[:-1] if c.kind == STOPPED and c not in early]
        wrong = [c for c in self._applied if c.told and c.is_of_wrong_results and c not in early]
        following = sorted(wrong, key=lambda c: (c.file, c.start))[1:]
        base, start = dict(self._files.now), perf_counter()
        latest: Run | None = None

        def is_needless(chosen: Sequence[Change]) -> bool:
            nonlocal latest
            contents = self._without(base, chosen)
            are_stops = all(change.kind == STOPPED for change in chosen)
            if contents is None or perf_counter() - start > _SECONDS:
                return False
            self._progress(f"running it without {fixes(len(chosen))}")
            without = self._audited({**base, **contents})
            is_as_good = (
                without.report is not None
                and without.status == run.status
                and len(without.findings()) <= len(run.findings())
                and (are_stops or not differ(run, without, self._within(self._applied)))
            )
            if is_as_good:
                latest, self._verified = without, dict(self._files.now)
            return is_as_good

        needless = [*largest([[*early, *stopped]], is_needless)]
        rest = [c for c in following if c not in needless]
        if rest and is_needless([*needless, *rest]):
            needless += rest
        elif 1 < len(self._applied) <= _FEW and run.seconds < _MOMENT:
            for change in self._applied:
                if change not in needless and is_needless([*needless, change]):
                    needless.append(change)
        self._applied = [_without_parts(c, needless) for c in self._applied if c not in needless]
        self._left |= {change.key: "it makes no difference" for change in needless}
        self._write({**base, **(self._without(base, needless) or {})})
        return latest or run

    def _without(
        self, contents: Mapping[Path, bytes], chosen: Sequence[Change]
    ) -> dict[Path, bytes] | None:
        """Return files without some changes, or None if it is not known where they are by now."""
        found: dict[Path, bytes] = {}
        alike = Counter(change.key for change in chosen)
        for change in {c.key: c for c in chosen}.values():
            place = Path(change.file).resolve()
            source = decoded(found.get(place, contents[place]))
            was_there = change.text in decoded(self._files.before[place]).text
            are_all = was_there and source.text.count(change.suggestion) == alike[change.key]
            if change.cell or change.needs or not are_all:
                return None
            text = source.text.replace(change.suggestion, change.text)
            found[place] = text.encode(source.encoding)
        return found

    # the files

    def _contents(self, chosen: Sequence[Change], base: Mapping[Path, bytes]) -> dict[Path, bytes]:
        """Return the files as they are with changes made."""
        found = {}
        for file in dict.fromkeys(change.file for change in chosen):
            place = Path(file).resolve()
            source = decoded(base.get(place, self._files.now[place]))
            text = changed(file, source.text, [c for c in chosen if c.file == file])
            try:
                found[place] = text.encode(source.encoding)
            except UnicodeEncodeError:
                lacks = f"{near(file)} is in {source.encoding}, which lacks a letter"
                raise EditError(lacks) from None
        return found

    def _audited(self, contents: Mapping[Path, bytes]) -> Run:
        """Run the program with the audit, once its files are written."""
        self._write(contents)
        self._files.start()
        return self._runner.audited()

    def _write(self, contents: Mapping[Path, bytes]) -> None:
        try:
            self._files.write(contents)
        except FileChangedError as error:
            raise FixError(str(error)) from None
        except OSError as error:
            raise FixError(f"{error.filename} cannot be written: {error.strerror}") from None

    @contextmanager
    def _restored(self) -> Iterator[None]:
        """Put files back as they were when all was right, if something ends the work."""
        try:
            yield
        except BaseException as error:
            with _undisturbed():
                self._restore()
            count = len(self._applied)
            checked = f" with the {fixes(count)} that {'was' if count == 1 else 'were'} checked"
            kept = checked * bool(count)
            kept += f". {self._files.kept}" * bool(self._files.copies)
            message = f"interrupted: the files are as they were{kept}"
            if isinstance(error, KeyboardInterrupt):
                raise KeyboardInterrupt(message) from None
            if isinstance(error, SystemExit):
                error.add_note(message)
            raise

    def _restore(self) -> None:
        self._runner.put_back(self._before)
        for place in self._files.now:
            kept = self._verified.get(place, self._files.before[place])
            try:
                self._files.write({place: kept})
            except (FileChangedError, OSError) as error:
                self._progress(str(error))


def _without_parts(change: Change, needless: Iterable[Change]) -> Change:
    """Return a change as it is once others are taken back, of which it may have parts."""
    text, suggestion = change.text, change.suggestion
    for part in needless:
        text = text.replace(part.suggestion, part.text)
        suggestion = suggestion.replace(part.suggestion, part.text)
    return change._replace(text=text, suggestion=suggestion)


_Known = tuple[str, str, str]


def _known(finding: Mapping[str, Any]) -> _Known:
    """Return what a finding is known by when lines have been added above it."""
    return finding["file"], finding["kind"], finding["cause"]["text"]


def _alike(run: Run, finding: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [f for f in run.findings() if _known(f) == _known(finding)]


def _operations(run: Run) -> int:
    """Return how many operations on arrays a run came to."""
    return run.report["operations"] if run.report is not None else 0


def _casts_to_half(change: Change) -> bool:
    """Return whether a change casts to half precision."""
    return any(name in change.suggestion and name not in change.text for name in _HALVES)


def _goes_further(before: Run, run: Run, chosen: Sequence[Change]) -> bool:
    """Return whether a program that stops came further than it did before some changes.

    That is by its operations, of which each change may be one more; or else, as those in place are
    not counted, by where it stops.
    """
    more = _operations(run) - _operations(before)
    if more < 0 or more > len(chosen):
        return more > 0
    then, now = (next(iter(r.findings(STOPPED)), None) for r in (before, run))
    if then is None or now is None:
        return more > 0
    old, new = then["places"][0], now["places"][0]
    if more:
        text = new["text"]
        for change in chosen:
            text = text.replace(change.suggestion, change.text)
        return bool(text != old["text"])
    parts = [_PART.search(finding["message"]) for finding in (then, now)]
    if all(parts) and parts[0][1] != parts[1][1]:  # type: ignore[index]  # they are there
        return True  # another part of what a loop hands on
    same_file = (old["file"], old.get("cell")) == (new["file"], new.get("cell"))
    is_later = (old["line"], old["column"]) < (new["line"], new["column"])
    return same_file and is_later and old["text"] != new["text"]


def _losses(run: Run) -> list[dict[str, Any]]:
    """Return the findings of a run of which a fix must not bring more."""
    return [finding for finding in run.findings() if find(finding["kind"]).undoes_fix]


def _warned(run: Run) -> set[str]:
    """Return what NumPy warned of, as results that are not numbers."""
    return set(_WARNING.findall(run.errors))


def _told(run: Run) -> Counter[str]:
    """Return what the findings of a run say of values, each with how often.

    Where it stops is asked otherwise: the next operation may be refused in the same words.
    """
    of_values = (finding for finding in run.findings() if finding["kind"] != STOPPED)
    return Counter(p["told"] for finding in of_values for p in finding["places"])


def _is_still_there(run: Run, change: Change) -> bool:
    """Return whether what is typed gives the same wrong value."""
    _, is_value, became = change.told.rpartition(" became ")
    told = _told_where_made(change, run.findings(change.kind))
    return bool(is_value) and became in [now.rpartition(" became ")[2] for now in told]


def _lost_at_once(run: Run, change: Change) -> str:
    """Return which values of a change are lost in the statement where it was made, or ``""``."""
    stores = [finding for finding in run.findings() if find(finding["kind"]).keeps_effect]
    return next(iter(_told_where_made(change, stores)), "")


def _lost_as_before(before: Run, run: Run, change: Change) -> str:
    """Return what is lost in the statement of a change as much as before, or ``""``."""
    if not find(change.kind).undoes_fix or not change.told:
        return ""
    found = before.findings(change.kind), run.findings(change.kind)
    as_it_was = change._replace(suggestion=change.text)
    then, now = (
        [told[0] for finding in each if (told := _told_where_made(made, [finding]))]
        for each, made in zip(found, (as_it_was, change), strict=True)
    )
    return now[0] if 0 < len(then) <= len(now) else ""


def _told_where_made(change: Change, findings: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what findings say of values in the statement where a change was made."""
    places = [place for finding in findings for place in finding["places"]]
    return [p["told"] for p in places if p["told"] and change.suggestion in p["text"]]


def _tried_in_vain(count: int) -> str:
    """Return in words how many changes were tried, of which none is right."""
    return f", and {plural(count, 'other change')} did not help" if count else ""


def _unmended(run: Run) -> int:
    """Return how many findings are left, notes aside, for which nothing is suggested."""
    return sum(not f["suggestion"] and f["severity"] != "note" for f in run.findings())


def _without_suggestion(run: Run, tries: int) -> str:
    """Return in words how many findings are left for which nothing is suggested."""
    left = sum(not finding["suggestion"] for finding in run.findings())
    if not left:
        return ""
    shows = f"supremum audit shows {'it' if left == 1 else 'them'}"
    found = plural(left, "other finding")
    return f"No change is known to be right for {found}{_tried_in_vain(tries)}; {shows}."


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

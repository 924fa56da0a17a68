"""What a fix has done, and what the program takes before and after it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ...core.display import displayed
from ...core.dtypes import by_name, names
from ...core.errors import RulesError, plural
from ..model.wording import near, size
from .comparison import Tolerance
from .edits import Change
from .runs import Run

_MOST_NAMED: Final = 5
_MOST_CHANGED: Final = 10


class FixError(RulesError):
    """A program that cannot be fixed, or a file that must not be changed."""


def check_tolerance(given: float | None) -> None:
    """Refuse a tolerance that is none.

    Raises:
        FixError: unless it is from 0 to 1, or None.
    """
    if given is not None and not (math.isfinite(given) and 0 <= given < 1):
        raise FixError(f"a tolerance is from 0 to 1, such as 1e-4, not {given!r}", given)


class Measures(NamedTuple):
    """What a program takes.

    Attributes:
        wasted: how much less memory it could take, in bytes.
        peak: the most memory that it took at a time, in bytes, or None if that is not known.
        seconds: how long it took.
        results: how many operations gave each dtype.
    """

    wasted: int
    peak: int | None
    seconds: float
    results: Mapping[str, int]


def measures(audited: Run, plain: Run) -> Measures:
    """Return what a program takes, by a run with the audit and one without."""
    wasted = sum(f["bytes"] for f in audited.findings())
    return Measures(wasted, plain.peak, plain.seconds, (audited.report or {}).get("results", {}))


@displayed
class Fixed(NamedTuple):
    """What `fix` did.

    Attributes:
        applied: the changes that were made, in their order.
        undone: the changes that were undone, each with the reason.
        left: the suggestions that are left, each with the reason.
        patch: the changes as a patch, relative to the current folder.
        before: what the program took, or None if it was not run again.
        after: what it takes now.
        rounds: in how many rounds the changes were made.
        within: how far the results may be apart, or None if they were not compared.
        is_silent: whether the program prints, writes and returns nothing that could be compared.
        compared: how many of its operations gave the same, by samples of what they gave.
        stated: what it prints otherwise, although its operations give the same; or ``""``.
        note: what else is to be said: why there was nothing to fix, or what was not checked.
        meant: what changed, if results were wrong before: each line that it prints, and each value
            that it writes, with what it became.
        still: how the program ends all the same, if changes were to let it go on; else ``""``.
        unchanged: how many other lines it printed before, which agree.
        kept: where the files are kept as they were, in a sentence; ``""`` if git has them.
        unmended: how many findings, notes aside, are left for which nothing is suggested; one if
            nothing was checked.
        files: the files that the program writes, and that were compared without being named.
        uncompared: those that nobody can compare.
    """

    applied: tuple[Change, ...]
    undone: tuple[tuple[Change, str], ...] = ()
    left: tuple[tuple[Change, str], ...] = ()
    patch: bytes = b""
    before: Measures | None = None
    after: Measures | None = None
    rounds: int = 0
    within: Tolerance | None = None
    is_silent: bool = False
    compared: int = 0
    stated: str = ""
    note: str = ""
    meant: tuple[str, ...] = ()
    still: str = ""
    unchanged: int = 0
    kept: str = ""
    unmended: int = 0
    files: tuple[str, ...] = ()
    uncompared: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing that was found is left, notes aside."""
        return not (self.undone or self.left or self.unmended)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for change in self.applied:
            yield from _change(change)
        for word, refused in (("undone", self.undone), ("left", self.left)):
            for change, why in refused:
                yield from _change(change, f"{word}: ")
                yield f"  {why}"
        if self.applied:
            yield from self._done()
        elif self.undone or self.left:
            yield "Nothing is changed."
        if self.note:
            yield self.note

    def _done(self) -> Iterator[str]:
        """Yield how much was changed, and what came of it."""
        files = plural(len({change.file for change in self.applied}), "file")
        done = f"{fixes(len(self.applied))} in {files}"
        if self.within is not None:
            done += f", {plural(self.rounds, 'round')}"
            is_unknown = self.is_silent and not self.compared
            if is_unknown or not self.meant:
                done += f"; {self._compared()}"
        yield f"{done}."
        if self.stated:
            yield f"What it prints is not the same: {self.stated}."
        if self.still:
            yield f"The program still {self.still}."
        if self.meant:
            yield from self._changed()
        if self.files:
            yield f"Files that were compared, too: {_few(self.files)}."
        if self.uncompared and self.within is not None:
            yield f"Files that were not compared: {_few(self.uncompared)}."
        if self.kept:
            yield self.kept
        if self.before is not None and self.after is not None:
            yield from _gain(self.before, self.after)

    def _changed(self) -> Iterator[str]:
        """Yield what changed where results were wrong."""
        yield "Results were wrong before; what changed:"
        yield from (f"  {what}" for what in self.meant[:_MOST_CHANGED])
        if len(self.meant) > _MOST_CHANGED:
            yield f"  and {len(self.meant) - _MOST_CHANGED:,} more"
        if self.unchanged:
            lines = plural(self.unchanged, "other line")
            verb = "agrees" if self.unchanged == 1 else "agree"
            yield f"{lines} that it printed before {verb} to within {self.within}."

    def _compared(self) -> str:
        """Return in words what was compared."""
        if self.is_silent and not self.compared:
            return (
                "the program prints nothing: that it ends the same way is all there is to compare "
                "(--compare FILE names a file that it writes elsewhere)"
            )
        what = "its results agree"
        if self.is_silent or self.stated:
            what = f"the results of {plural(self.compared, 'operation')} agree"
        return f"the program ends the same way, and {what} to within {self.within}"


def _few(names: Sequence[str]) -> str:
    """Return some names in words, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def fixes(count: int) -> str:
    """Return a number of fixes, in words."""
    return f"{count:,} fix{'' if count == 1 else 'es'}"


def _change(change: Change, before: str = "") -> Iterator[str]:
    where = f"{near(change.file)}:{change.line}:{change.start[1]}"
    if change.cell:
        where = f"{near(change.file)}: cell {change.cell}, line {change.line}"
    yield f"{before}{where}: {change.text}"
    new = "\n    ".join(change.suggestion.splitlines())
    yield f" -> {new}{f', with {change.needs}' if change.needs else ''}"


def _gain(before: Measures, after: Measures) -> Iterator[str]:
    rows = [("", "before", "after")]
    rows.append(("memory more than needed", size(before.wasted), size(after.wasted)))
    if before.peak is not None and after.peak is not None:
        rows.append(("peak memory", size(before.peak), size(after.peak)))
    rows.append(("time", f"{before.seconds:.2f} s", f"{after.seconds:.2f} s"))
    for name in _fewer(before.results, after.results):
        counts = [f"{results.get(name, 0):,}" for results in (before.results, after.results)]
        rows.append((f"{name} operations", counts[0], counts[1]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        what, *cells = (f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {what.strip():<{widths[0]}}  {'  '.join(cells)}".rstrip()


def _fewer(before: Mapping[str, int], after: Mapping[str, int]) -> list[str]:
    """Return the inexact dtypes that fewer operations give, and float64 in any case."""
    found = {name for name in before if before[name] > after.get(name, 0)} | {"float64"}
    inexact = [n for n in found if n in names() and by_name(n).kind in ("float", "complex")]
    return sorted(inexact, key=lambda name: (name != "float64", name))

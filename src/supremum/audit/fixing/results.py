"""What a fix has done, and what the program takes before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...core.display import displayed
from ...core.errors import RulesError, plural
from .agreement import Tolerance
from .edits import Change
from .runs import Run


class FixError(RulesError):
    """A program that cannot be fixed, or a file that must not be changed."""


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
        note: what else is to be said: why there was nothing to fix, or what was not checked.
        meant: how the results changed that were wrong, or ``""``.
    """

    applied: tuple[Change, ...]
    undone: tuple[tuple[Change, str], ...] = ()
    left: tuple[tuple[Change, str], ...] = ()
    patch: bytes = b""
    before: Measures | None = None
    after: Measures | None = None
    rounds: int = 0
    within: Tolerance | None = None
    note: str = ""
    meant: str = ""

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left of what was suggested."""
        return not (self.undone or self.left)

    def __str__(self) -> str:
        from .told import told

        return told(self)


def without_suggestion(run: Run) -> str:
    """Say how many findings are left for which nothing is suggested."""
    left = sum(not f["suggestion"] for f in (run.report or {}).get("findings", ()))
    told = (
        f"No change is known to be right for {plural(left, 'other finding')}; supremum audit shows"
    )
    return f"{told} {'it' if left == 1 else 'them'}." if left else ""


def measures(audited: Run, plain: Run) -> Measures:
    """Return what a program takes, by a run with the audit and one without."""
    report = audited.report or {"findings": (), "results": {}}
    wasted = sum(f["bytes"] for f in report["findings"])
    return Measures(wasted, plain.peak, plain.seconds, report["results"])


def fixes(count: int) -> str:
    """Return a number of fixes, in words."""
    return f"{count:,} fix{'' if count == 1 else 'es'}"

"""Which arrays may be narrower, what that saves, and which have to stay wide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...core.display import displayed
from ...core.errors import plural
from ..model.wording import near, size
from .comparison import Tolerance
from .edits import Change, Position


class Place(NamedTuple):
    """A place at which a program introduces arrays of a wide dtype.

    Attributes:
        file: its file.
        start: the line and column at which it starts, in characters, from 1.
        end: those after its end.
        text: what is written there.
        dtype: the dtype that is introduced.
        wanted: the narrower dtype that may be enough, or ``""``.
        narrow: what to type for the narrower dtype, or ``""``.
        cast: what to type for a cast to it, or ``""``.
        needs: the import that this needs, or ``""``.
        rounded: what to type for values that are rounded to it, or ``""``.
        why: why it has to stay wide, or ``""`` if that is not known.
    """

    file: str
    start: Position
    end: Position
    text: str
    dtype: str
    wanted: str
    narrow: str = ""
    cast: str = ""
    needs: str = ""
    rounded: str = ""
    why: str = ""

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> Place:
        """Return the place that JSON describes, in which positions are lists."""
        fields: dict[str, Any] = dict(described)
        return cls(**fields | {name: tuple(fields[name]) for name in ("start", "end")})

    @property
    def change(self) -> Change:
        """What is typed for the narrower dtype."""
        return self._change(self.narrow)

    @property
    def rounding(self) -> Change:
        """What is typed for values that are rounded, and keep their dtype."""
        return self._change(self.rounded)

    def _change(self, text: str) -> Change:
        kind, dtypes = f"forbidden:{self.dtype}", frozenset([self.wanted])
        return Change(self.file, self.start, self.end, self.text, text, self.needs, kind, dtypes)

    def __str__(self) -> str:
        return f"{near(self.file)}:{self.start[0]}:{self.start[1]}"


class Narrowed(NamedTuple):
    """A place whose arrays may be narrower.

    Attributes:
        place: the place.
        saved: how many bytes that saves while its arrays, and what comes of them, are alive.
        seconds: how much faster the program is, or None if it was not measured.
        change: the largest relative change of the results if its values alone are rounded.
    """

    place: Place
    saved: int
    seconds: float | None
    change: float | None


class Taken(NamedTuple):
    """What a program takes, measured: the most memory at a time in bytes, and its time."""

    peak: int | None
    seconds: float


@displayed
class Narrowing(NamedTuple):
    """Which arrays of a program may be narrower, so that its results agree within a tolerance.

    Attributes:
        narrowed: the places whose arrays may be, those first that save most.
        wide: the places whose arrays stay as they are, each with the reason.
        within: the tolerance.
        change: the largest relative change of the results with all of it.
        before: what the program takes as it is, or None if that was not measured.
        after: what it takes with narrower arrays.
        patch: the changes as a patch.
        runs: how many times the program was run.
        inputs: how many inputs it was run with.
        written: whether the changes are in the files.
        is_partial: whether it was interrupted.
        note: what else is to be said, or ``""``.
    """

    narrowed: tuple[Narrowed, ...]
    wide: tuple[tuple[Place, str], ...]
    within: Tolerance
    change: float = 0.0
    before: Taken | None = None
    after: Taken | None = None
    patch: bytes = b""
    runs: int = 0
    inputs: int = 1
    written: bool = False
    is_partial: bool = False
    note: str = ""

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.narrowed:
            yield from _table([_HEAD, *map(_row, self.narrowed)])
        if self.wide:
            yield from ([""] if self.narrowed else [])
            yield "Kept wide:"
            yield from _table([(str(p), p.text, p.dtype, why) for p, why in self.wide])
        yield ""
        if self.note:
            yield self.note
        if self.before and self.after:
            yield f"{_taken(self.before)} before, {_taken(self.after)} after."
        if self.narrowed:
            allowed = f"{self.within.relative:.2g}" if self.within.relative > _EXACT else "none"
            runs = plural(self.runs, "run")
            beside = " and the last digit printed" * (self.change > self.within.relative)
            yield f"{_change(self.change)} (allowed: {allowed}{beside}). {runs}."
            inputs = f"the {self.inputs} inputs" if self.inputs > 1 else "the input"
            done = "The changes are written." if self.written else "--write writes the changes."
            yield f"This holds for {inputs} of these runs. {done}"


_HEAD = (
    "place", "expression", "dtype now", "enough", "saves", "seconds saved", "largest change"
)  # fmt: skip


def _row(found: Narrowed) -> tuple[str, ...]:
    place = found.place
    seconds = "-" if found.seconds is None else f"{found.seconds:.2f}"
    largest = "-" if found.change is None else _number(found.change)
    saved = size(found.saved)
    return str(place), place.text, place.dtype, place.wanted, saved, seconds, largest


def _number(change: float) -> str:
    return "none" if change == 0 else f"{change:.0e}"


def _change(change: float) -> str:
    if change == 0:
        return "The results do not change"
    return f"The results change by at most {change:.1g}" if change < math.inf else ""


def _taken(taken: Taken) -> str:
    peak = f"{size(taken.peak)} and " if taken.peak is not None else ""
    return f"{peak}{taken.seconds:.2f} s"


_WIDEST: Final = 44  # characters of a cell
_EXACT: Final = 1e-12  # a tolerance that is none


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with their columns aligned; long texts are cut."""
    cut = [
        [*(c if len(c) <= _WIDEST else f"{c[: _WIDEST - 3]}..." for c in row[:-1]), row[-1]]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    for row in cut:
        yield "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip()

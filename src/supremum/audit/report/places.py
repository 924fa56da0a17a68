"""The places of a report: where something happened, and what was there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..kinds import find, kind_of
from ..model.locations import Location, Span
from .where import at_span


def located(location: Location) -> dict[str, Any]:
    """Return the members that say where something is, and what is written there."""
    names = ("file", "span", "line", "column", "text")
    return {name: getattr(location, name) for name in names}


class Introduction(NamedTuple):
    """A place where a dtype was introduced.

    Attributes:
        file: the path of the file.
        span: where in it, columns in bytes; `line` and `column` count from 1, in characters.
        text: what is written there.
    """

    file: str
    span: Span
    line: int
    column: int
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            **at_span(self.file, self.span, self.line, self.column),
            "text": self.text,
        }


class Mark(NamedTuple):
    """Something written at a place, and its dtype.

    Attributes:
        text: how it is written.
        dtype: its dtype, with its shape where it has one: ``float32[64, 64]``.
        span: where it is, or None where it is not written out.
        born: where the integers that it is were introduced, if not here, and they made another
            dtype of what they met; else None.
    """

    text: str
    dtype: str
    span: Span | None
    born: Introduction | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        born = self.born.to_dict() if self.born is not None else None
        return {"text": self.text, "dtype": self.dtype, "born": born}


def _joined(marks: Sequence[Mark]) -> Mark:
    """Return what is written at one place as one, with each dtype once."""
    counts = Counter(mark.dtype for mark in marks)
    said = (f"{d} ({count} times)" if count > 1 else d for d, count in counts.items())
    return marks[0]._replace(dtype=", ".join(said))


class Place(NamedTuple):
    """A place where a cause had an effect.

    Attributes:
        file: the path of the file.
        span: where in it, columns in bytes; `line` and `column` count from 1, in characters.
        name: what happened, by the name that it is recorded as.
        text: what is written there.
        operands: the operands as they were the first time.
        result: the dtype that came out, or None for a store or a comparison.
        count: how often it happened.
        told: more about it, or ``""``.
    """

    file: str
    span: Span
    line: int
    column: int
    name: str
    text: str
    operands: tuple[Mark, ...]
    result: str | None
    count: int  # type: ignore[assignment]  # a tuple's own `count` has no use here
    told: str

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The operands, those of one list as one, by what is written there."""
        together: dict[Span, list[Mark]] = {}
        for mark in self.operands:
            if mark.span is not None:
                together.setdefault(mark.span, []).append(mark)
        apart = [mark for mark in self.operands if mark.span is None]
        return (*map(_joined, together.values()), *apart)

    @property
    def kind(self) -> str:
        """What happened."""
        return kind_of(self.name)

    @property
    def note(self) -> str:
        """Which note of the kind it is, or ``""``."""
        return self.name if self.name != self.kind else ""

    @property
    def effect(self) -> str:
        """What came of the cause there, in words."""
        return find(self.name).effect_at(self)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            **at_span(self.file, self.span, self.line, self.column),
            "kind": self.kind, **({"note": self.note} if self.note else {}), "text": self.text,
            "operands": [m.to_dict() for m in self.operands],
            "result": self.result, "count": self.count, "told": self.told,
        }  # fmt: skip

"""What a session keeps: the places where dtypes were born, and what came of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.operands import Operand


class Meeting:
    """A place where one cause does one kind of thing, and how often it did.

    Attributes:
        kind: the kind of finding.
        site: the index of the place.
        operands: its operands the first time.
        result: the dtype that came out.
        against: the operand that fared badly.
        rules: the rules of the library that did it.
        operator: the operator's name, where the rules know it, else None.
        told: more to say, such as the value that changed.
        spots: which of the spots of the place each operand is written at.
        count: how often it happened.
    """

    __slots__ = (
        "against", "count", "kind", "operands", "operator", "result", "rules", "site", "spots",
        "told",
    )  # fmt: skip

    def __init__(
        self,
        kind: str,
        site: int,
        operands: tuple[Operand, ...],
        result: DType | None,
        against: int,
        *,
        rules: Any = None,
        operator: str | None = None,
        told: str = "",
        spots: Sequence[int] = (),
    ) -> None:
        self.kind = kind
        self.site = site
        self.operands = operands
        self.result = result
        self.against = against
        self.rules = rules
        self.operator = operator
        self.told = told
        self.spots = tuple(spots) or tuple(range(len(operands)))
        self.count = 0


class Origin:
    """A place where values of some dtype were born.

    Attributes:
        site: the index of the place.
        operand: which of the place's operands it was, where the value came from elsewhere and
            was first seen there; None where the operation made it.
        index: in which order origins came up.
        dtype: the dtype of the values.
        library: what their library calls itself.
        scalar: whether they are scalars.
        from_numbers: whether they were made of Python numbers alone.
        function: the function that was called, or None.
        explicit: whether the call named a dtype.
        allowed: the kinds that a comment or a setting allows here.
        births: how many values were born here.
        operations: how many results have their dtype from here.
        bytes: the size of those that were allocated.
        copied: the size of the operands that were copied, to convert them to this dtype.
        cast_back: how many of these the program converted to something narrower at once.
        meetings: what came of it, by kind and place.
    """

    __slots__ = (
        "allowed", "births", "bytes", "cast_back", "copied", "dtype", "explicit", "from_numbers",
        "function", "index", "library", "meetings", "operand", "operations", "scalar", "site",
    )  # fmt: skip

    def __init__(
        self,
        site: int,
        operand: int | None,
        index: int,
        dtype: DType,
        allowed: frozenset[str],
        *,
        library: str = "",
        scalar: bool = False,
        from_numbers: bool = False,
        function: Any = None,
        explicit: bool = False,
    ) -> None:
        self.site = site
        self.operand = operand
        self.index = index
        self.dtype = dtype
        self.library = library
        self.scalar = scalar
        self.from_numbers = from_numbers
        self.function = function
        self.explicit = explicit
        self.allowed = allowed
        self.births = 0
        self.operations = 0
        self.bytes = 0
        self.cast_back = 0
        self.copied = 0
        self.meetings: dict[tuple[str, int], Meeting] = {}

    def met(self, meeting: Meeting) -> Meeting:
        """Return the meeting of this kind at this place: the one given if it is the first."""
        return self.meetings.setdefault((meeting.kind, meeting.site), meeting)

    @property
    def undone(self) -> bool:
        """Whether the program itself casts back, at once, all that is born here."""
        here = all(m.site == self.site and m.kind == "widening" for m in self.meetings.values())
        return here and 0 < self.operations <= self.cast_back

    def take_over(self, other: Origin) -> None:
        """Take what came of another origin on."""
        if not self.from_numbers:
            other.forget("weak-lost")
        for meeting in other.meetings.values():
            known = self.met(meeting)
            if known is not meeting:
                known.count += meeting.count
        self.operations += other.operations
        self.bytes += other.bytes

    def forget(self, kind: str) -> None:
        """Let all go that was found of one kind."""
        self.meetings = {key: m for key, m in self.meetings.items() if m.kind != kind}

    def of(self, kinds: Iterable[str]) -> list[Meeting]:
        """Return the meetings of some kinds."""
        chosen = set(kinds)
        return [m for m in self.meetings.values() if m.kind in chosen]

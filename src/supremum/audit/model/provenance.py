"""What a recorder keeps: the places where dtypes were introduced, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, by_name
from ...core.functions import facts_of
from ...core.operands import Operand
from . import rows
from .locations import LOCATIONS
from .rows import Rows


class Counts(NamedTuple):
    """What an origin has come to.

    Attributes:
        operations, bytes, copied: as those of an `Origin`.
        rows: how often there was each row of it.
        effects: how often each effect happened, and how often there was each row of that.
    """

    operations: int
    bytes: int
    copied: int
    rows: Rows
    effects: dict[tuple[str, int], tuple[int, Rows]]


NEVER: Final = Counts(0, 0, 0, {}, {})
"""What an origin has come to before it comes up."""

ANEW: Final = -1
"""How many operations were counted of an origin that is to be counted anew."""


@dataclass(slots=True, eq=False)
class Effect:
    """A place where one cause does one kind of thing, and how often it did.

    Attributes:
        kind: the kind of finding.
        location: the index of the place.
        operands: its operands the first time.
        result: the dtype that came out.
        against: the operand that fared badly.
        rules: the rules of the library that did it.
        operator: the operator's name, where the rules know it, else None.
        remark: more to say, such as the value that changed.
        enough: a dtype that has a place for the values, or None.
        is_way: whether only the way to the result has to be in that dtype.
        spans: which of the spans of the place each operand is written at.
        introductions: for each operand, the place where its dtype was introduced; None if nobody
            asks, or it is not known.
        parts: which columns of a table, or which part of an argument, it is about.
        rows: what was done with what came out.
        met: the dtypes that came up at the place, by the spans that operands are written at.
        count: how often it happened.
    """

    kind: str
    location: int
    operands: tuple[Operand, ...]
    result: DType | None
    against: int
    _: KW_ONLY
    rules: Any = None
    operator: str | None = None
    remark: str = ""
    enough: DType | None = None
    is_way: bool = False
    spans: Sequence[int] = ()
    introductions: Sequence[int | None] = ()
    parts: Sequence[Any] = ()
    rows: Rows = field(default_factory=dict)
    met: dict[int, set[str]] = field(default_factory=dict)
    count: int = 0

    def __post_init__(self) -> None:
        self.spans = tuple(self.spans) or tuple(range(len(self.operands)))
        self.introductions = tuple(self.introductions) or (None,) * len(self.operands)
        self.parts = tuple(self.parts)

    def others(self, index: int) -> list[DType]:
        """Return the other dtypes that an operand had, as in a function that several call."""
        own, span = self.operands[index].dtype.name, self.spans[index]
        if self.spans.count(span) > 1:  # it is one of a list
            return []
        return [by_name(name) for name in sorted(self.met.get(span, {own}) - {own})]


@dataclass(slots=True, eq=False)
class Origin:
    """A place where values of some dtype were introduced.

    Attributes:
        location: the index of the place.
        operand: which of the place's operands it was, where the value came from elsewhere and
            was first seen there; None where the operation made it.
        index: in which order origins came up.
        dtype: the dtype of the values.
        library: what their library calls itself.
        scalar: whether they are scalars.
        from_numbers: whether they were made of Python numbers alone.
        from_lists: whether they are an array of what Python's lists, or the like, have.
        of_integers: whether they are floats that a function makes of integers: a mean, a quotient.
        function: the function that was called, or None.
        explicit: whether the call named a dtype.
        several: whether the call gave several arrays, or a table of columns.
        is_autocast: whether PyTorch chose the dtype, inside `torch.autocast`.
        made: the number of the value that was introduced last.
        allowed: the kinds that a comment or a setting allows here.
        rows: what was done with its values.
        operations: how many results have their dtype from here.
        bytes: the size of those that were allocated.
        copied: the size of the operands that were copied, to convert them to this dtype.
        effects: what came of it, by kind and place.
        counted: how many operations it had when they were counted last; `ANEW` if other things
            came of it since, which no effect has.
    """

    location: int
    operand: int | None
    index: int
    dtype: DType
    allowed: frozenset[str]
    _: KW_ONLY
    library: str = ""
    scalar: bool = False
    from_numbers: bool = False
    from_lists: bool = False
    of_integers: bool = False
    function: Any = None
    explicit: bool = False
    several: bool = False
    is_autocast: bool = False
    made: int = 0
    rows: Rows = field(default_factory=dict)
    operations: int = 0
    bytes: int = 0
    copied: int = 0
    effects: dict[tuple[str, int], Effect] = field(default_factory=dict)
    counted: int = ANEW

    def add_effect(self, effect: Effect) -> Effect:
        """Return the effect of this kind at this place: the one given if it is the first."""
        return self.effects.setdefault((effect.kind, effect.location), effect)

    def add(self, other: Origin) -> None:
        """Add what came of another origin, which is the same."""
        self.operations += other.operations
        self.bytes += other.bytes
        self.copied += other.copied
        self.counted = ANEW
        rows.add(self.rows, other.rows)
        for effect in other.effects.values():
            known = self.add_effect(effect)
            if known is not effect:
                known.count += effect.count
                rows.add(known.rows, effect.rows)
                for span, names in effect.met.items():
                    known.met.setdefault(span, set()).update(names)

    def counts(self) -> Counts:
        """Return what it has come to."""
        self.counted = self.operations
        effects = {key: (m.count, m.rows.copy()) for key, m in list(self.effects.items())}
        return Counts(self.operations, self.bytes, self.copied, self.rows.copy(), effects)

    def since(self, before: Counts) -> Origin:
        """Return what came of it since, apart from itself."""
        came = copy(self)
        came.operations -= before.operations
        came.bytes -= before.bytes
        came.copied -= before.copied
        came.counted = ANEW
        came.rows = rows.less(self.rows, before.rows)
        came.effects = {}
        for key, effect in list(self.effects.items()):
            count, known = before.effects.get(key, (0, {}))
            if effect.count > count:
                came.effects[key] = new = copy(effect)
                new.count -= count
                new.rows = rows.less(effect.rows, known)
        return came

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of all locations that it names."""
        yield self.location
        yield from (row.location for row in self.rows)
        for effect in self.effects.values():
            yield effect.location
            yield from (row.location for row in effect.rows)
            yield from (number for number in effect.introductions if number is not None)

    def renumber(self, number_of: Callable[[int], int]) -> None:
        """Change the numbers of all locations that it names."""
        self.location, self.counted = number_of(self.location), ANEW
        self.rows = rows.renumbered(self.rows, number_of)
        effects, self.effects = self.effects.values(), {}
        for effect in effects:
            effect.location = number_of(effect.location)
            effect.rows = rows.renumbered(effect.rows, number_of)
            introductions = (None if n is None else number_of(n) for n in effect.introductions)
            effect.introductions = tuple(introductions)
            self.add_effect(effect)

    def of(self, kinds: Iterable[str]) -> list[Effect]:
        """Return the effects of some kinds."""
        chosen = set(kinds)
        return [m for m in self.effects.values() if m.kind in chosen]


def is_beside(location: int, origin: Origin) -> bool:
    """Return whether an operation is written around the very conversion that gives a dtype."""
    at, place = LOCATIONS[origin.location], LOCATIONS[location]
    return at.span in place.spans and at.file == place.file and facts_of(at.name).converts

"""What a recorder keeps: the places where dtypes were introduced, and what came of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from ...core.dtypes import DType
from ...core.functions import facts_of
from ...core.operands import Operand
from .locations import LOCATIONS

SOLVES: Final = ("linalg", "estimate")
PRECISE: Final = (*SOLVES, "norm", "transform", "cumulative")
"""The categories of functions that take precision: those that solve, and others."""

HANDING_ON: Final = ("shape", "part", "cast", "conversion")
"""The categories of functions that compute nothing of the values that they are given."""

_OF_ERRORS: Final = frozenset({"abs", "fabs", "square", "power", "sqrt", "true_divide", "log10"})

COUNTERS: Final = ("introductions", "operations", "bytes", "copied")
"""What an origin counts."""


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
        follows: whether the wide operand is computed with one that met something narrower before.
        uses: the functions that what came out went to.
        count: how often it happened.
        cast_back: how often the statement itself converted the result to something narrower.
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
    follows: bool = False
    uses: set[str] = field(default_factory=set)
    count: int = 0
    cast_back: int = 0

    def __post_init__(self) -> None:
        self.spans = tuple(self.spans) or tuple(range(len(self.operands)))
        self.introductions = tuple(self.introductions) or (None,) * len(self.operands)
        self.parts = tuple(self.parts)

    @property
    def is_measured(self) -> bool:
        """Whether it is a difference of which nothing but the size is asked, as of an error."""
        known = [facts_of(name) for name in self.uses]
        sizes = [f for f in known if f.category in ("reduction", "norm")]
        others = {f.name for f in known if f not in sizes} - _OF_ERRORS
        return self.operator == "subtract" and bool(sizes) and not others


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
        function: the function that was called, or None.
        explicit: whether the call named a dtype.
        several: whether the call gave several arrays, or a table of columns.
        is_autocast: whether PyTorch chose the dtype, inside `torch.autocast`.
        is_filled: whether what is stored in it has its width.
        is_total: whether something is added to it in place.
        is_precise: whether its values went to a function that takes precision.
        is_worked_on: whether they did so before they met anything narrower.
        own: at how many places something was computed of its values that met nothing narrower,
            before they met that anywhere.
        made: the number of the value that was introduced last.
        needs_digits: whether numbers that met a narrower dtype have no place in it.
        allowed: the kinds that a comment or a setting allows here.
        introductions: how many values were introduced here.
        operations: how many results have their dtype from here.
        bytes: the size of those that were allocated.
        copied: the size of the operands that were copied, to convert them to this dtype.
        crossing: the place where such a value went over to another library last, or None.
        effects: what came of it, by kind and place.
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
    function: Any = None
    explicit: bool = False
    several: bool = False
    is_autocast: bool = False
    is_filled: bool = False
    is_total: bool = False
    needs_digits: bool = False
    is_precise: bool = False
    is_worked_on: bool = False
    own: int = 0
    made: int = 0
    introductions: int = 0
    operations: int = 0
    bytes: int = 0
    copied: int = 0
    crossing: int | None = None
    effects: dict[tuple[str, int], Effect] = field(default_factory=dict)

    def add_effect(self, effect: Effect) -> Effect:
        """Return the effect of this kind at this place: the one given if it is the first."""
        return self.effects.setdefault((effect.kind, effect.location), effect)

    def take_over(self, other: Origin) -> None:
        """Take what came of another origin on."""
        if not self.from_numbers:
            other.forget("weak-type-lost")
        self.add_effects(other.effects.values())
        self.operations += other.operations
        self.bytes += other.bytes

    def add_effects(self, effects: Iterable[Effect]) -> None:
        """Add effects, and how often they happened."""
        for effect in effects:
            known = self.add_effect(effect)
            if known is not effect:
                known.count += effect.count
                known.cast_back += effect.cast_back
                known.uses |= effect.uses

    def forget(self, kind: str) -> None:
        """Let all go that was found of one kind."""
        self.effects = {key: m for key, m in self.effects.items() if m.kind != kind}

    def of(self, kinds: Iterable[str]) -> list[Effect]:
        """Return the effects of some kinds."""
        chosen = set(kinds)
        return [m for m in self.effects.values() if m.kind in chosen]


def is_beside(location: int, origin: Origin) -> bool:
    """Return whether an operation is written around the very conversion that gives a dtype."""
    at, place = LOCATIONS[origin.location], LOCATIONS[location]
    return at.span in place.spans and at.file == place.file and facts_of(at.name).converts

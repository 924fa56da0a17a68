"""What a recorder keeps: the places where dtypes were born, and what came of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.operands import Operand


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
        told: more to say, such as the value that changed.
        enough: a dtype that has a place for the values, or None.
        is_way: whether only the way to the result has to be in that dtype.
        spans: which of the spans of the place each operand is written at.
        births: for each operand, the place where its dtype was born, or None if there is no need
            to tell, or it is not known.
        parts: which columns of a table, or which part of an argument, it is about.
        count: how often it happened.
        cast_back: how often the statement itself converted the result to something narrower.
    """

    __slots__ = (
        "against",
        "births",
        "cast_back",
        "count",
        "enough",
        "is_way",
        "kind",
        "location",
        "operands",
        "operator",
        "parts",
        "result",
        "rules",
        "spans",
        "told",
    )  # fmt: skip

    def __init__(
        self,
        kind: str,
        location: int,
        operands: tuple[Operand, ...],
        result: DType | None,
        against: int,
        *,
        rules: Any = None,
        operator: str | None = None,
        told: str = "",
        enough: DType | None = None,
        is_way: bool = False,
        spans: Sequence[int] = (),
        births: Sequence[int | None] = (),
        parts: Sequence[Any] = (),
    ) -> None:
        self.kind = kind
        self.location = location
        self.operands = operands
        self.result = result
        self.against = against
        self.rules = rules
        self.operator = operator
        self.told = told
        self.enough = enough
        self.is_way = is_way
        self.spans = tuple(spans) or tuple(range(len(operands)))
        self.births = tuple(births) or (None,) * len(operands)
        self.parts = tuple(parts)
        self.count = 0
        self.cast_back = 0


class Origin:
    """A place where values of some dtype were born.

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
        needs_digits: whether numbers that met a narrower dtype have no place in it.
        allowed: the kinds that a comment or a setting allows here.
        births: how many values were born here.
        operations: how many results have their dtype from here.
        bytes: the size of those that were allocated.
        copied: the size of the operands that were copied, to convert them to this dtype.
        crossing: the place where such a value went over to another library last, or None.
        effects: what came of it, by kind and place.
    """

    __slots__ = (
        "allowed",
        "births",
        "bytes",
        "copied",
        "crossing",
        "dtype",
        "effects",
        "explicit",
        "from_lists",
        "from_numbers",
        "function",
        "index",
        "is_autocast",
        "is_filled",
        "is_total",
        "library",
        "location",
        "needs_digits",
        "operand",
        "operations",
        "scalar",
        "several",
    )  # fmt: skip

    def __init__(
        self,
        location: int,
        operand: int | None,
        index: int,
        dtype: DType,
        allowed: frozenset[str],
        *,
        library: str = "",
        scalar: bool = False,
        from_numbers: bool = False,
        from_lists: bool = False,
        function: Any = None,
        explicit: bool = False,
        several: bool = False,
        is_autocast: bool = False,
    ) -> None:
        self.location = location
        self.operand = operand
        self.index = index
        self.dtype = dtype
        self.library = library
        self.scalar = scalar
        self.from_numbers = from_numbers
        self.from_lists = from_lists
        self.function = function
        self.explicit = explicit
        self.several = several
        self.is_autocast = is_autocast
        self.is_filled = self.is_total = self.needs_digits = False
        self.allowed = allowed
        self.births = 0
        self.operations = 0
        self.bytes = 0
        self.copied = 0
        self.crossing: int | None = None
        self.effects: dict[tuple[str, int], Effect] = {}

    def add_effect(self, effect: Effect) -> Effect:
        """Return the effect of this kind at this place: the one given if it is the first."""
        return self.effects.setdefault((effect.kind, effect.location), effect)

    def take_over(self, other: Origin) -> None:
        """Take what came of another origin on."""
        if not self.from_numbers:
            other.forget("weak-type-lost")
        for effect in other.effects.values():
            known = self.add_effect(effect)
            if known is not effect:
                known.count += effect.count
                known.cast_back += effect.cast_back
        self.operations += other.operations
        self.bytes += other.bytes

    def forget(self, kind: str) -> None:
        """Let all go that was found of one kind."""
        self.effects = {key: m for key, m in self.effects.items() if m.kind != kind}

    def of(self, kinds: Iterable[str]) -> list[Effect]:
        """Return the effects of some kinds."""
        chosen = set(kinds)
        return [m for m in self.effects.values() if m.kind in chosen]

"""What an exported system says, as data: every format is written from it.

The three steps stay. A word is what a user passes: the name of a dtype, or a type of Python's
numbers. `taken` makes nodes of words, arrows or a table join them, and `settled` makes dtypes of
nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

NUMBERS: Final[Mapping[str, Any]] = {"bool": True, "int": 1, "float": 1.5, "complex": 1j}
"""The types of Python's numbers, each with one of them."""

Answer = str | None
"""The name of a dtype, or None for a refusal."""

Cells = Mapping[tuple[str, str], str]

Join = Literal["lattice", "table", "asked", "tiers"]
"""How nodes are joined: by arrows; by a table, from the left; by the table of the dtype that knows
the others; or by one table for operands of a tier, and another between tiers."""


@dataclass(frozen=True)
class Description:
    """One system, as every format is written from it.

    Attributes:
        name: the system, with its options, as `supremum.system` takes it.
        title: its library, or its own name.
        version: the release that it was measured on, or ``""``.
        label: its options in words, or ``""``.
        source: where the rules come from.
        ranked: whether arrays without dimensions may have other answers.
        dtypes: the names that `promote_types` takes.
        taken: what `result_type` takes other names for: 64-bit dtypes that are off, weak dtypes.
        numbers: the node of each type of Python's numbers; a type that is left out is refused.
        join: how nodes are joined.
        arrows: each node with those right above it, if the join is a lattice.
        table: the answer for each pair of nodes otherwise; a pair that is left out is refused.
        lower: the answer for a node beside one of a lower tier.
        stands_for: what is answered instead of a node that is no dtype.
        settled: what becomes of a node that does not stay what it is; None refuses.
        refusals: why operands are refused: the first reason of which every group, dtypes with
            spaces between, has one of them.
        numbers_alone: whether numbers have an answer without a dtype among them.
        ints: the least and the largest int whose value does not matter, if there are such.
        floats: the same of floats.
        functions: for each function, what it makes of the dtypes that it changes or refuses.
        function_ints: the same as `ints`, in functions.
        options: the options that a caller sets, each with its default.
        modes: the description for every setting of these options.
    """

    name: str
    title: str
    version: str
    label: str
    source: str
    ranked: bool
    dtypes: tuple[str, ...]
    taken: Mapping[str, str]
    numbers: Mapping[str, str]
    join: Join = "lattice"
    arrows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    table: Cells = field(default_factory=dict)
    lower: Cells = field(default_factory=dict)
    stands_for: Mapping[str, str] = field(default_factory=dict)
    settled: Mapping[str, Answer] = field(default_factory=dict)
    refusals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numbers_alone: bool = True
    ints: tuple[int, int] | None = None
    floats: tuple[float, float] | None = None
    functions: Mapping[str, Mapping[str, Answer]] = field(default_factory=dict)
    function_ints: tuple[int, int] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    modes: Mapping[tuple[Any, ...], Description] = field(default_factory=dict)

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """What is joined: the dtypes first, then what is no dtype by itself."""
        own = self.arrows or [node for pair in self.table for node in pair]
        return tuple(dict.fromkeys([*self.dtypes, *own]))

    @property
    def tables(self) -> dict[str, Cells]:
        """The tables that the join reads, by name."""
        tables = {} if self.arrows else {"table": self.table}
        return {**tables, "lower": self.lower} if self.join == "tiers" else tables

    @property
    def words(self) -> tuple[str, ...]:
        """What `result_type` takes, with ``int()`` for Python's ints and ``int8[]`` for 0-d."""
        names = dict.fromkeys([*self.dtypes, *self.taken])
        ranked = [f"{d}[]" for d in self.dtypes] if self.join == "tiers" else []
        return (*names, *ranked, *(f"{number}()" for number in NUMBERS))

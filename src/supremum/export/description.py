"""What an exported system says, as data: every format is written from it.

The three steps stay. A word is what a user passes: the name of a dtype, or a type of Python's
numbers. `taken` makes nodes of words, arrows or a table join them, and `settled` makes dtypes of
nodes. `result` reads a description as the formats do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from ..core.errors import NoJoinError
from ..core.lattice import Lattice

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

    @cached_property
    def lattice(self) -> Lattice[str]:
        """The arrows as a lattice."""
        return Lattice(self.arrows)


def node_of(description: Description, word: str) -> str | None:
    """Return the node that a word is taken for, or None if it is refused."""
    if word.endswith("()"):
        return description.numbers.get(word.removesuffix("()"))
    name = word.removesuffix("[]")
    return description.taken.get(name, name)


def result(description: Description, words: Sequence[str]) -> Answer:
    """Return what a description says of some words."""
    if not description.numbers_alone and all(word.endswith("()") for word in words):
        return None
    nodes = [node_of(description, word) for word in words]
    if any(node not in description.nodes for node in nodes):
        return None
    node = _JOINS[description.join](description, nodes, words)
    if node is None:
        return None
    node = description.stands_for.get(node, node)
    return description.settled.get(node, node)


def function_result(description: Description, words: Sequence[str], op: str) -> Answer:
    """Return what a function gives for some words, of which one is a dtype."""
    joined = None if all(word.endswith("()") for word in words) else result(description, words)
    return None if joined is None else description.functions[op].get(joined, joined)


def promoted(description: Description, a: str, b: str) -> Answer:
    """Return what a description says of two dtypes."""
    node = _JOINS[description.join](description, [a, b], [a, b])
    return None if node is None else description.stands_for.get(node, node)


def _of_lattice(description: Description, nodes: Sequence[Any], _: Sequence[str]) -> Answer:
    try:
        return description.lattice.join(*nodes)
    except NoJoinError:
        return None


def _from_left(cells: Cells, nodes: Sequence[Any]) -> Answer:
    node = nodes[0]
    for other in nodes[1:]:
        node = cells.get((node, other))
    return node  # type: ignore[no-any-return]  # nodes are strings


def _of_table(description: Description, nodes: Sequence[Any], _: Sequence[str]) -> Answer:
    return _from_left(description.table, nodes)


def _of_asked(description: Description, nodes: Sequence[Any], words: Sequence[str]) -> Answer:
    """Ask the one that knows the others: it comes first, and each other one meets it."""
    knows = description.table
    left: list[Any] = [n for n, w in zip(nodes, words, strict=True) if not w.endswith("()")]
    left += [n for n, w in zip(nodes, words, strict=True) if w.endswith("()")]
    length, partner, known = len(left), None, None
    while length > 1:
        half = length // 2
        for low in range(half):
            high = length - 1 - low
            a, partner = left[low], left[high]
            known = knows.get((a, partner))
            if known is None:
                left[low], left[high] = partner, a
            elif known == a:
                left[high] = None
        length -= half
    first, *rest = [left[0], partner, *left[2:]] if known else left
    answer = first
    for met, other in enumerate(node for node in rest if node is not None):
        known = knows.get((first, other))
        if known is not None and met and known != answer:
            known = knows.get((answer, known)) or knows.get((known, answer))
        if known is None:
            return None
        answer = known
    return answer  # type: ignore[no-any-return]  # the same


TIERS: Final = ("", "[]", "()")
"""How the words of each tier end: arrays, those without dimensions, and numbers."""


def _of_tiers(description: Description, nodes: Sequence[Any], words: Sequence[str]) -> Answer:
    """Join operands tier by tier; after each one, the tiers so far must have an answer."""
    answer: Answer = None
    tiers: list[Any] = [None, None, None]
    items = [(TIERS.index(tier_of(word)), node) for node, word in zip(nodes, words, strict=True)]
    for tier, node in sorted(items, key=lambda item: item[0]):
        own = tiers[tier]
        tiers[tier] = node if own is None else description.table.get((own, node))
        if tiers[tier] is None:
            return None
        answer, *higher = [joined for joined in reversed(tiers) if joined is not None]
        for joined in higher:
            answer = description.lower.get((joined, answer or ""))
        if answer is None:
            return None
    return answer


def tier_of(word: str) -> str:
    """Return how a word ends that says which tier it is of: an array's, a 0-d one's, a number's."""
    return "()" if word.endswith("*") else word[-2:] if word.endswith(("()", "[]")) else ""


_JOINS = {"lattice": _of_lattice, "table": _of_table, "asked": _of_asked, "tiers": _of_tiers}

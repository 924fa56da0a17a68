"""The order that a drawing shows: of a lattice, or of the table of some rules, if it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import Any

from ...core.dtypes import DType
from ...core.errors import PromotionError, RulesError, listed
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ...core.table import Table


class OrderError(RulesError):
    """Answers that are not an order.

    Attributes:
        reason: three dtypes that break it, in words.
        without: dtypes without which the others have an order.
    """

    def __init__(self, rules: PromotionSystem, reason: str, without: Sequence[DType]) -> None:
        names = [d.name for d in without]
        super().__init__(
            f"the table of {rules.title} is not an order, so it cannot be drawn: {reason}; it is "
            f"one without {listed(names)}: name the others, or leave these out with "
            f"--without {','.join(names)}"
        )
        self.reason, self.without = reason, tuple(without)


@dataclass(frozen=True, slots=True)
class Order:
    """Nodes, and for each one the bit mask of the nodes strictly above it.

    Attributes:
        nodes: the nodes.
        above: the masks, in the order of the nodes.
        note: what must be said of the order, or ``""``.
    """

    nodes: tuple[Any, ...]
    above: tuple[int, ...]
    note: str = ""

    def leq(self, a: int, b: int) -> bool:
        """Return whether node `a` is at or below node `b`."""
        return a == b or bool(self.above[a] >> b & 1)

    def bounds(self, nodes: Sequence[int]) -> list[int]:
        """Return the least of the nodes at or above some; if there is one, it is their join."""
        common = -1
        for i in nodes:
            common &= self.above[i] | 1 << i
        farther = 0
        for i in _bits(common):
            farther |= self.above[i]
        return _bits(common & ~farther)

    def covers(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of a node and one right above it, with nothing between."""
        found = []
        for a, mask in enumerate(self.above):
            farther = 0
            for b in _bits(mask):
                farther |= self.above[b]
            found += [(a, b) for b in _bits(mask & ~farther)]
        return tuple(found)


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def order_of(what: Lattice[Any] | PromotionSystem, nodes: Sequence[Any] = ()) -> Order:
    """Return the order of a lattice, or of rules, on some of its nodes.

    Rules without a lattice have the order of their table, in which `a` is below `b` if the two
    promote to `b`.

    Args:
        what: a lattice or rules.
        nodes: the nodes to keep; by default all.

    Raises:
        OrderError: if the table is not an order.
        LatticeError: if a node is not in the lattice.
    """
    if isinstance(what, Lattice):
        return _of_lattice(what, nodes or what.nodes)
    if what.lattice is not None:
        return _of_lattice(what.lattice, nodes or what.dtypes)
    return _of_table(what, tuple(nodes) or what.dtypes)


def _of_lattice(lattice: Lattice[Any], nodes: Sequence[Any]) -> Order:
    kept = tuple(dict.fromkeys(nodes))
    place = {node: i for i, node in enumerate(kept)}
    above = tuple(
        sum(1 << place[up] for up in lattice.up_set(node) if up in place and up != node)
        for node in kept
    )
    return Order(kept, above)


def _of_table(rules: PromotionSystem, dtypes: Sequence[DType]) -> Order:
    table = _table(rules, dtypes)
    kept = table.nodes
    pairs = {(a, b) for a, b in permutations(kept, 2) if table[a, b] is b is table[b, a]}
    broken = [
        (a, b, c)
        for a, b, c in permutations(kept, 3)
        if (a, b) in pairs and (b, c) in pairs and (a, c) not in pairs
    ]
    if broken:
        a, b, c = broken[0]
        lows = {low for low, _, _ in broken}
        reason = f"{a} is below {b} and {b} below {c}, but {a} and {c} {promoted(table[a, c])}"
        raise OrderError(rules, reason, [d for d in kept if d in lows])
    masks = [sum(1 << j for j, b in enumerate(kept) if (a, b) in pairs) for a in kept]
    order = Order(kept, tuple(masks))
    return replace(order, note=_beyond(rules, order))


def _table(rules: PromotionSystem, dtypes: Sequence[DType]) -> Table[DType]:
    """Return the table of some dtypes; that of all dtypes takes longer."""
    cells = {}
    for a, b in product(dtypes, repeat=2):
        try:
            cells[a, b] = rules.promote_types(a, b)
        except PromotionError:
            continue
    return Table(dtypes, cells, answers=cells.values())


@dataclass(frozen=True, slots=True)
class Exceptional:
    """A pair that does not promote to its only least upper bound.

    Attributes:
        pair: the pair.
        answers: what it promotes to, and what it does the other way round; None for a refusal.
        bounds: its least upper bounds.
    """

    pair: tuple[DType, DType]
    answers: tuple[DType | None, DType | None]
    bounds: tuple[DType, ...]

    def __str__(self) -> str:
        return f"{listed(self.pair)} {promoted(self.answers[0])}"


def exceptions(rules: PromotionSystem, order: Order) -> list[Exceptional]:
    """Return the pairs that do not promote to their only least upper bound."""
    table = _table(rules, order.nodes)
    found = []
    for (i, a), (j, b) in combinations(enumerate(order.nodes), 2):
        bounds = tuple(order.nodes[k] for k in order.bounds((i, j)))
        bound = bounds[0] if len(bounds) == 1 else None
        answers = table[a, b], table[b, a]
        if not answers[0] is bound is answers[1]:
            found.append(Exceptional((a, b), answers, bounds))
    return found


def _beyond(rules: PromotionSystem, order: Order) -> str:
    """Say how many pairs promote to something else than their least upper bound."""
    found = exceptions(rules, order)
    if not found:
        return ""
    pairs = "one pair does" if len(found) == 1 else f"{len(found)} pairs do"
    return (
        f"The order of the table of {rules.title}; {pairs} not promote to their least upper bound: "
        f"{found[0]}."
    )


def promoted(answer: DType | None) -> str:
    """Return what becomes of a pair, in words."""
    return f"promote to {answer}" if answer else "do not promote"

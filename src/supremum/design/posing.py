"""A spec as constraints: each wish of it for certain, or as an assumption that can be dropped."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import permutations
from typing import Any, NamedTuple

from ..core.dtypes import DType
from ..core.lattice import Lattice
from .asking import Spec
from .costs import COSTS, Arrow, has_tie
from .model import Literal, Model, negated


class Wish(NamedTuple):
    """One thing that a spec asks for.

    Attributes:
        kind: ``"require"``, ``"forbid"`` or ``"never"``.
        of: the arrow, or the name of the cost.
    """

    kind: str
    of: Any

    def __str__(self) -> str:
        return f"{self.kind} {self.of if self.kind == 'never' else ' -> '.join(map(str, self.of))}"


def wishes(spec: Spec) -> list[Wish]:
    """Return all that a spec asks for, one by one."""
    return [
        *(Wish("require", arrow) for arrow in spec.required),
        *(Wish("forbid", arrow) for arrow in spec.forbidden),
        *(Wish("never", cost) for cost in spec.never),
    ]


def order_of(lattice: Lattice[DType], dtypes: Iterable[DType]) -> set[Arrow]:
    """Return the pairs of some dtypes of a lattice of which the first is below the second."""
    return {(a, b) for a, b in permutations(dtypes, 2) if lattice.leq(a, b)}


def closed(arrows: Iterable[Arrow]) -> set[Arrow]:
    """Return arrows and all that follow from them.

    >>> sorted(closed([("a", "b"), ("b", "c")]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    found = set(arrows)
    nodes = dict.fromkeys(node for arrow in found for node in arrow)
    for through in nodes:
        below = [a for a, b in found if b is through]
        above = [b for a, b in found if a is through]
        found |= {(a, b) for a in below for b in above}
    return found


def posed(
    spec: Spec, certain: Collection[Wish] | None = None
) -> tuple[Model, dict[Wish, Literal]] | None:
    """Return a spec as constraints, or None if it contradicts itself on its face.

    Args:
        spec: the spec.
        certain: the wishes that are granted; by default all. Each other wish gets a variable
            that says whether it is granted, and these variables are returned too.
    """
    asked = wishes(spec)
    held = asked if certain is None else [*filter(set(certain).__contains__, asked)]
    found = _known(spec, held)
    if found is None:
        return None
    model = Model(spec.dtypes, *found)
    cases = [case for case in model.cases() if not spec.is_old(*case[:2])]

    def having(cost: str) -> list[Literal]:
        return [literal for pair, join, literal in cases if COSTS[cost](pair, join)]

    for wish in held:
        for literal in having(wish.of) if wish.kind == "never" else ():
            model.clause(negated(literal))
    granted = {w: model.cp.new_bool_var(str(w)) for w in asked if w not in held}
    for wish, is_granted in granted.items():
        if wish.kind == "require":
            model.implies((is_granted,), model.below[wish.of])
            continue
        for literal in [model.below[wish.of]] if wish.kind == "forbid" else having(wish.of):
            model.implies((is_granted,), negated(literal))
    return model, granted


def _known(spec: Spec, certain: Collection[Wish]) -> tuple[set[Arrow], set[Arrow]] | None:
    """Return the arrows that hold and those that do not, or None if some are both."""
    of: dict[str, list[Any]] = {"require": [], "forbid": [], "never": []}
    for wish in certain:
        of[wish.kind].append(wish.of)
    base = spec.base.nodes if spec.base else ()
    kept = order_of(spec.base, base) if spec.base else set()
    required = closed(kept.union(of["require"]))
    excluded = set(permutations(base, 2)) - kept | {*of["forbid"]}
    for a, b in permutations(spec.dtypes, 2):
        # two dtypes of which one is above the other join to that one
        is_asked = not has_tie((a, b)) and not spec.is_old((a, b), b)
        if is_asked and any(COSTS[cost]((a, b), b) for cost in of["never"]):
            excluded.add((a, b))
    is_broken = any(a is b or (b, a) in required or (a, b) in excluded for a, b in required)
    return None if is_broken else (required, excluded)

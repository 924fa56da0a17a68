"""The constraints that an order of dtypes meets, for OR-tools' CP-SAT.

There is a variable for each ordered pair of dtypes, whether the first is below the second, and for
each pair one for each dtype that may be its join. The constraints say that these are an order and
its joins, and count what the joins cost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from itertools import combinations, permutations
from typing import Any

from ..core.dtypes import DType
from ..core.errors import SupremumError
from .costs import Arrow, Count, answered, has_tie

Literal = Any
"""A variable that is true or false, its negation, or `True` or `False` themselves."""


def solver_module() -> Any:
    """Return OR-tools' module for constraints.

    Raises:
        SupremumError: if it is not installed.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        msg = "the search needs OR-tools, which is not installed: pip install 'supremum[design]'"
        raise SupremumError(msg) from None
    return cp_model


class Model:
    """An order of dtypes as variables, with the join of each pair.

    Args:
        dtypes: the dtypes.
        certain: arrows that hold, and those that follow from them.
        excluded: arrows that do not hold.

    Attributes:
        below: for each ordered pair, whether the first is below the second.
        certain: the arrows that hold anyhow.
        free: for each other pair, the same as a variable, if it is not excluded.
        joins: for each pair, its possible joins, each with whether it is the join.
        undefined: for each pair, whether it has no join.
    """

    def __init__(
        self,
        dtypes: Sequence[DType],
        certain: Collection[Arrow] = frozenset(),
        excluded: Collection[Arrow] = frozenset(),
    ) -> None:
        self.dtypes = tuple(dtypes)
        self.cp: Any = solver_module().CpModel()
        self.below: dict[Arrow, Literal] = {(a, a): True for a in dtypes}
        self.certain = frozenset(certain)
        self.free: dict[Arrow, Literal] = {}
        self.joins: dict[Arrow, dict[DType, Literal]] = {}
        self.undefined: dict[Arrow, Literal] = {}
        for pair in permutations(dtypes, 2):
            is_known = pair in certain or pair in excluded or pair[::-1] in certain
            if not is_known:
                self.free[pair] = self.cp.new_bool_var(f"{pair[0]} -> {pair[1]}")
            self.below[pair] = self.free.get(pair, pair in certain)
        for a, b in combinations(dtypes, 2):
            self.clause(negated(self.below[a, b]), negated(self.below[b, a]))
        for a, b, c in permutations(dtypes, 3):
            self.implies((self.below[a, b], self.below[b, c]), self.below[a, c])
        for a, b in combinations(dtypes, 2):
            self._join(a, b)

    def _join(self, a: DType, b: DType) -> None:
        upper = {}
        for c in self.dtypes:
            lower, other = self.below[a, c], self.below[b, c]
            if lower is not False and other is not False:
                upper[c] = self._both(lower, other)
        least = {c: self.cp.new_bool_var(f"{a} v {b} = {c}") for c in upper}
        nothing = self.cp.new_bool_var(f"{a} v {b} undefined")
        if any(is_upper is True for is_upper in upper.values()):
            self.cp.add(nothing == 0)
        self.cp.add_exactly_one(nothing, *least.values())
        for c, is_upper in upper.items():
            self.implies((nothing,), negated(is_upper))
            self.implies((least[c],), is_upper)
            for d, is_least in least.items():
                if c is not d:
                    self.implies((is_least, is_upper), self.below[d, c])
        self.joins[a, b], self.undefined[a, b] = least, nothing

    def _both(self, one: Literal, other: Literal) -> Literal:
        if one is True or other is True or one is other:
            return other if one is True else one
        both = self.cp.new_bool_var("")
        self.implies((both,), one)
        self.implies((both,), other)
        self.implies((one, other), both)
        return both

    def order(self, value: Callable[[Any], int]) -> frozenset[Arrow]:
        """Return each pair of a dtype and one above it, as a solution has them.

        Args:
            value: what gives the value of a variable.
        """
        return self.certain.union(pair for pair, literal in self.free.items() if value(literal))

    def exclude(self, order: Collection[Arrow]) -> None:
        """Add that the order is another one."""
        pairs = self.free.items()
        self.clause(*(negated(free) if pair in order else free for pair, free in pairs))

    def clause(self, *literals: Literal) -> None:
        """Add that one of some literals is true."""
        if not any(x is True for x in literals):
            self.cp.add_bool_or([x for x in literals if x is not False])

    def implies(self, conditions: Sequence[Literal], consequence: Literal) -> None:
        """Add that a literal is true if some others all are."""
        self.clause(*map(negated, conditions), consequence)

    def cases(self) -> Iterator[tuple[Arrow, DType | None, Literal]]:
        """Yield each pair of dtypes with each possible answer or None, and whether it is that."""
        for pair, least in self.joins.items():
            if has_tie(pair):
                continue
            yield pair, None, self.undefined[pair]
            for join, is_least in least.items():
                yield pair, answered(join), is_least

    def of(self, cp: Any) -> Model:
        """Return the model with other constraints on the same variables."""
        other = copy(self)
        other.cp = cp
        return other

    def number(self, counts: Count) -> Any:
        """Return a variable: how much the answers of all pairs count."""
        counted = [
            (int(weight), literal)
            for pair, join, literal in self.cases()
            if (weight := counts(pair, join))
        ]
        most = max((weight for weight, _ in counted), default=0)
        number = self.cp.new_int_var(0, most * len(self.joins), "")
        self.cp.add(number == sum(weight * literal for weight, literal in counted))
        return number


def negated(literal: Literal) -> Literal:
    """Return what is true exactly if a literal is false."""
    return not literal if isinstance(literal, bool) else literal.negated()

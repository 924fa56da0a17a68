"""Rules that answer for every function, which is what running array code takes.

A function that the rules do not mention, nor any that it follows, has the rule that most libraries
share; and comparisons have a bool to give, under any rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from .dtypes import DType, by_name
from .fold import Fold
from .function_rules import Defaults, FunctionRule, parse_rules
from .lattice import Lattice
from .steps import Classified, Join, Settle, Settled
from .system import PromotionSystem
from .table import Table

_FALLBACK: Final = """
    add, multiply, power, matmul, maximum, where, concat, max, clip, conj, positive, round, unique,
    same, diagonal, eye, nan_to_num, vander, full, full_like, cross, outer, kron, einsum =
    subtract, negative, diff = b: -
    true_divide, sin, mean, linspace, inv = bool integer: FLOAT
    interp, cov, corrcoef, polyfit = bool integer: FLOAT
    floor_divide, remainder, floor = complex: -
    less = complex: -; *: b
    equal, isfinite, logical_and, logical_not = *: b
    signbit = complex: -; *: b
    bitwise_and, invert = float complex: -
    left_shift = bool float complex: -
    abs = complex: part
    square =
    std, norm = bool integer: FLOAT; complex: part
    sum, prod = bool: INT
    argmax, argsort, nonzero, bincount, count_nonzero, argwhere, searchsorted = *: INDEX
    fft, rfft = bool integer: COMPLEX; f64: c128; float: c64
    irfft = bool integer: FLOAT; c64: f32; c128: f64; f16 bf16: f32
"""
_BOOL: Final = by_name("bool")


@cache
def _fallback() -> dict[str, FunctionRule]:
    return parse_rules(_FALLBACK)


class _SettleToDefaults(NamedTuple):
    """A last step after which no result is weak or lacking, if the rules have its default."""

    settle: Settle
    defaults: Defaults
    nodes: frozenset[DType]

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        found = self.settle(node, classified)
        if not node.weak or (found.dtype in self.nodes and not found.dtype.weak):
            return found
        d: DType = getattr(self.defaults, node.name.rstrip("*"))
        why = f"{node} is weak: without a dtype that gives it a width, it becomes {d}."
        return found._replace(dtype=d, why=why) if d in self.nodes else found


@cache
def completed(rules: PromotionSystem) -> PromotionSystem:
    """Return rules with a rule for each function, and without results that they lack.

    >>> import supremum
    >>> completed(supremum.system("python")).rule("sqrt") is not None
    True
    """
    defaults = rules.default_dtypes
    following = rules.replace(follow=True)
    more = {name: rule for name, rule in _fallback().items() if following.rule(name) is None}
    # the standard lets Python numbers stand beside arrays in every function
    own = {name: rule._replace(arrays="") for name, rule in rules.functions.items()}
    own_join = rules.function_join if rules.function_join is not rules.join else None
    return rules.replace(
        join=_with_bool(rules.join),
        function_join=own_join and _with_bool(own_join),
        settle=_SettleToDefaults(rules.settle, defaults, frozenset(rules.join.nodes)),
        functions={**more, **own},
        follow=True,
        operable=(*rules.operable, *({_BOOL} - {*rules.operable})),
        defaults=defaults,
    )


def _with_bool(join: Join) -> Join:
    """Return a join that has bool, which comparisons give under any rules; with itself at least."""
    if _BOOL in join or isinstance(join, Fold):
        return join
    if isinstance(join, Lattice):
        return join.with_arrows({_BOOL: ()})
    nodes = join.nodes
    cells = {(a, b): d for a in nodes for b in nodes if (d := join[a, b]) is not None}
    return Table((*nodes, _BOOL), {**cells, (_BOOL, _BOOL): _BOOL}, join.marked)

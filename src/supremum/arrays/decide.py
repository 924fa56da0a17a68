"""The decision: which dtype comes out, and in which one to compute, before anything is touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from supremum.arrays.functions import (
    BESIDE_A_FLOAT,
    EACH_FIRST,
    FALLBACK,
    KEEP_OPERANDS,
    OTHERS,
    SPECIFIC,
    WEAK_KINDS,
    WEAK_NUMBERS_ALONE,
)
from supremum.dtypes import DType, by_name
from supremum.errors import SupremumError
from supremum.explain import Explanation, Join, Settled, Taken
from supremum.lattice import Lattice
from supremum.operands import PYTHON_SCALARS
from supremum.operators import rule_of
from supremum.steps import DEFAULT_WIDTHS
from supremum.system import PromotionSystem
from supremum.table import Table

_BOOL: Final = by_name("bool")


class Decision(NamedTuple):
    """What comes of an operation.

    Attributes:
        dtype: the dtype of the result.
        weak: whether the result is weak.
        compute: the dtype to compute in.
    """

    dtype: DType
    weak: bool
    compute: DType


class Defaults(NamedTuple):
    """The dtypes of what is made without one."""

    int: DType
    float: DType
    complex: DType


class Decider:
    """Decides by some rules, completed where they say nothing of an operator.

    Args:
        rules: the rules.

    Attributes:
        rules: those with a rule for each function of the namespace.
        defaults: the dtypes of what is made without one.
        index: the dtype of indices and counts, which is no narrower than 32 bits.
        given: the rules as they were given.
        ranked: whether they look at the dimensions of operands.
        by_value: whether they look at the values of numbers.
        keeps_weak: whether arrays that come of Python scalars alone are weak.
    """

    def __init__(self, rules: PromotionSystem) -> None:
        self.given = rules
        self.defaults = _defaults(rules)
        self.index = by_name("int64") if _is_narrow(self.defaults.int) else self.defaults.int
        self.rules = _completed(rules, self.defaults, self.index)
        self.keeps_weak = _keeps_weak(rules)
        kinds = WEAK_KINDS.get(rules.name, {})
        self._weak_kinds = {name: k.split() for k, names in kinds.items() for name in names.split()}
        self._whole_powers = rules.name == "jax"
        self._each_first = EACH_FIRST.get(rules.name, {})
        self._beside_a_float = BESIDE_A_FLOAT.get(rules.name, ())
        self.ranked = rules.looks_at in ("rank", "value")
        self.by_value = rules.looks_at == "value"

    def explain(self, name: str, *operands: Any) -> Explanation:
        """Return how these operands come to the dtype that a function gives of them.

        By JAX's rules a base to the power of a Python int has the dtype of the base alone.
        """
        if self._is_whole_power(name, operands):
            operands = (operands[0], operands[0])
        if name in self._each_first:
            operands = tuple(self.explain(self._each_first[name], x).result for x in operands)
        if name in self._beside_a_float:
            operands = (*operands, 1.0)
        return self.rules.explain(*operands, op=name)

    def _is_whole_power(self, name: str, operands: Sequence[Any]) -> bool:
        return self._whole_powers and name == "pow" and type(operands[1]) in (bool, int)

    def decide(self, name: str, *operands: Any) -> Decision:
        """Return what comes of a function of these operands.

        Raises:
            PromotionError: where the rules refuse.
        """
        told = self.explain(name, *operands)
        joined, result = told.settled.dtype, told.result
        weak = self.keeps_weak and told.settled.weak and self._stays_weak(name, operands, told)
        keeps = result.kind == "bool" or joined.kind == "complex" or name in KEEP_OPERANDS
        return Decision(result, weak, joined if keeps else result)

    def _stays_weak(self, name: str, operands: Sequence[Any], told: Explanation) -> bool:
        kinds = self._weak_kinds.get(name)
        if kinds is None:
            return told.result.kind != "bool"
        if name == "pow" and self._whole_powers:
            if self._is_whole_power(name, operands):
                return True
            base, exponent = told.operands
            is_integer = exponent.dtype.kind in ("signed", "unsigned") and not exponent.weak
            if is_integer and base.dtype.kind in ("float", "complex"):
                return False
        return told.settled.dtype.kind in kinds

    def join(self, name: str, *operands: Any) -> Decision:
        """Return what comes of putting any number of operands together."""
        shared = rule_of(self.rules.operators, name) == "shared" or len(operands) != 2
        told = self.rules.explain(*operands) if shared else self.explain(name, *operands)
        weak = told.settled.weak and self.keeps_weak
        return Decision(told.result, weak, told.result)

    def own(self, d: DType) -> DType:
        """Return the dtype that the rules take one for: they may lack 64 bits."""
        return self.rules.result_type(d)

    def knows(self, d: DType) -> bool:
        """Tell whether the rules have arrays of a dtype."""
        try:
            return not d.weak and self.own(d) is d
        except SupremumError:
            return False

    def rule(self, name: str) -> str:
        """Return the text of the rule of a function, or ``""``."""
        return rule_of(self.rules.operators, name) or ""


def _defaults(rules: PromotionSystem) -> Defaults:
    return Defaults(*(_default(rules, number) for number in (int, float, complex)))


def _default(rules: PromotionSystem, number: type) -> DType:
    """Return the dtype of Python's numbers of a type: the widest of its kind where rules lack it.

    Where they have none of its kind, it is as wide as Python's.
    """
    weak = PYTHON_SCALARS[number]
    wide = by_name(DEFAULT_WIDTHS[weak.name])
    try:
        found = rules.result_type(number)
    except SupremumError:
        found = wide
    for d in (found, wide):
        if d in rules.join and not d.weak:
            return d
    for kind in (weak.kind, "unsigned" if number is int else weak.kind):
        own = [d for d in rules.dtypes if d.kind == kind and not d.weak]
        if own:
            return max(own, key=lambda d: (d.bits or 0, d.precision or 0))
    return wide


def _is_narrow(d: DType) -> bool:
    return (d.bits or 0) < 32


def _completed(rules: PromotionSystem, of: Defaults, index: DType) -> PromotionSystem:
    """Return rules that have a rule for each function, and no result that they lack."""
    operators = {**FALLBACK, **OTHERS, **rules.operators, **SPECIFIC.get(rules.name, {})}
    meant = {
        "UINT": f"uint{of.int.bits}",  # its place is before INT, which is part of its name
        "FLOAT": of.float.name,
        "COMPLEX": of.complex.name,
        "INDEX": index.name,
        "INT": of.int.name,
    }
    for word, d in meant.items():
        operators = {name: text.replace(word, d) for name, text in operators.items()}

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        found = rules._settle(node, taken)
        if not node.weak or (found.dtype in rules.join and not found.dtype.weak):
            return found
        d: DType = getattr(of, node.name.rstrip("*"))
        why = f"{node} is weak: with nothing to give it a width it becomes {d}."
        return found._replace(dtype=d, why=why) if d in rules.join else found

    made = PromotionSystem(
        rules.name,
        _with_bool(rules.join),
        classify=rules._classify,
        settle=settle,
        operators=operators,
        operator_join=_with_bool(rules._operator_join),
        looks_at=rules.looks_at,
        advise=rules._advise,
        setting=rules.setting,
        label=rules.label,
        version=rules.version,
        source=rules.source,
    )
    made.operable = (*rules.operable, *({_BOOL} - {*rules.operable}))
    return made


def _with_bool(join: Join) -> Join:
    """Return a join that has bool, which comparisons give by any rules; with itself at least."""
    if _BOOL in join:
        return join
    if isinstance(join, Lattice):
        return join.with_arrows({_BOOL: ()})
    nodes = join.nodes
    cells = {(a, b): d for a in nodes for b in nodes if (d := join[a, b]) is not None}
    return Table((*nodes, _BOOL), {**cells, (_BOOL, _BOOL): _BOOL}, join.marked)


def _keeps_weak(rules: PromotionSystem) -> bool:
    try:
        return rules.name not in WEAK_NUMBERS_ALONE and rules.explain(1.0).weak
    except SupremumError:
        return False

"""The decision: which dtype comes out, in which one to compute, and whose rules are in force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

from ..core.answers import LARGEST, LIMIT, SMALLEST
from ..core.completion import completed
from ..core.deciding import in_force
from ..core.dtypes import PYTHON_SCALARS, DType
from ..core.errors import PromotionError, SupremumError
from ..core.function_rules import FunctionRule
from ..core.functions import canonical, chain, function
from ..core.operands import operand
from ..core.system import PromotionSystem
from ..core.systems import system
from .array import Array, summed_in


class Decision(NamedTuple):
    """What results from an operation.

    Attributes:
        dtype: the dtype of the result.
        weak: whether the result is weak.
        compute: the dtype to compute in.
    """

    dtype: DType
    weak: bool
    compute: DType


class Decider:
    """Decides under some rules, completed for the functions that they do not mention.

    Args:
        rules: the rules.

    Attributes:
        given: the rules as they were given.
        rules: those with a rule for each function of the namespace.
        defaults: the dtypes of what is made without one, and of indices and counts.
        ranked: whether an answer depends on the dimensions of operands.
        valued: whether it depends on the values of numbers.
        keeps_weak: whether arrays that result from Python scalars alone are weak.
        operates_in_place: whether an operator in place leaves an array its dtype.
        multiplied: the functions that multiply if the second operand is an int.
        numbers: the dtypes of arrays of one Python number, by its key, and whether they are weak.
    """

    def __init__(self, rules: PromotionSystem) -> None:
        self.given = rules
        self.rules = completed(rules)
        self.defaults = rules.default_dtypes
        self.ranked = rules.ranked
        self.valued = rules.valued
        self.keeps_weak = rules.weak_arrays and _are_weak_alone(rules)
        multiplies = rules.library is not None and rules.library.multiplies_powers
        self.multiplied = frozenset({"pow"} if multiplies else ())
        self.operates_in_place = self.rule("iadd").store is not None
        # a decision is the same for all Python ints: whether one fits is checked where it is used
        plain = {
            name: rule._replace(
                ints="", special=None if rule.special and rule.special.by_value else rule.special
            )
            for name, rule in self.rules.functions.items()
        }
        self._of_dtypes = self.rules.replace(refuse_int=None, functions=plain)
        self.numbers: dict[Any, tuple[DType, bool]] = {}
        self._own: dict[DType, DType] = {}
        self._decisions: dict[Any, Any] = {}

    def decide(self, name: str, *operands: Any) -> Decision:
        """Return what results from a function of these operands.

        Raises:
            PromotionError: if the rules refuse.
        """
        keys = (name, *map(self.key, operands))
        found: Decision | None = self._decisions.get(keys)
        return self._keep(keys, self._decided(name, operands)) if found is None else found

    def shared(self, *operands: Any) -> DType:
        """Return the dtype that operands share, of which some are dtypes.

        Raises:
            PromotionError: if the rules refuse.
        """
        # rules may refuse an int by its value
        keys = (*[None if type(x) is int else self.key(x) for x in operands],)
        found: DType | None = self._decisions.get(keys)
        return self._keep(keys, self.rules.result_type(*operands)) if found is None else found

    def _keep(self, keys: tuple[Any, ...], made: Any) -> Any:
        """Return a decision, which is kept if what it depends on is known."""
        if None not in keys:
            if len(self._decisions) >= LIMIT:
                self._decisions.clear()
            self._decisions[keys] = made
        return made

    def _decided(self, name: str, operands: Sequence[Any]) -> Decision:
        why = self._of_dtypes.explain(*operands, op=None if self._only_joins(name) else name)
        joined, result = why.settled.dtype, why.result
        by_operands = result.kind == "bool" or joined.kind == "complex" or _selects_places(name)
        compute = joined if by_operands else result
        if self.has_wide_scalars(name, result) and self._has_wide_scalar(name, operands):
            compute = summed_in(compute)
        return Decision(result, why.weak and self.keeps_weak, compute)

    def has_wide_scalars(self, name: str, result: DType) -> bool:
        """Return whether a scalar beside narrow floats keeps its own width in a function."""
        library = self.given.library
        is_narrow = result.kind == "float" and summed_in(result) is not result
        return is_narrow and library is not None and canonical(name) in library.wide_scalars

    def _has_wide_scalar(self, name: str, operands: Sequence[Any]) -> bool:
        """Tell whether one of the operands of such a function is a scalar."""
        first, second = operands
        is_first = not isinstance(first, Array) and canonical(name) != "floor_divide"
        return is_first or not isinstance(second, Array) or not second.native.ndim

    def is_by_reciprocal(self, name: str, decision: Decision) -> bool:
        """Tell whether a number over an array is its reciprocal times the number."""
        library = self.given.library
        is_division = canonical(name) == "true_divide" and decision.compute is not decision.dtype
        return is_division and library is not None and library.by_reciprocal

    def _only_joins(self, name: str) -> bool:
        """Tell whether a function puts arrays together, of dtypes that are not operable, too."""
        of_catalogue = function(name)
        if of_catalogue is None or of_catalogue.category != "sequence":
            return False
        rule, rules = self.rule(name), self._of_dtypes
        is_shared = rule.shared or rules.function_join is rules.join
        return is_shared and rule._replace(shared=False) == FunctionRule()

    def of_number(self, number: Any) -> tuple[DType, bool]:
        """Return the dtype of an array of one Python number, and whether it is weak."""
        default = getattr(self.defaults, type(number).__name__, PYTHON_SCALARS[bool])
        try:
            why = self.rules.explain(number)
        except PromotionError:
            return default, False
        return default if why.result.weak else why.result, why.weak

    def key(self, x: Any) -> Any:
        """Return what a decision depends on, of an array, a dtype or a Python number.

        It is None for anything else, and if the value may count: rules without values treat a
        Python int that no int64 holds in their own way.
        """
        if isinstance(x, Array):
            return x.key.flat if self.ranked and not x.native.ndim else x.key
        if isinstance(x, DType):
            return x
        return None if type(x) not in PYTHON_SCALARS or self.valued else number_key(x)

    def own(self, d: DType) -> DType:
        """Return the dtype that the rules treat one as: they may lack 64 bits."""
        found = self._own.get(d)
        if found is None:
            found = self._own[d] = self.rules.result_type(d)
        return found

    def knows(self, d: DType) -> bool:
        """Tell whether the rules have arrays of a dtype."""
        try:
            return not d.weak and self.own(d) is d
        except SupremumError:
            return False

    def rule(self, name: str) -> FunctionRule:
        """Return the rule of a function."""
        return self.rules.rule(name) or FunctionRule()


IN_FORCE: ContextVar[Decider | None] = ContextVar("supremum.rules", default=None)


@cache
def decider(rules: PromotionSystem) -> Decider:
    """Return what decides under some rules; there is one for all rules that are equal."""
    return Decider(rules)


@contextmanager
def rules(rules: str | PromotionSystem, **options: Any) -> Iterator[PromotionSystem]:
    """Let other rules decide in a ``with`` block, for arrays of any namespace.

    Questions such as `supremum.result_type` are answered by them, too, whatever they are about.

    Args:
        rules: the name of a set of rules, or rules of your own.
        options: those of the rules, as `supremum.system` takes them.

    Raises:
        RulesError: for unknown rules or options.

    >>> import supremum
    >>> xp = supremum.namespace("jax", backend="numpy")
    >>> x = xp.ones(3, dtype=xp.int32)
    >>> with supremum.rules("numpy"):
    ...     y = x + xp.ones(3, dtype=xp.float32)
    >>> (x + xp.ones(3, dtype=xp.float32)).dtype.name, y.dtype.name
    ('float32', 'float64')
    >>> with supremum.rules("numpy"):
    ...     supremum.result_type("int32", "float32")
    supremum.dtype('float64')
    """
    chosen = system(rules, **options)
    token = IN_FORCE.set(decider(chosen))
    try:
        with in_force(chosen):
            yield chosen
    finally:
        IN_FORCE.reset(token)


def number_key(x: Any) -> Any:
    """Return the type of a Python number, or None for an int that no int64 holds."""
    kind = type(x)
    return None if kind is int and not SMALLEST <= x <= LARGEST else kind


def _selects_places(name: str) -> bool:
    """Tell whether a function returns the places of some elements, and compares all of them."""
    return "argmax" in chain(canonical(name) or name)


def _are_weak_alone(rules: PromotionSystem) -> bool:
    try:
        return bool(rules.explain(1.0).weak)
    except SupremumError:
        return False


def text_of(operands: Sequence[Any]) -> str:
    """Return operands as a message names them."""
    return " and ".join(operand(x).text for x in operands)

"""What operators and functions give by the target's rules, completed for the whole catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...core.completion import completed
from ...core.dtypes import DType, by_name, dtype
from ...core.errors import NoJoinError, PromotionError, SupremumError
from ...core.functions import FUNCTIONS, Function, canonical, chain, function
from ...core.operands import Operand, operand
from ...core.system import PromotionSystem
from ..log.tracked_types import is_array
from .numpy_values import Arithmetic

COMPUTING: Final = {
    "elementwise", "part", "condition", "reduction", "cumulative", "index", "contraction",
    "product", "sequence", "linalg", "several", "norm", "angle", "estimate", "transform",
}  # fmt: skip
"""The sorts of functions whose dtypes are those that the rules give for their operands."""


class Answers:
    """What comes out by some rules, as operands that others follow on.

    Args:
        rules: the rules.

    Attributes:
        completed: the rules, with a rule for each function.
        arithmetic: what NumPy makes of values by the rules, or None for those of others.
    """

    def __init__(self, rules: PromotionSystem) -> None:
        self.rules = rules
        self.completed = completed(rules)
        self.setting = f" ({rules.label})" if rules.label else ""
        self.arithmetic = Arithmetic.of(rules)
        defaults = self.completed.default_dtypes
        self._defaults = {
            "signed": defaults.int, "float": defaults.float, "complex": defaults.complex,
        }  # fmt: skip

    def settled(self, value: Any) -> Operand:
        """Return what an array would be if it were handed over as it is."""
        given = operand(value)
        try:
            return array(self.completed.result_type(given.dtype), given.weak, given.rank)
        except SupremumError:
            return given

    def instead_of(self, d: DType) -> DType | None:
        """Return the widest dtype of its kind, if the rules do not have a dtype; else None."""
        alike = [x for x in self.rules.dtypes if x.kind == d.kind and not x.weak]
        if d in self.rules.join or not alike:
            return None
        return max(alike, key=lambda x: x.bits or 0)

    def predicts(self, known: Function, result: Any) -> bool:
        """Return whether it is known of a function what it would give."""
        if known.category in COMPUTING:
            is_weighed = known.category == "index" and dtype(result.dtype).kind == "float"
            return self.completed.rule(known.name) is not None and not is_weighed
        return known.category in ("shape", "float", "random", "count", "fill", "conversion")

    def ask(self, operands: Sequence[Operand], name: str) -> Operand:
        """Return what a function gives. An operand that is not known is taken to be as others."""
        known = function(name)
        count = known.operands if known is not None else None
        given = [*operands, *operands, *operands][: count or len(operands)]
        explained = self.completed.explain(*given, op=name)
        return array(explained.result, explained.weak)

    def put_into(self, into: Operand, found: Operand, name: str) -> Operand:
        """Return what an operator in place leaves of the array that its result goes into."""
        rule = self.completed.rule("iadd")
        if rule is None or rule.store is None:
            return found
        try:
            rule.check_store(name, found.dtype, into.dtype)
        except NoJoinError as error:
            what = f"cannot apply {name} in place under {self.rules.title} rules{self.setting}"
            raise PromotionError(f"{what}: {error}") from None
        return into

    def computed(self, name: str, result: Any, operands: Sequence[Operand]) -> Operand:
        """Return what a function gives by its rule."""
        known = FUNCTIONS[canonical(name) or name]
        if not operands:
            operands = [self.default(result)]
        if known.category == "condition":
            if len(operands) == 1:
                return self.ask(operands, "nonzero")
            operands = [o for o in operands if o.dtype.kind != "bool"] or operands[-2:]
        if all(o.is_python for o in operands):
            operands = [self._given(o) for o in operands]
        if len(operands) > 1 and (known.category == "estimate" or "mean" in chain(known.name)):
            operands = [self._weighed(operands)]
        found = self.ask(operands, name)
        return self._as_kind(found, result, known) if "inv" in chain(known.name) else found

    def _weighed(self, operands: Sequence[Operand]) -> Operand:
        """Return what values and their weights share; NumPy weighs integers as its floats."""
        is_whole = operands[0].dtype.kind in ("bool", "unsigned", "signed")
        more = [array(self._defaults["float"], rank=1)] if self.arithmetic and is_whole else []
        return self._shared([*operands, *more])

    def _as_kind(self, found: Operand, result: Any, known: Function) -> Operand:
        """Return a dtype of the kind of a result, which may depend on its values."""
        kind = dtype(result.dtype).kind
        if kind == "signed":
            return self.default(result)
        if kind == "complex" and found.dtype.kind == "float":
            return array(by_name(f"complex{max(2 * (found.dtype.bits or 0), 64)}"))
        is_part = kind == "float" and known.category == "several"
        return array(found.dtype.part) if is_part else found

    def made(
        self, known: Function, result: Any, operands: Sequence[Operand], numbers: Sequence[Operand]
    ) -> Operand:
        """Return what a function that makes arrays gives."""
        strong = [o for o in operands if not o.weak]
        if known.category == "float" and strong and self.completed.rule(known.name) is not None:
            return self.ask([*operands, *numbers], known.name)
        together = self._together(known, operands, numbers)
        if together:
            return self._shared(together)._replace(weak=False)
        if known.category not in ("fill", "conversion"):
            return self.default(result)
        if operands:
            return operands[0]
        given = [n for n in numbers if n.dtype.kind == dtype(result.dtype).kind]
        return self._given(given[-1]) if given else self.default(result)

    def _together(
        self, known: Function, operands: Sequence[Operand], numbers: Sequence[Operand]
    ) -> Sequence[Operand]:
        """Return the operands whose common dtype a function gives that makes arrays; or none."""
        strong = [o for o in operands if not o.weak]
        if known.category == "float":
            return [o for o in strong if o.dtype.kind in ("float", "complex")]
        if known.category == "conversion":
            return operands if len(operands) > 1 else ()
        if known.category != "count" or not strong:
            return ()
        if self.arithmetic is None:
            return [*operands, *numbers]
        # NumPy counts in its default integers, or in what is wider
        least = array(self.completed.default_dtypes.int, rank=1)
        named = (o if o.is_python else array(o.dtype, o.weak, 1) for o in (*operands, *numbers))
        return [least, *named]

    def default(self, result: Any, values: Sequence[Any] = ()) -> Operand:
        """Return what is made of numbers where a result of that kind is; not so of some values."""
        d = self._defaults.get(dtype(result.dtype).kind)
        return array(d) if d is not None and not values else self.settled(result)

    def _given(self, number: Operand) -> Operand:
        """Return what is made of one number."""
        try:
            return self._shared([number])._replace(value=number.value)
        except PromotionError:  # by these rules there are no numbers alone
            return array(self._defaults[number.dtype.kind], rank=0)

    def _shared(self, operands: Sequence[Operand]) -> Operand:
        explained = self.completed.explain(*operands)
        ranks = [o.rank for o in operands if o.rank is not None]
        rank = max(ranks) if len(ranks) == len(operands) else None
        return array(explained.result, explained.weak and self.rules.weak_arrays, rank)


def is_alike(value: Any, result: Any) -> bool:
    """Return whether a value is an array of the dtype of a result."""
    return is_array(value) and dtype(value.dtype) is dtype(result.dtype)


def array(d: DType, weak: bool = False, rank: int | None = None) -> Operand:  # noqa: FBT002  # as an operand has it
    """Return an array as an operand."""
    return Operand(f"{d}, weak" if weak and not d.weak else d.name, d, weak, "array").ranked(rank)

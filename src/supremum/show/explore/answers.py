"""The answers of some rules, exhausted: every function, every pair of classes of operands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from ...core.dtypes import WEAK, DType
from ...core.errors import RulesError
from ...core.evaluation.text import OPERATORS
from ...core.functions import FUNCTIONS, canonical
from ...core.promotion import WRAPS
from ...core.system import PromotionSystem
from .classes import FORMS, Class, Numbers, merged, numbers
from .outcomes import VARIES, Outcome, outcome

COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
UNARY = ("negative", "positive", "invert")


class Answers(NamedTuple):
    """The answers of some rules.

    Attributes:
        forms: for each form of operands the one that it counts as.
        classes: the classes of operands that have a dtype.
        numbers: the classes of Python's numbers.
        functions: for each operator, and ``""`` for none, the group that it is in, or why there
            are no answers.
        pairs: for each group the outcome of each pair of classes, those of numbers last; of an
            operator of one operand, the outcome of each class.
        alone: the outcome of each class without a function.
    """

    forms: tuple[int, ...]
    classes: list[Class]
    numbers: list[Numbers]
    functions: dict[str, int | str]
    pairs: list[list[list[Outcome | None]]]
    alone: list[Outcome]


def answers(rules: PromotionSystem) -> Answers:
    """Return all answers of some rules."""
    return Asking(rules).answers()


class Asking:
    """The rules that are asked, and what is asked about them."""

    def __init__(self, rules: PromotionSystem) -> None:
        self.rules = rules
        self.functions, self.asked = self._groups()
        self.makes_weak = False
        self.numbers = merged(numbers(), self._of_number)
        self.forms = self._forms()
        self.classes = self._classes()

    def answers(self) -> Answers:
        """Return the outcome of everything."""
        pairs = [self._pairs(op) for op in self.asked]
        every: list[Class | Numbers] = [*self.classes, *self.numbers]
        alone = [self.of(None, x) for x in every]
        return Answers(self.forms, self.classes, self.numbers, self.functions, pairs, alone)

    def _groups(self) -> tuple[dict[str, int | str], list[str | None]]:
        """Return the group of each operator, and one of each: those of one rule answer alike."""
        functions: dict[str, int | str] = {"": 0}
        asked: list[str | None] = [None]
        seen: dict[object, int] = {}
        for op in OPERATORS.values():
            known = FUNCTIONS[canonical(op) or op]
            if (rule := self.rules.rule(op)) is None:
                try:
                    self.rules.explain("float32", "float32", op=op)
                except RulesError as error:
                    functions[op] = str(error)
                continue
            key = (rule, known.category, known.operands, op in COMPARISONS, op in WRAPS)
            if key not in seen:
                seen[key] = len(asked)
                asked.append(op)
            functions[op] = seen[key]
        return functions, asked

    def of(self, op: str | None, *classes: Class | Numbers) -> Outcome:
        """Return the outcome of some classes, of which all members must answer alike."""
        rule = self.rules.rule(op) if op else None
        many = rule is not None and rule.ints in ("divisor", "exponent")
        some = [
            x.some()[: 9 if many and place else 1] if isinstance(x, Numbers) else [x.operand("")]
            for place, x in enumerate(classes)
        ]
        found = {outcome(self.rules, members, op) for members in product(*some)}
        return found.pop() if len(found) == 1 else VARIES

    def _skips(self, op: str | None, a: Class | Numbers, b: Class | Numbers) -> bool:
        """Tell whether Python computes this by itself, or asks the array on the right."""
        is_number = op is not None and isinstance(a, Numbers)
        return is_number and (isinstance(b, Numbers) or op in COMPARISONS)

    def _of_number(self, number: Numbers) -> list[Outcome]:
        """Return what distinguishes numbers: their outcomes beside arrays of each width."""
        own = {(d.kind, d.bits): d for d in reversed(self.rules.dtypes)}
        first = number.some()[0]
        asked = [outcome(self.rules, [first], None)]
        for d, op in product(own.values(), self.asked):
            array = Class(d, d.weak, FORMS[0]).operand("")
            if op not in UNARY:
                asked.append(outcome(self.rules, [array, first], op))
            if op not in (*UNARY, *COMPARISONS):
                asked.append(outcome(self.rules, [first, array], op))
        weak = [o.dtypes[2] for o in asked if o.shape[0] == "weak"]
        self.makes_weak = self.makes_weak or not all(d is None or d.weak for d in weak)
        return asked

    def _forms(self) -> tuple[int, ...]:
        """Return for each form an earlier one that is treated alike, or itself."""
        tried = self._tried()
        others = [Class(d, d.weak, form) for d in tried for form in FORMS]
        weaknesses = (False, True) if self.makes_weak else (False,)
        signatures = [
            [
                outcome
                for op, d, is_weak in product(self.asked, tried, weaknesses)
                for outcome in self._beside(op, Class(d, is_weak or d.weak, form), others)
            ]
            for form in FORMS
        ]
        return tuple(signatures.index(own) for own in signatures)

    def _tried(self) -> list[DType]:
        """Return one dtype for each kind, another of 8 bits, and the weak ones."""
        dtypes = sorted((d for d in self.rules.dtypes if not d.weak), key=lambda d: d.bits != 32)
        usual = {d.kind: d for d in reversed(dtypes)}
        narrow = {d.kind: d for d in reversed(dtypes) if d.bits == 8}
        weak = [d for d in self.rules.dtypes if d.weak]
        return list(dict.fromkeys([*usual.values(), *narrow.values(), *weak]))

    def _beside(
        self, op: str | None, own: Class, others: Sequence[Class | Numbers]
    ) -> list[Outcome]:
        """Return the outcomes of a function on a class, alone and beside others in both orders."""
        if op in UNARY:
            return [self.of(op, own)]
        found = []
        for other in (*others, *self.numbers):
            found.append(self.of(op, own, other))
            if not self._skips(op, other, own):
                found.append(self.of(op, other, own))
        return [*found, self.of(None, own)]

    def _classes(self) -> list[Class]:
        """Return the classes; arrays are weak only if these rules make such arrays."""
        forms = [FORMS[i] for i in dict.fromkeys(self.forms)]
        rules = self.rules
        more = [d for d in rules.function_join.nodes if d in rules.operable]
        dtypes = dict.fromkeys([*rules.dtypes, *more, *WEAK.values()])
        weak = (False, True) if self.makes_weak else (False,)
        found = {Class(d, w or d.weak, form) for d in dtypes for w in weak for form in forms}
        return sorted(found, key=lambda c: (c.dtype.name, c.weak, c.form))

    def _pairs(self, op: str | None) -> list[list[Outcome | None]]:
        if op in UNARY:
            return [[self.of(op, c)] for c in self.classes]
        every: list[Class | Numbers] = [*self.classes, *self.numbers]
        return [[None if self._skips(op, a, b) else self.of(op, a, b) for b in every]
                for a in every]  # fmt: skip

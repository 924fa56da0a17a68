"""The port preview: what the program's dtypes would be under another library's rules.

Each value has a shadow: the operand that it would be there. Operators and functions are asked of
the target's rules, completed for every function of the catalogue; what a function makes without
operands has a default dtype of theirs. Only where a difference begins is it a finding; what has its
dtype from there is counted. A place of which nothing is known is said to be not answered.

Between releases of NumPy values are followed, too: see `numpy_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...core.dtypes import DType, dtype
from ...core.errors import PromotionError, SupremumError
from ...core.functions import Function, function
from ...core.operands import Operand, operand
from ...core.system import PromotionSystem
from ..kinds import REFUSED, UNANSWERED
from ..log import known_functions
from ..log.tracked_types import Values, is_array, kind_of
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Origin
from .answers import COMPUTING, Answers, array, is_alike
from .numpy_values import as_operand

_BUILTIN_SUM = sum
_NUMBERS = (int, float, complex)
_FILLS = ("full", "full_like")
_DATA = ("fill_value", "object", "a")  # what they call it


class _Unanswered(Exception):  # noqa: N818  # nothing went wrong
    """It is not known what comes out by the target's rules."""


Find = Callable[[Answers, Sequence[Operand]], Operand]
"""Returns what some rules make of the operands of an operation."""


class Shadow(NamedTuple):
    """What a value would be under the target's rules, and where the difference began, if any."""

    operand: Operand
    cause: Origin | None


class _Found(NamedTuple):
    """What would come out by the target's rules.

    Attributes:
        operand: the result, or what goes on in its place.
        refusal: why the rules refuse the operation, or ``""``.
        is_answered: whether anything is known of it.
        lacks: the dtype that would come out, if the rules do not have it.
    """

    operand: Operand
    refusal: str = ""
    is_answered: bool = True
    lacks: DType | None = None


class Target:
    """Follows what a program's values would be under some rules.

    Args:
        rules: the rules.
        differs: called where a difference begins, with the place, the dtype that came out, the
            operands there, the dtype that would come out or None, and what to say of it; returns
            the cause.
        lacks: called where a dtype comes out that the rules do not have, with the place, the
            dtype and the result; returns the cause.

    Attributes:
        rules: the rules.
        lines: for each place, the names of the dtypes that came out, with those that would, or
            `REFUSED` or `UNANSWERED`.
        unknown: the functions that nothing is known of, with how often they were called.
        arithmetic: what NumPy makes of values by the rules, or None for those of others.
    """

    def __init__(
        self,
        rules: PromotionSystem,
        differs: Callable[..., Origin],
        lacks: Callable[[int, DType, Any], Origin],
    ) -> None:
        self.rules = rules
        self.lines: dict[int, set[tuple[str, str]]] = {}
        self.unknown: dict[str, int] = {}
        self._differs = differs
        self._lacks = lacks
        self._shadows: Values[Shadow] = Values()
        self._answers = Answers(rules)
        self.arithmetic = self._answers.arithmetic
        self._by_own_rules = cache(Answers)

    # what the recorder tells

    def operated(
        self,
        location: int,
        result: Any,
        values: Sequence[Any],
        name: str,
        *,
        in_place: bool = False,
    ) -> None:
        """Follow an operator."""
        operands_of = [as_operand(v) for v in values]
        given = [v for v in operands_of if v is not None]
        shadows = [self._shadow(v) for v in given]

        def find(answers: Answers, operands: Sequence[Operand]) -> Operand:
            if len(given) < len(values):
                raise _Unanswered
            known = answers.arithmetic if name == "power" else None
            quick = known.power(operands) if known else None
            found = array(quick) if quick else answers.ask(operands, name)
            if known:
                known.check_power(found.dtype, given[1])
            return answers.put_into(operands[0], found, name) if in_place else found

        before = () if in_place else given  # what an operator in place has changed is gone
        self._follow(location, result, shadows, find, values=given, op=name, before=before)

    def compared(self, location: int, result: Any, values: Sequence[Any], name: str) -> None:
        """Follow a comparison: its dtype is bool here and there, its values may differ."""
        given = [v for v in map(as_operand, values) if v is not None]
        if len(given) < len(values):
            self._write(location, result, UNANSWERED)
            return
        shadows = [self._shadow(v) for v in given]
        operands = [s.operand for s in shadows]
        there, remark = REFUSED, ""
        try:
            if self.arithmetic is not None:
                operands = [self.arithmetic.comparable(x) for x in operands]
            found = self._answers.completed.explain(*operands, op=name)
            there = found.result.name
            if self.arithmetic is not None and all(s.cause is None for s in shadows):
                remark = self.arithmetic.differing(name, result, given, operands, found)
        except PromotionError as error:
            remark = str(error)
        except SupremumError:
            there = UNANSWERED
        was = dtype(result.dtype)
        self._write(location, result, there)
        if remark:
            here = None if there == REFUSED else was
            self._differs(location, was, operands, here, remark=remark, operator=name)

    def stored(self, location: int, base: Any, value: Any) -> None:
        """Follow what is stored in an array: Python numbers may be refused there."""
        if is_array(base):
            into = self._shadow(base).operand
            self._refuse_numbers(location, base, into, value, operands=[into])

    def _refuse_numbers(
        self,
        location: int,
        result: Any,
        into: Operand,
        value: Any,
        *,
        operands: Sequence[Operand] = (),
    ) -> bool:
        """Say if a Python number that goes into an array would be refused there."""
        why = self.arithmetic and self.arithmetic.refusal(value, into.dtype)
        if not why:
            return False
        was = dtype(result.dtype)
        remark = f"{why}: an OverflowError by {self.rules.name} rules"
        self._write(location, result, REFUSED)
        self._differs(location, was, operands, None, remark=remark, operator=None)
        return True

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Follow a part of a value."""
        if not is_array(whole):
            self._write(location, result, self._shadow(result).operand.dtype.name)
            return

        def find(_: Answers, operands: Sequence[Operand]) -> Operand:
            found = operands[0]
            return found if is_alike(whole, result) else array(found.dtype.part, found.weak)

        self._follow(location, result, [self._shadow(whole)], find, values=[whole])

    def called(
        self,
        location: int,
        result: Any,
        values: Sequence[Any],
        arguments: Sequence[Any],
        explicit: bool,
        *,
        callee: Any = None,
    ) -> None:
        """Follow a call."""
        place = LOCATIONS[location]
        shadow = self._shadows.get(result)
        if isinstance(shadow, Shadow):
            self._write(location, result, shadow.operand.dtype.name)
            return
        values = [as_operand(v) if type(v) in (list, tuple) else v for v in values]
        values = [v for v in values if v is not None]
        shadows = [self._shadow(v) for v in values]
        known = function(place.name)
        if callee is _BUILTIN_SUM:
            self._summed(location, result, values, arguments, shadows=shadows)
        elif explicit or "out" in place.keywords or (known and known.category == "read"):
            self._as_it_is(location, result, shadows, arguments, answered=True)
        elif known is None or not self._answers.predicts(known, result):
            self.unknown[place.name] = self.unknown.get(place.name, 0) + 1
            self._as_it_is(location, result, shadows, arguments, answered=False)
        else:
            self._computed(location, result, values, arguments, known=known, shadows=shadows)

    def _summed(
        self,
        location: int,
        result: Any,
        values: Sequence[Any],
        arguments: Sequence[Any],
        *,
        shadows: Sequence[Shadow],
    ) -> None:
        """Follow Python's own sum."""
        start = operand(arguments[1] if len(arguments) > 1 else 0)
        is_whole = bool(values) and arguments[0] is values[0]

        def find(answers: Answers, operands: Sequence[Operand]) -> Operand:
            added = [_element(operands[0])] * 2 if is_whole else operands
            return _added_up(answers, [start, *added])

        self._follow(location, result, shadows, find, values=values, op="add")

    def _computed(
        self,
        location: int,
        result: Any,
        values: Sequence[Any],
        arguments: Sequence[Any],
        *,
        known: Function,
        shadows: Sequence[Shadow],
    ) -> None:
        """Follow a call of a function whose result is predicted."""
        place = LOCATIONS[location]
        numbers = [
            operand(a)
            for a, keyword in zip(arguments, place.keywords, strict=False)
            if type(a) in _NUMBERS and keyword in ("", "fill_value")
        ]

        def find(answers: Answers, operands: Sequence[Operand]) -> Operand:
            if known.category in COMPUTING:
                return answers.computed(place.name, result, operands or numbers)
            if known.category == "shape":
                alike = [o for v, o in zip(values, operands, strict=True) if is_alike(v, result)]
                return alike[0] if alike else answers.default(result, values)
            return answers.made(known, result, operands, numbers)

        made_of = known.category in ("conversion", "fill", "shape") and bool(numbers)
        if made_of and self._refuses_any(location, result, numbers, shadows, find=find):
            return
        self._follow(location, result, shadows, find, values=values, op=place.name, before=values)

    def _as_it_is(
        self,
        location: int,
        result: Any,
        shadows: Sequence[Shadow],
        arguments: Sequence[Any],
        *,
        answered: bool,
    ) -> None:
        """Follow what has its dtype from the program, or from what nothing is known of."""

        def find(answers: Answers, _: Sequence[Operand]) -> Operand:
            if not answered:
                raise _Unanswered
            return answers.settled(result)

        data = _data_of(LOCATIONS[location], arguments) if answered else ()
        if any(
            self._refuse_numbers(location, result, self._answers.settled(result), d) for d in data
        ):
            return
        self._follow(location, result, shadows, find)

    def _refuses_any(
        self,
        location: int,
        result: Any,
        numbers: Sequence[Operand],
        shadows: Sequence[Shadow],
        *,
        find: Find,
    ) -> bool:
        try:
            into = find(self._answers, [s.operand for s in shadows])
        except (SupremumError, _Unanswered):
            return False
        return any(self._refuse_numbers(location, result, into, n.number) for n in numbers)

    # what would come out

    def _follow(
        self,
        location: int,
        result: Any,
        shadows: Sequence[Shadow],
        find: Find,
        *,
        values: Sequence[Any] = (),
        op: str | None = None,
        before: Sequence[Any] = (),
    ) -> None:
        found = self._found(find, result, values, shadows)
        there = found.operand.dtype.name if found.is_answered else UNANSWERED
        self._write(location, result, REFUSED if found.refusal or found.lacks else there)
        cause = self._cause(location, result, shadows, found, op=op, values=before)
        made = array(found.operand.dtype, found.operand.weak, operand(result).rank)
        self._shadows.put(result, kind_of(result), Shadow(made, cause))

    def _found(
        self, find: Find, result: Any, values: Sequence[Any], shadows: Sequence[Shadow]
    ) -> _Found:
        """Return what would come out, or what stands for it."""
        refusal, is_answered = "", True
        try:
            found = find(self._answers, [s.operand for s in shadows])
        except PromotionError as error:
            found, refusal = operand(result), str(error)
        except (SupremumError, _Unanswered):
            found, is_answered = self._answers.settled(result), False
        differs = refusal or found.dtype is not dtype(result.dtype)
        if differs and not any(s.cause for s in shadows) and self._mistakes(find, result, values):
            found, refusal, is_answered = self._answers.settled(result), "", False
        instead = self._answers.instead_of(found.dtype) if is_answered else None
        if instead is None:
            return _Found(found, refusal, is_answered)
        return _Found(found._replace(dtype=instead), refusal, lacks=found.dtype)

    def _mistakes(self, find: Find, result: Any, values: Sequence[Any]) -> bool:
        """Return whether the library's own rules do not give what came out.

        Then too little is known of the call, such as of a list that it takes, to say what other
        rules would give.
        """
        own = known_functions.rules_of(result)
        if own is None:
            return False
        try:
            operands = [self._with_value(operand(v), v) for v in values]
            found = find(self._by_own_rules(own), operands)
        except (SupremumError, _Unanswered):
            return True
        return found.dtype is not dtype(result.dtype)

    def _cause(
        self,
        location: int,
        result: Any,
        shadows: Sequence[Shadow],
        found: _Found,
        *,
        op: str | None,
        values: Sequence[Any],
    ) -> Origin | None:
        """Return where the difference of a result began, which may be here."""
        was, would = dtype(result.dtype), found.operand.dtype
        operands = tuple(s.operand for s in shadows)
        if found.refusal:
            here = self._differs(location, was, operands, None, remark=found.refusal, operator=op)
            return here if found.lacks else None  # what came out here goes on there
        if found.lacks is not None:
            return self._lacks(location, found.lacks, result)
        if would is was or not found.is_answered:
            return None
        if not shadows and was not in self.rules.join.nodes:  # by a default that was set
            return self._lacks(location, was, result)
        cause = next((s.cause for s in shadows if s.cause is not None), None)
        if cause is None:
            remark = self._difference(was, would, op, result, values=values, operands=operands)
            cause = self._differs(location, was, operands, would, remark=remark, operator=op)
        return cause

    def _difference(
        self,
        was: DType,
        would: DType,
        op: str | None,
        result: Any,
        *,
        values: Sequence[Any],
        operands: Sequence[Operand],
    ) -> str:
        """Return what to say of another dtype, and of what it makes of the values."""
        remark = f"{was} here, {would} by {self.rules.name} rules{self._answers.setting}"
        if self.arithmetic is None or op is None:
            return remark
        completed = self._answers.completed
        return remark + self.arithmetic.changes(op, result, values, operands, completed)

    def _write(self, location: int, result: Any, would: str) -> None:
        self.lines.setdefault(location, set()).add((dtype(result.dtype).name, would))

    def _shadow(self, value: Any) -> Shadow:
        if not is_array(value):
            return Shadow(operand(value), None)
        found = self._shadows.get(value)
        if not isinstance(found, Shadow):
            return Shadow(self._with_value(self._answers.settled(value), value), None)
        rank = operand(value).rank
        seen = self._with_value(found.operand.ranked(rank), value)
        return found._replace(operand=seen)

    def _with_value(self, would: Operand, value: Any) -> Operand:
        """Return an operand with its value, if it has no dimensions."""
        if would.rank != 0:
            return would
        given = operand(value)
        return would._replace(form=given.form, value=given.value)


def _element(op: Operand) -> Operand:
    """Return an element of an array, or a row of one with more dimensions."""
    return op._replace(value=None).ranked(op.rank - 1 if op.rank else op.rank)


def _added_up(answers: Answers, operands: Sequence[Operand]) -> Operand:
    """Return what Python's own sum gives, which adds one operand after the other."""
    if len(operands) == 1:  # those of a generator are not known
        raise _Unanswered
    total = operands[0]
    for each in operands[1:]:
        total = answers.ask([total, each], "add").ranked(0)
    return total


def _data_of(place: Location, arguments: Sequence[Any]) -> Sequence[Any]:
    """Return the arguments of a call that values are made of, where it names a dtype."""
    known = function(place.name)
    at = 1 if known is not None and known.category == "fill" else 0
    named = [a for a, k in zip(arguments, place.keywords, strict=False) if k in _DATA]
    is_made = known_functions.converts(place.name) or (known is not None and known.name in _FILLS)
    plain = arguments[at : at + 1] if not (place.keywords[at : at + 1] or ("",))[0] else ()
    return (*plain, *named) if is_made else ()

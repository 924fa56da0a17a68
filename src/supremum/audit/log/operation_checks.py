"""Checks of operations: what is known of one on operands of some dtypes at some place.

Each is reached once, the first time; from then on it is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, dtype
from ...core.errors import SupremumError
from ...core.functions import Function, facts_of
from ...core.libraries import library_titled
from ...core.operands import Operand, operand
from ...core.system import PromotionSystem
from ..model import dtypes
from ..model.dtypes import Operation, Violation
from ..model.locations import DTYPE_OF, GIVEN, LOCATIONS, Location
from ..model.provenance import Effect, Origin
from . import calls, known_functions, violations
from .tracked_types import NDARRAY, NOTHING, is_array, is_ufunc, kind_of
from .values import intended, looks
from .values.at_hand import as_numpy
from .values.looks import Examine

_FLOAT64_CLASSES: Final = ("scipy.interpolate",)
"""Packages whose objects compute in float64, and give it."""

_NARROW: Final = 32  # bits: wider integers seldom wrap around
_HALF: Final = 16  # bits of a float
_MANY: Final = 16  # numbers, of which statistics are made
_TIMES: Final = 4  # as many as those are
_STATISTICS: Final = ("", "estimate", "reduction")  # "" for what is not known


@dataclass(slots=True, eq=False)
class OperationCheck:
    """What is known of an operation on operands of some dtypes at some place.

    Attributes:
        location: the index of the place.
        operands: the operands the first time.
        places: which of the values at hand each operand is.
        kind: what the result is; see `tracked_types`.
        result: the dtype that came out, or None for what is not followed.
        into: the dtype that values have to fit in: that of the result, or of what they go into.
        violations: what the operation does.
        sources: the operands that the result has its width from; none where it is introduced here.
        numbers: the operands that are Python's numbers, whose values may change.
        rules: the rules of the library.
        operator: the operator as these rules call it, or None.
        facts: what is known of an origin at this place.
        usual: for each operand, the origin it had last.
        causes: what is the cause, for an operand and its origin.
        fits: the number that was found to fit last.
        looks: how often values have been looked at.
        seen: how often the operation came up, where its result is a scalar.
        skipped: how often it came up since, without being looked at.
        made_by: what was traced, and gave it its dtype.
        copied: the operands that are converted as a whole before the operation.
        spans: which of the spans of its place each operand is written at.
        narrows: whether a call converts an array to a dtype with less room, as the program asks.
        quiet: whether all there is to do is to note that one operand's dtype is passed on.
        output: which of the values at hand the result goes into, for what it is; else None.
        examine: what looks at the values of the operation; None if none need to be.
        looked: how often it came up, and was looked at or let go by `examine`.
        times: how often it came up in all, as far as that is known.
        met: the dtypes that came up at the place, by the spans that operands are written at.
        is_needed: whether integers among the operands need more digits than the floats have; None
            if nobody has asked.
    """

    location: int = -1
    operands: tuple[Operand, ...] = ()
    places: tuple[int, ...] = ()
    kind: int = NOTHING
    result: DType | None = None
    into: DType | None = None
    violations: Sequence[Violation] = ()
    sources: Sequence[int] = ()
    numbers: Sequence[int] = ()
    rules: PromotionSystem | None = None
    operator: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    usual: dict[int, Origin] = field(default_factory=dict)
    causes: dict[tuple[int, Origin | None], Origin] = field(default_factory=dict)
    fits: Any = None
    looks: int = 0
    seen: int = 0
    skipped: int = 0
    made_by: Origin | None = None
    copied: Sequence[int] = ()
    spans: Sequence[int] = ()
    narrows: bool = False
    quiet: bool = False
    output: int | None = None
    examine: Examine | None = None
    looked: int = 0
    times: int = 0
    met: dict[int, set[str]] = field(default_factory=dict)
    is_needed: bool | None = None

    def __post_init__(self) -> None:
        self.spans = self.places

    @property
    def place(self) -> Location:
        """The place itself."""
        return LOCATIONS[self.location]

    @property
    def patience(self) -> int:
        """How many of its first small results are looked at, if more than those of others."""
        if self.examine is None or self.into is None:
            return 0
        is_integer, width = dtypes.family(self.into) == "integer", dtypes.bits(self.into)
        if width > (_NARROW if is_integer else _HALF):
            return getattr(self.examine, "numbers", 0)
        return looks.LONG_PATIENCE if is_integer else looks.PATIENCE

    def harmless(self, violation: Violation, values: Sequence[Any]) -> bool:
        """Return whether the values of the operands survive, so that a violation is dropped."""
        value = values[violation.against]
        if self.into is None:
            return False
        if isinstance(value, calls.NUMBERS):
            return dtypes.holds(value, self.into)
        # what calls leave out, and which rows are aligned, is told by those who know it
        of_rows = library_titled(self.operands[violation.against].library).matches_rows
        is_told = of_rows or (self.place.form == "call" and type(value).__module__ != "numpy")
        numbers = None if is_told else as_numpy(value)
        if numbers is None:
            return not violation.of_range
        self.looks += 1
        is_due = looks.is_due(self.looks, numbers, patience=looks.PATIENCE)
        return not is_due or dtypes.survive(numbers, self.into, of_range=violation.of_range)

    def effect(self, kind: str, against: int, **more: Any) -> Effect:
        """Return what the operation does to one of its operands.

        Args:
            kind: the kind of finding.
            against: the operand.
            more: what else is known of it, as the attributes of an `Effect`.
        """
        return Effect(
            kind, self.location, self.operands, self.result, against,
            rules=self.rules, operator=self.operator, spans=self.spans, met=self.met, **more,
        )  # fmt: skip

    def operation(self, result: DType, name: str = "") -> Operation:
        """Return the operation by its dtypes, for a result of some dtype."""
        is_ranked = self.rules is not None and self.rules.ranked
        return Operation(self.operands, result, name, is_ranked=is_ranked)


def of_operator(place: Location, result: Any, values: Sequence[Any]) -> OperationCheck:
    """Judge an operator, or a comparison."""
    if not is_array(result):
        return OperationCheck()
    check = _read(result, values)
    check.operator = known_functions.as_known(place.name, check.rules)
    if place.form == "comparison":
        check.result = None
        common = _common(check)
        if common is not None:
            check.into = common
        if common is not None and dtypes.family(common) != "integer":  # whose width nobody keeps
            check.violations = violations.of_operation(check.operation(common, place.name))
        check.examine = looks.of_comparison(place, check.operands)
        return check
    found = violations.of_operation(check.operation(_known(check), place.name))
    is_meant = bool(found) and (
        _is_rounding_error(place) or intended.is_named_at_once(place, dtype(result.dtype))
    )
    _finish(check, () if is_meant else found, facts_of(place.name))
    check.numbers = _numbers(check, facts_of(place.name))
    passes_on = check.kind == NDARRAY and check.result is not None and bool(check.sources)
    check.quiet = passes_on and not check.violations and check.places == (0, 1)
    check.examine = looks.of_operator(place, result)
    return check


def _is_rounding_error(place: Location) -> bool:
    """Return whether it is a value less what a cast makes of it: ``x - x.astype(np.float16)``."""
    if place.name != "subtract":
        return False
    one, other = sorted((place.operand_text(0), place.operand_text(1)), key=len)
    cast = re.fullmatch(r"\.(\w+)\([^()]*\)", other[len(one) :])
    own = bool(one) and other.startswith(one)
    return own and cast is not None and known_functions.converts(cast[1])


def _numbers(check: OperationCheck, known: Function) -> Sequence[int]:
    """Return the operands that are Python numbers, if their values count."""
    if known.has("takes any number"):
        return ()
    return [i for i, op in enumerate(check.operands) if op.form == "Python scalar"]


def of_part(result: Any, origin: Origin, kind: int) -> OperationCheck:
    """Judge a part of a value that comes from somewhere: it has its dtype from there, or not."""
    check = OperationCheck()
    check.kind = kind
    found = dtype(result.dtype)
    same = dtypes.family(found) == dtypes.family(origin.dtype)
    if same and dtypes.bits(found) == dtypes.bits(origin.dtype):
        check.result = found
    return check


def look_at_sign(check: OperationCheck, place: Location, result: Any, whole: Any) -> None:
    """Have the values looked at that a sign before a value gives, if they may not be its own."""
    check.examine = looks.of_sign(place, result)
    if check.examine is not None:
        check.operands, check.places, check.spans = (operand(whole),), (1,), (0,)
        check.into = check.operands[0].dtype
        own = check.operands[0]
        check.facts = {"library": own.library, "scalar": own.form == "scalar"}


def of_store(base: Any, value: Any, *, in_place: bool) -> OperationCheck:
    """Judge what is stored in part of an array, or put into it by an operator in place."""
    if not is_array(value) and not isinstance(value, calls.NUMBERS):
        return OperationCheck()
    operands = operand(base), operand(value)
    check = OperationCheck(operands=operands, places=(0, 1))
    check.into = operands[0].dtype
    check.rules = known_functions.rules_of(base)
    check.operator = known_functions.as_known("iadd", check.rules) if in_place else None
    check.facts = {"library": operands[0].library}
    check.violations = violations.of_store(operands[1], operands[0].dtype, computes=in_place)
    if operands[1].form == "Python scalar" and not check.violations:
        check.numbers = (1,)
    return check


class _Call(NamedTuple):
    """A call as it is judged.

    Attributes:
        place: where it is.
        result: what it gave, or one of several results.
        base: the function's module or object, or the function.
        arguments: what it was given.
        values: its operands.
        others: the dtypes of the results beside this one.
        function: the function, if it is known.
        known: what is known of it.
        explicit: whether it says which dtype it is to give.
    """

    place: Location
    result: Any
    base: Any
    arguments: tuple[Any, ...]
    values: Sequence[Any]
    others: Sequence[DType]
    function: Any
    known: Function
    explicit: bool

    @property
    def converts(self) -> bool:
        """Whether it is called for the sake of a dtype, or says which one it is to give."""
        return self.explicit or known_functions.converts(self.place.name)

    @property
    def is_own(self) -> bool:
        """Whether the function does what its name says in its library."""
        return known_functions.is_known(self.function, self.result)

    @property
    def computes(self) -> bool:
        """Whether it computes as operators do."""
        of_elements = is_ufunc(self.function)
        is_weighted = self.known.averages and "weights" in self.place.keywords
        combines = self.known.combines or is_weighted
        is_of_values = not (self.converts or self.known.has("ranks"))
        return is_of_values and (of_elements or (combines and self.is_own))

    def gives_float64(self, check: OperationCheck) -> bool:
        """Return whether it gives float64 by itself, whatever floats it is given."""
        own = library_titled(check.facts["library"]).float64_functions
        module = getattr(type(self.base), "__module__", None)
        package = module if isinstance(module, str) else ""
        return self.known.name in own or package.startswith(_FLOAT64_CLASSES)

    def makes_statistics(self, check: OperationCheck) -> bool:
        """Return whether it makes a few floats of many, whatever dtype they have."""
        is_float = check.result is not None and check.result.kind == "float"
        if self.explicit or not is_float or self.known.category not in _STATISTICS:
            return False
        floats = [op for op in check.operands if dtypes.family(op.dtype) == "inexact"]
        many = max((x.size for x in self.values if kind_of(x) == NDARRAY), default=0)
        few = self.result.size if kind_of(self.result) <= NDARRAY else many
        are_few = many >= max(_MANY, _TIMES * few)
        return are_few or (self.known.category == "reduction" and len(floats) == 1)

    @property
    def is_of_values(self) -> bool:
        """Whether its result is an array of what it computes, as far as is known."""
        is_scalar = getattr(self.result, "ndim", 1) == 0
        return not (self.converts or is_scalar or self.known.has("ranks"))

    @property
    def output(self) -> Any:
        """The argument that the result goes into, or None for a new array."""
        index = calls.output(self.place, self.result, self.base, self.arguments)
        return None if index is None else self.arguments[index]


def of_call(
    place: Location,
    result: Any,
    base: Any,
    arguments: tuple[Any, ...],
    values: Sequence[Any],
    *,
    others: Sequence[Any] = (),
) -> OperationCheck:
    """Judge a call by what is known of its function, else by what is safe to say.

    Args:
        place: where it is.
        result: what it gave, or one of several results.
        base: the function's module or object, or the function.
        arguments: what it was given.
        values: its operands.
        others: the dtypes of the results beside this one.
    """
    call = _Call(
        place, result, base, arguments, values, tuple(map(dtype, others)),
        calls.function_of(base, place.name), known_functions.known_call(place.name, base),
        calls.is_explicit(place, result, base, arguments),
    )  # fmt: skip
    check = _read(result, values)
    check.facts |= {
        "function": call.function,
        "explicit": call.explicit,
        "several": bool(others),
        "from_numbers": not call.explicit and calls.is_from_numbers(result, arguments, values),
        "from_lists": bool(getattr(result, "ndim", 0)) and not any(map(is_array, values)),
    }
    if call.computes:
        check.operator = known_functions.as_known(place.name, check.rules)
    check.narrows = _is_narrowing(call, check)
    found = violations.of_operation(_operation(call, check))
    given = dtype(result.dtype)
    if found and dtypes.family(given) == "integer" and intended.is_named_at_once(place, given):
        found = []
    if call.makes_statistics(check):
        found = []  # what they are computed with is found where it is
    if is_array(call.output):
        found = _chosen(call, check, _into_output(call, check) or found)
    _finish(check, found, call.known)
    if call.gives_float64(check):
        check.sources = ()
    if call.computes:
        check.numbers = _numbers(check, call.known)
    _describe(call, check)
    return check


def _operation(call: _Call, check: OperationCheck) -> Operation:
    """Return a call by its dtypes, as far as its function is known."""
    operation = check.operation(_known(check), call.place.name)
    if call.computes:
        return operation
    several = () if call.known.gives_several else call.others
    is_other = bool(several) and violations.is_one_of_several(operation, several)
    return replace(
        operation,
        is_known=False,
        accumulates=call.known.is_accumulating,
        is_of_operands=call.is_of_values and not is_other,
    )


def _is_narrowing(call: _Call, check: OperationCheck) -> bool:
    """Return whether a call is a cast of one array to a dtype with less room."""
    words = zip(call.place.keywords, call.arguments, strict=False)
    named = [value for word, value in words if word == DTYPE_OF]
    pairs = zip(check.operands, check.places, strict=True)
    data = [op for op, p in pairs if all(call.values[p] is not d for d in named)]
    is_cast = len(data) == 1 and known_functions.converts(call.place.name)
    return is_cast and violations.narrows(data[0], _known(check))


def _describe(call: _Call, check: OperationCheck) -> None:
    """Note what else there is to know of a call that was judged."""
    place, values = call.place, call.values
    if GIVEN in place.keywords and not check.sources:
        check.result, check.violations = None, ()  # it is introduced where the caller calls
    check.spans = calls.spans(place, call.base, call.arguments, [values[p] for p in check.places])
    passes_on = check.kind == NDARRAY and check.result is not None and not check.narrows
    as_they_are = check.places == tuple(range(len(values)))
    check.quiet = passes_on and as_they_are and not check.violations and len(check.sources) == 1
    check.examine = looks.of_call(
        place, call.result, call.function,
        converts=looks.converts(place, explicit=call.explicit), several=bool(call.others),
    )  # fmt: skip


def _read(result: Any, values: Sequence[Any]) -> OperationCheck:
    """Return a check with the operands read, and nothing decided."""
    operands, places = [], []
    for place, value in enumerate(values):
        if is_array(value) or isinstance(value, calls.NUMBERS):
            try:
                operands.append(operand(value))
            except SupremumError:
                continue  # its dtype is of no interest: a date, or a key of random numbers
            places.append(place)
    if all(op.is_python for op in operands):
        operands, places = [], []
    check = OperationCheck(operands=tuple(operands), places=tuple(places))
    check.kind = kind_of(result)
    check.result = check.into = dtype(result.dtype)
    check.rules = known_functions.rules_of(result)
    own = operand(result)
    arrays = [op.dtype for op in operands if not op.is_python]
    check.facts = {
        "library": own.library,
        "scalar": own.form == "scalar",
        "of_integers": bool(arrays) and all(dtypes.family(d) == "integer" for d in arrays),
    }
    return check


def _finish(check: OperationCheck, found: Sequence[Violation], known: Function) -> None:
    result = _known(check)
    if known.category == "contraction" and check.kind == NDARRAY:
        strong = [i for i, op in enumerate(check.operands) if dtypes.is_strong(op)]
        check.copied = [i for i in strong if check.operands[i].dtype is not result]
    check.sources = dtypes.source(check.operands, result)
    check.violations = found
    if result.kind == "bool":
        check.result = None


def _known(check: OperationCheck) -> DType:
    if check.into is None:
        raise SupremumError("there is no result to judge")
    return check.into


def _common(check: OperationCheck) -> DType | None:
    try:
        return check.rules.result_type(*check.operands) if check.rules else None
    except SupremumError:
        return None


def _into_output(call: _Call, check: OperationCheck) -> list[Violation]:
    """Return the violations against putting a result into an array that was given."""
    if call.computes:
        return _operands_into(call, check)
    return _computed_into(call, check) if call.is_own and not call.converts else []


def _operands_into(call: _Call, check: OperationCheck) -> list[Violation]:
    """Return the violations against the first operand that the output has no place for."""
    for i, p in enumerate(check.places):
        stored = violations.of_store(check.operands[i], dtype(call.output.dtype), computes=True)
        if stored and call.values[p] is not call.output:
            cause = i if stored[0].cause is not None else None
            return [stored[0]._replace(cause=cause, against=i)]
    return []


def _computed_into(call: _Call, check: OperationCheck) -> list[Violation]:
    """Return the violations against the dtype that the rules give for the first operand."""
    name = call.place.name
    if not check.operands or check.rules is None or check.rules.rule(name) is None:
        return []
    first = check.operands[0]
    made = check.rules.result_type(first, op=name)
    if not dtypes.is_strong(first) or dtypes.family(made) != "inexact":
        return []
    stored = violations.of_store(first._replace(dtype=made), _known(check), computes=True)
    is_made_here = not stored or stored[0].cause is None or made is not first.dtype
    return [stored[0]._replace(cause=None if is_made_here else 0, against=0)] if stored else []


def _chosen(call: _Call, check: OperationCheck, found: Sequence[Violation]) -> list[Violation]:
    """Return the violations if an output that was given is wider than what it is computed of.

    Whoever gives it chose its dtype, as that of an array that something is stored in; what is
    added up in a wider one is meant to be.
    """
    check.output = next((p for p in check.places if call.values[p] is call.output), None)
    chosen = [one.cause is not None and check.places[one.cause] == check.output for one in found]
    return violations.with_output(found, chosen, reduces=call.known.reduces)

"""Checks of operations: what is known of one on operands of some dtypes at some place.

Each is reached once, the first time; from then on it is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType, dtype
from ...core.errors import SupremumError
from ...core.operands import Operand, operand
from ...core.system import PromotionSystem
from ..model.locations import DTYPE_OF, GIVEN, Location
from ..model.provenance import Origin
from . import autocast, calls, checks, known_functions, lazy_arrays, value_checks
from .checks import Violation
from .tracked_types import (
    NDARRAY,
    NOTHING,
    is_array,
    kind_of,
)

_LOOKS = 8  # how often the values at one place are looked at
_TAKE_ANY_NUMBER = {"power", "left_shift", "right_shift"}  # they do not convert it first


class OperationCheck:
    """What is known of an operation on operands of some dtypes at some place.

    Attributes:
        operands: the operands the first time.
        places: which of the values at hand each operand is.
        kind: what the result is; see `values`.
        result: the dtype that came out, or None for what is not followed.
        into: the dtype that values have to fit in: that of the result, or of what they go into.
        violations: what the operation does.
        sources: the operands that the result has its width from; none where it is introduced here.
        numbers: the operands that are Python's numbers, whose values may change.
        rules: the rules of the library.
        operator: the operator as these rules call it, or None.
        facts: what an origin at this place is told.
        usual: for each source, the origin it had last.
        fits: the number that was found to fit last.
        looks: how often values have been looked at.
        seen: how often the operation came up, where its result is a scalar.
        skipped: how often it came up since, without being looked at.
        copied: the operands that are converted as a whole before the operation.
        spans: which of the spans of its place each operand is written at.
        narrows: whether a call converts an array to a dtype with less room, as it was told to.
        quiet: whether all there is to do is to note that one operand's dtype is passed on.
        output: which of the values at hand the result goes into, for what it is; else None.
        examine: what looks at the values of the operation; None if none need to be.
        looked: how often it came up, and was looked at or let go by `examine`.
        times: how often it came up in all, as far as that is known.
    """

    __slots__ = (
        "copied", "examine", "facts", "fits", "into", "kind", "looked", "looks", "made_by",
        "narrows", "numbers", "operands", "operator", "output", "places", "quiet", "result",
        "rules", "seen", "skipped", "sources", "spans", "times", "usual", "violations",
    )  # fmt: skip

    def __init__(self, operands: Sequence[Operand] = (), places: Sequence[int] = ()) -> None:
        self.operands = tuple(operands)
        self.places = tuple(places)
        self.kind = NOTHING
        self.result: DType | None = None
        self.into: DType | None = None
        self.violations: Sequence[Violation] = ()
        self.sources: Sequence[int] = ()
        self.numbers: Sequence[int] = ()
        self.rules: PromotionSystem | None = None
        self.operator: str | None = None
        self.facts: dict[str, Any] = {}
        self.usual: dict[int, Origin] = {}
        self.fits: Any = None
        self.looks = 0
        self.seen = 0
        self.skipped = 0
        self.spans: Sequence[int] = self.places
        self.made_by: Origin | None = None
        self.copied: Sequence[int] = ()
        self.narrows = False
        self.quiet = False
        self.output: int | None = None
        self.examine: value_checks.Examine | None = None
        self.looked = self.times = 0

    def harmless(self, violation: Violation, values: Sequence[Any]) -> bool:
        """Tell whether the values at hand survive, so that a violation is dropped."""
        value = values[self.places[violation.against]]
        if self.into is None:
            return False
        if isinstance(value, calls.NUMBERS):
            return checks.holds(value, self.into)
        if type(value).__module__ != "numpy":
            return violation.kind != "overflow-risk"  # to look might compute, or wait for a device
        self.looks += 1
        return self.looks > _LOOKS or checks.survive(value, self.into, violation.kind)


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
            check.violations = checks.operation(check.operands, common, place.name)
        return check
    violations = checks.operation(check.operands, _known(check), place.name)
    _finish(check, autocast.mixed(violations, result), place.name)
    if place.name not in _TAKE_ANY_NUMBER:
        check.numbers = [i for i, op in enumerate(check.operands) if op.form == "Python scalar"]
    passes_on = check.kind == NDARRAY and check.result is not None and bool(check.sources)
    check.quiet = passes_on and not check.violations and check.places == (0, 1)
    check.examine = value_checks.of_operator(place, result)
    return check


def of_part(result: Any, origin: Origin, kind: int) -> OperationCheck:
    """Judge a part of a value that comes from somewhere: it has its dtype from there, or not."""
    check = OperationCheck()
    check.kind = kind
    found = dtype(result.dtype)
    same = checks.family(found) == checks.family(origin.dtype)
    if same and checks.bits(found) == checks.bits(origin.dtype):
        check.result = found
    return check


def look_at_sign(check: OperationCheck, place: Location, result: Any, whole: Any) -> None:
    """Have the values looked at that a sign before a value gives, if they may not be its own."""
    check.examine = value_checks.of_sign(place, result)
    if check.examine is not None:
        check.operands, check.places, check.spans = (operand(whole),), (1,), (0,)
        check.into = check.operands[0].dtype
        own = check.operands[0]
        check.facts = {"library": own.library, "scalar": own.form == "scalar"}


def of_handed(result: Any) -> OperationCheck:
    """Judge what hands on a value that is known: nothing happens, and it has its dtype."""
    check = OperationCheck()
    check.into = dtype(result.dtype)
    return check


def of_store(base: Any, value: Any, *, in_place: bool) -> OperationCheck:
    """Judge what is stored in part of an array, or put into it by an operator in place."""
    if not is_array(value) and not isinstance(value, calls.NUMBERS):
        return OperationCheck()
    operands = operand(base), operand(value)
    check = OperationCheck(operands, (0, 1))
    check.into = operands[0].dtype
    check.rules = known_functions.rules_of(base)
    check.operator = known_functions.as_known("iadd", check.rules) if in_place else None
    check.facts = {"library": operands[0].library}
    check.violations = checks.store(operands[1], operands[0].dtype)
    if not in_place and checks.is_narrow(operands[1], operands[0].dtype):
        check.violations = [Violation("widening-store", 0, 1)]
    if operands[1].form == "Python scalar" and not check.violations:
        check.numbers = (1,)
    return check


def of_call(
    place: Location,
    result: Any,
    base: Any,
    arguments: tuple[Any, ...],
    values: Sequence[Any],
    *,
    others: Sequence[Any] = (),
) -> OperationCheck:
    """Judge a call: as an operator if it computes like one, else by what is safe to say.

    Args:
        place: where it is.
        result: what it gave, or one of several results.
        base: the function's module or object, or the function.
        arguments: what it was given.
        values: its operands.
        others: the dtypes of the results beside this one.
    """
    check = _read(result, values)
    function = calls.function_of(base, place.name)
    explicit = calls.is_explicit(place, result, base, arguments)
    check.facts |= {
        "function": function,
        "explicit": explicit,
        "several": bool(others),
        "is_autocast": autocast.is_on(result),
        "from_numbers": not explicit and calls.is_from_numbers(result, arguments, values),
    }
    known = _known(check)
    violations: Sequence[Violation] = ()
    out = calls.output(place, result, base, arguments)
    if explicit or known_functions.converts(place.name):
        named = {i for i, word in enumerate(place.keywords) if word == DTYPE_OF}
        data = [
            i for i, p in enumerate(check.places) if not calls.is_any(values[p], arguments, named)
        ]
        is_cast = len(data) == 1 and known_functions.converts(place.name)
        check.narrows = is_cast and checks.narrows(check.operands[data[0]], known)
    elif type(function).__name__ == "ufunc" or (
        place.name in known_functions.COMBINES and known_functions.is_known(function, result)
    ):
        check.operator = known_functions.as_known(place.name, check.rules)
        violations = checks.operation(check.operands, known, place.name)
        if out is not None:
            violations = _into_out(check, arguments[out], values) or violations
    elif not lazy_arrays.is_computed(place, values):
        scalar = getattr(result, "ndim", 1) == 0
        accumulates = place.name in known_functions.ADDS_UP
        violations = checks.call(check.operands, known, scalar=scalar, accumulates=accumulates)
        if place.name in known_functions.RANKS:
            violations = ()
        several = () if place.name in known_functions.SEVERAL else tuple(map(dtype, others))
        if several and checks.is_one_of_several(check.operands, known, several):
            violations = ()
        if out is not None and known_functions.is_known(function, result):
            violations = _computed_into_out(check, place.name) or violations
    if out is not None and is_array(arguments[out]):
        violations = _chosen(check, place, arguments[out], values, violations)
    _finish(check, autocast.mixed(violations, result), place.name)
    if place.name in known_functions.GIVES_FLOAT64 and check.facts["library"] == "NumPy":
        check.sources = ()
    if GIVEN in place.keywords and not check.sources:
        check.result, check.violations = None, ()  # it is born where the caller calls
    check.spans = calls.spans(place, base, arguments, [values[p] for p in check.places])
    passes_on = check.kind == NDARRAY and check.result is not None and not check.narrows
    as_they_are = check.places == tuple(range(len(values)))
    check.quiet = passes_on and as_they_are and not check.violations and len(check.sources) == 1
    if not others:
        converts = value_checks.converts(place, explicit=explicit)
        check.examine = value_checks.of_call(place, result, converts=converts)
    return check


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
    check = OperationCheck(operands, places)
    check.kind = kind_of(result)
    check.result = check.into = dtype(result.dtype)
    check.rules = known_functions.rules_of(result)
    own = operand(result)
    check.facts = {"library": own.library, "scalar": own.form == "scalar"}
    return check


def _finish(check: OperationCheck, violations: Sequence[Violation], name: str) -> None:
    result = _known(check)
    if (
        name in known_functions.COPIES
        and check.kind == NDARRAY
        and check.facts["library"] == "NumPy"
    ):
        strong = [i for i, op in enumerate(check.operands) if checks.is_strong(op)]
        check.copied = [i for i in strong if check.operands[i].dtype is not result]
    check.sources = checks.source(check.operands, result)
    lost = _weak_lost(check)
    check.violations = violations or ([lost] if lost else [])
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


def _weak_lost(check: OperationCheck) -> Violation | None:
    """Return a violation where a strong scalar decides for a weakly typed array of JAX."""
    weak = [i for i, op in enumerate(check.operands) if op.weak and op.library == "JAX"]
    strong = [i for i, op in enumerate(check.operands) if checks.is_strong(op) and op.rank == 0]
    return Violation("weak-type-lost", strong[0], weak[0]) if weak and strong else None


def _computed_into_out(check: OperationCheck, name: str) -> Sequence[Violation]:
    """Return the violations against putting what a function computes into its output."""
    if check.rules is None or check.rules.rule(name) is None or not check.operands:
        return []
    first = check.operands[0]
    made = check.rules.result_type(first, op=name)
    if not checks.is_strong(first) or checks.family(made) != "inexact":
        return []
    stored = checks.store(first._replace(dtype=made), _known(check))
    is_born = not stored or stored[0].cause is None or made is not first.dtype
    return [stored[0]._replace(cause=None if is_born else 0, against=0)] if stored else []


def _into_out(check: OperationCheck, out: Any, values: Sequence[Any]) -> Sequence[Violation]:
    """Return the violations against putting a result into an array that was given."""
    if not is_array(out):
        return []
    for i, p in enumerate(check.places):
        stored = checks.store(check.operands[i], dtype(out.dtype))
        if stored and values[p] is not out:
            cause = i if stored[0].cause is not None else None
            return [stored[0]._replace(cause=cause, against=i)]
    return []


def _chosen(
    check: OperationCheck,
    place: Location,
    out: Any,
    values: Sequence[Any],
    violations: Sequence[Violation],
) -> Sequence[Violation]:
    """Return the violations if an output that was given is wider than what it is computed of.

    Whoever gives it chose its dtype, as that of an array that something is stored in; what is
    added up in a wider one is meant to be.
    """
    check.output = next((p for p in check.places if values[p] is out), None)

    def told(one: Violation) -> Violation:
        is_choice = one.cause is not None and check.places[one.cause] == check.output
        return one._replace(kind="widening-store") if is_choice else one

    found = [told(one) if one.kind == "widening" else one for one in violations]
    if place.name in known_functions.REDUCES:
        found = [one for one in found if one.kind != "widening-store"]
    return found

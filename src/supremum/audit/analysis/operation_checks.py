"""Verdicts: what is known of an operation on operands of some dtypes at some place.

Each is reached once, the first time; from then on it is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ...core.dtype_names import names
from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.functions import NO_DATA
from ...core.operands import Operand, dtype, operand
from ...core.system import PromotionSystem
from ..model.locations import DTYPE_OF, GIVEN, Site
from ..model.provenance import Origin
from . import checks, known_functions
from .checks import Charge
from .tracked_types import (
    FRAME,
    NDARRAY,
    NOTHING,
    SCALAR,
    SEQUENCE,
    TYPES,
    is_array,
    kind_of,
    kind_of_type,
    learn,
)

NUMBERS = (int, float, complex)

_LOOKS = 8  # how often the values at one place are looked at
_TAKE_ANY_NUMBER = {"power", "left_shift", "right_shift"}  # they do not convert it first

_CODES = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 c8 c16 f d e F D float int"
_NAMES = frozenset((*names(), *_CODES.split()))


class Verdict:
    """What is known of an operation on operands of some dtypes at some place.

    Attributes:
        operands: the operands the first time.
        places: which of the values at hand each operand is.
        kind: what the result is; see `values`.
        result: the dtype that came out, or None for what is not followed.
        into: the dtype that values have to fit in: that of the result, or of what they go into.
        charges: what the operation does.
        sources: the operands that the result has its width from; none where it is born here.
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
        spots: which of the spots of its place each operand is written at.
        narrows: whether a call converts an array to a dtype with less room, as it was told to.
        quiet: whether all there is to do is to note that one operand's dtype is passed on.
    """

    __slots__ = (
        "charges",
        "copied",
        "facts",
        "fits",
        "into",
        "kind",
        "looks",
        "made_by",
        "narrows",
        "numbers",
        "operands",
        "operator",
        "places",
        "quiet",
        "result",
        "rules",
        "seen",
        "skipped",
        "sources",
        "spots",
        "usual",
    )  # fmt: skip

    def __init__(self, operands: Sequence[Operand] = (), places: Sequence[int] = ()) -> None:
        self.operands = tuple(operands)
        self.places = tuple(places)
        self.kind = NOTHING
        self.result: DType | None = None
        self.into: DType | None = None
        self.charges: Sequence[Charge] = ()
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
        self.spots: Sequence[int] = self.places
        self.made_by: Origin | None = None
        self.copied: Sequence[int] = ()
        self.narrows = False
        self.quiet = False

    def harmless(self, charge: Charge, values: Sequence[Any]) -> bool:
        """Tell whether the values at hand survive, so that a charge is dropped."""
        value = values[self.places[charge.against]]
        if self.into is None:
            return False
        if isinstance(value, NUMBERS):
            return checks.holds(value, self.into)
        if type(value).__module__ != "numpy":
            return charge.kind != "overflow-risk"  # to look might compute, or wait for a device
        self.looks += 1
        return self.looks > _LOOKS or checks.survive(value, self.into, charge.kind)


def of_operator(place: Site, result: Any, values: Sequence[Any]) -> Verdict:
    """Judge an operator, or a comparison."""
    if not is_array(result):
        return Verdict()
    verdict = _read(result, values)
    verdict.operator = known_functions.as_known(place.name, verdict.rules)
    if place.form == "comparison":
        verdict.result = None
        common = _common(verdict)
        if common is not None:
            verdict.into = common
            verdict.charges = checks.operation(verdict.operands, common, place.name)
        return verdict
    _finish(verdict, checks.operation(verdict.operands, _known(verdict), place.name), place.name)
    if place.name not in _TAKE_ANY_NUMBER:
        verdict.numbers = [i for i, op in enumerate(verdict.operands) if op.form == "Python scalar"]
    passes_on = verdict.kind == NDARRAY and verdict.result is not None and bool(verdict.sources)
    verdict.quiet = passes_on and not verdict.charges and verdict.places == (0, 1)
    return verdict


def of_part(result: Any, origin: Origin, kind: int) -> Verdict:
    """Judge a part of a value that comes from somewhere: it has its dtype from there, or not."""
    verdict = Verdict()
    verdict.kind = kind
    found = dtype(result.dtype)
    same = checks.family(found) == checks.family(origin.dtype)
    if same and checks.bits(found) == checks.bits(origin.dtype):
        verdict.result = found
    return verdict


def of_store(base: Any, value: Any, *, in_place: bool) -> Verdict:
    """Judge what is stored in part of an array, or put into it by an operator in place."""
    if not is_array(value) and not isinstance(value, NUMBERS):
        return Verdict()
    operands = operand(base), operand(value)
    verdict = Verdict(operands, (0, 1))
    verdict.into = operands[0].dtype
    verdict.rules = known_functions.rules_of(base)
    verdict.operator = known_functions.as_known("iadd", verdict.rules) if in_place else None
    verdict.facts = {"library": operands[0].library}
    verdict.charges = checks.store(operands[1], operands[0].dtype)
    if operands[1].form == "Python scalar" and not verdict.charges:
        verdict.numbers = (1,)
    return verdict


def of_call(
    place: Site, result: Any, base: Any, arguments: tuple[Any, ...], values: Sequence[Any]
) -> Verdict:
    """Judge a call: as an operator where it computes like one, else by what is safe to say."""
    verdict = _read(result, values)
    function = function_of(base, place.name)
    explicit = is_explicit(place, result, base, arguments)
    verdict.facts |= {
        "function": function,
        "explicit": explicit,
        "from_numbers": not explicit and _from_numbers(result, arguments, values),
    }
    known = _known(verdict)
    charges: Sequence[Charge] = ()
    if explicit or known_functions.converts(place.name):
        verdict.narrows = len(verdict.operands) == 1 and checks.narrows(verdict.operands[0], known)
    elif type(function).__name__ == "ufunc" or (
        place.name in known_functions.COMBINES and known_functions.is_known(function, result)
    ):
        verdict.operator = known_functions.as_known(place.name, verdict.rules)
        charges = checks.operation(verdict.operands, known, place.name)
        if "out" in place.keywords:
            charges = _into_out(verdict, place, arguments, values) or charges
    else:
        scalar = bool(verdict.facts["scalar"])
        accumulates = place.name in known_functions.ADDS_UP
        charges = checks.call(verdict.operands, known, scalar=scalar, accumulates=accumulates)
    _finish(verdict, charges, place.name)
    if place.name in known_functions.GIVES_FLOAT64 and verdict.facts["library"] == "NumPy":
        verdict.sources = ()
    if GIVEN in place.keywords and not verdict.sources:
        verdict.result, verdict.charges = None, ()  # it is born where the caller calls
    verdict.spots = spots(place, base, arguments, [values[p] for p in verdict.places])
    passes_on = verdict.kind == NDARRAY and verdict.result is not None
    as_they_are = verdict.places == tuple(range(len(values)))
    verdict.quiet = passes_on and as_they_are and not verdict.charges and len(verdict.sources) == 1
    return verdict


def arrays(base: Any, arguments: tuple[Any, ...], place: Site) -> Sequence[Any]:
    """Return the arrays that a call is about: its object, its arguments, and what lists hold."""
    kind = TYPES.get(type(base))
    if kind is None:
        kind = learn(type(base))
    found = [base] if NOTHING < kind < FRAME else []
    most = known_functions.COMBINES.get(place.name, 0)
    if (
        place.name in known_functions.TAKES_A_LIST
        and arguments
        and kind_of(arguments[0]) == SEQUENCE
    ):
        arguments = arguments[:1]
    for index, argument in enumerate(arguments):
        if place.keywords[index] in NO_DATA:
            continue
        kind = TYPES.get(type(argument))
        if kind is None:
            kind = learn(type(argument))
        if kind == NOTHING:
            # of functions that compute as operators do, numbers are operands, too
            if type(argument) in NUMBERS and len(found) < most and not place.keywords[index]:
                found.append(argument)
        elif kind < FRAME:
            found.append(argument)
        elif kind == SEQUENCE:
            found += [element for element in elements(argument) if is_array(element)]
    return found


def spots(place: Site, base: Any, arguments: tuple[Any, ...], operands: Sequence[Any]) -> list[int]:
    """Return which of a call's spots each operand is written at: 0 is its object."""
    free = [*enumerate((base, *arguments))]
    for index, argument in enumerate(arguments):
        if kind_of(argument) == SEQUENCE:
            first = place.lists[index]
            free += [
                (first + i if first else index + 1, e) for i, e in enumerate(elements(argument))
            ]
    found = []
    for op in operands:
        at = next((i for i, pair in enumerate(free) if pair[1] is op), None)
        found.append(0 if at is None else free.pop(at)[0])
    return found


def elements(values: Any) -> Sequence[Any]:
    """Return the first elements of a list or tuple, whatever its class makes of indices."""
    if type(values) is dict:
        return [*values.values()][: known_functions.MOST_ELEMENTS]
    get = tuple.__getitem__ if isinstance(values, tuple) else list.__getitem__
    return get(values, slice(known_functions.MOST_ELEMENTS))


def is_explicit(place: Site, result: Any, base: Any, arguments: tuple[Any, ...]) -> bool:
    """Tell whether a call says which dtype it is to give."""
    if "dtype" in place.keywords or DTYPE_OF in place.keywords or any(map(_names_dtype, arguments)):
        return True
    function = function_of(base, place.name)
    return isinstance(function, type) and kind_of(result) == SCALAR


def function_facts(base: Any, place: Site, library: str) -> dict[str, Any]:
    """Return what an origin is told of a call that gave a table of columns."""
    return {"library": library, "function": function_of(base, place.name)}


def _read(result: Any, values: Sequence[Any]) -> Verdict:
    """Return a verdict with the operands read, and nothing decided."""
    operands, places = [], []
    for place, value in enumerate(values):
        if is_array(value) or isinstance(value, NUMBERS):
            operands.append(operand(value))
            places.append(place)
    if all(op.is_python for op in operands):
        operands, places = [], []
    verdict = Verdict(operands, places)
    verdict.kind = kind_of(result)
    verdict.result = verdict.into = dtype(result.dtype)
    verdict.rules = known_functions.rules_of(result)
    verdict.facts = {"library": operand(result).library, "scalar": getattr(result, "ndim", 1) == 0}
    return verdict


def _finish(verdict: Verdict, charges: Sequence[Charge], name: str) -> None:
    result = _known(verdict)
    if (
        name in known_functions.COPIES
        and verdict.kind == NDARRAY
        and verdict.facts["library"] == "NumPy"
    ):
        strong = [i for i, op in enumerate(verdict.operands) if checks.is_strong(op)]
        verdict.copied = [i for i in strong if verdict.operands[i].dtype is not result]
    verdict.sources = checks.source(verdict.operands, result)
    lost = _weak_lost(verdict)
    verdict.charges = charges or ([lost] if lost else [])
    if result.kind == "bool":
        verdict.result = None


def _known(verdict: Verdict) -> DType:
    if verdict.into is None:
        raise SupremumError("there is no result to judge")
    return verdict.into


def _common(verdict: Verdict) -> DType | None:
    try:
        return verdict.rules.result_type(*verdict.operands) if verdict.rules else None
    except SupremumError:
        return None


def _weak_lost(verdict: Verdict) -> Charge | None:
    """Return a charge where a strong scalar decides for a weakly typed array of JAX."""
    weak = [i for i, op in enumerate(verdict.operands) if op.weak and op.library == "JAX"]
    strong = [i for i, op in enumerate(verdict.operands) if checks.is_strong(op) and op.rank == 0]
    return Charge("weak-lost", strong[0], weak[0]) if weak and strong else None


def _into_out(
    verdict: Verdict, place: Site, arguments: tuple[Any, ...], values: Sequence[Any]
) -> Sequence[Charge]:
    """Return the charges against putting a result into an array that was given."""
    out = arguments[place.keywords.index("out")]
    if not is_array(out):
        return []
    for i, p in enumerate(verdict.places):
        stored = checks.store(verdict.operands[i], dtype(out.dtype))
        if stored and values[p] is not out:
            blame = i if stored[0].blame is not None else None
            return [stored[0]._replace(blame=blame, against=i)]
    return []


def function_of(base: Any, name: str) -> Any:
    """Return the function that was called, where finding it out runs no code of the program."""
    if isinstance(base, ModuleType):
        return vars(base).get(name)
    if isinstance(base, type) or type(base).__name__ in _FUNCTIONS:
        return base
    return next((vars(c)[name] for c in type(base).__mro__ if name in vars(c)), None)


_FUNCTIONS = {"function", "builtin_function_or_method", "ufunc", "_ArrayFunctionDispatcher"}


def _names_dtype(argument: Any) -> bool:
    """Tell whether an argument of a call is there to say which dtype is wanted."""
    if isinstance(argument, str):
        return argument in _NAMES or (argument[:1] in "<>=" and argument[1:] in _NAMES)
    if isinstance(argument, type):
        return argument in (bool, *NUMBERS) or kind_of_type(argument) == SCALAR
    return type(argument).__name__.lower().endswith("dtype")


def _from_numbers(result: Any, arguments: tuple[Any, ...], values: Sequence[Any]) -> bool:
    """Tell whether a scalar was made of Python's numbers alone."""
    data = [a for a in arguments if a is not None and not isinstance(a, (str, bool))]
    return (
        bool(data)
        and not any(map(is_array, values))
        and all(isinstance(a, NUMBERS) for a in data)
        and getattr(result, "ndim", 1) == 0
    )

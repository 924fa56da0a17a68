"""A session: hears of each operation, follows dtypes to where they were born, and keeps count.

An operation with operands of the same dtypes at the same place is judged once. From then on it is
a look-up, and a note of where the result's dtype comes from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import supremum
from supremum.audit import judge
from supremum.audit.allowances import Allowances
from supremum.audit.functions import ACCUMULATES, COMBINES, CONVERTS, OPERATOR_OF, RULES
from supremum.audit.judge import Charge
from supremum.audit.kinds import FORBIDDEN, KINDS
from supremum.audit.origins import Meeting, Origin
from supremum.audit.sites import SITES, Site
from supremum.audit.values import (
    FRAME,
    NDARRAY,
    NOTHING,
    SCALAR,
    SEQUENCE,
    TYPES,
    Values,
    kind_of,
    signature,
)
from supremum.dtypes import DType
from supremum.errors import SupremumError
from supremum.operands import Operand, dtype, operand
from supremum.operators import OPERATORS
from supremum.system import PromotionSystem

_NUMBERS = (int, float, complex)
_LOOKS = 8  # how often the values at one place are looked at
_MOST_ELEMENTS = 16  # of a list or tuple of arrays
_ALLOWED_KINDS = frozenset({*KINDS, FORBIDDEN})


class Verdict:
    """What is known of an operation on operands of some dtypes at some place.

    Attributes:
        charges: what it does.
        sources: the operands that the result has its width from; none where it is born here.
        places: which of the values looked at each operand is.
        operands: the operands the first time.
        result: the dtype that came out, or None for what is not followed.
        kind: what the result is; see `values`.
        rules: the rules of the library.
        operator: the operator as these rules call it, or None.
        numbers: the operands that are Python's numbers, whose values may change.
        facts: what an origin at this place is told.
        looks: how often values have been looked at.
    """

    __slots__ = (
        "charges", "facts", "kind", "looks", "numbers", "operands", "operator", "places", "result",
        "rules", "sources", "target",
    )  # fmt: skip

    def __init__(self, operands: Sequence[Operand], places: Sequence[int], kind: int) -> None:
        self.operands = tuple(operands)
        self.places = tuple(places)
        self.kind = kind
        self.charges: Sequence[Charge] = ()
        self.sources: Sequence[int] = ()
        self.result: DType | None = None
        self.rules: PromotionSystem | None = None
        self.operator: str | None = None
        self.numbers: Sequence[int] = ()
        self.facts: dict[str, Any] = {}
        self.looks = 0


class Settings(NamedTuple):
    """What a session is asked to do.

    Attributes:
        forbid: the dtypes that must not come up.
        allowances: what is allowed, and where.
        target: the rules that the program may move to, or None.
        announce: called with an origin and a meeting the first time that something is found.
        tick: called now and then, with the session.
    """

    forbid: frozenset[str] = frozenset()
    allowances: Allowances = Allowances()
    target: PromotionSystem | None = None
    announce: Callable[[Origin, Meeting], None] | None = None
    tick: Callable[[Session], None] | None = None


class Session:
    """Hears of operations while it is active, and keeps what they did.

    Attributes:
        settings: what it was asked to do.
        origins: where each dtype was born.
        values: the origins of the values that are alive.
        problems: the places that could not be judged, with the errors.
        operations: how many operations on arrays were heard of.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.origins: dict[tuple[int, str, int | None], Origin] = {}
        self.values = Values()
        self.problems: dict[int, str] = {}
        self.operations = 0
        self._verdicts: dict[Any, Verdict] = {}
        self._columns: dict[int, dict[Any, Origin]] = {}
        self._rules: dict[str, PromotionSystem | None] = {}

    # what probes tell

    def operated(self, site: int, result: Any, left: Any, right: Any) -> None:
        """Hear of an operator."""
        try:
            key = site, signature(left), signature(right), signature(result)
            verdict = self._verdicts.get(key)
            if verdict is None:
                verdict = self._verdicts[key] = self._of_operator(site, result, (left, right))
            self._apply(site, verdict, (left, right), result)
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self._fail(site, error)

    def taken(self, site: int, result: Any, whole: Any) -> None:
        """Hear of a part of a value, or of a sign before it."""
        try:
            kind = TYPES[type(result)]
            if kind in (SEQUENCE, FRAME):
                if kind == FRAME and id(whole) in self._columns:
                    self._columns[id(result)] = self._columns[id(whole)]
                return
            origin = self._origin_of_part(site, whole)
            if origin is None or (kind != SCALAR and self.values.get(result) is not None):
                return
            key = site, signature(result), origin.index
            if key not in self._verdicts:
                self._verdicts[key] = self._of_part(result, origin, kind)
            verdict = self._verdicts[key]
            if verdict.result is not None:
                self._note(verdict, result, origin)
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(site, error)

    def called(self, site: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Hear of a call."""
        try:
            kind = TYPES[type(result)]
            if kind == SEQUENCE:
                for element in _elements(result):
                    if kind_of(element) not in (NOTHING, SEQUENCE, FRAME):
                        self._called(site, element, base, arguments)
            elif kind == FRAME:
                self._framed(site, result, base, arguments)
            else:
                self._called(site, result, base, arguments)
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(site, error)

    def changed(self, site: int, result: Any, old: Any, value: Any) -> None:
        """Hear of an operator in place."""
        if result is not old:
            self.operated(site, result, old, value)
            return
        try:
            key = site, signature(result), signature(value)
            verdict = self._verdicts.get(key)
            if verdict is None:
                verdict = self._verdicts[key] = self._of_store(site, (result, value), in_place=True)
            self._charge(site, verdict, (result, value))
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(site, error)

    def stored(self, site: int, index: Any, base: Any, value: Any) -> None:
        """Hear of what is about to be stored in part of a value."""
        try:
            if TYPES[type(base)] == FRAME:
                origin = self.values.get(value) if kind_of(value) else None
                if origin is not None and isinstance(index, str):
                    self._columns.setdefault(id(base), {})[index] = origin
                return
            key = site, signature(base), signature(value)
            verdict = self._verdicts.get(key)
            if verdict is None:
                verdict = self._verdicts[key] = self._of_store(site, (base, value), in_place=False)
            self._charge(site, verdict, (base, value))
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(site, error)

    # what comes of it

    def _apply(self, site: int, verdict: Verdict, values: Sequence[Any], result: Any) -> None:
        allowed = self._charge(site, verdict, values)
        if verdict.result is None:
            return
        origin = None
        for index in verdict.sources:
            found = self.values.get(values[verdict.places[index]])
            if found is not None and (origin is None or (found.meetings and not origin.meetings)):
                origin = found
        if origin is None and verdict.sources:
            first = verdict.sources[0]
            origin = self._seen(site, verdict, first, values[verdict.places[first]])
        if origin is None or allowed:
            origin = self.origin(site, None, verdict.result, verdict.facts)
            origin.births += 1
        self._note(verdict, result, origin)

    def _note(self, verdict: Verdict, result: Any, origin: Origin) -> None:
        """Note where a new value has its dtype from, and what it takes."""
        origin.operations += 1
        self.operations += 1
        if verdict.kind == NDARRAY:
            if result.base is None:
                origin.bytes += result.nbytes
        elif verdict.kind != SCALAR:
            size = getattr(result, "nbytes", 0)
            origin.bytes += size if isinstance(size, int) else 0
        self.values.put(result, verdict.kind, origin)
        if not self.operations & 1023 and self.settings.tick is not None:
            self.settings.tick(self)

    def _charge(self, site: int, verdict: Verdict, values: Sequence[Any]) -> bool:
        """Write down what an operation did; tell whether some of it is allowed at its place."""
        allowed = False
        for charge in verdict.charges:
            if charge.by_value and self._harmless(verdict, charge, values):
                continue
            if charge.blame is None:
                dtype = verdict.result or verdict.operands[charge.against].dtype
                origin = self.origin(site, None, dtype, verdict.facts)
            else:
                value = values[verdict.places[charge.blame]]
                origin = self.values.get(value) or self._seen(site, verdict, charge.blame, value)
            if charge.kind == "weak-lost" and not origin.from_numbers:
                continue
            allowed |= self._found(charge.kind, origin, site, verdict, charge.against)
        for index in verdict.numbers:
            value = values[verdict.places[index]]
            into = verdict.operands[0].dtype if verdict.result is None else verdict.result
            if not judge.holds(value, into):
                origin = self.origin(site, None, into, verdict.facts)
                told = f"{value!r} has no place in {into}"
                allowed |= self._found("value-changed", origin, site, verdict, index, told)
        return allowed

    def _found(
        self, kind: str, origin: Origin, site: int, verdict: Verdict, against: int, told: str = ""
    ) -> bool:
        """Write one thing down; tell whether it is allowed at its place."""
        if self.settings.allowances.covers(SITES[site], kind):
            return True
        if kind in origin.allowed:
            self.settings.allowances.covers(SITES[origin.site], kind)
            return False
        meeting = origin.meetings.get((kind, site))
        if meeting is None:
            meeting = origin.met(
                Meeting(
                    kind, site, verdict.operands, verdict.result, against,
                    rules=verdict.rules, operator=verdict.operator, told=told,
                )
            )  # fmt: skip
        meeting.count += 1
        if meeting.count == 1 and self.settings.announce is not None:
            self.settings.announce(origin, meeting)
        return False

    def origin(
        self, site: int, index: int | None, dtype: DType, facts: dict[str, Any]
    ) -> Origin:
        """Return the origin of a dtype at a place, which is new if there was none."""
        key = site, dtype.name, index
        origin = self.origins.get(key)
        if origin is None:
            place = SITES[site]
            covers = self.settings.allowances.allows
            allowed = frozenset(kind for kind in _ALLOWED_KINDS if covers(place, kind))
            origin = Origin(site, index, len(self.origins), dtype, allowed, **facts)
            self.origins[key] = origin
            if dtype.name in self.settings.forbid:
                kind = f"{FORBIDDEN}:{dtype.name}"
                if not self.settings.allowances.covers(place, FORBIDDEN):
                    meeting = origin.met(Meeting(kind, site, (), dtype, 0))
                    meeting.count = 1
                    if self.settings.announce is not None:
                        self.settings.announce(origin, meeting)
        return origin

    def _seen(self, site: int, verdict: Verdict, index: int, value: Any) -> Origin:
        """Return the origin of a value that comes from elsewhere: where it is first seen."""
        op = verdict.operands[index]
        facts = {"library": op.library, "scalar": op.form == "scalar"}
        origin = self.origin(site, verdict.places[index], op.dtype, facts)
        self.values.put(value, kind_of(value), origin)
        return origin

    def _fail(self, site: int, error: Exception) -> None:
        if not isinstance(error, SupremumError):  # what is no number is none of our business
            self.problems.setdefault(site, f"{type(error).__name__}: {error}")
        if self.settings.announce is not None and isinstance(error, AuditStop):
            raise error

    # looking at values

    def _harmless(self, verdict: Verdict, charge: Charge, values: Sequence[Any]) -> bool:
        """Tell whether the values at hand survive, so that a charge is dropped."""
        value = values[verdict.places[charge.against]]
        into = verdict.operands[0].dtype if verdict.result is None else verdict.result
        if isinstance(value, _NUMBERS):
            return judge.holds(value, into) if isinstance(value, int) else value == int(value)
        if type(value).__module__ != "numpy" or verdict.looks >= _LOOKS:
            return type(value).__module__ == "numpy"
        verdict.looks += 1
        if not value.size:
            return True
        if into.kind in ("signed", "unsigned") and verdict.operands[charge.against].dtype.kind == "float":
            return bool((value == value.astype("int64")).all())
        ends = int(value.min()), int(value.max())
        if into.kind in ("signed", "unsigned"):
            return bool(into.min <= ends[0] and ends[1] <= into.max)
        most = max(abs(end) for end in ends)
        return most.bit_length() <= (into.precision or 0) and most <= into.max

    # judging

    def _of_operator(self, site: int, result: Any, values: Sequence[Any]) -> Verdict:
        place = SITES[site]
        verdict = self._verdict(result, values)
        if verdict is None:
            return Verdict((), (), NOTHING)
        verdict.operator = place.name if place.name in OPERATORS else None
        if place.form == "comparison":
            verdict.operator = "equal"
            verdict.result = None
            common = self._common(verdict)
            if common is not None:
                verdict.charges = judge.operation(verdict.operands, common, place.name)
            return verdict
        self._finish(verdict, judge.operation(verdict.operands, _known(verdict), place.name))
        verdict.numbers = [
            i for i, op in enumerate(verdict.operands) if op.form == "Python scalar"
        ]
        if place.name in ("power", "left_shift", "right_shift"):
            verdict.numbers = ()
        return verdict

    def _verdict(self, result: Any, values: Sequence[Any]) -> Verdict | None:
        """Return a verdict with the operands read, and nothing decided."""
        operands, places = [], []
        for place, value in enumerate(values):
            if kind_of(value) or isinstance(value, _NUMBERS):
                operands.append(operand(value))
                places.append(place)
        if not any(not op.form.startswith("Python") for op in operands):
            operands, places = [], []
        verdict = Verdict(operands, places, kind_of(result))
        verdict.result = dtype(result.dtype)
        library = operand(result).library
        verdict.rules = self._rules_of(library)
        verdict.facts = {"library": library, "scalar": getattr(result, "ndim", 1) == 0}
        return verdict

    def _finish(self, verdict: Verdict, charges: Sequence[Charge]) -> None:
        result = _known(verdict)
        verdict.charges = charges
        verdict.sources = judge.source(verdict.operands, result)
        if result.kind == "bool":
            verdict.result = None
        lost = _weak_lost(verdict)
        if lost is not None and not charges:
            verdict.charges = [lost]

    def _of_part(self, result: Any, origin: Origin, kind: int) -> Verdict:
        verdict = Verdict((), (), kind)
        found = dtype(result.dtype)
        same = judge.family(found) == judge.family(origin.dtype)
        if same and judge.bits(found) == judge.bits(origin.dtype):
            verdict.result = found
        return verdict

    def _origin_of_part(self, site: int, whole: Any) -> Origin | None:
        kind = kind_of(whole)
        if kind == FRAME:
            columns = self._columns.get(id(whole), {})
            return columns.get(SITES[site].name) or self.values.get(whole)
        return self.values.get(whole) if kind else None

    def _of_store(self, site: int, values: Sequence[Any], *, in_place: bool) -> Verdict:
        base, value = values
        if not kind_of(value) and not isinstance(value, _NUMBERS):
            return Verdict((), (), NOTHING)
        operands = operand(base), operand(value)
        verdict = Verdict(operands, (0, 1), NOTHING)
        verdict.rules = self._rules_of(operands[0].library)
        verdict.operator = "iadd" if in_place else None
        verdict.facts = {"library": operands[0].library}
        verdict.charges = judge.store(operands[1], operands[0].dtype)
        if operands[1].form == "Python scalar" and not verdict.charges:
            verdict.numbers = (1,)
        return verdict

    def _called(self, site: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        place = SITES[site]
        into_out = "out" in place.keywords
        if TYPES[type(result)] != SCALAR and self.values.get(result) is not None and not into_out:
            return
        combines = place.name in COMBINES
        values = list(_arrays(base, arguments, place, numbers=combines))
        key = site, signature(result), tuple(map(signature, values))
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._of_call(place, result, base, arguments, values)
            self._verdicts[key] = verdict
        self._apply(site, verdict, values, result)

    def _of_call(
        self,
        place: Site,
        result: Any,
        base: Any,
        arguments: tuple[Any, ...],
        values: Sequence[Any],
    ) -> Verdict:
        verdict = self._verdict(result, values)
        if verdict is None:
            return Verdict((), (), NOTHING)
        function = _function(base, place.name)
        explicit = any(map(_names_dtype, arguments)) or "dtype" in place.keywords
        if place.name not in CONVERTS:
            explicit = explicit or isinstance(function, type) and kind_of(result) == SCALAR
        verdict.facts |= {
            "function": function,
            "explicit": explicit,
            "from_numbers": _from_numbers(result, arguments, values) and not explicit,
        }
        known = _known(verdict)
        if explicit or place.name in CONVERTS:
            charges: Sequence[Charge] = ()
        elif type(function).__name__ == "ufunc" or place.name in COMBINES:
            verdict.operator = OPERATOR_OF.get(place.name)
            charges = judge.operation(verdict.operands, known, place.name)
            if "out" in place.keywords:
                charges = self._into_out(verdict, place, arguments, values) or charges
        else:
            charges = judge.call(
                verdict.operands,
                known,
                scalar=getattr(result, "ndim", 1) == 0,
                accumulates=place.name in ACCUMULATES,
            )
        self._finish(verdict, charges)
        return verdict

    def _into_out(
        self, verdict: Verdict, place: Site, arguments: tuple[Any, ...], values: Sequence[Any]
    ) -> Sequence[Charge]:
        """Return the charges against putting a result into an array that was given."""
        out = arguments[place.keywords.index("out")]
        inputs = [i for i, p in enumerate(verdict.places) if values[p] is not out]
        for i in inputs:
            stored = judge.store(verdict.operands[i], operand(out).dtype)
            if stored:
                blame = i if stored[0].blame is not None else None
                return [stored[0]._replace(blame=blame, against=i)]
        return []

    def _framed(self, site: int, frame: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Note where a table of columns comes from."""
        if self.values.get(frame) is not None:
            return
        for value in (base, *arguments):
            if kind_of(value) == FRAME and self.values.get(value) is not None:
                self._columns[id(frame)] = dict(self._columns.get(id(value), {}))
                self.values.put(frame, FRAME, self.values.get(value))  # type: ignore[arg-type]  # just asked
                return
        self._columns.pop(id(frame), None)
        facts = {"library": RULES and "pandas", "function": _function(base, SITES[site].name)}
        self.values.put(frame, FRAME, self.origin(site, None, dtype("float64"), facts))

    def _common(self, verdict: Verdict) -> DType | None:
        try:
            return verdict.rules.result_type(*verdict.operands) if verdict.rules else None
        except SupremumError:
            return None

    def _rules_of(self, library: str) -> PromotionSystem | None:
        if library == "JAX":
            jax = sys.modules.get("jax")
            return supremum.system("jax", x64=bool(jax and jax.config.jax_enable_x64))
        name = RULES.get(library)
        return supremum.system(name) if name else None


class AuditStop(Exception):  # noqa: N818  # it stops the program on purpose
    """A finding, raised in the program at the user's wish (``--on-finding raise``)."""


def _known(verdict: Verdict) -> DType:
    if verdict.result is None:
        raise SupremumError("there is no result to judge")
    return verdict.result


def _weak_lost(verdict: Verdict) -> Charge | None:
    """Return a charge where a strong scalar decides for a weakly typed array of JAX."""
    weak = [i for i, op in enumerate(verdict.operands) if op.weak and op.library == "JAX"]
    strong = [i for i, op in enumerate(verdict.operands) if not op.weak and op.rank == 0]
    return Charge("weak-lost", strong[0], weak[0]) if weak and strong else None


def _elements(values: Any) -> Sequence[Any]:
    get = tuple.__getitem__ if isinstance(values, tuple) else list.__getitem__
    return get(values, slice(_MOST_ELEMENTS))


def _arrays(base: Any, arguments: tuple[Any, ...], place: Site, *, numbers: bool) -> Any:
    """Yield the arrays that a call is about: its object, its arguments, and what lists hold."""
    if kind_of(base) not in (NOTHING, FRAME, SEQUENCE):
        yield base
    for name, argument in zip(place.keywords, arguments, strict=False):
        kind = kind_of(argument)
        if kind == SEQUENCE:
            yield from (e for e in _elements(argument) if kind_of(e) not in (NOTHING, FRAME, SEQUENCE))
        elif kind not in (NOTHING, FRAME):
            yield argument
        elif numbers and not name and isinstance(argument, _NUMBERS) and type(argument) is not bool:
            yield argument


def _function(base: Any, name: str) -> Any:
    """Return the function that was called, where finding it out runs no code of the program."""
    if isinstance(base, ModuleType):
        return vars(base).get(name)
    if getattr(base, "__name__", None) == name and callable(base):
        return base
    for c in type(base).__mro__:
        if name in vars(c):
            return vars(c)[name]
    return None


def _names_dtype(argument: Any) -> bool:
    """Tell whether an argument of a call is there to say which dtype is wanted."""
    if isinstance(argument, str):
        return argument in _NAMES or argument[:1] in "<>=" and argument[1:] in _NAMES
    if isinstance(argument, type):
        return argument in (bool, int, float, complex) or kind_of_type(argument) == SCALAR
    return type(argument).__name__.lower().endswith("dtype")


def kind_of_type(t: type) -> int:
    """Return what values of a type are."""
    from supremum.audit.values import learn

    found = TYPES.get(t)
    return learn(t) if found is None else found


_NAMES = frozenset({*supremum.names(), *"f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 c8 c16 f d e F D float int".split()})


def _from_numbers(result: Any, arguments: tuple[Any, ...], values: Sequence[Any]) -> bool:
    """Tell whether a scalar was made of Python's numbers alone."""
    data = [a for a in arguments if a is not None and not isinstance(a, (str, bool))]
    return (
        bool(data)
        and not any(map(kind_of, values))
        and all(isinstance(a, _NUMBERS) for a in data)
        and getattr(result, "ndim", 1) == 0
    )

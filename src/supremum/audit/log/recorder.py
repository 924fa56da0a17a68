"""A recorder: observes each operation, follows dtypes to where they are introduced, and counts.

What it counts is a `Log`; what an operation is found to do, `judge` says. An operation is judged
once where its operands have the same dtypes at the same location. From then on it is a look-up, and
a note of where the result's dtype comes from. A loop does nothing new for long: see `settled`. What
one library alone does is left to the listeners in `libraries`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, Final
from weakref import ref

from ...core.dtypes import DType, by_name, dtype
from ...core.errors import SupremumError
from ...core.operands import Operand, operand
from ..kinds import FORBIDDEN, KNOWN, find
from ..model.dtypes import Violation, family, is_strong
from ..model.interruptions import error_of_program
from ..model.locations import LOCATIONS, Span
from ..model.log import Log
from ..model.provenance import ANEW, Effect, Origin, is_beside
from ..model.rows import ADDED_TO, CAST, FILLED, STORED, TOO_NARROW, Row
from . import calls, judge, operation_checks, stores
from .libraries import Listeners
from .libraries.columns import Columns, columns_in, widens
from .libraries.listeners import OPERATIONS, Event, Follower
from .operation_checks import OperationCheck
from .settings import AuditStop, Settings
from .settled import AFTER, Repeated
from .stores import is_heard
from .tracked_types import (
    ARRAY,
    FRAME,
    INDEXER,
    MAPPING,
    MAYBE_WEAK,
    NDARRAY,
    NOTHING,
    SCALAR,
    SEQUENCE,
    TYPES,
    Values,
    is_array,
    kind_of,
    reference,
    signature,
    size_of,
)
from .values import looks
from .values.recompute import Change

_BESIDE_DEVICES: Final = ("from_numpy", "as_tensor")  # what they give is where NumPy is
_GATHERS: Final = (dict, list, sorted, tuple)
_BETWEEN_TICKS: Final = 1024  # operations
_UNKNOWN: Final = 9  # not a kind of value: a type that was not met
_ALL: Final = frozenset(KNOWN)
_FLOAT64: Final = by_name("float64")


class Recorder:
    """Observes operations while it is active, and records what they did.

    Attributes:
        settings: what was asked for.
        log: what is counted.
        values: the origins of the values that are alive.
        columns: those of the columns of tables.
        stops: the operations that were refused for their dtypes, by which the program ended, or
            a thread of it.
        failure: what exception ended the program, and why it is not explained; or ``""``.
        settled: the operations that are looked at now and then only, by location.
        warned: the files in which NumPy warned of values, with the first warning.
        is_alarmed: whether NumPy has just warned of an overflow, so that values are looked at.
        alarmed: the lines that it warned of, by file and number.
        listeners: what observes events for one purpose, such as those of the libraries.
        followers: what observes each operation after the recorder.
        hears_truths: whether it observes comparisons of scalars, which give no array.
        last_stored: where a number was about to be stored last, and what gives the array.
    """

    def __init__(self, settings: Settings | None = None, log: Log | None = None) -> None:
        self.settings = settings or Settings()
        self.log = log or Log()
        self.values: Values[Origin] = Values()
        self.columns = Columns()
        self.stops: list[Any] = []
        self.failure = ""
        self.settled = Repeated(self.values, self._effects_of)
        self.warned: dict[str, str] = {}
        self.is_alarmed = False
        self.alarmed: set[tuple[str, int]] = set()
        # for what is computed with a value that met something narrower, where it did first
        self._leaked: Values[Effect] = Values()
        # where what a call cast had its dtype from, the last time, by where the call is written
        self._cast: dict[tuple[str, Span], Origin] = {}
        self.listeners = Listeners(self)
        self.followers: list[Follower] = []
        self.hears_truths = False
        self.last_stored: tuple[int | None, Callable[[], Any]] = (None, lambda: None)
        self._checks: dict[Any, OperationCheck] = {}
        self._dtypes: dict[int, dict[int, set[str]]] = {}  # by location, for its checks
        self._usual: dict[tuple[int, type], Origin] = {}
        self._changed: OperationCheck | None = None  # by an operator in place, last
        # where methods of a type are called, and where a function is by the name that it has
        self._methods: set[tuple[int, type]] = set()
        self._renamed: dict[tuple[int, str], int] = {}
        self._next_tick = _BETWEEN_TICKS

    # what probes report

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Record an operator."""
        kind = TYPES[type(result)]
        if kind == FRAME:
            self._framed(location, result, left, (right,))
            return
        one, other = TYPES.get(type(left), _UNKNOWN), TYPES.get(type(right), _UNKNOWN)
        if kind != SCALAR and any(map(_is_object, (left, right))) and self.values.get(result):
            return  # a class of the program computes it, where it was observed
        key = (
            location,
            type(left) if one <= SCALAR else left.dtype if one == NDARRAY else signature(left),
            type(right) if other <= SCALAR
            else right.dtype if other == NDARRAY else signature(right),
            type(result) if kind <= NDARRAY else signature(result),
        )  # fmt: skip
        check = self._checks.get(key)
        if check is None:
            event = Event(location, result, left, (right,))
            operation = event.place, result, (left, right)
            check = self._judged(event, operation_checks.of_operator, *operation)
            self._checks[key] = check
        self.log.operations += self.settled.let_go(location, check)
        if check.examine is not None:
            self._examined(check, (left, right), result)
        if check.usual and check.quiet and self._passed_on(check, left, right, result):
            self.settled.count(check, (left, right, result))
            return
        self._apply(check, (left, right), result)
        if max(kind, one, other) <= NDARRAY:
            self.settled.count(check, (left, right, result))

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Record a part of a value, or a sign before it."""
        kind, of = TYPES[type(result)], TYPES.get(type(whole), NOTHING)
        if of >= ARRAY and of not in (SEQUENCE, MAPPING):
            self.listeners.tell("part", location, result, whole)
        if kind < FRAME:
            self._taken(location, result, whole, kind)
        elif kind == FRAME:
            self.columns.take_over(result, self.columns.of(whole))

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Record a call."""
        kind = TYPES[type(result)]
        if type(base) is not ModuleType:
            location, base = self._by_its_name(location, base)
        self.ran(location, result, base, arguments)
        if kind in (SEQUENCE, MAPPING):
            if any(base is function for function in _GATHERS) and not any(map(is_array, arguments)):
                return  # what is in it was made elsewhere
            elements = calls.arrays_in(result)
            others = tuple(e.dtype for e in elements)
            for element in elements:
                self._called(location, element, base, arguments, others)
        elif kind == FRAME:
            self._framed(location, result, base, arguments)
        elif kind < FRAME:
            check = self._called(location, result, base, arguments)
            if check is not None and kind <= NDARRAY and not check.narrows:
                operation, follow = (base, None, result), check.kind != NOTHING
                self.settled.count(check, operation, arguments, follow=follow)

    def _by_its_name(self, location: int, base: Any) -> tuple[int, Any]:
        """Return the place of a call, and what was called, by the name that a library has for it.

        So a function is known that is called by a variable, or as an attribute of an object.
        """
        t = type(base)
        if TYPES.get(t, NOTHING) or (location, t) in self._methods:
            return location, base
        place = LOCATIONS[location]
        if t is FunctionType and base.__name__ == place.name:  # as most are
            return location, base
        function = calls.held(base, place.name)
        if function is None:
            self._methods.add((location, t))
            return location, base
        name = calls.own_name(function, place.name)
        if name == place.name:
            return location, base
        known = self._renamed.get((location, name))
        if known is None:
            known = self._renamed[location, name] = LOCATIONS.number_of(place._replace(name=name))
        return known, function

    def ran(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Tell the listeners of a call, whatever it gives."""
        self.listeners.tell("called", location, result, base, arguments)

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> bool:
        """Record a call that may store what it is given; returns whether it did."""
        place, given = LOCATIONS[location], (base, *arguments)
        is_call = kind_of(result) != NOTHING  # besides, which listeners are told of
        if not is_call and is_heard(place.name, place.keywords):
            self.ran(location, result, base, arguments)
        found = stores.stored(place, result, base, arguments)
        for spans in found:
            into, value = (given[index] for index in spans)
            value = stores.selected(place, into, value, arguments)
            computes = result is into or place.name == "at"
            self.put_into(
                location, into, value, in_place=computes, spans=spans, settles=False,
                how=(base, *arguments[1:2]),
            )  # fmt: skip
        return bool(found)

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:
        """Record an operator in place."""
        if result is not old:
            self.operated(location, result, old, value)
        else:
            self.put_into(location, result, value, in_place=True)

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:
        """Record what is about to be stored in part of a value."""
        kind = TYPES[type(base)]
        if type(value) is int and kind < FRAME:  # which may be refused
            self.last_stored = location, reference(base)
        is_in_place = bool(LOCATIONS[location].name)  # `base[index] += value`
        if is_in_place and kind_of(value) in (SCALAR, NDARRAY):
            self._of_item(location, base, value)
        if is_in_place and kind_of(value) != SCALAR:
            check = self._nothing(location)
            self.settled.let_go(location, check)
            if kind == kind_of(value) == NDARRAY:
                self.settled.count(check, (base, value, base), follow=False)
            return
        if kind in (FRAME, INDEXER):
            self.listeners.tell("stored", location, None, base, (index, value))
        if kind < FRAME:
            is_field = type(index) is str and kind == NDARRAY and index in (base.dtype.names or ())
            into = base[index] if is_field else base
            self.put_into(location, into, value, in_place=False, how=(index,))
        elif kind == FRAME and isinstance(index, str):
            origin = self.values.get(value)
            if origin is not None:
                self.columns.put(base, index, origin)

    def _of_item(self, location: int, base: Any, value: Any) -> None:
        """Note that an item whose values are wrong comes from where its array does."""
        origin, whole = self.values.get(value), self.values.get(base)
        last = self._changed
        if origin is None and last is not None and LOCATIONS[location].holds(last.place):
            if whole is not None and last.into is whole.dtype:
                last.usual.setdefault(0, whole)
            return
        if origin is None or whole is None or origin.operand != 0 or origin is whole:
            return
        if not any(find(effect.kind).is_of_values for effect in origin.effects.values()):
            return
        place, around = LOCATIONS[origin.location], LOCATIONS[location]
        if origin.dtype is whole.dtype and place.form == "in place" and around.holds(place):
            self.merge(origin, whole)

    def elements(self, values: Any, origin: Origin) -> Iterator[Any]:
        """Yield the elements of an array, each of which has its dtype from where the array has."""
        for element in values:
            if kind_of(element) == SCALAR:
                self.values.put(element, SCALAR, origin)
            yield element

    # listeners and followers

    def follow(self, follower: Follower) -> None:
        """Tell a follower of each operation, too, once it is recorded."""
        self.followers.append(follower)
        self.hears_truths = True
        self.settled.stop()
        self.tell(partial(getattr, follower))

    def tell(self, observer: Callable[[str], Callable[..., None]]) -> None:
        """Have each operation that is looked at observed, too, once it is recorded.

        Args:
            observer: gives what is called for each of `OPERATIONS`.
        """
        for name in OPERATIONS:
            setattr(self, name, self._in_turn(getattr(self, name), observer(name)))

    def _in_turn(self, record: Callable[..., Any], tell: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that records an operation, and tells a follower of it."""

        def both(location: int, *operation: Any) -> Any:
            found = None
            try:
                found = record(location, *operation)
            except Exception as error:  # noqa: BLE001  # as without a follower
                self.fail(location, error)
            tell(location, *operation)
            return found

        return both

    def fail(self, location: int, error: Exception) -> None:
        """Record what went wrong at a location; what is the program's goes on to it.

        Raises:
            Exception: of the program, or one that it is to stop with.
        """
        if isinstance(error, AuditStop):
            raise error
        of_program = error_of_program(error)
        if of_program is not None:
            raise of_program
        if isinstance(error, RecursionError):  # of an object that is half made, or a full stack
            return
        if not isinstance(error, SupremumError):  # what is not a number is of no interest
            self.log.problems.setdefault(location, f"{type(error).__name__}: {error}")

    # what is judged

    def _judged(
        self, event: Event, read: Callable[..., OperationCheck], *operation: Any, **options: Any
    ) -> OperationCheck:
        """Return the check of an operation, which the listeners may amend."""
        check = _checked(event.location, read, *operation, **options)
        self._meet(check, [operation[-1][place] for place in check.places])
        self.listeners.judged(event, check)
        return check

    def _meet(self, check: OperationCheck, values: Sequence[Any]) -> None:
        """Note which dtypes come up at a place, for all that is known of it."""
        check.met = self._dtypes.setdefault(check.location, {})
        for op, span, value in zip(check.operands, check.spans, values, strict=False):
            # a width that is to change, and what came of it, says nothing of what others hand in
            origin = self.values.get(value)
            is_to_change = self._leaked.get(value) is not None or (origin and origin.effects)
            if is_strong(op) and not is_to_change:
                check.met.setdefault(span, set()).add(op.dtype.name)

    def _taken(self, location: int, result: Any, whole: Any, kind: int) -> None:
        origin = self._origin_of_part(location, result, whole, kind)
        is_known = kind != SCALAR and (origin is None or self.values.get(result) is not None)
        if is_known and (kind != NDARRAY or result.base is None):
            return
        check = self._check_of_part(location, result, whole, kind, origin)
        self.log.operations += self.settled.let_go(location, check)
        if check.examine is not None:
            self._examined(check, (whole,), result)
        if origin is not None and check.result is not None and not is_known:
            self._note(check, result, origin)
        if kind <= NDARRAY:
            self.settled.count(check, (None, whole, result), follow=not is_known)

    def _check_of_part(
        self, location: int, result: Any, whole: Any, kind: int, origin: Origin | None
    ) -> OperationCheck:
        of = type(result) if kind == SCALAR else signature(result)
        key = location, of, origin and origin.index
        check = self._checks.get(key)
        if check is None:
            check = OperationCheck(location)
            if origin is not None:
                check = _checked(location, operation_checks.of_part, result, origin, kind)
            if kind <= NDARRAY:
                operation_checks.look_at_sign(check, LOCATIONS[location], result, whole)
            self._checks[key] = check
        return check

    def _origin_of_part(self, location: int, result: Any, whole: Any, kind: int) -> Origin | None:
        """Return where a part of a value has its dtype from, as far as that is known."""
        if kind_of(whole) == FRAME:
            named = self.columns.of(whole).get(LOCATIONS[location].name)
            return named or self.values.get(whole)
        origin = self.values.get(whole) if kind_of(whole) else None
        is_new = origin is None and is_array(result) and self.values.get(result) is None
        # an item makes an array where it is one of a file
        is_loaded = is_new and not kind_of(whole) and LOCATIONS[location].form == "item"
        # those of limits are the same objects for all
        is_limit = kind == SCALAR and type(whole).__name__ == "finfo"
        if is_loaded or is_limit:
            read = operand(result)
            facts = {"library": read.library, "scalar": is_limit}
            return self.origin(location, None, dtype(result.dtype), facts)
        return origin

    def _called(
        self,
        location: int,
        result: Any,
        base: Any,
        arguments: tuple[Any, ...],
        others: tuple[Any, ...] = (),
    ) -> OperationCheck | None:
        """Record a result of a call; returns the check, or None if there is nothing to check."""
        place = LOCATIONS[location]
        kind = TYPES[type(result)]
        is_known = self._is_known(location, result, base, kind)
        if is_known and calls.output(place, result, base, arguments) is None:
            return self._nothing(location) if kind == NDARRAY else None
        values = calls.arrays(base, arguments, place)
        own = result.dtype if kind == NDARRAY else signature(result)
        key = location, own, others, *_signatures(values)
        check = self._checks.get(key)
        if check is None:
            event = Event(location, result, base, arguments)
            operation = place, result, base, arguments, values
            check = self._judged(event, operation_checks.of_call, *operation, others=others)
            self._checks[key] = check
        self.log.operations += self.settled.let_go(location, check)
        if check.examine is not None:
            self._examined(check, (base, *arguments), result, values)
        if check.output is not None and not check.violations:
            self._count(Row(location, 0, FILLED), values[check.output])
        source = values[check.sources[0]] if check.usual and check.quiet else None
        if source is not None and self._passed_on(check, source, source, result):
            return check
        if check.violations and calls.hands_on(place, result, base, arguments, values):
            return None
        if check.narrows:
            self._count(Row(location, 0, CAST), values[0])
            if (origin := self.values.get(values[0])) is not None:
                self._cast[place.file, place.span] = origin
        self._apply(check, values, result)
        return check

    def _nothing(self, location: int) -> OperationCheck:
        """Return the check of a place where nothing happens, as where a call hands on a value."""
        check = self._checks.get(location)
        if check is None:
            check = self._checks[location] = OperationCheck(location)
        return check

    def _is_known(self, location: int, result: Any, base: Any, kind: int) -> bool:
        """Return whether it is known where what a call returned comes from."""
        if kind == NDARRAY and result.base is None:
            entry = self.values.followed.get(id(result))
            return entry is not None and entry[0]() is result
        origin = self.values.get(result)
        if kind == SCALAR:
            return self._is_known_scalar(location, result, origin)
        if origin is None or origin.operand is None:
            return origin is not None
        # if a ufunc wraps its result by a method of the program's, it was but seen there
        function = calls.function_of(base, LOCATIONS[location].name)
        return type(function).__name__ != "ufunc"

    def _is_known_scalar(self, location: int, result: Any, origin: Origin | None) -> bool:
        """Return whether a call returned a scalar that is known, or would be, if looked at."""
        if origin is not None:
            self._usual[location, type(result)] = origin
            return True
        usual = self._usual.get((location, type(result)))
        if usual is not None:
            self.values.put(result, SCALAR, usual)
        return usual is not None

    def put_into(
        self,
        location: int,
        base: Any,
        value: Any,
        *,
        in_place: bool,
        spans: tuple[int, int] = (0, 1),
        settles: bool = True,
        how: Sequence[Any] = (),
    ) -> None:
        """Record what is put into an array, and the arguments that say how."""
        key = location, signature(base), signature(value), spans
        check = self._checks.get(key)
        if check is None:
            check = _checked(location, operation_checks.of_store, base, value, in_place=in_place)
            check.spans = spans
            self._meet(check, (base, value))
            if not in_place:
                self.listeners.judged(Event(location, base, None), check)
            check.examine = looks.of_store(LOCATIONS[location], base, value, in_place=in_place)
            self._checks[key] = check
        self.settled.let_go(location, check)
        if in_place:
            self._changed = check
        if check.examine is not None:
            self._examined(check, (base, value, *how), base)
        if check.violations or check.numbers:
            self._record(check, (base, value))
        if check.violations:
            self._count(Row(location, 0, TOO_NARROW), base)
        if self._leaked and self._leaked.get(value) is not None:
            self._count(Row(location, 1, STORED), value)
        fills = bool(check.operands) and not check.violations
        if fills and (in_place or is_strong(check.operands[1])):
            self._count(Row(location, 0, ADDED_TO if in_place else FILLED), base)
        if settles and (in_place or not check.numbers):
            self.settled.count(check, (base, value, base), follow=False)

    def _framed(self, location: int, frame: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Note where a table of columns, and each of them, comes from."""
        if self.values.get(frame) is not None:
            return
        tables = [value for value in (base, *arguments) if kind_of(value) == FRAME]
        if tables:
            of_others = self.columns.of_others(tables, self.values.get)
            self.columns.take_over(frame, {**of_others, **self.columns.of(tables[0])})
            origin = self.values.get(tables[0])
            if origin is None:
                return
            if not widens(frame, tables):
                self.values.put(frame, FRAME, origin)
                return
        for name, value in columns_in(arguments):
            origin = self.values.get(value) if is_array(value) else None
            if origin is not None:
                self.columns.put(frame, name, origin)
        # a data set is a mapping of arrays, each of which has its own dtype
        if LOCATIONS[location].form == "call" and not hasattr(type(frame), "data_vars"):
            function = calls.function_of(base, LOCATIONS[location].name)
            library = type(frame).__module__.partition(".")[0]
            facts = {"library": library, "function": function, "several": True}
            self.values.put(frame, FRAME, self.origin(location, None, _FLOAT64, facts))

    # what is recorded

    def _examined(
        self,
        check: OperationCheck,
        operands: Sequence[Any],
        result: Any,
        values: Sequence[Any] | None = None,
    ) -> None:
        """Look at the values of an operation, if it is its turn, until something is found.

        Args:
            check: what is known of it.
            operands: those of an operator; of a call, its object and arguments.
            result: what came out.
            values: the values at hand, if they are others, as of a call.
        """
        check.looked += 1
        check.times += check.skipped + 1
        settled = max(check.looked - AFTER, 0) if check.skipped else 0
        sized = operands[1] if check.place.form == "store" else result
        is_due = self.is_alarmed or looks.is_due(
            check.looked, sized, settled, patience=check.patience
        )
        if check.examine is None or not is_due:
            return
        self.is_alarmed = False
        change = looks.look(check.examine, check.place, result, operands, check.times)
        if change is None and any(check.place.is_at(*line) for line in self.alarmed):
            change = looks.folded(operands, result)
        if change is not None and change.follows and self._is_explained(change, check.into):
            check.examine = None
        elif change is not None:
            check.examine = None
            # of those that were not looked at it is not known
            places = check.places if change.cause is not None else ()
            at_hand = operands if values is None else values
            cause = self._cause_of(check, change.cause, [at_hand[place] for place in places])
            if cause.operand is not None and cause.location != check.location:
                cause = self._made_here(check)  # where it was first seen is no part of it
            introductions: Sequence[int | None] = ()
            if change.line:
                given = [at_hand[place] for place in check.places]
                introductions = self._introductions(check, given, kind="inexact")
                cause, change = self._inside(check, change, cause)
            self.found(cause, judge.of_change(check, change, introductions))

    def _is_explained(self, change: Change, d: DType | None) -> bool:
        """Return whether values of a dtype were changed in the same way before."""
        origins = (origin for origin in self.log.origins.values() if origin.dtype is d)
        return any(effect.kind == change.kind for x in origins for effect in x.effects.values())

    def _inside(
        self, check: OperationCheck, change: Change, cause: Origin
    ) -> tuple[Origin, Change]:
        """Return the operation in a compiled function that changed its values, if it is known."""
        places = LOCATIONS.numbers_in(check.place.file).items()
        there = [(place.form != "operator", n) for place, n in places if place.line == change.line]
        if not there or check.into is None:
            return cause, change._replace(remark=f"{change.remark}, at line {change.line}")
        return self.origin(min(there)[1], None, check.into, check.facts), change

    def _apply(self, check: OperationCheck, values: Sequence[Any], result: Any) -> None:
        """Record what an operation did, and where its result has its dtype from."""
        values = [values[place] for place in check.places]  # those that are operands
        allowed = False
        if check.violations or check.numbers:
            allowed = self._record(check, values)
        if check.result is None:
            return
        origin = self._source_of(check, values)
        if origin is None or allowed or self._is_forbidden_anew(origin, check.result):
            origin = self.origin(check.location, None, check.result, check.facts)
            origin.made = id(result)
            if check.kind == NDARRAY and type(result.base) is type(result):
                # that is what it is a view of: nobody else has it
                origin.bytes += result.nbytes
        for index in check.copied:
            if TYPES.get(type(values[index])) == NDARRAY:
                origin.copied += values[index].size * result.itemsize * (check.skipped + 1)
        if check.sources and check.kind not in (NDARRAY, SCALAR):
            self._went_over(check, values, origin)
        if check.violations or self._leaked:
            self._leak(check, values, result, origin)
        self._note(check, result, origin)

    def _went_over(self, check: OperationCheck, values: Sequence[Any], origin: Origin) -> None:
        """Forbid what comes from another library, where the dtype was not ruled out.

        What goes over beside a device waits until it is used: it may be cast before. All operands
        are used there, whichever decides about the result.
        """
        library, used = check.facts["library"], [origin]
        if self.settings.device is not None:
            if check.place.name in _BESIDE_DEVICES:
                return
            sources = (self.values.get(values[i]) for i in check.sources)
            used += filter(None, sources)
        for one in used:
            if one.library != library and self.is_ruled_out(one.dtype.name, library):
                self.forbid(one)

    def _leak(
        self, check: OperationCheck, values: Sequence[Any], result: Any, origin: Origin
    ) -> None:
        """Note what is computed with a value that met something narrower, here or before."""
        given = (self._leaked.get(values[i]) for i in check.sources)
        leak = next(filter(None, given), None)
        if check.violations and is_beside(check.location, origin):  # there it is widened on purpose
            origin.made = id(result)
        elif leak is None and check.violations:
            found = (*origin.effects.values(), *self._effects_of(check))
            leak = next((effect for effect in found if effect.location == check.location), None)
        if leak is not None:
            self._leaked.put(result, check.kind, leak)

    def _source_of(self, check: OperationCheck, values: Sequence[Any]) -> Origin | None:
        """Return where the result of an operation has its dtype from; None for what is new."""
        origin = check.made_by
        for index in check.sources:
            found = self.values.get(values[index]) or check.usual.get(index)
            if found is not None:
                if check.usual.get(index) is not found:
                    check.usual[index] = found
                    self._met(check, index, values, found)
                if origin is None or (found.effects and not origin.effects):
                    origin = found
        if origin is None and check.sources:
            first = check.sources[0]
            origin = self._seen(check, first, values[first])
        return origin

    def _note(self, check: OperationCheck, result: Any, origin: Origin) -> None:
        """Note where a new value has its dtype from, and what it takes."""
        times = check.skipped + 1
        if check.kind == NDARRAY:
            if result.base is None:
                origin.bytes += result.nbytes
        elif check.kind != SCALAR:
            origin.bytes += size_of(result)
            if check.kind == MAYBE_WEAK and check.result is not None:
                for listener in self.listeners:
                    listener.made(result, origin, check.result)
        origin.operations += times
        self.log.operations += times
        self.values.put(result, check.kind, origin)
        if self.log.operations >= self._next_tick:
            self._next_tick = self.log.operations + _BETWEEN_TICKS
            if self.settings.tick is not None:
                self.settings.tick(self)

    def _passed_on(self, check: OperationCheck, left: Any, right: Any, result: Any) -> bool:
        """Note that an array of NumPy has its dtype from one that is followed; False if not so.

        This is what happens most, and `_apply` with `_note` would do the same.
        """
        if check.numbers and (right if check.numbers[0] else left) is not check.fits:
            return False
        value = right if check.sources[0] else left
        followed = self.values.followed
        entry = followed.get(id(value))
        if entry is None or entry[0]() is not value or len(followed) > self.values.limit:
            return False
        times = check.skipped + 1
        if self.log.operations + times >= self._next_tick:  # now and then somebody is to hear
            return False
        origin = entry[1]
        if len(check.sources) > 1 and not origin.effects:
            entry = followed.get(id(right))
            if entry is not None and entry[1].effects and entry[0]() is right:
                origin = entry[1]
        if result.base is None:
            origin.bytes += result.nbytes
        origin.operations += times
        self.log.operations += times
        followed[id(result)] = ref(result), origin
        return True

    def _record(self, check: OperationCheck, values: Sequence[Any]) -> bool:
        """Record what an operation did; returns whether some of it is allowed at its location."""
        allowed = False
        for violation in judge.violations(check, values):
            allowed |= self._violated(check, violation, values)
        for effect in judge.of_numbers(check, values):
            allowed |= self._allowed_here(self._made_here(check), effect, check.skipped + 1)
        return allowed

    def _violated(self, check: OperationCheck, violation: Violation, values: Sequence[Any]) -> bool:
        """Record a violation; returns whether it is allowed at its location."""
        origin = self._cause_of(check, violation.cause, values)
        kind = find(violation.kind).recorded_as(origin, check)
        known = origin.effects.get((kind, check.location))
        if known is not None:
            known.count += check.skipped + 1
        if known is not None or not kind:
            return False
        introductions = self._introductions(check, values) if violation.cause is None else ()
        effect = judge.of_violation(check, violation, kind, values, introductions)
        return self._allowed_here(origin, effect, check.skipped + 1)

    def _allowed_here(self, origin: Origin, effect: Effect, times: int) -> bool:
        """Record what was found, or return that it is allowed at its location."""
        is_recorded = self.found(origin, effect, times) is not None
        return not is_recorded and self._covers(effect.location, effect.kind)

    def _effects_of(self, check: OperationCheck) -> list[Effect]:
        """Return what was found of an operation that it does whatever its values are."""
        found = []
        for violation in check.violations:
            cause = violation.cause
            origin = (
                check.causes.get((cause, check.usual.get(cause)))
                if cause is not None
                else self._made_here(check)
            )
            if origin is not None and not violation.by_value:
                kind = find(violation.kind).recorded_as(origin, check)
                found.append(origin.effects.get((kind, check.location)))
        return [effect for effect in found if effect is not None]

    def _cause_of(self, check: OperationCheck, index: int | None, values: Sequence[Any]) -> Origin:
        """Return the cause of a violation: where an operand comes from, or the operation itself."""
        if index is None:
            return self._made_here(check)
        value = values[index]
        origin = self.values.get(value) or check.usual.get(index)
        if origin is None:
            origin = self._seen(check, index, value)
        check.usual[index] = origin
        cause = check.causes.get((index, origin))
        if cause is None:
            cause = self._own_cause(check, index, origin) or origin
            check.causes[index, origin] = cause
            self._met(check, index, values, cause)
        return cause

    def _own_cause(self, check: OperationCheck, index: int, origin: Origin) -> Origin | None:
        """Return the cause if it is the operation, or its use of an operand; else None.

        It is the use if half precision meets what has to be wider.
        """
        if judge.undoes_cast(check, self._cast):
            check.made_by = self._made_here(check)
        elif judge.is_use(check, index, origin):
            facts, span = {"library": origin.library}, check.spans[index]
            check.made_by = self.origin(check.location, span, origin.dtype, facts)
        else:
            return None
        return check.made_by

    def _met(
        self, check: OperationCheck, index: int, values: Sequence[Any], origin: Origin
    ) -> None:
        """Count what an operation does with a value of an origin."""
        followed = [self._leaked.get(value) is not None for value in values]
        self._count(judge.row(check, index, values, origin, followed), values[index], origin)

    def _count(self, row: Row, value: Any, origin: Origin | None = None) -> None:
        """Count a row of a value: for its origin, and for what it came out of."""
        source = origin or self.values.get(value)
        if source is not None:
            source.counted = ANEW
        for of in (source, self._leaked.get(value)):
            if of is not None:
                of.rows[row] = of.rows.get(row, 0) + 1

    def _made_here(self, check: OperationCheck) -> Origin:
        """Return the origin that an operation itself is."""
        dtype = check.into or check.operands[0].dtype
        return self.origin(check.location, None, dtype, check.facts)

    def _introductions(
        self, check: OperationCheck, values: Sequence[Any], kind: str = "integer"
    ) -> Sequence[int | None]:
        """Return where the operands of a kind were introduced, if that was elsewhere."""
        around = check.place

        def introduction(op: Operand, value: Any) -> int | None:
            origin = self.values.get(value) if family(op.dtype) == kind and is_strong(op) else None
            if origin is None or origin.operand is not None or origin.dtype is not op.dtype:
                return None
            return None if around.holds(LOCATIONS[origin.location]) else origin.location

        return [introduction(*pair) for pair in zip(check.operands, values, strict=True)]

    def _seen(self, check: OperationCheck, index: int, value: Any) -> Origin:
        """Return the origin of a value that comes from elsewhere: where it is first seen."""
        for settled in list(self.settled.values()):  # or where it was not looked at
            if settled.last is value and settled.origin is not None:
                return settled.origin
        op = check.operands[index]

        def introduce() -> Origin:
            facts = {"library": op.library, "scalar": op.form == "scalar"}
            origin = self.origin(check.location, check.spans[index], op.dtype, facts)
            self.values.put(value, kind_of(value), origin)
            return origin

        known = (listener.origin_of(value, op, introduce) for listener in self.listeners)
        return next(filter(None, known), None) or introduce()

    def origin(
        self, location: int, index: int | None, dtype: DType, facts: dict[str, Any]
    ) -> Origin:
        """Return the origin of a dtype at a location, which is new if there was none."""
        key = location, dtype.name, index
        origin = self.log.origins.get(key)
        if origin is None:
            allows, place = self.settings.suppressions.allows, LOCATIONS[location]
            allowed = frozenset(kind for kind in _ALL if allows(place, kind))
            origin = Origin(location, index, len(self.log.origins), dtype, allowed, **facts)
            self.log.origins[key] = origin
            if self.is_ruled_out(dtype.name, origin.library):
                self.forbid(origin)
        return origin

    def merge(self, origin: Origin, cause: Origin) -> None:
        """Record that all effects of an origin are those of another one."""
        cause.add(origin)
        for key in [key for key, known in self.log.origins.items() if known is origin]:
            del self.log.origins[key]
        for check in self._checks.values():
            check.usual = {i: cause if o is origin else o for i, o in check.usual.items()}
            check.causes.clear()

    def is_ruled_out(self, dtype: str, library: str) -> bool:
        """Return whether a dtype, by its name, must not come up in arrays of a library."""
        device = self.settings.device
        on_device = device is not None and dtype in device.lacks and device.has(library)
        return on_device or dtype in self.settings.forbid

    def forbid(self, origin: Origin) -> None:
        """Record that an origin has a dtype that is ruled out, unless that is allowed there."""
        kind = f"{FORBIDDEN}:{origin.dtype}"
        if (kind, origin.location) not in origin.effects:
            self.found(origin, Effect(kind, origin.location, (), origin.dtype, 0))

    def _is_forbidden_anew(self, origin: Origin, result: DType) -> bool:
        """Return whether a forbidden dtype results from another, as complex128 from float64."""
        return result is not origin.dtype and self.is_ruled_out(result.name, origin.library)

    def found(self, origin: Origin, effect: Effect, times: int = 1) -> Effect | None:
        """Count what came of an origin.

        Args:
            origin: the origin.
            effect: what came of it.
            times: how often it did.

        Returns:
            The effect, as it is kept with the first of its kind and place; None if it is allowed.
        """
        kept = origin.effects.get((effect.kind, effect.location))
        if kept is None:
            if self._covers(effect.location, effect.kind):
                return None
            if effect.kind in origin.allowed:
                self._covers(origin.location, effect.kind)
                return None
            kept = origin.add_effect(effect)
        is_new, announce = not kept.count, self.settings.announce
        kept.count += times
        if is_new and announce is not None and find(kept.kind).reported_as(origin, kept):
            announce(origin, kept)
        return kept

    def _covers(self, location: int, kind: str) -> bool:
        """Return whether a kind is allowed at a location, and note that it had to be."""
        return self.settings.suppressions.covers(LOCATIONS[location], kind)

    # what is taken for granted

    def look_anew(self) -> None:
        """Take nothing for granted of what was observed so far."""
        self.count_all()
        self.settled.clear()
        self._checks.clear()

    def alarm(self, line: tuple[str, int]) -> None:
        """Check the next operation in full, whatever was taken for granted.

        Args:
            line: the file, and the line of it, that NumPy warns of.
        """
        self.count_all()
        self.settled.clear()
        self.is_alarmed = True
        self.alarmed.add(line)

    def count_all(self) -> None:
        """Count the operations that were not looked at."""
        for listener in self.listeners:
            listener.end()
        for location in list(self.settled):
            self.log.operations += self.settled.let_go(location)

    def go_on_from(self, other: Recorder) -> None:
        """Continue another recorder: know what it knows, and share with it what is found."""
        other.look_anew()
        self.log, self.values, self.columns = other.log, other.values, other.columns
        self.settled.clear()
        self.settled = Repeated(self.values, self._effects_of)
        if self.followers:
            self.settled.stop()

    def forget_places(self, files: Collection[str]) -> None:
        """Forget what was found in some files, such as cells that are run again."""
        self.look_anew()
        for origin in self.log.origins.values():
            if LOCATIONS[origin.location].file in files:
                origin.effects.clear()
                origin.rows.clear()
                origin.operations = origin.bytes = origin.copied = 0
            origin.counted = ANEW
            for key in [key for key in origin.effects if LOCATIONS[key[1]].file in files]:
                del origin.effects[key]
            for row in [row for row in origin.rows if row.place.file in files]:
                del origin.rows[row]


def _checked(
    location: int, read: Callable[..., OperationCheck], *operation: Any, **options: Any
) -> OperationCheck:
    """Return the check of an operation; an empty one if a dtype is of no interest."""
    try:
        check = read(*operation, **options)
    except SupremumError as error:
        if error_of_program(error) is not None:
            raise
        check = OperationCheck()
    check.location = location
    return check


def _is_object(value: Any) -> bool:
    """Return whether an operand is neither an array nor a number."""
    return kind_of(value) == NOTHING and not isinstance(value, calls.NUMBERS)


def _signatures(values: Sequence[Any]) -> list[Any]:
    return [v.dtype if TYPES.get(type(v)) == NDARRAY else signature(v) for v in values]

"""A recorder: hears of each operation, follows dtypes to where they were born, and keeps count.

An operation with operands of the same dtypes at the same place is judged once. From then on it is
a look-up, and a note of where the result's dtype comes from. A loop does nothing new for long: see
`settled`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import ref

from ...core.dtypes import dtype
from ...core.operands import operand
from ..checks import calls, checks, operation_checks, stores
from ..checks.jax_tracers import is_traced, updated
from ..checks.operation_checks import OperationCheck
from ..checks.stores import HEARD
from ..checks.tracked_types import (
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
    is_array,
    kind_of,
    signature,
    size_of,
)
from ..checks.values import looks
from ..model.locations import LOCATIONS
from ..model.provenance import Origin
from .base import Settings
from .granted import GrantingRecorder

_BETWEEN_TICKS = 1024  # operations
_UNKNOWN = 9  # no kind of value: a type that was not met


class Recorder(GrantingRecorder):
    """Hears of operations while it is active, and writes down what they did."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._usual: dict[tuple[int, type], Origin] = {}
        self._next_tick = _BETWEEN_TICKS

    # what probes tell

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Hear of an operator."""
        try:
            kind = TYPES[type(result)]
            if kind == FRAME:
                self._framed(location, result, left, (right,))
                return
            one, other = TYPES.get(type(left), _UNKNOWN), TYPES.get(type(right), _UNKNOWN)
            key = (
                location,
                type(left) if one <= SCALAR else left.dtype if one == NDARRAY else signature(left),
                type(right) if other <= SCALAR
                else right.dtype if other == NDARRAY else signature(right),
                type(result) if kind <= NDARRAY else signature(result),
            )  # fmt: skip
            check = self._checks.get(key)
            if check is None:
                place, values = LOCATIONS[location], (left, right)
                check = self._judged(operation_checks.of_operator, place, result, values)
                self._checks[key] = check
            self.operations += self.settled.let_go(location, check)
            if check.examine is not None:
                self._examined(location, check, (left, right), result)
            if check.usual and check.quiet and self._passed_on(check, left, right, result):
                self.settled.count(location, check, (left, right, result))
                return
            self._apply(location, check, (left, right), result)
            if max(kind, one, other) <= NDARRAY:
                self.settled.count(location, check, (left, right, result))
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self._fail(location, error)

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Hear of a part of a value, or of a sign before it."""
        try:
            kind = TYPES[type(result)]
            kind_of_whole = TYPES.get(type(whole), NOTHING)
            if kind_of_whole >= ARRAY and kind_of_whole not in (SEQUENCE, MAPPING):
                self._heard_part(location, result, whole)
            if kind >= FRAME:
                if kind == FRAME:
                    self.columns.take_over(result, self.columns.of(whole))
                return
            origin = self._origin_of_whole(location, whole)
            if origin is None and self._is_loaded(location, result, whole):
                of = {"library": operand(result).library}
                origin = self.origin(location, None, dtype(result.dtype), of)
            if kind == SCALAR and type(whole).__name__ == "finfo":  # it gives one object to all
                facts = {"library": "NumPy", "scalar": True}
                origin = self.origin(location, None, dtype(result.dtype), facts)
            is_known = kind != SCALAR and (origin is None or self.values.get(result) is not None)
            if is_known and (kind != NDARRAY or result.base is None):
                return
            key = (
                location,
                type(result) if kind == SCALAR else signature(result),
                origin and origin.index,
            )
            check = self._checks.get(key)
            if check is None:
                check = (
                    OperationCheck()
                    if origin is None
                    else self._judged(operation_checks.of_part, result, origin, kind)
                )
                if kind <= NDARRAY:
                    operation_checks.look_at_sign(check, LOCATIONS[location], result, whole)
                self._checks[key] = check
            self.operations += self.settled.let_go(location, check)
            if check.examine is not None:
                self._examined(location, check, (whole,), result)
            if origin is not None and check.result is not None and not is_known:
                self._note(check, result, origin)
            if kind <= NDARRAY:
                self.settled.count(location, check, (None, whole, result), follow=not is_known)
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(location, error)

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Hear of a call."""
        try:
            if self.pending:
                self._link(location, base, arguments)
            kind = TYPES[type(result)]
            self.ran(location, result, base, arguments)
            into = updated(base)
            if into is not None and arguments:
                self._put_into(
                    location, into, arguments[0], settles=False,
                    in_place=LOCATIONS[location].name != "set",
                )  # fmt: skip
            if kind > MAPPING:
                return
            if kind in (SEQUENCE, MAPPING):
                elements = [e for e in calls.elements(result) if is_array(e)]
                others = tuple(e.dtype for e in elements)
                for element in elements:
                    self._called(location, element, base, arguments, others)
                if elements and not is_traced(elements[0]):
                    self._made.clear()
            elif kind == FRAME:
                self._framed(location, result, base, arguments)
            else:
                check = self._called(location, result, base, arguments)
                if check is not None and kind <= NDARRAY and not check.narrows:
                    follow = check.kind != NOTHING
                    self.settled.count(
                        location, check, (base, None, result), arguments, follow=follow
                    )
                if self._made and kind == MAYBE_WEAK and not is_traced(result):
                    self._made.clear()
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(location, error)

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> bool:
        """Hear of a call that may store what it is given; tell whether it did."""
        try:
            place, given = LOCATIONS[location], (base, *arguments)
            if place.name in HEARD:
                self.ran(location, result, base, arguments)
            found = stores.stored(place, result, base, arguments)
            for spans in found:
                into, value = (given[index] for index in spans)
                value = stores.selected(place, into, value, arguments)
                computes = result is into or place.name == "at"
                self._put_into(
                    location, into, value, in_place=computes, spans=spans, settles=False,
                    how=(base, *arguments[1:2]),
                )  # fmt: skip
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(location, error)
            return False
        return bool(found)

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:
        """Hear of an operator in place."""
        if result is not old:
            self.operated(location, result, old, value)
        else:
            self._put_into(location, result, value, in_place=True)

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:
        """Hear of what is about to be stored in part of a value."""
        if TYPES[type(base)] in (FRAME, INDEXER):
            self._heard_store(location, index, base, value)
        if TYPES[type(base)] < FRAME:
            self._put_into(location, base, value, in_place=False)
        elif TYPES[type(base)] == FRAME and isinstance(index, str):
            origin = self.values.get(value)
            if origin is not None:
                self.columns.put(base, index, origin)

    def elements(self, values: Any, origin: Origin) -> Iterator[Any]:
        """Yield the elements of an array, each of which has its dtype from where the array has."""
        for element in values:
            if kind_of(element) == SCALAR:
                self.values.put(element, SCALAR, origin)
            yield element

    # what comes of it

    def _put_into(
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
        """Hear of what is put into an array, and of what else says how."""
        try:
            key = location, signature(base), signature(value), spans
            check = self._checks.get(key)
            if check is None:
                check = self._judged(operation_checks.of_store, base, value, in_place=in_place)
                check.spans = spans
                if in_place:
                    check.examine = looks.of_store(LOCATIONS[location], base)
                self._checks[key] = check
            self.settled.let_go(location, check)
            if check.examine is not None:
                self._examined(location, check, (base, value, *how), base)
            if check.violations or check.numbers:
                self._record(location, check, (base, value))
            if (
                check.operands
                and not check.violations
                and (in_place or checks.is_strong(check.operands[1]))
            ):
                self._filled(base, is_total=in_place)
            if settles and (in_place or not check.numbers):
                self.settled.count(location, check, (base, value, base), follow=False)
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(location, error)

    def _called(
        self,
        location: int,
        result: Any,
        base: Any,
        arguments: tuple[Any, ...],
        others: tuple[Any, ...] = (),
    ) -> OperationCheck | None:
        """Hear of a result of a call; returns the check, or None if there is nothing to check."""
        place = LOCATIONS[location]
        kind = TYPES[type(result)]
        if kind == NDARRAY and result.base is None:
            entry = self.values.followed.get(id(result))
            known = entry is not None and entry[0]() is result
        elif kind == SCALAR:
            known = self._handed_on(location, result)
        else:
            known = self._is_known(result, base, place)
        if known and calls.output(place, result, base, arguments) is None:
            check = self._handed.get(location)
            if check is None:
                check = self._handed[location] = self._judged(operation_checks.of_handed, result)
                check.facts = {"several": bool(others)}
            return check if kind == NDARRAY else None
        values = calls.arrays(base, arguments, place)
        signatures = [v.dtype if TYPES.get(type(v)) == NDARRAY else signature(v) for v in values]
        own = result.dtype if kind == NDARRAY else signature(result)
        key = location, own, others, *signatures
        check = self._checks.get(key)
        if check is None:
            check = self._judged(
                operation_checks.of_call, place, result, base, arguments, values, others=others
            )
            self._checks[key] = check
            if check.kind == MAYBE_WEAK and not check.sources and not is_traced(result):
                self._made_inside(place, check)
        self.operations += self.settled.let_go(location, check)
        if check.examine is not None:
            self._examined(location, check, (base, *arguments), result)
        if check.output is not None and not check.violations:
            self._filled(values[check.output], is_total=False)
        source = values[check.sources[0]] if check.usual and check.quiet else None
        if source is not None and self._passed_on(check, source, None, result):
            return check
        if check.violations and calls.hands_on(place, result, base, arguments, values):
            return None
        if check.narrows:
            self._cast_back(place, self.values.get(values[0]))
        self._apply(location, check, values, result)
        return check

    def _handed_on(self, location: int, result: Any) -> bool:
        """Tell whether a call returned a scalar that is known, or that would be, if looked at."""
        origin = self.values.get(result)
        if origin is not None:
            self._usual[location, type(result)] = origin
            return True
        usual = self._usual.get((location, type(result)))
        if usual is not None:
            self.values.put(result, SCALAR, usual)
        return usual is not None

    def _apply(
        self, location: int, check: OperationCheck, values: Sequence[Any], result: Any
    ) -> None:
        allowed = False
        if check.violations or check.numbers:
            allowed = self._record(location, check, values)
        if check.result is None:
            return
        origin = check.made_by
        for index in check.sources:
            found = self.values.get(values[check.places[index]]) or check.usual.get(index)
            if found is not None:
                check.usual[index] = found
                if origin is None or (found.effects and not origin.effects):
                    origin = found
        if origin is None and check.sources:
            first = check.sources[0]
            origin = self._seen(location, check, first, values[check.places[first]])
        if origin is None or allowed or self._is_forbidden_anew(origin, check.result):
            origin = self.origin(location, None, check.result, check.facts)
            origin.births += check.skipped + 1
            if check.kind == NDARRAY and type(result.base) is type(result):
                # that is what it is a view of: nobody else has it
                origin.bytes += result.nbytes
        for index in check.copied:
            size = getattr(values[check.places[index]], "size", 0)  # an operator has none
            origin.copied += size * result.itemsize * (check.skipped + 1)
        if check.sources and check.kind not in (NDARRAY, SCALAR) and origin.library == "NumPy":
            self.crossings.note(location, check, result, origin)
        self._note(check, result, origin)

    def _note(self, check: OperationCheck, result: Any, origin: Origin) -> None:
        """Note where a new value has its dtype from, and what it takes."""
        times = check.skipped + 1
        if check.kind == NDARRAY:
            if result.base is None:
                origin.bytes += result.nbytes
        else:
            if check.kind != SCALAR:
                origin.bytes += size_of(result)
            traced = check.kind == MAYBE_WEAK and is_traced(result)
            if traced and check.result is not None:
                self._made[check.result.name] = origin
        origin.operations += times
        self.operations += times
        self.values.put(result, check.kind, origin)
        if self.operations >= self._next_tick:
            self._next_tick = self.operations + _BETWEEN_TICKS
            if self.settings.tick is not None:
                self.settings.tick(self)

    def _passed_on(self, check: OperationCheck, left: Any, right: Any, result: Any) -> bool:
        """Note that an array of NumPy has its dtype from one that is followed; False if not so.

        This is what happens most, and `_apply` with `_note` would do the same.
        """
        if check.numbers and (right if check.numbers[0] else left) is not check.fits:
            return False
        value = left if right is None or not check.sources[0] else right
        followed = self.values.followed
        entry = followed.get(id(value))
        if entry is None or entry[0]() is not value or len(followed) > self.values.limit:
            return False
        times = check.skipped + 1
        if self.operations + times >= self._next_tick:  # now and then somebody is told
            return False
        origin = entry[1]
        if right is not None and len(check.sources) > 1 and not origin.effects:
            entry = followed.get(id(right))
            if entry is not None and entry[1].effects and entry[0]() is right:
                origin = entry[1]
        if result.base is None:
            origin.bytes += result.nbytes
        origin.operations += times
        self.operations += times
        followed[id(result)] = ref(result), origin
        return True

    def _seen(self, location: int, check: OperationCheck, index: int, value: Any) -> Origin:
        """Return the origin of a value that is not known: it may not have been looked at."""
        for settled in list(self.settled.values()):
            if settled.last is value and settled.origin is not None:
                return settled.origin
        return super()._seen(location, check, index, value)

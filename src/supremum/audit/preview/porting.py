"""A follower of a recorder: what the program's dtypes would be under another library's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.functions import function
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ..log import calls, known_functions, stores
from ..log.recorder import Recorder
from ..log.tracked_types import FRAME, SEQUENCE, TYPES, is_array, kind_of
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Effect, Origin
from .target import Target


class Preview:
    """Tells a `Target` of each operation, and records where a difference begins.

    Args:
        recorder: the recorder that it follows.
        rules: the rules that the program may move to.

    Attributes:
        target: what the program's values would be.
    """

    def __init__(self, recorder: Recorder, rules: PromotionSystem) -> None:
        self._recorder = recorder
        self.target = Target(rules, self._differs, self._lacks)
        self._call: tuple[Any, ...] | None = None  # its place, object, arguments and operands

    def found(self) -> Any:
        """Return what would come out by other rules, such that another process can read it."""
        lines = [(LOCATIONS[place], found) for place, found in list(self.target.lines.items())]
        return lines, dict(self.target.unknown)

    def add(self, found: Any, number_of: Callable[[Location], int]) -> None:
        """Add what another process predicted."""
        lines, unknown = found
        for place, pairs in lines:
            self.target.lines.setdefault(number_of(place), set()).update(pairs)
        for name, count in unknown.items():
            self.target.unknown[name] = self.target.unknown.get(name, 0) + count

    def forget(self) -> None:
        """Start empty, in a forked process, whose parent has what was predicted before."""
        self.target.lines.clear()
        self.target.unknown.clear()

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Observe an operator."""
        place = LOCATIONS[location]
        if place.form == "comparison":
            if kind_of(result) < FRAME:
                self._tell(location, "compared", result, (left, right), place.name)
        elif is_array(result):
            self._tell(location, "operated", result, (left, right), place.name)

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:  # noqa: ARG002  # as it is called
        """Observe what is about to be stored in part of a value."""
        self._tell(location, "stored", base, value)

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Observe a part of a value, or a sign before it."""
        place = LOCATIONS[location]
        if not is_array(result):
            return
        if place.form == "operator":
            self._tell(location, "operated", result, (whole,), place.name)
        else:
            self._tell(location, "taken", result, whole)

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Observe a call."""
        place = LOCATIONS[location]
        values = calls.arrays(base, arguments, place)
        if self.target.arithmetic:
            values = [*values, *calls.lists(base, arguments, place)]
        explicit = calls.is_explicit(place, result, base, arguments)
        known = function(place.name)
        if known_functions.converts(place.name):
            explicit = explicit or known is None or known.category != "conversion"
        callee = calls.function_of(base, place.name)
        found = calls.elements(result) if TYPES[type(result)] == SEQUENCE else [result]
        self._call = place, base, arguments, values
        try:
            for element in filter(is_array, found):
                self._tell(location, "called", element, values, arguments, explicit, callee=callee)
        finally:
            self._call = None

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Observe a call that may have stored what it is given."""
        place, given = LOCATIONS[location], (base, *arguments)
        found = stores.stored(place, result, base, arguments)
        for into, value in found if place.name != "at" else ():  # which converts without a check
            self._tell(location, "stored", given[into], given[value])
        if found and result is not None:
            self.called(location, result, base, arguments)

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:
        """Observe an operator in place; one that makes a new array was observed as another."""
        if result is old and is_array(result):
            name = LOCATIONS[location].name
            self._tell(location, "operated", result, (old, value), name, in_place=True)

    def _tell(self, location: int, what: str, result: Any, *operation: Any, **more: Any) -> None:
        try:
            if not self._is_elsewhere(result):
                getattr(self.target, what)(location, result, *operation, **more)
        except SupremumError:  # what is not a number is of no interest
            pass
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self._recorder.fail(location, error)

    def _is_elsewhere(self, result: Any) -> bool:
        """Return whether an array stays beside the device that the program is to move to."""
        device = self._recorder.settings.device
        if device is None or not is_array(result):
            return False
        library = known_functions.library_of(result)
        return library is not None and not device.has(library.title)

    def _lacks(self, location: int, was: DType, result: Any) -> Origin:
        """Return the cause of a dtype that the rules do not have."""
        known = self._recorder.values.get(result)
        return known or self._recorder.origin(location, None, was, {})

    def _differs(
        self,
        location: int,
        was: DType,
        operands: Sequence[Operand],
        would: DType | None,
        *,
        remark: str,
        operator: str | None,
    ) -> Origin:
        spans = calls.spans(*self._call)[: len(operands)] if self._call is not None else ()
        rules = self.target.rules if operator else None
        effect = Effect(
            "port-mismatch", location, tuple(operands), would, 0, rules=rules, spans=spans,
            operator=operator and known_functions.as_known(operator, rules), remark=remark,
        )  # fmt: skip
        facts = {"library": "NumPy"} if self.target.arithmetic else {}
        origin = self._recorder.origin(location, None, was, facts)
        self._recorder.found(origin, effect)
        return origin

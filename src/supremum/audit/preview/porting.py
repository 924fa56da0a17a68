"""A recorder that also follows what the program's dtypes would be under another library's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.functions import function
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ..checks import calls, known_functions, stores
from ..checks.operation_checks import OperationCheck
from ..checks.tracked_types import SEQUENCE, TYPES, is_array, kind_of
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Origin
from ..record.base import Settings
from ..record.recorder import Recorder
from .target import Target


class PreviewRecorder(Recorder):
    """Hears of operations as `Recorder` does, and tells a `Target` of each.

    Args:
        settings: what it is asked to do.
        rules: the rules that the program may move to.

    Attributes:
        target: what the program's values would be.
    """

    hears_truths = True

    def __init__(self, settings: Settings, rules: PromotionSystem) -> None:
        super().__init__(settings._replace(exact=True))
        self.target = Target(rules, self._differs)
        self._call: tuple[Any, ...] | None = None  # its place, object, arguments and operands

    def predictions(self) -> Any:
        """Return what would come out by other rules, such that another process can read it."""
        lines = [(LOCATIONS[place], found) for place, found in list(self.target.lines.items())]
        return lines, dict(self.target.unknown)

    def add_predictions(self, told: Any, number_of: Callable[[Location], int]) -> None:
        """Take over what another process predicted."""
        if told is None:
            return
        lines, unknown = told
        for place, found in lines:
            self.target.lines.setdefault(number_of(place), set()).update(found)
        for name, count in unknown.items():
            self.target.unknown[name] = self.target.unknown.get(name, 0) + count

    def forget_predictions(self) -> None:
        """Begin anew, in a process that another one became, which tells what was before."""
        self.target.lines.clear()
        self.target.unknown.clear()

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Hear of an operator."""
        place = LOCATIONS[location]
        if kind_of(result):
            super().operated(location, result, left, right)
        if place.form == "comparison":
            if hasattr(result, "dtype"):
                self._told(location, "compared", result, (left, right), place.name)
        elif is_array(result):
            self._told(location, "operated", result, (left, right), place.name)

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:
        """Hear of what is about to be stored in part of a value."""
        super().stored(location, index, base, value)
        self._told(location, "stored", base, value)

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Hear of a part of a value, or of a sign before it."""
        super().taken(location, result, whole)
        place = LOCATIONS[location]
        if not is_array(result):
            return
        if place.form == "operator":
            self._told(location, "operated", result, (whole,), place.name)
        else:
            self._told(location, "taken", result, whole)

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Hear of a call."""
        super().called(location, result, base, arguments)
        self._told_call(location, result, base, arguments)

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> bool:
        """Hear of a call that may store what it is given; tell whether it did."""
        did = super().put(location, result, base, arguments)
        if did:
            place, given = LOCATIONS[location], (base, *arguments)
            for into, value in stores.stored(place, result, base, arguments):
                if place.name != "at":  # which converts them without a check
                    self._told(location, "stored", given[into], given[value])
        if did and result is not None:
            self._told_call(location, result, base, arguments)
        return did

    def _told_call(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        place = LOCATIONS[location]
        values = calls.arrays(base, arguments, place)
        explicit = calls.is_explicit(place, result, base, arguments)
        known = function(place.name)
        if known_functions.converts(place.name):
            explicit = explicit or known is None or known.category != "conversion"
        callee = calls.function_of(base, place.name)
        found = calls.elements(result) if TYPES[type(result)] == SEQUENCE else [result]
        self._call = place, base, arguments, values
        try:
            for element in filter(is_array, found):
                self._told(location, "called", element, values, arguments, explicit, callee=callee)
        finally:
            self._call = None

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:
        """Hear of an operator in place."""
        super().changed(location, result, old, value)
        if result is old and is_array(result):
            self._told(
                location, "operated", result, (old, value), LOCATIONS[location].name, in_place=True
            )

    def _told(self, location: int, what: str, *told: Any, **more: Any) -> None:
        try:
            getattr(self.target, what)(location, *told, **more)
        except SupremumError:  # what is no number is none of our business
            pass
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self._fail(location, error)

    def _differs(
        self,
        location: int,
        was: DType,
        operands: Sequence[Operand],
        would: DType | None,
        *,
        told: str,
        operator: str | None,
    ) -> Origin:
        check = OperationCheck(tuple(operands), tuple(range(len(operands))))
        if self._call is not None:
            check.spans = calls.spans(*self._call)[: len(operands)]
        check.result = would
        check.rules = self.target.rules if operator else None
        check.operator = operator and known_functions.as_known(operator, check.rules)
        facts = {"library": "NumPy"} if self.target.arithmetic else {}
        origin = self.origin(location, None, was, facts)
        effect = origin.effects.get(("port-mismatch", location))
        if effect is not None:
            effect.count += 1
        else:
            self._found("port-mismatch", origin, location, check, against=0, told=told)
        return origin

"""Casts back: what a statement widens and narrows at once, and uses of what has to be wider."""

from __future__ import annotations

from typing import Final

from ..checks.operation_checks import OperationCheck
from ..kinds import find
from ..libraries.listeners import Findings, Listener
from ..model.dtypes import bits
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Effect, Origin
from ..source.flow import is_made_elsewhere

_FLOAT32_BITS: Final = 32
_CASTS: Final = ("astype", "double", "float", "to", "type")


class Casts(Listener):
    """Counts results that are cast back, and finds operations that undo a cast of their own."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._widenings: dict[int, list[Effect]] = {}  # by location
        self._last: tuple[Location, Origin | None] | None = None

    def widened(self, effect: Effect) -> None:
        """Take note of a new effect that may be cast back."""
        self._widenings.setdefault(effect.location, []).append(effect)

    def narrowed(self, place: Location, origin: Origin | None) -> None:
        """Record that a statement converts what it has just computed."""
        self._last = place, origin
        if origin is None:
            return
        # what makes float64 whatever it is given is its own origin, and widens others
        made = self._widenings.get(origin.location, ()) if origin.operand is None else ()
        for effect in {id(m): m for m in (*origin.effects.values(), *made)}.values():
            computed = LOCATIONS[effect.location]
            if computed.span in place.spans and computed.file == place.file:
                effect.cast_back += 1

    def cause_of(
        self, location: int, check: OperationCheck, index: int, cause: Origin
    ) -> Origin | None:
        """Return the operation itself if it undoes a cast of its own, or its use of an operand.

        If half precision meets what has to be wider, it is the use of that; see `sides`.
        """
        if self._undoes_cast(location, check):
            dtype, at, facts = check.into or check.operands[0].dtype, None, check.facts
        elif _is_use(location, check, index, cause):
            dtype, at, facts = cause.dtype, check.spans[index], {"library": cause.library}
        else:
            return None
        check.made_by = self.findings.origin(location, at, dtype, facts)
        return check.made_by

    def _undoes_cast(self, location: int, check: OperationCheck) -> bool:
        """Return whether an operand was cast back to what it once was, beside a wider one.

        So it is in ``weight * hidden.to(dtype)``, where `hidden` was made float32 to compute with.
        """
        if self._last is None or check.operator is None:
            return False
        (cast, origin), place = self._last, LOCATIONS[location]
        against = [check.spans[v.against] for v in check.violations if find(v.kind).widens]
        if origin is None or cast.file != place.file or not against:
            return False
        was_widened = LOCATIONS[origin.location].name in _CASTS
        is_operand = any(place.spans[i] == cast.span for i in against if i < len(place.spans))
        return is_operand and was_widened and origin.dtype is check.into


def _is_use(location: int, check: OperationCheck, index: int, cause: Origin) -> bool:
    """Return whether an operand is made for more than this, and widens half precision here."""
    widened = next((v for v in check.violations if find(v.kind).widens), None)
    place, at = LOCATIONS[location], check.spans[index]
    if widened is None or widened.cause != index or at >= len(place.spans):
        return False
    narrow, wide = check.operands[widened.against], check.operands[index]
    return (
        cause.operand is None
        and not cause.from_numbers
        and not any(find(m.kind).widens for m in cause.effects.values())  # it is a mistake already
        and narrow.library == wide.library == cause.library
        and bits(narrow.dtype) < bits(wide.dtype) == _FLOAT32_BITS
        and is_made_elsewhere(place, place.spans[at], LOCATIONS[cause.location])
    )

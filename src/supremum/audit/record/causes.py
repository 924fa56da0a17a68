"""What is the cause itself, where it would be an operand's origin otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..checks.operation_checks import OperationCheck
from ..kinds import find
from ..model.dtypes import bits
from ..model.locations import LOCATIONS, Span
from ..model.provenance import Origin
from ..source.flow import is_made_elsewhere

_FLOAT32_BITS: Final = 32
_CASTS: Final = ("astype", "double", "float", "to", "type")


def undoes_cast(check: OperationCheck, casts: Mapping[tuple[str, Span], Origin]) -> bool:
    """Return whether an operand was cast back to what it once was, beside a wider one.

    So it is in ``weight * hidden.to(dtype)``, where `hidden` was made float32 to compute with.

    Args:
        check: what is known of the operation.
        casts: where what was cast had its dtype from, by the file and span of the cast.
    """
    if not casts or check.operator is None:
        return False
    place = check.place
    against = [check.spans[v.against] for v in check.violations if find(v.kind).widens]
    spans = [place.spans[at] for at in against if at < len(place.spans)]
    found = (casts.get((place.file, span)) for span in spans if span is not None)
    return any(
        origin is not None
        and LOCATIONS[origin.location].name in _CASTS
        and origin.dtype is check.into
        for origin in found
    )


def is_use(check: OperationCheck, index: int, origin: Origin) -> bool:
    """Return whether an operand is made for more than this, and widens half precision here."""
    widened = next((v for v in check.violations if find(v.kind).widens), None)
    place, at = check.place, check.spans[index]
    if widened is None or widened.cause != index or at >= len(place.spans):
        return False
    narrow, wide = check.operands[widened.against], check.operands[index]
    return (
        origin.operand is None
        and not origin.from_numbers
        and not any(find(m.kind).widens for m in origin.effects.values())  # a mistake already
        and narrow.library == wide.library == origin.library
        and bits(narrow.dtype) < bits(wide.dtype) == _FLOAT32_BITS
        and is_made_elsewhere(place, place.spans[at], LOCATIONS[origin.location])
    )

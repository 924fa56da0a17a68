"""Results that are wider than an operand of their kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ..model.dtypes import Operation, Violation, family
from .kind import Kind, Wanted

if TYPE_CHECKING:
    from ..model.provenance import Effect, Origin

_ADDS: Final = ("add", "subtract")


def effect(place: Any) -> str:
    """Return which dtype comes out."""
    return f"it widens to {place.result}" if place.result else "it widens a comparison"


def recorded_as(kind: Kind, origin: Origin, check: Any) -> str:
    """Return the kind, or a note if scalars are added to one whose dtype the program names."""
    of_scalars = all(op.form == "scalar" or op.is_python for op in check.operands)
    is_total = origin.scalar and origin.explicit and of_scalars and check.operator in _ADDS
    return "wide-reduction" if is_total else kind.name


def reported_as(origin: Origin, effect: Effect) -> str:
    """Return the kind, if any, or a note for a total.

    It is none if each result is cast back at once, or if a width that is named is compared with:
    nothing comes of it that is wide.
    """
    if 0 < effect.count <= effect.cast_back or (origin.explicit and effect.result is None):
        return ""
    return "wide-reduction" if origin.explicit and origin.is_total else effect.kind


def of_operation(operation: Operation) -> Iterator[Violation]:
    """Yield the operand that is widened, if that is a float."""
    if operation.widened and family(operation.result) == "inexact":
        yield Violation("widening", *operation.widened)


KIND = Kind(
    name="widening",
    order=20,
    severity="warning",
    meaning="a result is wider than an operand of its kind",
    remedy="make the wider value in the narrower dtype, on the line that introduces it",
    effect=effect,
    recorded_as=recorded_as,
    reported_as=reported_as,
    wants=Wanted.NARROW_OPERAND,
    widens=True,
    is_cast_back=True,
    costs_memory=True,
    of_operation=of_operation,
    of_output="widening-store",
)

"""Integer results that are wider than an operand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .kind import Kind, Wanted, becomes

if TYPE_CHECKING:
    from ..model.provenance import Effect, Origin


_CASTS: Final = ("astype", "to", "type", "cast")


def reported_as(origin: Origin, effect: Effect) -> str:
    """Return the name of the kind, or ``""`` if the program casts to have room for the result."""
    name = getattr(origin.function, "__name__", "")
    return "" if origin.explicit and name in _CASTS else effect.kind


KIND = Kind(
    name="larger-integer",
    order=130,
    severity="note",
    meaning="an integer result is wider than an operand",
    remedy="nothing, if the integers need the room; otherwise name the dtype of the larger operand",
    effect=becomes,
    reported_as=reported_as,
    wants=Wanted.NARROW_OPERAND,
    costs_memory=True,
    is_intended=True,
)

"""Arrays that are wider than all that is stored in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...core.dtypes import DType
from ...core.operands import Operand
from ..model.dtypes import Violation, bits, family, is_strong
from ..model.locations import LOCATIONS
from ..model.wording import plain_dtype
from .kind import Kind, Wanted

if TYPE_CHECKING:
    from ..model.provenance import Effect, Origin

_MAKES_BUFFERS: Final = ("zeros", "empty", "ones", "full")


def effect(place: Any) -> str:
    """Return the dtype of what is stored in it."""
    return f"only {plain_dtype(place.operands[-1])} is stored in it" if place.operands else ""


def is_meant(origin: Origin) -> bool:
    """Return whether an array was not made without a dtype, to be filled."""
    made = LOCATIONS[origin.location].name in _MAKES_BUFFERS
    is_buffer = made and origin.operand is None and not origin.explicit
    return not is_buffer or origin.is_filled


def reported_as(origin: Origin, effect: Effect) -> str:
    """Return the kind: none if something of the array's own width is stored in it, too."""
    return "" if origin.is_filled else effect.kind


def of_store(value: Operand, into: DType) -> Iterator[Violation]:
    """Yield a float that is narrower than those of an array that was made for it."""
    d = value.dtype
    if is_strong(value) and family(d) == family(into) == "inexact" and bits(d) < bits(into):
        yield Violation("widening-store", 0, 1)


KIND = Kind(
    name="widening-store",
    order=140,
    severity="note",
    meaning="an array is wider than all that is stored in it",
    remedy="make the array in the dtype of what is stored in it",
    note_of="widening",
    effect=effect,
    is_meant=is_meant,
    reported_as=reported_as,
    wants=Wanted.NARROW_OPERAND,
    costs_memory=True,
    of_store=of_store,
    of_choice=True,
)

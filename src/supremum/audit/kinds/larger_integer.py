"""Integer results that are wider than an operand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.functions import facts_of
from ..model.dtypes import Operation, Violation, family
from .kind import Kind, Wanted, becomes

if TYPE_CHECKING:
    from ..model.provenance import Effect, Origin


def of_operation(operation: Operation) -> Iterator[Violation]:
    """Yield the operand that is widened, if it is an integer, and an element of the result."""
    is_sure = operation.is_known or operation.accumulates
    if operation.widened and is_sure and family(operation.result) == "integer":
        yield Violation("larger-integer", *operation.widened)


def reported_as(origin: Origin, effect: Effect) -> str:
    """Return the name of the kind, or ``""`` if the program casts to have room for the result."""
    name = getattr(origin.function, "__name__", "")
    return "" if origin.explicit and facts_of(name).converts else effect.kind


KIND = Kind(
    name="larger-integer",
    order=130,
    severity="note",
    meaning="an integer result is wider than an operand",
    remedy="nothing, if the integers need the room; otherwise name the dtype of the larger operand",
    note_of="widening",
    effect=becomes,
    reported_as=reported_as,
    wants=Wanted.NARROW_OPERAND,
    costs_memory=True,
    is_intended=True,
    of_operation=of_operation,
)

"""Integer results that are wider than an operand."""

from __future__ import annotations

from .kind import Kind, Wanted, becomes

KIND = Kind(
    name="larger-integer",
    order=130,
    severity="note",
    meaning="an integer result is wider than an operand",
    remedy="nothing, if the integers need the room; otherwise name the dtype of the larger operand",
    effect=becomes,
    wants=Wanted.NARROW_OPERAND,
    costs_memory=True,
    is_intended=True,
)

"""Totals that have a wider dtype, as it is named, than what they add."""

from __future__ import annotations

from .kind import Kind, Wanted, becomes

KIND = Kind(
    name="wide-reduction",
    order=150,
    severity="note",
    meaning="a total has a wider dtype, as it is named, than what it adds",
    remedy="nothing, if the total needs the precision; otherwise name the dtype of what it adds",
    note_of="widening",
    former_name="wide-total",
    effect=becomes,
    wants=Wanted.NARROW_OPERAND,
    costs_memory=True,
    is_intended=True,
)

"""Results with fewer significand bits than an operand needs."""

from __future__ import annotations

from .kind import Kind, Wanted, first_effect, operands_give

KIND = Kind(
    name="precision-loss",
    order=70,
    severity="warning",
    meaning="a result has fewer significand bits than an operand needs",
    remedy="cast to a dtype with enough significand bits before the operation",
    headline=first_effect,
    effect=operands_give,
    wants=Wanted.OTHER_OPERAND,
    changes_values=True,
    is_of_values=True,
    is_of_operands=True,
    names_introduction=False,
)

"""Operands whose range is beyond that of the result."""

from __future__ import annotations

from .kind import Kind, Wanted, first_effect, operands_give

KIND = Kind(
    name="overflow-risk",
    order=50,
    severity="warning",
    meaning="an operand's range is beyond that of the result",
    remedy="cast to a dtype that holds both ranges before the operation",
    headline=first_effect,
    effect=operands_give,
    wants=Wanted.OTHER_OPERAND,
    is_of_operands=True,
    names_introduction=False,
)

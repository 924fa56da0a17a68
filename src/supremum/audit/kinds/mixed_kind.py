"""Integers that become floats, where they meet unsigned 64-bit ones or missing values."""

from __future__ import annotations

from .kind import Kind, Wanted, first_effect, operands_give

KIND = Kind(
    name="mixed-kind",
    order=120,
    severity="note",
    meaning="integers become floats: they meet unsigned 64-bit ones, or rows without a value",
    remedy="cast the integers to the dtype that is meant, which may be a nullable one",
    headline=first_effect,
    effect=operands_give,
    wants=Wanted.OTHER_OPERAND,
    is_of_operands=True,
    is_intended=True,
    names_introduction=False,
)

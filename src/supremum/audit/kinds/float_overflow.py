"""Floats beyond the range of the result, or below it."""

from __future__ import annotations

from .kind import Kind, first_remark

KIND = Kind(
    name="float-overflow",
    order=75,
    severity="warning",
    meaning="a float result is beyond the range of its dtype, and becomes infinite or zero",
    remedy="compute in a dtype that holds the result, or scale the operands before",
    headline=first_remark,
    changes_values=True,
    is_of_values=True,
)

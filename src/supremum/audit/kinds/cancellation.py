"""Differences of close numbers, which leave what these were rounded by."""

from __future__ import annotations

from .kind import Kind, first_remark

KIND = Kind(
    name="cancellation",
    order=85,
    severity="warning",
    meaning="a difference of close numbers keeps few digits, where another formula keeps them",
    remedy="use a formula without the difference, such as a function for it, or a wider dtype",
    headline=first_remark,
    changes_values=True,
    is_of_values=True,
)

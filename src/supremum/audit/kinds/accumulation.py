"""Sums that overflow in few bits, stop growing, or lose digits."""

from __future__ import annotations

from .kind import Kind, first_remark

KIND = Kind(
    name="accumulation",
    order=80,
    severity="warning",
    meaning="a sum overflows in few bits, stops growing, or loses digits",
    remedy="name a wider dtype to accumulate in",
    headline=first_remark,
    changes_values=True,
    is_of_values=True,
)

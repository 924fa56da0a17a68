"""Integers beyond the range of the result, which wrap around."""

from __future__ import annotations

from .kind import Kind, first_remark

KIND = Kind(
    name="wraparound",
    order=60,
    severity="warning",
    meaning="integers are beyond the range of the result, and wrap around",
    remedy="cast to a dtype that holds the result before the operation; clip, and cast back, if it "
    "has to be narrow",
    headline=first_remark,
    is_wrong=True,
    changes_values=True,
    is_of_values=True,
)

"""Python numbers that become another value in the dtype of an array."""

from __future__ import annotations

from typing import Any

from ..model.wording import times
from .kind import Kind


def headline(_: Kind, finding: Any) -> str:
    """Return which number changes, and how often."""
    first = finding.places[0]
    return f"{first.told}{times(first)}"


KIND = Kind(
    name="value-changed",
    order=40,
    severity="warning",
    meaning="a Python number becomes another value in the array's dtype",
    remedy="give the array a dtype that holds the number, or choose another number",
    headline=headline,
    changes_values=True,
    needs_larger=True,
    names_introduction=False,
)

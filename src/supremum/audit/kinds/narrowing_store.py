"""Values that are stored where there is less room for them."""

from __future__ import annotations

from typing import Any

from ..model.wording import plain_dtype, times
from .kind import Kind, Wanted, reaches


def headline(kind: Kind, finding: Any) -> str:
    """Return what is stored in what, if it is made where it is stored."""
    first = finding.places[0]
    if first.span != finding.span:
        return reaches(kind, finding)
    others = (mark for mark in first.operands if plain_dtype(mark) != finding.dtype)
    stored = next(others, first.operands[-1])
    return f"{plain_dtype(stored)} is stored in {finding.dtype}{times(first)}"


def effect(place: Any) -> str:
    """Return the dtype of the array that is stored into."""
    return f"it is stored in {plain_dtype(place.operands[0])}" if place.operands else ""


KIND = Kind(
    name="narrowing-store",
    order=30,
    severity="warning",
    meaning="a value is stored where there is less room for it",
    remedy="compute in the dtype of the array that it is stored in, or make that array wider",
    headline=headline,
    effect=effect,
    keeps_effect=True,
    wants=Wanted.STORED_INTO,
    costs_memory=True,
    is_of_operands=True,
)

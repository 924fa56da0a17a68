"""Python numbers that became strong arrays, which decide dtypes."""

from __future__ import annotations

from typing import Any

from .kind import Kind, Wanted


def effect(place: Any) -> str:
    """Return for which dtype it decides."""
    return f"it decides for {place.result}"


KIND = Kind(
    name="weak-type-lost",
    order=90,
    severity="warning",
    meaning="a Python number became a strong array, which decides dtypes",
    remedy="leave the number a Python number, or name the dtype of the array made from it",
    former_name="weak-lost",
    effect=effect,
    wants=Wanted.OTHER_OPERAND,
    costs_memory=True,
)

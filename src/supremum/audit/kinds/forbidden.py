"""Dtypes that the user has ruled out."""

from __future__ import annotations

from .kind import Kind

KIND = Kind(
    name="forbidden",
    order=-10,
    severity="warning",
    meaning="a dtype occurs that you have ruled out",
    remedy="make the value in another dtype, on the line that introduces it",
)

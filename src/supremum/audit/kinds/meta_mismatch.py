"""Lazy arrays that declare one dtype and compute another."""

from __future__ import annotations

from .kind import Kind, Wanted, first_effect

KIND = Kind(
    name="meta-mismatch",
    order=10,
    severity="warning",
    meaning="a lazy array says one dtype, and computes another",
    remedy="name the dtype that the blocks have, in the call that says it",
    former_name="other-meta",
    headline=first_effect,
    wants=Wanted.RESULT,
    is_of_library=True,
    is_declared=True,
    names_introduction=False,
)

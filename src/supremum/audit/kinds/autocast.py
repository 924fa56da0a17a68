"""Wider floats that come back in a region of `torch.autocast`."""

from __future__ import annotations

from .kind import Kind, first_effect

KIND = Kind(
    name="autocast",
    order=160,
    severity="note",
    meaning="in a region of `torch.autocast`, a wider float comes back",
    remedy="nothing, if the result needs the precision; otherwise compute in the narrower dtype",
    headline=first_effect,
    is_of_library=True,
    names_introduction=False,
)

"""Taking elements by index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = ["take", "take_along_axis"]


def take(xp: Namespace, x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """Take elements of an array along an axis."""
    x = xp._taken(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take needs an axis for an array with {x.ndim} dimensions")
        axis = 0
    found = xp._call("take", x._key.dtype, x.native, xp._taken(indices).native, axis=axis)
    return xp._same(found, x._key)


def take_along_axis(xp: Namespace, x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    """Take elements along an axis, at other indices for each row."""
    x = xp._taken(x)
    found = xp._call(
        "take_along_axis", x._key.dtype, x.native, xp._taken(indices).native, axis=axis
    )
    return xp._same(found, x._key)

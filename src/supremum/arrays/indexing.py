"""Taking elements by index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = ["take", "take_along_axis"]


def _places(xp: Namespace, name: str, indices: Any) -> Any:
    """Return indices as the backend has them."""
    taken = xp._taken(indices)
    if taken._key.dtype.kind not in ("signed", "unsigned"):
        raise TypeError(
            f"{name} takes integers as indices, not {taken.dtype}; cast them first, with "
            f"xp.astype(indices, xp.int64)"
        )
    return taken.native


def take(xp: Namespace, x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """Take elements of an array along an axis."""
    x = xp._taken(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take needs an axis for an array with {x.ndim} dimensions")
        axis = 0
    places = _places(xp, "take", indices)
    found = xp._call("take", x._key.dtype, x.native, places, axis=axis)
    return xp._same(found, x._key)


def take_along_axis(xp: Namespace, x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    """Take elements along an axis, at other indices for each row."""
    x = xp._taken(x)
    places = _places(xp, "take_along_axis", indices)
    found = xp._call("take_along_axis", x._key.dtype, x.native, places, axis=axis)
    return xp._same(found, x._key)

"""Putting elements in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supremum.arrays.array import Array
    from supremum.arrays.space import Namespace

__all__ = ["argsort", "sort"]


def _ordered(xp: Namespace, name: str, x: Array, axis: int, **options: bool) -> Any:
    return xp._asked(name, x.dtype, xp._backend.sort, name, x.native, axis, **options)


def argsort(
    xp: Namespace, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return the indices that put elements in order along an axis."""
    x = xp._taken(x)
    found = _ordered(xp, "argsort", x, axis, descending=descending, stable=stable)
    return xp._wrap(found, xp.decider.index)


def sort(
    xp: Namespace, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return elements in order along an axis."""
    x = xp._taken(x)
    found = _ordered(xp, "sort", x, axis, descending=descending, stable=stable)
    return xp._same(found, x._key)

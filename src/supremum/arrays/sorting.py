"""Sorting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = ["argsort", "sort"]


def _ordered(xp: Namespace, name: str, x: Array, axis: int, **options: bool) -> Any:
    return xp._asked(name, x._key.dtype, xp._backend.sort, name, x.native, axis, **options)


def argsort(
    xp: Namespace, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return the indices that sort an array along an axis."""
    x = xp._taken(x)
    found = _ordered(xp, "argsort", x, axis, descending=descending, stable=stable)
    return xp._wrap(found, xp.decider.defaults.index)


def sort(
    xp: Namespace, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return a sorted array along an axis."""
    x = xp._taken(x)
    found = _ordered(xp, "sort", x, axis, descending=descending, stable=stable)
    return xp._same(found, x._key)

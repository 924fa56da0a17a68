"""Searching arrays, and choosing elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(xp: Namespace, x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the indices of the first occurrences of the maximum along an axis."""
    return xp._reduced("argmax", x, axis=axis, keepdims=keepdims)


def argmin(xp: Namespace, x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the indices of the first occurrences of the minimum along an axis."""
    return xp._reduced("argmin", x, axis=axis, keepdims=keepdims)


def count_nonzero(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Count nonzero elements along some axes."""
    x = xp._taken(x)
    found = xp._call("count_nonzero", x._key.dtype, x.native, axis=axis, keepdims=keepdims)
    return xp._wrap(found, xp.decider.defaults.index)


def nonzero(xp: Namespace, x: Any, /) -> tuple[Array, ...]:
    """Return the indices of the nonzero elements, for each axis."""
    x = xp._taken(x)
    if not x.ndim:
        raise ValueError("nonzero requires one dimension or more, got a 0-d array")
    found = xp._call("nonzero", x._key.dtype, x.native)
    return tuple(xp._wrap(one, xp.decider.defaults.index) for one in found)


def searchsorted(
    xp: Namespace, x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None
) -> Array:
    """Return the indices at which to insert x2 into sorted x1, to keep it sorted."""
    x1 = xp._taken(x1)
    d = xp._decide("maximum", x1, x2).compute
    cast = [xp._ready(x, d, x1.device) for x in (x1, x2)]
    order = None if sorter is None else xp._taken(sorter).native
    found = xp._call("searchsorted", d, *cast, side=side, sorter=order)
    return xp._wrap(found, xp._decide("searchsorted", x1, x2).dtype)


def where(xp: Namespace, condition: Any, x1: Any, x2: Any, /) -> Array:
    """Return elements of x1 where the condition is true, and of x2 elsewhere."""
    chosen = xp._taken(condition)
    if chosen._key.dtype.kind != "bool":
        chosen = xp.astype(chosen, "bool")
    decision = xp._decide("where", x1, x2)
    device = chosen.device
    cast = [xp._ready(x, decision.compute, device) for x in (x1, x2)]
    found = xp._call("where", decision.dtype, chosen.native, *cast)
    return xp._wrap(found, decision.dtype, decision.weak)

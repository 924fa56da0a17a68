"""Searching arrays, and choosing elements."""

from __future__ import annotations

from typing import Any

from .array import Array, Axes
from .engine import Engine
from .operand import as_array, as_native
from .operations import operate, reduced

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(engine: Engine, x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the indices of the first occurrences of the maximum along an axis."""
    return reduced(engine, "argmax", x, axis=axis, keepdims=keepdims)


def argmin(engine: Engine, x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the indices of the first occurrences of the minimum along an axis."""
    return reduced(engine, "argmin", x, axis=axis, keepdims=keepdims)


def count_nonzero(engine: Engine, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """Count nonzero elements along some axes."""
    x = as_array(engine, x)
    found = engine.call("count_nonzero", x.key.dtype, x.native, axis=axis, keepdims=keepdims)
    return engine.wrap(found, engine.decider.defaults.index)


def nonzero(engine: Engine, x: Any, /) -> tuple[Array, ...]:
    """Return the indices of the nonzero elements, for each axis."""
    x = as_array(engine, x)
    if not x.ndim:
        raise ValueError("nonzero requires one dimension or more, got a 0-d array")
    found = engine.call("nonzero", x.key.dtype, x.native)
    return tuple(engine.wrap(one, engine.decider.defaults.index) for one in found)


def searchsorted(
    engine: Engine, x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None
) -> Array:
    """Return the indices at which to insert x2 into sorted x1, to keep it sorted."""
    x1 = as_array(engine, x1)
    d = engine.decide("maximum", x1, x2).compute
    cast = [as_native(engine, x, d, x1.device) for x in (x1, x2)]
    order = None if sorter is None else as_array(engine, sorter).native
    found = engine.call("searchsorted", d, *cast, side=side, sorter=order)
    return engine.wrap(found, engine.decide("searchsorted", x1, x2).dtype)


def where(engine: Engine, condition: Any, x1: Any, x2: Any, /) -> Array:
    """Return elements of x1 where the condition is true, and of x2 elsewhere."""
    return operate(engine, "where", (as_array(engine, condition), x1, x2))

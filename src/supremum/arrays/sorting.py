"""Sorting."""

from __future__ import annotations

from typing import Any

from .array import Array
from .engine import Engine
from .operand import as_array

__all__ = ["argsort", "sort"]


def _ordered(engine: Engine, name: str, x: Array, axis: int, **options: bool) -> Any:
    return engine.asked(name, x.key.dtype, engine.backend.sort, name, x.native, axis, **options)


def argsort(
    engine: Engine, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return the indices that sort an array along an axis."""
    x = as_array(engine, x)
    found = _ordered(engine, "argsort", x, axis, descending=descending, stable=stable)
    return engine.wrap(found, engine.decider.defaults.index)


def sort(
    engine: Engine, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return a sorted array along an axis."""
    x = as_array(engine, x)
    found = _ordered(engine, "sort", x, axis, descending=descending, stable=stable)
    return engine.same(found, x.key)

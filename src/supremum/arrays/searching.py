"""Searching and sorting arrays, choosing elements, and the unique ones."""

from __future__ import annotations

from typing import Any, NamedTuple

from .array import Array, Axes
from .engine import Engine
from .operand import as_array, misplaced
from .operations import function_of_one, operate, reduced

__all__ = [
    "argmax", "argmin", "argsort", "count_nonzero", "isin", "nonzero", "searchsorted", "sort",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "where",
]  # fmt: skip


def argmax(
    engine: Engine, x: Any, /, *others: Any, axis: int | None = None, keepdims: bool = False
) -> Array:
    """Return the indices of the first occurrences of the maximum along an axis."""
    return reduced(engine, "argmax", x, others, axis=axis, keepdims=keepdims)


def argmin(
    engine: Engine, x: Any, /, *others: Any, axis: int | None = None, keepdims: bool = False
) -> Array:
    """Return the indices of the first occurrences of the minimum along an axis."""
    return reduced(engine, "argmin", x, others, axis=axis, keepdims=keepdims)


_counted = function_of_one("count_nonzero")


def count_nonzero(
    engine: Engine, x: Any, /, *others: Any, axis: Axes = None, keepdims: bool = False
) -> Array:
    """Count nonzero elements along some axes."""
    if axis is None and not keepdims and not others:
        return _counted(engine, x if type(x) is engine.array_type else as_array(engine, x))
    return reduced(engine, "count_nonzero", x, others, axis=axis, keepdims=keepdims)


def nonzero(engine: Engine, x: Any, /) -> tuple[Array, ...]:
    """Return the indices of the nonzero elements, for each axis."""
    x = as_array(engine, x)
    if not x.ndim:
        raise ValueError("nonzero requires one dimension or more, got a 0-d array")
    found = engine.call("nonzero", x.key.dtype, x.native)
    d = engine.decider.defaults.index
    return tuple([engine.wrap(one, d) for one in found])


def searchsorted(
    engine: Engine, x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None
) -> Array:
    """Return the indices at which to insert x2 into sorted x1, to keep it sorted."""
    order = None if sorter is None else as_array(engine, sorter).native
    operands = as_array(engine, x1), x2
    return operate(engine, "searchsorted", operands, {"side": side, "sorter": order})


def where(engine: Engine, condition: Any, x1: Any, x2: Any, /) -> Array:
    """Return elements of x1 where the condition is true, and of x2 elsewhere."""
    return operate(engine, "where", (as_array(engine, condition), x1, x2))


def _ordered(engine: Engine, name: str, x: Array, axis: int, **options: bool) -> Any:
    return engine.asked(name, x.key.dtype, engine.backend.sort, name, x.native, axis, **options)


def argsort(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
) -> Array:
    """Return the indices that sort an array along an axis."""
    if others:
        raise misplaced("argsort", "x", others)
    x = as_array(engine, x)
    found = _ordered(engine, "argsort", x, axis, descending=descending, stable=stable)
    return engine.wrap(found, engine.decider.defaults.index)


def sort(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
) -> Array:
    """Return a sorted array along an axis."""
    if others:
        raise misplaced("sort", "x", others)
    x = as_array(engine, x)
    found = _ordered(engine, "sort", x, axis, descending=descending, stable=stable)
    return engine.same(found, x.key)


class UniqueAll(NamedTuple):
    """Unique elements, the indices of their first occurrences, inverse indices, and counts."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """Unique elements, and their counts."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """Unique elements, and inverse indices, with which they make the array again."""

    values: Array
    inverse_indices: Array


def _unique(engine: Engine, name: str, x: Any) -> list[Array]:
    x = as_array(engine, x)
    values, *indices = engine.call(name, x.key.dtype, x.native)
    d = engine.decider.defaults.index
    return [_values(engine, values, x), *(engine.wrap(one, d) for one in indices)]


def _values(engine: Engine, values: Any, x: Array) -> Array:
    return engine.wrap(values, x.key.dtype, engine.decide("unique", x).weak)


def unique_all(engine: Engine, x: Any, /) -> UniqueAll:
    """Return the unique elements, with first indices, inverse indices, and counts."""
    return UniqueAll(*_unique(engine, "unique_all", x))


def unique_counts(engine: Engine, x: Any, /) -> UniqueCounts:
    """Return the unique elements, and their counts."""
    return UniqueCounts(*_unique(engine, "unique_counts", x))


def unique_inverse(engine: Engine, x: Any, /) -> UniqueInverse:
    """Return the unique elements, and inverse indices."""
    return UniqueInverse(*_unique(engine, "unique_inverse", x))


def unique_values(engine: Engine, x: Any, /) -> Array:
    """Return the unique elements."""
    x = as_array(engine, x)
    return _values(engine, engine.call("unique_values", x.key.dtype, x.native), x)


def isin(engine: Engine, x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    """Tell for each element of x1 whether it is in x2."""
    return operate(engine, "isin", (x1, x2), {"invert": invert})

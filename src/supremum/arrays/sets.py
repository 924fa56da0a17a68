"""The unique elements of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

from .array import Array
from .engine import Engine
from .operand import as_array, as_native

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


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
    decision = engine.decide("equal", x1, x2)
    cast = [as_native(engine, x, decision.compute, None) for x in (x1, x2)]
    return engine.wrap(engine.call("isin", decision.compute, *cast, invert=invert), decision.dtype)

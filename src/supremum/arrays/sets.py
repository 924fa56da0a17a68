"""The unique elements of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

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


def _unique(xp: Namespace, name: str, x: Any) -> list[Array]:
    x = xp._taken(x)
    values, *indices = xp._call(name, x._key.dtype, x.native)
    d = xp.decider.defaults.index
    return [_values(xp, values, x), *(xp._wrap(one, d) for one in indices)]


def _values(xp: Namespace, values: Any, x: Array) -> Array:
    return xp._wrap(values, x._key.dtype, xp._decide("unique", x).weak)


def unique_all(xp: Namespace, x: Any, /) -> UniqueAll:
    """Return the unique elements, with first indices, inverse indices, and counts."""
    return UniqueAll(*_unique(xp, "unique_all", x))


def unique_counts(xp: Namespace, x: Any, /) -> UniqueCounts:
    """Return the unique elements, and their counts."""
    return UniqueCounts(*_unique(xp, "unique_counts", x))


def unique_inverse(xp: Namespace, x: Any, /) -> UniqueInverse:
    """Return the unique elements, and inverse indices."""
    return UniqueInverse(*_unique(xp, "unique_inverse", x))


def unique_values(xp: Namespace, x: Any, /) -> Array:
    """Return the unique elements."""
    x = xp._taken(x)
    return _values(xp, xp._call("unique_values", x._key.dtype, x.native), x)


def isin(xp: Namespace, x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    """Tell for each element of x1 whether it is in x2."""
    decision = xp._decide("equal", x1, x2)
    cast = [xp._ready(x, decision.compute, None) for x in (x1, x2)]
    return xp._wrap(xp._call("isin", decision.compute, *cast, invert=invert), decision.dtype)

"""The different elements of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from supremum.arrays.array import Array
    from supremum.arrays.space import Namespace

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAll(NamedTuple):
    """The different elements, where each is first, which one each element is, how often it is."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """The different elements, and how often each is there."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """The different elements, and which one each element is."""

    values: Array
    inverse_indices: Array


def _unique(xp: Namespace, name: str, x: Any) -> list[Array]:
    x = xp._taken(x)
    values, *indices = xp._call(name, x.dtype, x.native)
    default = xp.decider.index
    return [_values(xp, values, x), *(xp._wrap(one, default) for one in indices)]


def _values(xp: Namespace, values: Any, x: Array) -> Array:
    return xp._wrap(values, x.dtype, xp._decide("unique", x).weak)


def unique_all(xp: Namespace, x: Any, /) -> UniqueAll:
    """Return the different elements, with the indices of the first of each, and more."""
    return UniqueAll(*_unique(xp, "unique_all", x))


def unique_counts(xp: Namespace, x: Any, /) -> UniqueCounts:
    """Return the different elements, and how often each is there."""
    return UniqueCounts(*_unique(xp, "unique_counts", x))


def unique_inverse(xp: Namespace, x: Any, /) -> UniqueInverse:
    """Return the different elements, and which one each element is."""
    return UniqueInverse(*_unique(xp, "unique_inverse", x))


def unique_values(xp: Namespace, x: Any, /) -> Array:
    """Return the different elements."""
    x = xp._taken(x)
    return _values(xp, xp._call("unique_values", x.dtype, x.native), x)


def isin(xp: Namespace, x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    """Tell of each element whether it is among others."""
    decision = xp._decide("equal", x1, x2)
    cast = [xp._ready(x, decision.compute, None) for x in (x1, x2)]
    return xp._wrap(xp._call("isin", decision.compute, *cast, invert=invert), decision.dtype)

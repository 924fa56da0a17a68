"""Lazy arrays that say one dtype and compute another: those of Dask, also inside xarray.

What a lazy array says stands beside its graph, and nothing holds the chunks against it. Here it is
held against what a program computes anyway; nothing is computed for it.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..model.locations import Location
from .calls import elements
from .tracked_types import FRAME, MAPPING, SEQUENCE, is_array, kind_of

SAYS: Final = ("meta", "dtype", "output_dtypes")
"""Arguments that say what a lazy result will be."""

COMPUTES: Final = frozenset({"array", "asarray", "compute", "load", "to_numpy", "values"})
"""What computes a lazy array."""

_MOST = 4_096
_MOST_LAYERS = 1_024


class Made(NamedTuple):
    """A lazy array as it was made.

    Attributes:
        location: the number of the place.
        dtype: what it says of itself.
        is_told: whether the call said so.
    """

    location: int
    dtype: Any
    is_told: bool


class Mismatch(NamedTuple):
    """A lazy array that computed another dtype than it says.

    Attributes:
        made: where it, or the one it is made of, said so; None if that was not seen.
        array: the array.
        says: the dtype that it says.
        computed: the dtype that it has.
    """

    made: Made | None
    array: Any
    says: Any
    computed: Any


class Lazies:
    """Hears of lazy arrays that are made, and computed."""

    def __init__(self) -> None:
        self._made: dict[str, Made] = {}
        self._loaded: dict[int, tuple[weakref.ref[Any], Any, Made | None]] = {}

    def called(
        self, location: int, place: Location, operation: tuple[Any, Any, Sequence[Any]]
    ) -> Iterator[Mismatch]:
        """Hear of a call, or of an attribute; yields what was computed otherwise than declared.

        Args:
            location: the number of the place.
            place: where it is.
            operation: what came out, the function's object or module, and the arguments.
        """
        result, base, arguments = operation
        if place.name in COMPUTES:
            yield from self._computed(result, base, arguments)
        for value, lazy in _lazies(result):
            self._take(location, place, value, lazy)

    def _take(self, location: int, place: Location, value: Any, lazy: Any) -> None:
        if len(self._made) >= _MOST:
            self._made.clear()
        is_told = not {*SAYS}.isdisjoint(place.keywords)
        if is_told or lazy.name not in self._made:
            self._made[lazy.name] = Made(location, lazy.dtype, is_told)
        if value is not lazy:  # xarray's, which may be computed in place
            if len(self._loaded) >= _MOST:
                self._loaded.clear()
            self._loaded[id(value)] = weakref.ref(value), lazy.dtype, self._maker(lazy)

    def _computed(self, result: Any, base: Any, arguments: Sequence[Any]) -> Iterator[Mismatch]:
        results = result if type(result) is tuple else (result,)
        given = [base] if is_array(base) or kind_of(base) == FRAME else list(arguments)
        pairs = zip(given, results, strict=False)
        for one, computed in pairs:
            if kind_of(one) == FRAME and hasattr(one, "data_vars"):
                names = [n for n in one.data_vars if n in computed]
                inner = [(one[n], computed[n]) for n in names]
            else:
                inner = [(one, computed)]
            for value, found in inner:
                said = self._said(value)
                if said is None or not is_array(found) or _lazy(found) is not None:
                    continue
                if found.dtype != said[0]:
                    yield Mismatch(said[1], value, said[0], found.dtype)

    def _said(self, value: Any) -> tuple[Any, Made | None] | None:
        """Return which dtype a lazy value says, or said until it was loaded, and who said so."""
        lazy = _lazy(value)
        if lazy is not None:
            return lazy.dtype, self._maker(lazy)
        entry = self._loaded.get(id(value))
        return entry[1:] if entry is not None and entry[0]() is value else None

    def _maker(self, lazy: Any) -> Made | None:
        """Return what said the dtype of a lazy array first, of those that it is made of."""
        layers = getattr(lazy.dask, "dependencies", {})
        found, stack, seen = self._made.get(lazy.name), [lazy.name], {lazy.name}
        while stack and len(seen) < _MOST_LAYERS:
            name = stack.pop(0)
            made = self._made.get(name)
            if made is not None and made.is_told and made.dtype == lazy.dtype:
                found = made
            for before in layers.get(name, ()):
                if before not in seen:
                    seen.add(before)
                    stack.append(before)
        return found


def is_computed(place: Location, values: Sequence[Any]) -> bool:
    """Tell whether a call computes lazy arrays: what comes out is what they are."""
    return place.name in COMPUTES and any(_lazy(value) is not None for value in values)


def _lazies(result: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the lazy arrays in what a call gave, each with the one of Dask that it is about."""
    values = elements(result) if kind_of(result) in (SEQUENCE, MAPPING) else [result]
    for value in values:
        lazy = _lazy(value)
        if lazy is not None:
            yield value, lazy


def _lazy(value: Any) -> Any:
    """Return the array of Dask that a value is, or has inside, or None."""
    module = type(value).__module__
    if module.startswith("dask.array"):
        return value if hasattr(value, "dask") else None
    if not module.startswith("xarray") or hasattr(value, "data_vars"):  # a data set has many
        return None
    # to ask another array of xarray's for its data may read a file
    return _lazy(value.data) if getattr(value, "chunks", None) is not None else None

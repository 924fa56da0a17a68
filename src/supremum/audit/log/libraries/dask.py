"""Dask: lazy arrays that say one dtype and compute another, also inside of xarray's.

What a lazy array says stands beside its graph, and nothing compares the chunks with it. Here it is
compared with what a program computes anyway; nothing is computed for it.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ....core.dtypes import DType, dtype
from ....core.functions import facts_of
from ....core.operands import operand
from ...model.locations import Location
from ...model.provenance import Effect, Origin
from ..calls import elements
from ..operation_checks import OperationCheck
from ..tracked_types import FRAME, MAPPING, NOTHING, SEQUENCE, is_array, kind_of
from .listeners import Event, Findings, Listener

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
        is_explicit: whether the call said so, of what others compute.
    """

    location: int
    dtype: Any
    is_explicit: bool


class Dask(Listener):
    """Finds lazy arrays that computed another dtype than they say."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._made: dict[str, Made] = {}
        self._loaded: dict[int, tuple[weakref.ref[Any], Any, Made | None]] = {}

    def called(self, event: Event) -> None:
        """Record which lazy arrays a call computed, and take up those that it made."""
        if event.place.name in COMPUTES:
            self._compare(event)
        for value, lazy in _lazies(event.result):
            self._take(event.location, event.place, value, lazy)

    def part(self, event: Event) -> None:
        """Do so for an attribute, too, such as ``values``."""
        if kind_of(event.base) < FRAME:
            self.called(event)

    def judged(self, event: Event, check: OperationCheck) -> None:
        """Let nothing be wrong with a call that computes lazy arrays: it gives what they are."""
        if event.place.name in COMPUTES and any(
            _lazy(value) is not None for value in (event.base, *event.arguments)
        ):
            check.violations = ()

    def _write(self, location: int, array: Any, made: Made | None, says: DType, has: DType) -> None:
        """Record that an array computed another dtype than it says."""
        at = made.location if made is not None else location
        facts = {"library": "Dask", "explicit": made is not None and made.is_explicit}
        origin = self._widened_at(at, says) or self.findings.origin(at, None, says, facts)
        remark = f"{says} is said, {has} is computed"
        said = operand(array)._replace(dtype=says)
        effect = Effect("meta-mismatch", location, (said,), has, 0, remark=remark)
        self.findings.found(origin, effect)

    def _widened_at(self, location: int, says: DType) -> Origin | None:
        """Return what made an array of a dtype at a location, if it is another value there."""
        origins = [o for o in self.findings.log.origins.values() if o.dtype is says]
        return next((o for o in origins if ("widening", location) in o.effects), None)

    def _take(self, location: int, place: Location, value: Any, lazy: Any) -> None:
        if len(self._made) >= _MOST:
            self._made.clear()
        is_said = not {*SAYS}.isdisjoint(place.keywords)
        is_explicit = is_said and not facts_of(place.name).name  # those compute what they say
        if is_explicit or lazy.name not in self._made:
            self._made[lazy.name] = Made(location, lazy.dtype, is_explicit)
        if value is not lazy:  # xarray's, which may be computed in place
            if len(self._loaded) >= _MOST:
                self._loaded.clear()
            self._loaded[id(value)] = weakref.ref(value), lazy.dtype, self._maker(lazy)

    def _compare(self, event: Event) -> None:
        """Compare what lazy arrays computed with what they say."""
        result, base = event.result, event.base
        results = result if type(result) is tuple else (result,)
        given = [base] if NOTHING < kind_of(base) <= FRAME else list(event.arguments)
        for lazy, computed in zip(given, results, strict=False):
            for value, found in _variables(lazy, computed):
                said = self._said(value)
                if said is None or not is_array(found) or _lazy(found) is not None:
                    continue
                if found.dtype != said[0]:
                    self._write(event.location, value, said[1], dtype(said[0]), dtype(found.dtype))

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
            if made is not None and made.is_explicit and made.dtype == lazy.dtype:
                found = made
            for before in layers.get(name, ()):
                if before not in seen:
                    seen.add(before)
                    stack.append(before)
        return found


def _lazies(result: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the lazy arrays in what a call gave, each with the one of Dask that it is about."""
    values = elements(result) if kind_of(result) in (SEQUENCE, MAPPING) else [result]
    for value in values:
        lazy = _lazy(value)
        if lazy is not None:
            yield value, lazy


def _variables(lazy: Any, computed: Any) -> list[tuple[Any, Any]]:
    """Return the variables of a data set with what was computed of each, or the pair as it is."""
    if kind_of(lazy) == FRAME and hasattr(type(lazy), "data_vars"):
        return [(lazy[name], computed[name]) for name in lazy.data_vars if name in computed]
    return [(lazy, computed)]


def _lazy(value: Any) -> Any:
    """Return the array of Dask that a value is, or has inside, or None."""
    t = type(value)
    if t.__module__.startswith("dask.array"):
        return value if hasattr(t, "dask") else None
    if not t.__module__.startswith("xarray") or not is_array(value) or not hasattr(t, "chunks"):
        return None  # a data set has many
    # to ask another array of xarray's for its data may read a file
    return _lazy(value.data) if value.chunks is not None else None

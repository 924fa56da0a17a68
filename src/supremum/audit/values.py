"""Where values come from: what has a dtype, and the origin of each such value that is alive.

Arrays are followed by weak references, so nothing lives longer than it would. NumPy's scalars take
none: the last few thousand are held instead. A view has the origin of what it is a view of.
"""

from __future__ import annotations

import sys
import weakref
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from supremum.audit.origins import Origin

NOTHING: Final = 0
ARRAY: Final = 1
NDARRAY: Final = 2
SCALAR: Final = 3
MAYBE_WEAK: Final = 4
FRAME: Final = 5
SEQUENCE: Final = 6

TYPES: dict[type, int] = {t: NOTHING for t in (bool, int, float, complex, type(None), str, bytes)}
"""What values of each type are: arrays of some library, a scalar of NumPy, a table of columns, a
tuple or list that may hold some, or nothing of interest."""

_MOST_TYPES = 10_000  # a program may make types without end
_MOST_SCALARS = 4_096


def learn(t: type) -> int:
    """Return, and remember, what values of a type are. No value is touched."""
    if len(TYPES) > _MOST_TYPES:
        TYPES.clear()
    TYPES[t] = kind = _kind(t)
    return kind


def _kind(t: type) -> int:
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(t, numpy.generic):
        number = issubclass(t, numpy.number) or t.__module__ == "ml_dtypes"
        return SCALAR if number else NOTHING
    if issubclass(t, (tuple, list)):
        return SEQUENCE
    if issubclass(t, type) or t.__name__.lower().endswith("dtype"):
        return NOTHING
    if hasattr(t, "dtype"):
        if numpy is not None and t is numpy.ndarray:
            return NDARRAY
        return MAYBE_WEAK if hasattr(t, "weak_type") else ARRAY
    return FRAME if hasattr(t, "dtypes") and hasattr(t, "columns") else NOTHING


def kind_of(value: Any) -> int:
    """Return what a value is, by its type."""
    kind = TYPES.get(type(value))
    return learn(type(value)) if kind is None else kind


def signature(value: Any) -> Any:
    """Return all of a value that its part in a promotion depends on, but for numbers' values."""
    t = type(value)
    kind = TYPES.get(t)
    if kind is None:
        kind = learn(t)
    if kind == NDARRAY:
        return value.dtype
    if kind == ARRAY:
        return t, value.dtype, getattr(value, "ndim", 1) == 0
    if kind == MAYBE_WEAK:
        return t, value.dtype, value.weak_type, value.ndim == 0
    return t


class _Followed(weakref.ref[Any]):
    """A value that is followed, and its origin."""

    __slots__ = ("key", "origin")
    key: int
    origin: Origin


class Values:
    """The origins of the values that are alive."""

    def __init__(self) -> None:
        self._followed: dict[int, Any] = {}
        self._young: dict[int, tuple[Any, Origin]] = {}
        self._old: dict[int, tuple[Any, Origin]] = {}

        def forget(
            followed: _Followed, pop: Any = self._followed.pop, get: Any = self._followed.get
        ) -> None:
            if get(followed.key) is followed:
                pop(followed.key)

        self._forget = forget

    def __len__(self) -> int:
        return len(self._followed) + len(self._young) + len(self._old)

    def get(self, value: Any) -> Origin | None:
        """Return where a value comes from, as far as that is known."""
        key = id(value)
        found = self._followed.get(key)
        if found is not None:
            return found.origin  # type: ignore[no-any-return]  # its class says so
        held = self._young.get(key) or self._old.get(key)
        if held is not None and held[0] is value:
            return held[1]
        base = value.base if TYPES.get(type(value)) == NDARRAY else None
        while base is not None:
            found = self._followed.get(id(base))
            if found is not None:
                return found.origin if _as_wide(value, base) else None
            base = getattr(base, "base", None)
        return None

    def put(self, value: Any, kind: int, origin: Origin) -> None:
        """Say where a value comes from."""
        key = id(value)
        if kind != SCALAR:
            try:
                followed = _Followed(value, self._forget)
            except TypeError:
                pass
            else:
                followed.key = key
                followed.origin = origin
                self._followed[key] = followed
                return
        if len(self._young) >= _MOST_SCALARS:
            self._old, self._young = self._young, {}
        self._young[key] = value, origin


def _as_wide(view: Any, base: Any) -> bool:
    """Tell whether a view has parts of the width of those of its base, as the real part has."""
    dtype, of = view.dtype, getattr(base, "dtype", None)
    return dtype == of or (dtype.kind == "f" and getattr(of, "kind", "") == "c" and of.itemsize == 2 * dtype.itemsize)

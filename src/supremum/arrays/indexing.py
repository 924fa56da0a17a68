"""Taking elements by index, and storing them."""

from __future__ import annotations

from typing import Any

from .array import Array
from .engine import Engine
from .operand import as_array, as_stored
from .views import How, check_writable, viewed, written

__all__ = ["take", "take_along_axis"]


def _places(engine: Engine, name: str, indices: Any) -> Any:
    """Return indices as the backend has them."""
    taken = as_array(engine, indices)
    if taken.key.dtype.kind not in ("signed", "unsigned"):
        raise TypeError(
            f"{name} takes integers as indices, not {taken.dtype}; cast them first, with "
            f"xp.astype(indices, xp.int64)"
        )
    return taken.native


def take(engine: Engine, x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    """Take elements of an array along an axis."""
    x = as_array(engine, x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take needs an axis for an array with {x.ndim} dimensions")
        axis = 0
    places = _places(engine, "take", indices)
    found = engine.call("take", x.key.dtype, x.native, places, axis=axis)
    return engine.same(found, x.key)


def take_along_axis(engine: Engine, x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    """Take elements along an axis, at other indices for each row."""
    x = as_array(engine, x)
    places = _places(engine, "take_along_axis", indices)
    found = engine.call("take_along_axis", x.key.dtype, x.native, places, axis=axis)
    return engine.same(found, x.key)


def part(x: Array, key: Any) -> Array:
    """Return part of an array, by an index of any kind; a view of it if it can be one."""
    engine = x.engine
    if isinstance(key, Array):  # what it selects is always a copy
        return type(x)(engine, engine.backend.take(x.native, key.native), x.key)
    key = unwrapped(key)
    if engine.tracks_views and _is_basic(key, x.ndim):
        take, put = engine.backend.take, engine.backend.put
        how = How(lambda n: take(n, key), lambda n, new: put(n, key, new), lambda a: a[key])
        return viewed(engine, x, how, is_copy=not engine.backend.shares(key))
    return type(x)(engine, engine.backend.take(x.native, key), x.key)


def store(x: Array, key: Any, value: Any) -> None:
    """Store a value in part of an array, and so in its views.

    Raises:
        PromotionError: if that would change its kind.
        OverflowError: for a Python int that does not fit.
        ValueError: if the array was broadcast.
    """
    check_writable("a store", x)
    ready = as_stored(x.engine, x, value)
    x.native = x.engine.backend.put(x.native, unwrapped(key), ready)
    written(x)


def unwrapped(key: Any) -> Any:
    """Return an index with arrays of the backend instead of ours."""
    if isinstance(key, tuple):
        return tuple(unwrapped(k) for k in key)
    return key.native if isinstance(key, Array) else key


def _is_basic(key: Any, ndim: int) -> bool:
    """Tell whether an index selects a part that shares its elements with the whole.

    One element does not, as in NumPy, where it is a scalar; ``x[0, ...]`` does.
    """
    if type(key) is slice or type(key) is int:
        return type(key) is slice or ndim > 1
    parts = key if isinstance(key, tuple) else (key,)
    ints = [k for k in parts if _is_int(k)]
    others = [k for k in parts if k is None or k is Ellipsis or isinstance(k, slice)]
    return len(ints) + len(others) == len(parts) and bool(others or len(ints) < ndim)


def _is_int(k: Any) -> bool:
    return type(k) is not bool and not hasattr(k, "shape") and hasattr(k, "__index__")

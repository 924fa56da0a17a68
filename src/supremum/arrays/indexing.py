"""Taking elements by index, and storing them."""

from __future__ import annotations

from numbers import Integral
from operator import index
from typing import Any, Final

from ..core.dtypes import PYTHON_SCALARS
from ..core.function_rules import FunctionRule, Store
from .array import WHOLE, Array, as_dtype
from .backends.base import is_numpy
from .backends.indices import PLAIN, is_mask
from .conversion import check_ints
from .decide import text_of
from .engine import Engine
from .operand import as_array, as_operand, check_into, check_meaning, is_array, misplaced
from .views import Memory, check_writable, is_part, joined, replace

__all__ = ["take", "take_along_axis"]

_OTHER: Final = object()
"""Stands for an index that is not the library's own."""

# What is stored in part of an array may not change its kind, but integers may change their sign.
_STORE: Final = FunctionRule(store=Store("category"))


def _places(engine: Engine, name: str, indices: Any) -> Any:
    """Return indices as the backend has them."""
    taken = as_array(engine, indices)
    if taken.key.dtype.kind not in WHOLE:
        raise TypeError(
            f"{name} takes integers as indices, not {taken.dtype}; cast them first, with "
            f"xp.astype(indices, xp.int64)"
        )
    return taken.native


def take(engine: Engine, x: Any, indices: Any, /, *others: Any, axis: int | None = None) -> Array:
    """Take elements of an array along an axis."""
    if others:
        raise misplaced("take", "x, indices", others)
    x = as_array(engine, x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take needs an axis for an array with {x.ndim} dimensions")
        axis = 0
    places = _places(engine, "take", indices)
    found = engine.call("take", x.key.dtype, x.native, places, axis=axis)
    return engine.same(found, x.key)


def take_along_axis(engine: Engine, x: Any, indices: Any, /, *others: Any, axis: int = -1) -> Array:
    """Take elements along an axis, at other indices for each row."""
    if others:
        raise misplaced("take_along_axis", "x, indices", others)
    x = as_array(engine, x)
    places = _places(engine, "take_along_axis", indices)
    found = engine.call("take_along_axis", x.key.dtype, x.native, places, axis=axis)
    return engine.same(found, x.key)


def part(x: Array, key: Any) -> Array:
    """Return part of an array, by an index of any kind, as NumPy does.

    It is a view for ints, slices, None and an ellipsis, and a copy if there is an array among them.
    One element is a copy, too, unless an ellipsis stands beside its ints.

    Raises:
        IndexError: if there is no such part.
    """
    engine, own = x.engine, x.native
    native_type = engine.native_type
    place = key if type(key) in PLAIN else _place(engine, key)
    if place is not _OTHER and type(own) is native_type:
        try:
            native = own[place]
        except (IndexError, ValueError):  # also of a slice back, or no mask, on PyTorch
            pass
        else:
            memory = None
            if place is key:
                if type(native) is not native_type or (
                    engine.from_scalar is None and _is_element(native, key)
                ):
                    native = engine.element_of(native)
                else:
                    memory = x.sharing
                    if memory is None:
                        memory = x.sharing = Memory()
            made = engine.array_type()  # as `viewed` does, whose call takes as long as this
            made.engine = engine
            made.native = native
            made.key = x.key
            made.sharing = memory
            return made  # type: ignore[no-any-return]  # it is an array
    parts = _parts(engine, key)
    if any(map(_is_advanced, parts)) or not _is_view(x, parts):
        return _taken(x, parts)
    is_copy = not engine.backend.shares(parts)
    return joined(x, _taken(x, parts), is_copy=is_copy, index=parts)


def _is_element(native: Any, key: Any) -> bool:
    """Return whether a part is one element, where the library has no scalars."""
    has_ellipsis = key is Ellipsis or (type(key) is tuple and Ellipsis in key)
    return not native.ndim and not has_ellipsis


def _taken(x: Array, parts: tuple[Any, ...]) -> Array:
    return x.engine.same(x.engine.backend.take(x.native, parts), x.key)  # type: ignore[no-any-return]  # it is an array


def store(x: Array, key: Any, value: Any) -> None:
    """Store a value in part of an array.

    Raises:
        PromotionError: if that would change its kind.
        OverflowError: for a Python int that does not fit.
        IndexError: if there is no such part.
        ValueError: if the value has another shape, the array was broadcast, or another one would
            have to see it.
    """
    engine, given, stored = x.engine, type(value), value
    if given is engine.array_type and value.engine is engine:
        given, stored = value.key, value.native
    try:
        bounds = x.key.stores[given]
        if (
            (bounds is None or bounds[0] <= value <= bounds[1])
            and (x.sharing is None or not x.sharing.copies)
            and (place := key if type(key) in PLAIN else _place(engine, key)) is not _OTHER
            and (engine.checks_stores or engine.backend.may_store(x.native, place, stored))
        ):
            x.native[place] = stored
            return
    except Exception:  # noqa: BLE001, S110  # it is said below
        pass
    parts = _parts(engine, key)
    index = None if any(map(_is_advanced, parts)) else parts
    if is_part(x, index, value):
        return
    check_writable(x, "a store", index=index)
    ready = _as_stored(engine, x, value)
    if len(parts) == 1 and is_mask(parts[0]) and parts[0].ndim == x.native.ndim and ready.ndim > 1:
        raise ValueError(
            f"what a mask of all axes stores has at most one dimension, not {ready.ndim}; store "
            f"y[mask], or write x[...] = xp.where(mask, y, x)"
        )
    replace(x, engine.backend.put(x.native, parts, ready))


def _place(engine: Engine, key: Any) -> Any:
    """Return an index as the library has it, if it stores there as NumPy does; or `_OTHER`."""
    if type(key) is tuple:
        for k in key:
            if type(k) not in PLAIN:
                return _OTHER
        # NumPy refuses a second ellipsis itself
        return key if engine.takes_indices or key.count(Ellipsis) < 2 else _OTHER
    if type(key) is engine.array_type and key.engine is engine and key.key.is_index:
        places = key.native
        if places.ndim:
            return places if engine.takes_indices else engine.backend.as_index(places)
    return _OTHER


def _as_stored(engine: Engine, x: Array, value: Any) -> Any:
    """Return what is stored in part of an array: data of the backend, in its dtype."""
    ready = as_operand(engine, value)
    is_an_array = isinstance(ready, Array)
    kind = ready.key if is_an_array else type(ready)
    d = x.key.dtype
    if kind not in x.key.stores:
        what = f"a store of {text_of([ready])} in {text_of([x])}"
        own = ready.key.dtype if is_an_array else PYTHON_SCALARS[kind]
        check_into(engine, _STORE, what, "which is of another kind", own, (x, ready))
        has_bounds = kind is int and d.kind in WHOLE
        x.key.stores[kind] = (int(d.min), int(d.max)) if has_bounds else None
    backend = engine.backend
    if is_an_array:
        return backend.cast(ready.native, d)
    check_ints(engine, ready, d)
    number = float(ready) if kind is int and d.kind == "float" else ready
    return backend.number(number, backend.dtype(d), x.native)


def _parts(engine: Engine, key: Any) -> tuple[Any, ...]:
    """Return an index as a tuple of ints, slices, None, an ellipsis, bools and backend's arrays."""
    parts = key if isinstance(key, tuple) else (key,)
    return tuple(k if type(k) is int else _as_part(engine, k) for k in parts)


def _as_part(engine: Engine, k: Any) -> Any:
    if k is None or k is Ellipsis or type(k) in (int, bool):
        return k
    if isinstance(k, slice):
        return slice(*(n if n is None else index(n) for n in (k.start, k.stop, k.step)))
    if isinstance(k, Integral) or (not is_array(k) and hasattr(k, "__index__")):  # NumPy's are
        return index(k)
    if isinstance(k, list):
        k = _of_list(k)
    if is_numpy(k) and k.dtype.kind == "b" and not k.ndim:
        return bool(k)
    return engine.backend.as_index(_array(engine, k))


def _array(engine: Engine, k: Any) -> Any:
    """Return an array of an index, of the backend or of NumPy.

    Raises:
        IndexError: if it has elements of another kind than integers and bools, or is no array.
        PromotionError: if it is one of another backend or library.
    """
    backend = engine.backend
    if not is_array(k):
        raise IndexError(
            f"{k!r} is not an index; use ints, slices, None, an ellipsis, or arrays of integers or "
            f"bools"
        )
    if isinstance(k, Array) and k.engine.backend is backend:
        k, d = k.native, k.key.dtype
    elif is_numpy(k) or backend.is_own(k):
        check_meaning(engine, k)
        d = as_dtype(k.dtype)
    else:
        return as_array(engine, k)  # which refuses it
    if d.kind != "bool" and d.kind not in WHOLE:
        raise IndexError(
            f"an array of {d} is not an index; use integers or bools, such as "
            f"xp.astype(i, xp.int64)"
        )
    return k


def _of_list(k: list[Any]) -> Any:
    import numpy as np

    return np.asarray(k) if k else np.asarray(k, np.intp)


def _is_advanced(k: Any) -> bool:
    return isinstance(k, bool) or is_array(k)


def _is_view(x: Array, parts: tuple[Any, ...]) -> bool:
    """Return whether NumPy has a view for a basic index, and not one element as a scalar."""
    return len(parts) < x.native.ndim or any(not isinstance(k, int) for k in parts)

"""Changing shapes, and joining arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from typing import Any, Final

from ..core import shapes as shapes_of
from .array import Array, Axes
from .engine import Engine
from .operand import as_array, misplaced
from .operations import operate
from .views import Moved, joined, viewed

__all__ = [
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip",
    "matrix_transpose", "moveaxis", "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack",
    "tile", "unstack",
]  # fmt: skip


def _inverse(axes: Sequence[int]) -> tuple[tuple[int, ...]]:
    """Return the axes that put an array back whose axes were permuted."""
    own = [axis % len(axes) for axis in axes]
    return (tuple(map(own.index, range(len(own)))),)


_BACK: Final[Mapping[str, tuple[str, Callable[..., tuple[Any, ...]]]]] = {
    "expand_dims": ("squeeze", lambda: ()),
    "squeeze": ("expand_dims", lambda: ()),
    "flip": ("flip", lambda: ()),
    "matrix_transpose": ("matrix_transpose", lambda: ()),
    "moveaxis": ("moveaxis", lambda source, destination: (destination, source)),
    "permute_dims": ("permute_dims", _inverse),
}
"""The functions that undo what others do, by their names, with what those have after the array."""


def _made(engine: Engine, name: str, x: Any, /, *arguments: Any, **options: Any) -> Array:
    """Return an array of the elements of another."""
    x = as_array(engine, x)
    return engine.same(engine.call(name, x.key.dtype, x.native, *arguments, **options), x.key)


def _moved(
    engine: Engine, name: str, x: Array, *where: Any, is_copied: bool = False, **options: Any
) -> Array:
    """Return an array that has the elements of another in other places, and is a view on NumPy.

    They are copied where they cannot be changed, and where the library says so.
    """
    backend = engine.backend
    try:
        native = backend.function(name)(x.native, *where, **options)
    except Exception as error:
        engine.check_refusal(error, name, x.key.dtype, (x.native,))
        raise
    if backend.is_mutable and not is_copied:
        return viewed(x, native)
    moved = None
    if name in _BACK and not backend.is_mutable:
        import numpy as np  # which computes which elements are where

        inverse, of = _BACK[name]
        there, back = backend.function(name), backend.function(inverse)
        moved = Moved(
            lambda part: getattr(np, name)(part, *where, **options),
            lambda native: there(native, *where, **options),
            lambda native: back(native, *of(*where), **options),
        )
    return joined(x, engine.same(native, x.key), is_copy=True, moved=moved)


def broadcast_to(engine: Engine, x: Any, /, shape: Any) -> Array:
    """Broadcast an array to a shape. The result cannot be written to: copy it first."""
    return _moved(engine, "broadcast_to", as_array(engine, x), tuple(shape))


def broadcast_arrays(engine: Engine, *arrays: Any) -> tuple[Array, ...]:
    """Broadcast arrays against one another. What gets another shape cannot be written to."""
    taken = [as_array(engine, x) for x in arrays]
    made = engine.backend.function("broadcast_arrays")(*(x.native for x in taken))
    shapes = [tuple(one.shape) for one in made]
    return tuple(
        x[...] if shape == tuple(x.native.shape) else broadcast_to(engine, x, shape)
        for shape, x in zip(shapes, taken, strict=True)
    )


def broadcast_shapes(engine: Engine, *shapes: Sequence[int | None]) -> tuple[int | None, ...]:  # noqa: ARG001  # a method of it
    """Return the shape that arrays of these shapes broadcast to; None is an unknown length."""
    found = shapes_of.broadcast(*(tuple(nan if n is None else n for n in s) for s in shapes))
    return tuple(None if isnan(n) else int(n) for n in found)


def expand_dims(engine: Engine, x: Any, /, axis: int | tuple[int, ...] = 0) -> Array:
    """Insert an axis of length 1 into the shape of an array, or several.

    Raises:
        IndexError: if the result has no such axis.
        ValueError: if one axis is given twice.
    """
    x = as_array(engine, x)
    axes = axis if isinstance(axis, tuple) else (axis,)
    ndim = x.ndim + len(axes)
    if len({shapes_of.axis_of("expand_dims", one, ndim) for one in axes}) < len(axes):
        raise ValueError(f"expand_dims got one axis twice, in {axis}")
    return _moved(engine, "expand_dims", x, axis=axis)


def squeeze(engine: Engine, x: Any, /, axis: int | tuple[int, ...]) -> Array:
    """Remove axes of length 1 from the shape of an array."""
    x = as_array(engine, x)
    ndim = x.native.ndim
    for one in axis if isinstance(axis, tuple) else (axis,):
        if type(one) is not int or not -ndim <= one < ndim:
            shapes_of.axis_of("squeeze", one, ndim)
    return _moved(engine, "squeeze", x, axis=axis)


def flip(engine: Engine, x: Any, /, *others: Any, axis: Axes = None) -> Array:
    """Reverse an array along the given axes, or all."""
    if others:
        raise misplaced("flip", "x", others)
    x = as_array(engine, x)
    if not x.native.ndim:  # NumPy has a scalar then, which is not a view
        found = engine.call("flip", x.key.dtype, x.native, axis=axis)
        return engine.same(engine.backend.copied(found), x.key)
    return _moved(engine, "flip", x, is_copied=not engine.shares_back, axis=axis)


def matrix_transpose(engine: Engine, x: Any, /) -> Array:
    """Transpose a matrix, or each matrix of a stack."""
    x = as_array(engine, x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose requires 2 dimensions or more, got {x.ndim}")
    return _moved(engine, "matrix_transpose", x)


def moveaxis(engine: Engine, x: Any, source: Any, destination: Any, /) -> Array:
    """Move axes of an array to new positions."""
    return _moved(engine, "moveaxis", as_array(engine, x), source, destination)


def permute_dims(engine: Engine, x: Any, /, axes: Sequence[int]) -> Array:
    """Permute the axes of an array."""
    return _moved(engine, "permute_dims", as_array(engine, x), axes)


def repeat(engine: Engine, x: Any, repeats: Any, /, *others: Any, axis: int | None = None) -> Array:
    """Repeat each element of an array."""
    if others:
        raise misplaced("repeat", "x, repeats", others)
    times = repeats.native if isinstance(repeats, Array) else repeats
    if axis is None:
        x, axis = as_array(engine, x), 0
        x = x if x.native.ndim == 1 else reshape(engine, x, (-1,))
    return _made(engine, "repeat", x, times, axis=axis)


def reshape(engine: Engine, x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """Reshape an array without changing its data; the result is a view if it can be one.

    It is a copy of an array whose elements do not lie row by row, as those of a transpose.
    """
    x, backend = as_array(engine, x), engine.backend
    found = engine.asked("reshape", x.key.dtype, backend.reshape, x.native, shape, copy)
    made = engine.same(found, x.key)
    if copy or not backend.overlap(found, x.native):
        return made
    return joined(x, made, is_copy=not backend.is_mutable)


def roll(
    engine: Engine, x: Any, /, shift: int | tuple[int, ...], *others: Any, axis: Axes = None
) -> Array:
    """Roll elements along the given axes; those that pass the end come in at the start."""
    if others:
        raise misplaced("roll", "x, shift", others)
    return _made(engine, "roll", x, shift, axis=axis)


def tile(engine: Engine, x: Any, repetitions: Sequence[int], /) -> Array:
    """Tile an array a number of times along each axis."""
    return _made(engine, "tile", x, tuple(repetitions))


def unstack(engine: Engine, x: Any, /, *others: Any, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into a sequence of arrays along an axis."""
    if others:
        raise misplaced("unstack", "x", others)
    x = as_array(engine, x)
    if not x.ndim:
        raise ValueError("cannot unstack a 0-d array")
    if x.native.ndim == 1 and axis in (0, -1):
        return tuple(x)
    before = (slice(None),) * (axis % x.ndim)
    return tuple(x[(*before, index)] for index in range(int(x.native.shape[axis])))


def _joined(engine: Engine, name: str, arrays: Any, axis: int | None) -> Array:
    own = engine.array_type
    taken = [x if type(x) is own else as_array(engine, x) for x in arrays]
    if not taken:
        raise ValueError(f"{name} needs at least one array")
    return operate(engine, name, taken, {"axis": axis})


def concat(engine: Engine, arrays: Any, /, *others: Any, axis: int | None = 0) -> Array:
    """Join arrays along an existing axis, in the dtype that they share."""
    if others:
        raise misplaced("concat", "arrays", others)
    return _joined(engine, "concat", arrays, axis)


def stack(engine: Engine, arrays: Any, /, *others: Any, axis: int = 0) -> Array:
    """Join arrays along a new axis, in the dtype that they share."""
    if others:
        raise misplaced("stack", "arrays", others)
    return _joined(engine, "stack", arrays, axis)

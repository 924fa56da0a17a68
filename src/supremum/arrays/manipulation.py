"""Changing shapes, and joining arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .array import Array

if TYPE_CHECKING:
    from .space import Namespace

__all__ = [
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip",
    "moveaxis", "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "tile", "unstack",
]  # fmt: skip


def _moved(xp: Namespace, name: str, x: Any, /, *arguments: Any, **options: Any) -> Array:
    x = xp._taken(x)
    return xp._same(xp._call(name, x.dtype, x.native, *arguments, **options), x._key)


def broadcast_to(xp: Namespace, x: Any, /, shape: Any) -> Array:
    """Broadcast an array to a shape."""
    return _moved(xp, "broadcast_to", x, tuple(shape))


def broadcast_arrays(xp: Namespace, *arrays: Any) -> tuple[Array, ...]:
    """Broadcast arrays against one another."""
    taken = [xp._taken(x) for x in arrays]
    made = xp._backend.function("broadcast_arrays")(*(x.native for x in taken))
    return tuple(xp._same(one, x._key) for one, x in zip(made, taken, strict=True))


def broadcast_shapes(xp: Namespace, *shapes: Sequence[int | None]) -> tuple[int | None, ...]:  # noqa: ARG001  # a method of it
    """Return the shape that arrays of these shapes broadcast to; None is an unknown length."""
    found: list[int | None] = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        lengths = {shape[-place] for shape in shapes if len(shape) >= place} - {1}
        if len(lengths - {None}) > 1:
            what = " and ".join(str(tuple(shape)) for shape in shapes)
            raise ValueError(f"cannot broadcast shapes {what}")
        known = lengths - {None}
        found.append(known.pop() if known else None if lengths else 1)
    return tuple(reversed(found))


def expand_dims(xp: Namespace, x: Any, /, axis: Any = 0) -> Array:
    """Insert an axis of length 1 into the shape of an array, or several.

    Raises:
        ValueError: if one axis is given twice.
    """
    x = xp._taken(x)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if len({one % (x.ndim + len(axes)) for one in axes}) < len(axes):
        raise ValueError(f"expand_dims got one axis twice, in {axis}")
    return _moved(xp, "expand_dims", x, axis=axis)


def squeeze(xp: Namespace, x: Any, /, axis: Any) -> Array:
    """Remove axes of length 1 from the shape of an array."""
    return _moved(xp, "squeeze", x, axis=axis)


def flip(xp: Namespace, x: Any, /, *, axis: Any = None) -> Array:
    """Reverse an array along the given axes, or all."""
    return _moved(xp, "flip", x, axis=axis)


def moveaxis(xp: Namespace, x: Any, source: Any, destination: Any, /) -> Array:
    """Move axes of an array to new positions."""
    return _moved(xp, "moveaxis", x, source, destination)


def permute_dims(xp: Namespace, x: Any, /, axes: Any) -> Array:
    """Permute the axes of an array."""
    return _moved(xp, "permute_dims", x, axes)


def repeat(xp: Namespace, x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Repeat each element of an array."""
    times = repeats.native if isinstance(repeats, Array) else repeats
    if axis is None:
        x, axis = reshape(xp, x, (-1,)), 0
    return _moved(xp, "repeat", x, times, axis=axis)


def reshape(xp: Namespace, x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """Reshape an array without changing its data."""
    x = xp._taken(x)
    return xp._same(xp._backend.reshape(x.native, shape, copy), x._key)


def roll(xp: Namespace, x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    """Roll elements along the given axes; those that pass the end come in at the start."""
    return _moved(xp, "roll", x, shift, axis=axis)


def tile(xp: Namespace, x: Any, repetitions: Any, /) -> Array:
    """Tile an array a number of times along each axis."""
    return _moved(xp, "tile", x, tuple(repetitions))


def unstack(xp: Namespace, x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into a sequence of arrays along an axis."""
    x = xp._taken(x)
    if not x.ndim:
        raise ValueError("cannot unstack a 0-d array")
    return tuple(xp._same(one, x._key) for one in xp._call("unstack", x.dtype, x.native, axis=axis))


def _joined(xp: Namespace, name: str, arrays: Any, axis: int | None) -> Array:
    taken = [xp._taken(x) for x in arrays]
    if not taken:
        raise ValueError(f"{name} needs at least one array")
    d, weak, _ = xp._decide(name, *taken)
    cast = [xp._backend.cast(x.native, d) for x in taken]
    return xp._wrap(xp._call(name, d, cast, axis=axis), d, weak)


def concat(xp: Namespace, arrays: Any, /, *, axis: int | None = 0) -> Array:
    """Join arrays along an existing axis, in the dtype that they share."""
    return _joined(xp, "concat", arrays, axis)


def stack(xp: Namespace, arrays: Any, /, *, axis: int = 0) -> Array:
    """Join arrays along a new axis, in the dtype that they share."""
    return _joined(xp, "stack", arrays, axis)

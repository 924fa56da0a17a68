"""Changing shapes, and putting arrays together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from supremum.arrays.array import Array

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace

__all__ = [
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip",
    "moveaxis", "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "tile", "unstack",
]  # fmt: skip


def _moved(xp: Namespace, name: str, x: Any, /, *arguments: Any, **options: Any) -> Array:
    x = xp._taken(x)
    return xp._same(xp._call(name, x.dtype, x.native, *arguments, **options), x._key)


def broadcast_to(xp: Namespace, x: Any, /, shape: Any) -> Array:
    """Return an array broadcast to a shape."""
    return _moved(xp, "broadcast_to", x, tuple(shape))


def broadcast_arrays(xp: Namespace, *arrays: Any) -> tuple[Array, ...]:
    """Return arrays broadcast to the shape that they share."""
    taken = [xp._taken(x) for x in arrays]
    made = xp._backend.function("broadcast_arrays")(*(x.native for x in taken))
    return tuple(xp._same(one, x._key) for one, x in zip(made, taken, strict=True))


def broadcast_shapes(xp: Namespace, *shapes: Sequence[int | None]) -> tuple[int | None, ...]:  # noqa: ARG001  # a method of it
    """Return the shape that arrays of these shapes broadcast to; None is a length unknown."""
    found: list[int | None] = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        lengths = {shape[-place] for shape in shapes if len(shape) >= place} - {1}
        if len(lengths - {None}) > 1:
            told = " and ".join(str(tuple(shape)) for shape in shapes)
            raise ValueError(f"{told} do not broadcast")
        known = lengths - {None}
        found.append(known.pop() if known else None if lengths else 1)
    return tuple(reversed(found))


def expand_dims(xp: Namespace, x: Any, /, axis: Any = 0) -> Array:
    """Return an array with another axis, of length 1, or several.

    Raises:
        ValueError: where one axis is named twice.
    """
    x = xp._taken(x)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if len({one % (x.ndim + len(axes)) for one in axes}) < len(axes):
        raise ValueError(f"expand_dims got one axis twice, in {axis}")
    return _moved(xp, "expand_dims", x, axis=axis)


def squeeze(xp: Namespace, x: Any, /, axis: Any) -> Array:
    """Return an array without some axes of length 1."""
    return _moved(xp, "squeeze", x, axis=axis)


def flip(xp: Namespace, x: Any, /, *, axis: Any = None) -> Array:
    """Return an array the other way round along some axes, or all."""
    return _moved(xp, "flip", x, axis=axis)


def moveaxis(xp: Namespace, x: Any, source: Any, destination: Any, /) -> Array:
    """Return an array with axes in other places."""
    return _moved(xp, "moveaxis", x, source, destination)


def permute_dims(xp: Namespace, x: Any, /, axes: Any) -> Array:
    """Return an array with its axes in another order."""
    return _moved(xp, "permute_dims", x, axes)


def repeat(xp: Namespace, x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Return an array with each element several times."""
    times = repeats.native if isinstance(repeats, Array) else repeats
    if axis is None:
        x, axis = reshape(xp, x, (-1,)), 0
    return _moved(xp, "repeat", x, times, axis=axis)


def reshape(xp: Namespace, x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    """Return an array in another shape."""
    x = xp._taken(x)
    return xp._same(xp._backend.reshape(x.native, shape, copy), x._key)


def roll(xp: Namespace, x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    """Return an array moved along some axes, with what falls off put in front."""
    return _moved(xp, "roll", x, shift, axis=axis)


def tile(xp: Namespace, x: Any, repetitions: Any, /) -> Array:
    """Return an array several times along each axis."""
    return _moved(xp, "tile", x, tuple(repetitions))


def unstack(xp: Namespace, x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of an array along an axis."""
    x = xp._taken(x)
    if not x.ndim:
        raise ValueError("an array without dimensions has no parts")
    return tuple(xp._same(one, x._key) for one in xp._call("unstack", x.dtype, x.native, axis=axis))


def _joined(xp: Namespace, name: str, arrays: Any, axis: int | None) -> Array:
    taken = [xp._taken(x) for x in arrays]
    if not taken:
        raise ValueError(f"{name} needs one array or more")
    told = xp.decider.join("concat", *taken)
    cast = [xp._backend.cast(x.native, told.dtype) for x in taken]
    return xp._wrap(xp._call(name, told.dtype, cast, axis=axis), told.dtype, told.weak)


def concat(xp: Namespace, arrays: Any, /, *, axis: int | None = 0) -> Array:
    """Return arrays one after the other along an axis, in the dtype that they share."""
    return _joined(xp, "concat", arrays, axis)


def stack(xp: Namespace, arrays: Any, /, *, axis: int = 0) -> Array:
    """Return arrays beside each other along a new axis, in the dtype that they share."""
    return _joined(xp, "stack", arrays, axis)

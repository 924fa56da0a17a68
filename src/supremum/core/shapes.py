"""Shapes, and what functions do to them; a length that only values would tell is `UNKNOWN`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import pairwise
from math import ceil, isnan, nan, prod
from typing import Any, Final, NamedTuple

Shape = tuple[float, ...]
"""The lengths of an array, each an int or `UNKNOWN`."""

UNKNOWN: Final = nan
"""A length that is not known, as Dask has it; compare with `isnan`, or by identity in a `Shape`."""


class ShapeError(ValueError):
    """Shapes that a function does not take."""


def as_known(shape: Sequence[float]) -> Shape:
    """Return a shape in which each length that is not known is `UNKNOWN` itself."""
    return tuple(UNKNOWN if isnan(n) else int(n) for n in shape)


def shortest(m: float, n: float) -> float:
    """Return the smaller of two lengths; if one is not known, it is not, unless the other is 0."""
    if isnan(m) or isnan(n):
        return 0 if 0 in (m, n) else UNKNOWN
    return min(m, n)


def axis_of(name: str, axis: int, ndim: int) -> int:
    """Return an axis counted from the start.

    Raises:
        IndexError: if there is no such axis.
        TypeError: if it is not an integer.
    """
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise IndexError(f"{name}: axis {axis} is out of bounds for an array of {ndim} dimensions")
    return axis % ndim


def broadcast(*shapes: Shape) -> Shape:
    """Return the shape that shapes broadcast to.

    Raises:
        ValueError: if they do not.
    """
    found: list[float] = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        lengths = {shape[-place] for shape in shapes if len(shape) >= place} - {1}
        known = {n for n in lengths if not isnan(n)}
        if len(known) > 1:
            what = " and ".join(map(text, shapes))
            raise ValueError(f"cannot broadcast shapes {what}")
        found.append(known.pop() if known else nan if lengths else 1)
    return tuple(reversed(found))


def text(shape: Shape) -> str:
    """Return a shape as a message shows it."""
    lengths = ["?" if isnan(n) else str(int(n)) for n in shape]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"


_OF_SOME: Final = ("argmax", "argmin", "max", "min")
"""The reductions that need an element."""


def reduced(name: str, shape: Shape, axis: Any, *, keepdims: bool = False) -> Shape:
    """Return the shape without some axes, or with a length of 1 there."""
    if axis is None:
        axis = tuple(range(len(shape)))
    axes = axis if isinstance(axis, tuple) else (axis,)
    gone = [axis_of(name, one, len(shape)) for one in axes]
    if len(set(gone)) < len(gone):
        raise ValueError(f"{name} got one axis twice, in {axis}")
    if name in _OF_SOME and 0 in [shape[one] for one in gone]:
        raise ValueError(f"{name} of no elements is not defined, in shape {text(shape)}")
    if keepdims:
        return tuple(1 if index in gone else n for index, n in enumerate(shape))
    return tuple(n for index, n in enumerate(shape) if index not in gone)


def accumulated(name: str, shape: Shape, axis: Any, *, include_initial: bool = False) -> Shape:
    """Return the shape of a cumulative function."""
    if axis is None:
        if len(shape) != 1:
            raise ValueError(f"{name} needs an axis for an array of {len(shape)} dimensions")
        axis = 0
    one = axis_of(name, axis, len(shape))
    return tuple(n + (include_initial and index == one) for index, n in enumerate(shape))


def matmul(x: Shape, y: Shape) -> Shape:
    """Return the shape of a matrix product."""
    if not (x and y):
        raise ValueError("matmul does not take arrays without dimensions; use multiply")
    left, right = (1, *x) if len(x) == 1 else x, (*y, 1) if len(y) == 1 else y
    check_same("matmul", x, y, left[-1], right[-2])
    rows = () if len(x) == 1 else left[-2:-1]
    columns = () if len(y) == 1 else right[-1:]
    return (*broadcast(left[:-2], right[:-2]), *rows, *columns)


def check_same(name: str, x: Shape, y: Shape, m: float, n: float) -> None:
    """Refuse shapes two of whose lengths are known and differ.

    Raises:
        ValueError: for those.
    """
    if not (isnan(m) or isnan(n) or m == n):
        raise ValueError(f"{name} does not take shapes {text(x)} and {text(y)}: {m} is not {n}")


def tensordot(x: Shape, y: Shape, axes: Any = 2) -> Shape:
    """Return the shape of a tensor contraction."""
    if isinstance(axes, int):
        axes = range(len(x) - axes, len(x)), range(axes)
    ones = [
        [axis_of("tensordot", one, len(shape)) for one in ([of] if isinstance(of, int) else of)]
        for of, shape in zip(axes, (x, y), strict=True)
    ]
    for one, other in zip(*ones, strict=True):
        check_same("tensordot", x, y, x[one], y[other])
    kept = [
        [n for index, n in enumerate(shape) if index not in gone]
        for gone, shape in zip(ones, (x, y), strict=True)
    ]
    return (*kept[0], *kept[1])


def vecdot(x: Shape, y: Shape, axis: int = -1) -> Shape:
    """Return the shape of products of vectors along an axis."""
    if not (x and y):
        raise ValueError(f"vecdot does not take shapes {text(x)} and {text(y)}")
    check_same("vecdot", x, y, x[axis], y[axis])
    return reduced("vecdot", broadcast(x, y), axis)


def concat(shapes: Sequence[Shape], axis: int | None = 0) -> Shape:
    """Return the shape of arrays joined along an axis."""
    if axis is None:
        shapes, axis = [(prod(shape),) for shape in shapes], 0
    first = shapes[0]
    one = axis_of("concat", axis, len(first))
    for shape in shapes[1:]:
        if len(shape) != len(first):
            raise ValueError(f"concat does not take shapes {text(first)} and {text(shape)}")
        for index, n in enumerate(shape):
            if index != one:
                check_same("concat", first, shape, first[index], n)
    return tuple(
        sum(shape[index] for shape in shapes) if index == one else n
        for index, n in enumerate(first)
    )


def stack(shapes: Sequence[Shape], axis: int = 0) -> Shape:
    """Return the shape of arrays joined along a new axis."""
    first = shapes[0]
    for shape in shapes[1:]:
        if not _is(shape, first):
            raise ValueError(f"stack does not take shapes {text(first)} and {text(shape)}")
    one = axis_of("stack", axis, len(first) + 1)
    return (*first[:one], len(shapes), *first[one:])


def reshape(shape: Shape, new: Any) -> Shape:
    """Return a shape that was asked for, with the length that -1 stands for."""
    wanted = tuple(new) if isinstance(new, (tuple, list)) else (new,)
    total, known = prod(shape), prod(n for n in wanted if n != -1)
    open_ = wanted.count(-1)
    is_shape = min(wanted, default=0) >= -1 and open_ <= bool(known)
    if is_shape and open_:
        rest = nan if isnan(total) else total // known
        wanted = tuple(rest if n == -1 else n for n in wanted)
    if not is_shape or not (isnan(total) or prod(wanted) == total):
        raise ValueError(f"cannot reshape an array of shape {text(shape)} to {text(wanted)}")
    return wanted


def broadcast_to(shape: Shape, new: Shape) -> Shape:
    """Return a shape that another one broadcasts to."""
    if not _is(broadcast(shape, new), new):
        raise ValueError(f"cannot broadcast shape {text(shape)} to {text(new)}")
    return tuple(new)


def _is(shape: Shape, wanted: Sequence[float]) -> bool:
    """Tell whether a shape is one that is wanted, as far as lengths are known."""
    pairs = zip(shape, wanted, strict=False)
    return len(shape) == len(wanted) and all(m == n or isnan(m) or isnan(n) for m, n in pairs)


def expand_dims(shape: Shape, axis: Any = 0) -> Shape:
    """Return a shape with axes of length 1 put in."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    ndim = len(shape) + len(axes)
    places = {axis_of("expand_dims", one, ndim) for one in axes}
    rest = iter(shape)
    return tuple(1 if index in places else next(rest) for index in range(ndim))


def moveaxis(shape: Shape, source: Any, destination: Any) -> Shape:
    """Return a shape with axes at other places."""
    ndim = len(shape)
    ones = [
        [axis_of("moveaxis", one, ndim) for one in (of if isinstance(of, (tuple, list)) else (of,))]
        for of in (source, destination)
    ]
    if len(set(ones[0])) < len(ones[0]) or len(ones[0]) != len(ones[1]):
        raise ValueError(f"moveaxis does not move the axes {source} to {destination}")
    order = [axis for axis in range(ndim) if axis not in ones[0]]
    for place, axis in sorted(zip(ones[1], ones[0], strict=True)):
        order.insert(place, axis)
    return tuple(shape[axis] for axis in order)


def permute_dims(shape: Shape, axes: Sequence[int]) -> Shape:
    """Return a shape with its axes in another order."""
    places = [axis_of("permute_dims", axis, len(shape)) for axis in axes]
    if sorted(places) != list(range(len(shape))):
        raise ValueError(f"permute_dims needs each axis of shape {text(shape)} once, got {axes}")
    return tuple(shape[axis] for axis in places)


def moved(name: str, shape: Shape, axes: Any) -> Shape:
    """Return the shape of an array whose elements move along axes; None is all of them."""
    for axis in axes if isinstance(axes, (tuple, list)) else () if axes is None else (axes,):
        axis_of(name, axis, len(shape))
    return shape


def filled(name: str, shape: Shape) -> Shape:
    """Return the shape of an array that is made.

    Raises:
        ValueError: for a negative length.
    """
    if any(n < 0 for n in shape):
        raise ValueError(f"{name} cannot have the shape {text(shape)}")
    return shape


def matrix_transpose(shape: Shape) -> Shape:
    """Return the shape of transposed matrices."""
    return (*shape[:-2], shape[-1], shape[-2])


def repeat(shape: Shape, repeats: Any, axis: int = 0) -> Shape:
    """Return the shape of repeated elements; how often is unknown if an array says so."""
    one = axis_of("repeat", axis, len(shape))
    times = repeats if isinstance(repeats, int) else nan
    filled("repeat", (times,))
    return tuple(n * times if index == one else n for index, n in enumerate(shape))


def tile(shape: Shape, times: Sequence[int]) -> Shape:
    """Return the shape of an array that is repeated along its axes."""
    ndim = max(len(shape), len(times))
    filled("tile", tuple(times))
    own, by = (1,) * (ndim - len(shape)) + shape, (1,) * (ndim - len(times)) + tuple(times)
    return tuple(m * n for m, n in zip(own, by, strict=True))


def take(shape: Shape, indices: Shape, axis: int = 0) -> Shape:
    """Return the shape of elements taken along an axis."""
    one = axis_of("take", axis, len(shape))
    return (*shape[:one], *indices, *shape[one + 1 :])


def take_along_axis(shape: Shape, indices: Shape, axis: int = -1) -> Shape:
    """Return the shape of elements taken along an axis, at other places for each row."""
    one = axis_of("take_along_axis", axis, len(shape))
    rest = broadcast(*((*s[:one], 1, *s[one + 1 :]) for s in (shape, indices)))
    return (*rest[:one], indices[one], *rest[one + 1 :])


def arange(start: float, stop: float, step: float) -> Shape:
    """Return the shape of evenly spaced numbers."""
    return (max(ceil((stop - start) / step), 0),)


def transformed(name: str, shape: Shape, **options: Any) -> Shape:
    """Return the shape of a Fourier transform."""
    axes: Sequence[int]
    if "axis" in options:
        axes, given = [options["axis"]], [options["n"]]
    else:
        every = range(len(shape))
        given = options["s"] or [None] * len(options["axes"] or every)
        axes = options["axes"] or every[len(every) - len(given) :]
    found = list(shape)
    for axis, n in zip(axes, given, strict=True):
        one = axis_of(name, axis, len(shape))
        found[one] = shape[one] if n is None or n == -1 else n
    last = axis_of(name, axes[-1], len(shape))
    n = given[-1]
    name = name.removesuffix("n")
    if name in ("rfft", "ihfft"):
        found[last] = found[last] // 2 + 1
    elif name in ("irfft", "hfft"):
        found[last] = 2 * (shape[last] - 1) if n is None or n == -1 else n
    return tuple(found)


class Taken(NamedTuple):
    """A part of an index that is a number or an array.

    Attributes:
        shape: its shape.
        is_mask: whether it is an array of bools, which takes as many axes as it has.
        value: the number, if it is one and has to lie within the axis.
    """

    shape: Shape
    is_mask: bool = False
    value: int | None = None

    @property
    def axes(self) -> int:
        """How many axes it takes."""
        return len(self.shape) if self.is_mask else 1

    @property
    def given(self) -> Shape:
        """The shape that it gives for these."""
        return (UNKNOWN,) if self.is_mask else self.shape


def item(shape: Shape, parts: Sequence[Any]) -> Shape:
    """Return the shape of an item.

    A slice takes one axis and gives it back; None adds one. A number, or an array of them, takes
    one, and a mask takes as many as it has; together they give what they broadcast to: where the
    first of them stands, if nothing stands between them, and else in front.

    Args:
        shape: the shape of the array.
        parts: the parts of the index: slices, None, an ellipsis and `Taken`.

    Raises:
        IndexError: if there are more parts than dimensions.
    """
    if parts.count(...) > 1:
        raise IndexError("an index can only have one ellipsis")
    count = sum(p.axes if isinstance(p, Taken) else p not in (None, ...) for p in parts)
    if count > len(shape):
        raise IndexError(f"too many indices: {count} for an array of {len(shape)} dimensions")
    at = [*parts].index(...) if ... in parts else len(parts)
    rest = [slice(None)] * (len(shape) - count)
    lengths, taken = iter(shape), list[Taken]()
    kept: list[float] = []
    places: list[tuple[int, int]] = []
    for place, part in enumerate([*parts[:at], *rest, *parts[at + 1 :]]):
        if part is None:
            kept.append(1)
        elif isinstance(part, Taken):
            for _ in range(part.axes):
                _check_place(part.value, next(lengths))
            taken.append(part)
            places.append((place, len(kept)))
        else:
            kept.append(_sliced(part, next(lengths)))
    given = broadcast(*[part.given for part in taken])
    is_whole = all(b[0] - a[0] == 1 for a, b in pairwise(places))
    is_index = not any(part.given for part in taken)  # numbers alone are no arrays
    start = places[0][1] if places and (is_whole or is_index) else 0
    return (*kept[:start], *given, *kept[start:])


def _check_place(place: int | None, length: float) -> None:
    if place is not None and not isnan(length) and not -length <= place < length:
        raise IndexError(f"index {place} is out of bounds for an axis of {int(length)}")


def _sliced(part: slice, length: float) -> float:
    """Return the length of a slice, whose ends are ints, None, or `UNKNOWN`."""
    ends = (part.start, part.stop, part.step)
    if isnan(length) or any(isinstance(end, float) for end in ends):
        return length if ends == (None, None, None) else UNKNOWN
    return len(range(*part.indices(int(length))))


def goes_back(key: Any) -> bool:
    """Tell whether an index has a slice with a negative step."""
    if isinstance(key, tuple):
        return any(map(goes_back, key))
    return isinstance(key, slice) and key.step is not None and key.step < 0

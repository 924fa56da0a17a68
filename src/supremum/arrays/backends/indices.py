"""Indices, read as NumPy reads them: the same for every library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import dtype
from ...core.shapes import broadcast

ALL = slice(None)
PLAIN: Final = frozenset({int, slice, type(None), type(Ellipsis)})
"""The classes of what a basic index consists of."""


class Index(NamedTuple):
    """An index in two steps: a basic one, and what arrays then select.

    An integer beside arrays takes its axis away in the first step, and still counts for the place
    of theirs in the result.

    Attributes:
        whole: the index with a part for each axis: ints, slices, None, and arrays.
        insert: the index that first gives an array an axis for each 0-d mask; None without one.
        basic: the ints, slices and None of it; `slice(None)` for each axis of an array.
        arrays: the arrays of it.
        axes: their axes in what `basic` selects.
        at: where the axes that they select come in the result.
    """

    whole: tuple[Any, ...]
    insert: tuple[Any, ...] | None
    basic: tuple[Any, ...]
    arrays: tuple[Any, ...]
    axes: tuple[int, ...]
    at: int


def index_of(backend: Any, shape: Sequence[Any], parts: Sequence[Any]) -> Index:
    """Return an index of an array of some shape.

    A 0-d mask, as True is one, is a mask of an axis of length 1 that is inserted in its place.

    Args:
        backend: the backend that has the arrays of the index.
        shape: the shape; NaN for an unknown length.
        parts: ints, slices, None, an ellipsis, bools, and arrays of integers or bools.

    Raises:
        IndexError: if an array of that shape has no such part.
    """
    if not any(k is Ellipsis for k in parts):
        parts = [*parts, Ellipsis]
    counts = [axes_of(k) for k in parts]
    used = sum(counts)
    if counts.count(0) > 1 and [k is Ellipsis for k in parts].count(True) > 1:
        raise IndexError("an index has one ellipsis (...) at most")
    if used > len(shape):
        raise IndexError(f"{used} indices are too many for an array with {len(shape)} dimensions")
    whole: list[Any] = []
    insert: list[Any] = []
    for k, count in zip(parts, counts, strict=True):
        axis = len(insert) - insert.count(None)
        if k is Ellipsis:
            whole += (ALL,) * (len(shape) - used)
            insert += (ALL,) * (len(shape) - used)
        elif k is None:
            whole.append(k)
        elif count:
            lengths = shape[axis : axis + count]
            _check(k, lengths, axis)
            whole += _fitted(backend, k, lengths)
            insert += (ALL,) * count
        else:
            whole.append(backend.of_one_axis(k))
            insert.append(None)
    return Index(tuple(whole), tuple(insert) if None in insert else None, *_steps(parts, whole))


def _steps(
    parts: Sequence[Any], whole: Sequence[Any]
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[int, ...], int]:
    """Return the attributes of an `Index` that make it one in two steps."""
    basic: list[Any] = []
    axes: list[int] = []
    for k in whole:
        ndim = sum(not isinstance(one, int) for one in basic)
        count = axes_of(k) if is_array(k) else 0
        axes += range(ndim, ndim + count)
        basic += (ALL,) * count if count else (k,)
    picks = [i for i, k in enumerate(whole) if _picks(k)]
    # an ellipsis separates arrays even if it stands for no axis
    places = [i for i, k in enumerate(parts) if _picks(k)]
    is_one_run = bool(places) and places[-1] - places[0] == len(places) - 1
    arrays = tuple(k for k in whole if is_array(k))
    return tuple(basic), arrays, tuple(axes), picks[0] if is_one_run else 0


def part_shape(shape: Sequence[int], found: Index) -> tuple[int, ...]:
    """Return the shape of what an index selects of an array; masks have to be known."""
    lengths = iter(shape)
    inserted = found.insert or (ALL,) * len(shape)
    given = iter([1 if k is None else next(lengths) for k in inserted])
    basic: list[int] = []
    for k in found.basic:
        n = 1 if k is None else next(given)
        if not isinstance(k, int):
            basic.append(n if k is None else len(range(*k.indices(n))))
    if not found.arrays:
        return tuple(basic)
    chosen = broadcast(*(k.nonzero()[0].shape if is_mask(k) else k.shape for k in found.arrays))
    rest = [n for axis, n in enumerate(basic) if axis not in found.axes]
    return (*rest[: found.at], *map(int, chosen), *rest[found.at :])


def is_plain(key: tuple[Any, ...]) -> bool:
    """Return whether an index consists of ints, slices, None and at most one ellipsis."""
    has_ellipsis = False
    for k in key:
        if type(k) not in PLAIN or (has_ellipsis and k is Ellipsis):
            return False
        has_ellipsis = has_ellipsis or k is Ellipsis
    return True


def is_array(k: Any) -> bool:
    """Return whether part of an index is an array."""
    return hasattr(k, "shape")


def is_mask(k: Any) -> bool:
    """Return whether part of an index is an array of bools, of any library."""
    if not is_array(k):
        return False
    found = _MASKS.get(k.dtype)
    if found is None:
        found = _MASKS[k.dtype] = dtype(k.dtype).kind == "bool"
    return found


_MASKS: Final[dict[Any, bool]] = {}


def _picks(k: Any) -> bool:
    return is_array(k) or isinstance(k, int)


def axes_of(k: Any) -> int:
    """Return how many axes of an array part of an index covers; 0 for an ellipsis, and a bool."""
    if is_mask(k):
        return len(k.shape)
    return int(k is not None and k is not Ellipsis and not isinstance(k, bool))


def differ(m: float, n: float) -> bool:
    """Return whether two lengths, which are NaN if they are not known, are known to differ."""
    return m != n and m == m and n == n  # noqa: PLR0124  # NaN


def _fitted(backend: Any, k: Any, lengths: Sequence[Any]) -> Sequence[Any]:
    """Return part of an index; a mask with a length of 0, which fits any, as places."""
    if not is_mask(k) or 0 not in k.shape or not any(map(differ, k.shape, lengths)):
        return (k,)
    import numpy as np

    return [backend.as_index(np.empty(0, np.int64)) for _ in k.shape]


def _check(k: Any, lengths: Sequence[Any], axis: int) -> None:
    """Refuse an int or a mask that does not fit the axes that it covers."""
    n = lengths[0]
    if isinstance(k, int) and not (-n <= k < n or n != n):  # noqa: PLR0124  # NaN
        raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
    if is_mask(k) and any(n and differ(n, m) for n, m in zip(k.shape, lengths, strict=True)):
        raise IndexError(
            f"a mask of shape {tuple(k.shape)} does not fit the axes that it covers, of shape "
            f"{tuple(lengths)}"
        )


def fitting(value: Any, shape: Sequence[Any]) -> Any:
    """Return what is stored in a part of some shape, with no more axes than the part.

    Raises:
        ValueError: if it has another shape.
    """
    extra = max(len(value.shape) - len(shape), 0)
    own, part = value.shape[extra:], shape[max(len(shape) - len(value.shape), 0) :]
    differs = any(m != 1 and differ(m, n) for m, n in zip(own, part, strict=True))
    if differs or any(n != 1 for n in value.shape[:extra]):
        raise ValueError(
            f"an array of shape {tuple(value.shape)} cannot be stored in a part of shape "
            f"{tuple(shape)}"
        )
    return value[(0,) * extra] if extra else value

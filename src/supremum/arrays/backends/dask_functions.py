"""Functions of the array API on Dask, if Dask's own differ from what the standard says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from array_api_compat.dask import array as xp

from . import dask_linalg
from .base import Kernel
from .dask_linalg import quiet, whole
from .indices import Index, axes_of, fitting, is_mask
from .numpy import BACKEND as NUMPY
from .shapes import goes_back


def agree(shape: Sequence[Any], other: Sequence[Any]) -> bool:
    """Tell whether shapes are equal, for all that is known; unknown lengths are NaN."""
    pairs = zip(shape, other, strict=False)
    return len(shape) == len(other) and all(m == n or (m != m and n != n) for m, n in pairs)  # noqa: PLR0124  # NaN


def is_known(x: Any) -> bool:
    """Tell whether all lengths of an array are known."""
    return not np.isnan(x.shape).any()


def _concat(arrays: Sequence[Any], *, axis: int | None = 0) -> Any:
    """Return arrays joined along an axis, also beside axes whose unknown lengths may agree."""
    if axis is None or all(map(is_known, arrays)):
        return xp.concat(arrays, axis=axis)
    first, *rest = (
        [(n, len(sizes)) for n, sizes in zip(x.shape, x.chunks, strict=True)] for x in arrays
    )
    for sides in (first, *rest):
        del sides[axis]
    alike = all(
        agree(*([n for n, _ in sides] for sides in (first, one)))
        and [count for _, count in first] == [count for _, count in one]
        for one in rest
    )
    return da.concatenate(arrays, axis=axis, allow_unknown_chunksizes=alike)


def _vecdot(x1: Any, x2: Any, *, axis: int = -1) -> Any:
    """Return dot products of vectors, of unknown lengths, too."""
    if is_known(x1) and is_known(x2):
        return xp.vecdot(x1, x2, axis=axis)
    return (da.conj(x1) * x2).sum(axis=axis, dtype=x1.dtype)


def spread(chunk: Any, value: Any) -> Any:
    """Return a chunk like another that has one value everywhere."""
    return np.full(chunk.shape, value)


def _broadcast_to(x: Any, shape: Sequence[int]) -> Any:
    """Return an array broadcast to a shape; one element in chunks of the usual size."""
    return da.broadcast_to(x, shape, chunks=usual(shape, x.dtype) if x.size == 1 else None)


def usual(shape: Sequence[int], native: Any) -> Any:
    """Return chunks of the usual size; Dask finds none for large arrays without elements."""
    empty = 0 in shape
    return da.core.normalize_chunks(shape if empty else "auto", tuple(shape), dtype=native)


def _filled(function: Kernel, shape: Any, *, dtype: Any, device: Any) -> Any:
    """Return an array of a shape, with one value everywhere."""
    NUMPY.to_device(None, device)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return function(shape, dtype=dtype, chunks=usual(shape, dtype))


def _triangle(x: Any, *, k: int = 0, upper: bool) -> Any:
    """Return matrices with zeros on one side of a diagonal; Dask's casts complex ones to real."""
    rows, columns = (
        da.arange(n, chunks=(sizes,)) for n, sizes in zip(x.shape[-2:], x.chunks[-2:], strict=True)
    )
    beyond = columns - rows[:, None] - k
    return da.where(beyond >= 0 if upper else beyond <= 0, x, da.zeros((), dtype=x.dtype))


def _eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any, device: Any) -> Any:
    """Return ones on a diagonal; Dask's has to be square."""
    NUMPY.to_device(None, device)
    columns = da.arange(n_rows if n_cols is None else n_cols)
    return (columns - k == da.arange(n_rows)[:, None]).astype(dtype)


def _sorted_place(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """Return the insertion points of values; Dask's function takes no sorter."""
    ordered = x1 if sorter is None else _take(x1, sorter, axis=0)
    if not x2.ndim:  # which Dask's function does not take
        return da.searchsorted(ordered, x2[None], side=side)[0]
    return da.searchsorted(ordered, x2, side=side)


def _along(x: Any, indices: Any, *, axis: int) -> Any:
    """Return the elements at the indices of each row, which lies in one chunk."""
    last = (da.moveaxis(y, axis, -1) for y in (x, indices))
    found = dask_linalg.apply(_along_last, "(i),(j)->(j)", *last)
    return da.moveaxis(found, -1, axis)


def _along_last(x: Any, indices: Any) -> Any:
    # Dask calls it with empty arrays of another dtype, to learn the dtype of the result
    return np.take_along_axis(x, indices.astype(np.intp), axis=-1)


def part(data: Any, found: Index) -> Any:
    """Return part of an array: Dask leaves the axis of an array in its place.

    Raises:
        NotImplementedError: for an index with several arrays of one dimension or more.
    """
    with quiet():
        data = _basic(data if found.insert is None else data[found.insert], found.basic)
        data, rest = _without_singles(data, found)
        if len(rest) > 1:
            raise several()
        if not rest:
            return data
        ((k, axis),) = rest
        selected = _along_mask(data, k, axis) if is_mask(k) else _along_places(data, k, axis)
        if axis == found.at:
            return selected
        axes = range(1 if is_mask(k) else k.ndim)
        return da.moveaxis(selected, [axis + n for n in axes], [found.at + n for n in axes])


def _without_singles(data: Any, found: Index) -> tuple[Any, list[tuple[Any, int]]]:
    """Return an array without the axes of 0-d arrays of an index; and the others, with theirs."""
    starts = [sum(map(axes_of, found.arrays[:n])) for n in range(len(found.arrays))]
    picks = [(k, found.axes[n]) for k, n in zip(found.arrays, starts, strict=True)]
    gone = [axis for k, axis in picks if not k.ndim]
    for k, axis in reversed(picks):
        if not k.ndim:
            data = _along_places(data, k, axis)
    return data, [(k, axis - sum(n < axis for n in gone)) for k, axis in picks if k.ndim]


def several() -> NotImplementedError:
    """Return the error for several arrays in an index."""
    return NotImplementedError(
        "the dask backend takes one array in an index; index twice, or use the numpy backend for "
        "it, with x.compute()"
    )


def _basic(data: Any, parts: Sequence[Any]) -> Any:
    """Return part of an array by ints, slices and None."""
    if all(k == slice(None) for k in parts):  # it would be tasks for nothing
        return data
    lengths = iter(data.shape)
    return data[tuple(k if k is None else _proper(k, next(lengths)) for k in parts)]


def _proper(k: Any, n: float) -> Any:
    """Return a slice whose ends are in an array: of others Dask makes another part than NumPy."""
    if not isinstance(k, slice) or n != n:  # noqa: PLR0124  # NaN
        return k
    places = range(*k.indices(int(n)))
    if not places:
        return slice(0, 0)
    stop = places[-1] + places.step
    return slice(places[0], stop if stop >= 0 else None, places.step)


def _along_mask(data: Any, mask: Any, axis: int) -> Any:
    """Return what a mask of one axis or more selects, as one axis."""
    if 1 < mask.ndim < data.ndim:
        before, after = data.shape[:axis], data.shape[axis + mask.ndim :]
        data, mask = data.reshape((*before, mask.size, *after)), mask.ravel()
    return data[(slice(None),) * axis + (mask,)]


def _along_places(data: Any, places: Any, axis: int) -> Any:
    """Return what an array of integers of any rank selects along an axis."""
    before, after, n = data.shape[:axis], data.shape[axis + 1 :], data.shape[axis]
    if n != n:  # noqa: PLR0124  # NaN
        raise ValueError(
            f"the dask backend takes no elements by integers along axis {axis}, whose length "
            f"depends on values; compute the array first, with x.compute()"
        )
    flat = places.reshape((-1,))
    if isinstance(flat, da.Array):
        flat = flat.map_blocks(_checked, int(n), dtype=flat.dtype)  # type: ignore[arg-type]  # it takes a chunk
    is_one = flat.shape == (1,) and isinstance(flat, da.Array)
    # Dask spreads the place of one element over the chunk
    selected = data[(slice(None),) * axis + (da.concatenate([flat, flat]) if is_one else flat,)]
    if is_one:
        selected = selected[(slice(None),) * axis + (slice(1),)]
    return selected if places.ndim == 1 else selected.reshape((*before, *places.shape, *after))


def _checked(places: Any, n: int) -> Any:
    """Return places, of which Dask would take the nearest if there is no such place."""
    if places.size and (places.min() < -n or places.max() >= n):
        raise IndexError(f"an index is out of bounds for an axis with size {n}")
    return places


def stored(data: Any, found: Index, value: Any) -> Any:
    """Return an array with another value in part of it."""
    if found.insert is not None:
        back = tuple(0 if k is None else slice(None) for k in found.insert)
        return stored(data[found.insert], found._replace(insert=None), value)[back]
    whole_ = (slice(None),) * data.ndim
    if not found.arrays:
        return _stored_basic(data, found.basic, value)
    if found.basic == whole_:
        return _stored_by_array(data, found, value)
    inner = _basic(data, found.basic)
    basic = (slice(None),) * inner.ndim
    return _stored_basic(
        data, found.basic, _stored_by_array(inner, found._replace(basic=basic), value)
    )


def _stored_basic(data: Any, parts: Sequence[Any], value: Any) -> Any:
    """Return an array with another value in a part by ints, slices and None.

    Dask does not store by None, and by slices back not beside integers.
    """
    chosen = _basic(data, parts)
    value = fitting(value, chosen.shape)
    if all(k == slice(None) for k in parts) and agree(data.shape, value.shape):
        return value
    if 0 in chosen.shape:
        return data
    keys: list[Any] = []
    of_value: list[Any] = []  # what is taken of the value, along each axis of the part
    lengths = iter(data.shape)
    for k in parts:
        if k is None:
            of_value.append(0)
            continue
        n = next(lengths)
        turned = isinstance(k, slice) and goes_back(k)
        if turned:
            places = range(*k.indices(n))[::-1]
            k = slice(places.start, places.stop, places.step)  # noqa: PLW2901  # the same places
        if isinstance(k, slice):
            of_value.append(slice(None, None, -1 if turned else None))
        keys.append(k)
    of_value = of_value[len(of_value) - value.ndim :]
    new = data.copy()
    new[tuple(keys)] = value[tuple(of_value)]
    return new


def _stored_by_array(data: Any, found: Index, value: Any) -> Any:
    """Return an array with another value where an array selects elements."""
    if len(found.arrays) > 1:
        raise several()
    (k,), axis = found.arrays, found.axes[0]
    chosen = part(data, found)
    value = fitting(value, chosen.shape)
    if 0 in (*data.shape, *chosen.shape):
        return data
    value = value[(None,) * (chosen.ndim - value.ndim)]
    if is_mask(k):
        return _stored_by_mask(data, da.asarray(k), axis, value, found.at)
    if k.ndim > 1:
        raise _refused()
    if k.ndim:
        value = da.moveaxis(value, found.at, axis)
    else:
        k, value = k.reshape((1,)), da.expand_dims(value, axis)
    new = data.copy()
    new[(slice(None),) * axis + (k,)] = value
    return new


def _refused() -> NotImplementedError:
    return NotImplementedError(
        "the dask backend stores several values by an array of one dimension, or by a mask of the "
        "shape of the array; use the numpy backend for others, with x.compute()"
    )


def _stored_by_mask(data: Any, mask: Any, axis: int, value: Any, at: int) -> Any:
    """Return an array with another value where a mask is true.

    Args:
        data: the array.
        mask: the mask, whose axes are those of the array from `axis`.
        axis: that axis.
        value: the value, with as many axes as the part that the mask selects.
        at: the axis of the value for what the mask selects.
    """
    if value.shape[at] == 1:  # it is the same for all of them
        before, after = (slice(None),) * axis, data.ndim - axis - mask.ndim
        value = value[(slice(None),) * at + (0,)][(*before, *(None,) * mask.ndim)]
        return da.where(mask[(None,) * axis + (..., *(None,) * after)], value, data)
    if mask.ndim != data.ndim:
        raise _refused()
    return _stored_in_places(data, mask, value)


def _stored_in_places(data: Any, mask: Any, values: Any) -> Any:
    """Return an array with a vector of values in the places of a mask, which Dask does not take.

    The values become one chunk, as those for a place may come from any chunk.
    """
    flat, places = data, mask
    if data.ndim != 1:
        flat, places = data.ravel(), mask.ravel()
    counts = da.cumsum(places, axis=0, dtype=np.intp)
    made = da.blockwise(
        _stored_in_chunk, "i", flat, "i", places, "i", counts, "i", places.sum(), "", values, "j",
        concatenate=True, dtype=data.dtype, meta=np.empty((0,), data.dtype),
    )  # fmt: skip
    return made if data.ndim == 1 else made.reshape(data.shape).rechunk(data.chunks)


def _stored_in_chunk(chunk: Any, mask: Any, counts: Any, total: Any, values: Any) -> Any:
    if len(values) not in (1, total):
        raise ValueError(f"a mask selects {total} elements, and {len(values)} are stored there")
    new = chunk.copy()
    new[mask] = values if len(values) == 1 else values[counts[mask] - 1]
    return new


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    with quiet():
        return _along_places(x, indices, axis % x.ndim)


def transformed(function: Kernel, x: Any, **options: Any) -> Any:
    """Return a Fourier transform; Dask wants each axis of it in one chunk."""
    axes = options.get("axes", options.get("axis"))
    along = range(x.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    return function(whole(x, along), **options)


OWN: dict[str, Kernel] = {
    "broadcast_to": _broadcast_to,
    "concat": _concat,
    "empty": partial(_filled, da.empty),
    "eye": _eye,
    "ones": partial(_filled, da.ones),
    "searchsorted": _sorted_place,
    "take": _take,
    "take_along_axis": _along,
    "tril": partial(_triangle, upper=False),
    "vecdot": _vecdot,
    "triu": partial(_triangle, upper=True),
    "zeros": partial(_filled, da.zeros),
}

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
from .indices import Index
from .numpy import BACKEND as NUMPY
from .shapes import goes_back


def agree(shape: Sequence[Any], other: Sequence[Any]) -> bool:
    """Tell whether shapes are equal, for all that is known; unknown lengths are NaN."""
    pairs = zip(shape, other, strict=False)
    return len(shape) == len(other) and all(m == n or (m != m and n != n) for m, n in pairs)  # noqa: PLR0124  # NaN


def is_known(x: Any) -> bool:
    """Tell whether all lengths of an array are known."""
    return not np.isnan(x.shape).any()


def _is_mask(key: Any, x: Any) -> bool:
    """Tell whether an index is an array of booleans in the shape of an array."""
    return isinstance(key, da.Array) and key.dtype == bool and agree(key.shape, x.shape)


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
    """Return part of an array: Dask leaves the axis of an array in its place."""
    data = data if found.insert is None else data[found.insert]
    with quiet():
        data = data[found.basic]
        if not found.arrays:
            return data
        (k,), (axis, *_) = found.arrays, found.axes
        selected = data[(slice(None),) * axis + (k,)]
        if axis == found.at or not k.ndim:
            return selected
        return da.moveaxis(selected, axis, found.at)


def stored(data: Any, key: Any, value: Any) -> Any:
    """Return an array with another value in part of it."""
    if key is Ellipsis and agree(data.shape, value.shape):
        return value
    if _is_mask(key, data) and value.ndim == 1:
        return _stored_by_mask(data, key, value)
    key, value = _as_dask_stores(data, key, value)
    new = data.copy()
    try:
        new[key] = value
    except ValueError:
        if part(data, key).size:
            raise
        return data  # for no elements Dask says that the shapes differ
    return new


def _as_dask_stores(data: Any, key: Any, value: Any) -> tuple[Any, Any]:
    """Return an index without new axes and without steps back, and the value that goes with it.

    Dask does not store by the first, and not by the others beside integers.
    """
    keys: list[Any] = list(key) if isinstance(key, tuple) else [key]
    kept = [k for k in keys if k is not None]
    is_basic = all(k is Ellipsis or isinstance(k, (int, slice)) for k in kept)
    if not is_basic or not any(k is None or goes_back(k) for k in keys):
        return key, value
    if Ellipsis not in kept:
        keys.append(Ellipsis)
    of_value: list[Any] = []  # what is taken of the value, along each axis of the part
    axis = 0
    for index, k in enumerate(keys):
        if k is None:
            of_value.append(0)
        elif k is Ellipsis:
            rest = data.ndim - sum(k is not Ellipsis for k in kept)
            of_value += [slice(None)] * rest
            axis += rest
        else:
            if isinstance(k, slice):
                places = range(*k.indices(data.shape[axis]))
                turned = places[::-1] if goes_back(k) else places
                keys[index] = slice(turned.start, turned.stop, turned.step)
                of_value.append(slice(None, None, -1 if goes_back(k) else None))
            axis += 1
    if value.ndim:
        value = value[(None,) * (len(of_value) - value.ndim)]
        for place, one in enumerate(of_value):
            if one == 0 and value.shape[place] != 1:
                raise ValueError(f"could not broadcast {value.shape} to a part with a new axis")
        value = value[tuple(of_value)]
    return tuple(k for k in keys if k is not None), value


def _stored_by_mask(data: Any, mask: Any, values: Any) -> Any:
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
        return x[(slice(None),) * (axis % x.ndim) + (indices,)]


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

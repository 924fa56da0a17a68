"""The unique elements of an array of Dask, chunk by chunk; each NaN is an element of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import dask.array as da
import numpy as np
from dask import delayed

from .base import Kernel

_PARTS: Final = {
    "unique_all": ("values", "first", "inverse", "counts"),
    "unique_counts": ("values", "counts"),
    "unique_inverse": ("values", "inverse"),
    "unique_values": ("values",),
}


class Found(NamedTuple):
    """The unique elements of a chunk, or of all: first those that are not NaN, in order.

    Attributes:
        values: the elements.
        first: the places of their first occurrences.
        counts: how often they occur.
        nans: how many of the last ones are NaN.
        size: the number of elements, with all that are equal.
    """

    values: Any
    first: Any
    counts: Any
    nans: int
    size: int


def function(name: str) -> Kernel | None:
    """Return a function for unique elements, or None if it is not one."""
    return partial(_unique, _PARTS[name]) if name in _PARTS else None


def _unique(parts: Sequence[str], x: Any) -> Any:
    flat = x if x.ndim == 1 else x.reshape(-1)
    if flat.dtype.isbuiltin != 1:  # those of ml_dtypes have no order with NaN
        flat = flat.astype(np.float32)
    chunks = flat.to_delayed().tolist()
    found = [delayed(_of_chunk, pure=True)(chunk) for chunk in chunks]
    whole = delayed(_merged, pure=True)(found)
    made = {
        name: da.from_delayed(
            getattr(whole, name), (np.nan,), flat.dtype if name == "values" else np.intp
        )
        for name in ("values", "first", "counts")
        if name in parts
    }
    if "inverse" in parts:
        places = [
            da.from_delayed(
                delayed(_inverse, pure=True)(chunk, whole, found[:index]), (n,), np.intp
            )
            for index, (chunk, n) in enumerate(zip(chunks, flat.chunks[0], strict=True))
        ]
        inverse = da.concatenate(places)
        made["inverse"] = inverse if x.ndim == 1 else inverse.reshape(x.shape)
    return made["values"] if len(parts) == 1 else tuple(made[name] for name in parts)


def _of_chunk(chunk: Any) -> Found:
    is_nan = np.isnan(chunk)
    (places,), (others,) = np.nonzero(is_nan), np.nonzero(~is_nan)
    values, first, counts = np.unique(chunk[others], return_index=True, return_counts=True)
    return Found(
        np.concatenate([values, chunk[places]]),
        np.concatenate([others[first], places]),
        np.concatenate([counts, np.ones(len(places), counts.dtype)]),
        len(places),
        len(chunk),
    )


def _merged(found: Sequence[Found]) -> Found:
    """Return the unique elements of all chunks; NaNs in the order in which they occur."""
    starts = np.cumsum([0, *(one.size for one in found)])
    ends = [len(one.values) - one.nans for one in found]
    first = [one.first + start for one, start in zip(found, starts[:-1], strict=True)]
    pairs = list(zip(found, first, ends, strict=True))
    counts = np.concatenate([one.counts[:end] for one, _, end in pairs])
    # the first occurrence of a value is in the first chunk that has it, which `unique` returns
    values, of, inverse = np.unique(
        np.concatenate([one.values[:end] for one, _, end in pairs]),
        return_index=True,
        return_inverse=True,
    )
    nans = np.concatenate([one.values[end:] for one, _, end in pairs])
    total = np.zeros(len(values), counts.dtype)
    np.add.at(total, inverse, counts)
    return Found(
        np.concatenate([values, nans]),
        np.concatenate(
            [
                np.concatenate([places[:end] for _, places, end in pairs])[of],
                *(places[end:] for _, places, end in pairs),
            ]
        ),
        np.concatenate([total, np.ones(len(nans), total.dtype)]),
        len(nans),
        int(starts[-1]),
    )


def _inverse(chunk: Any, whole: Found, before: Sequence[Found]) -> Any:
    """Return the place of each element of a chunk among the unique ones.

    Args:
        chunk: the chunk.
        whole: the unique elements.
        before: those of the chunks before it.
    """
    end, is_nan = len(whole.values) - whole.nans, np.isnan(chunk)
    places = np.searchsorted(whole.values[:end], chunk)
    start = end + sum(one.nans for one in before)
    places[is_nan] = np.arange(start, start + np.count_nonzero(is_nan))
    return places

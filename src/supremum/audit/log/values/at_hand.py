"""Values as NumPy has them, where they are at hand.

Nothing is computed that is not yet, and nothing waits for a device.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import prod
from typing import Any, Final

from ....core.dtypes import DType
from ....core.libraries import library_titled
from ..known_functions import library_of
from ..tracked_types import NDARRAY, SCALAR, is_array, kind_of

MOST: Final = 1 << 20
"""How many elements are looked at, which take some times as many bytes."""


def as_numpy(value: Any) -> Any:
    """Return a value as an array or a scalar of NumPy, or None if that is not at hand.

    >>> as_numpy([1, 2]) is None
    True
    """
    kind = kind_of(value)
    if kind in (NDARRAY, SCALAR):
        return value
    if not is_array(value):
        return None
    library = library_of(value)
    root = type(value).__module__.partition(".")[0]
    if library is None and root in library_titled(root).wrappers:
        held = getattr(value, "variable", value)
        data: Any = getattr(held, "_data", None)  # the public name would read a file
        if getattr(getattr(data, "array", None), "dtype", None) == "float64":  # an index of pandas
            data = data.array.to_numpy()
        return data if kind_of(data) == NDARRAY else None
    return library.at_hand(value) if library is not None and library.at_hand else None


def number(value: Any) -> Any:
    """Return a value that is at hand, a Python number too; None for any other."""
    return value if type(value) in (int, float) else as_numpy(value)


def ends(value: Any) -> tuple[int, int] | None:
    """Return the least and the largest of integers, or None if they are not at hand, or large."""
    x = as_numpy(value)
    if x is None or not getattr(x, "size", 0) or not is_small(x) or x.dtype.kind not in "iu":
        return None
    return int(x.min()), int(x.max())


def is_small(*values: Any) -> bool:
    """Return whether values have few enough elements to look at all of them."""
    return all(is_few(getattr(value, "size", 1)) for value in values)


def is_few(count: int) -> bool:
    """Return whether so many elements are few enough to look at all of them."""
    return count <= MOST


def start(*values: Any, at: int = 0) -> list[Any] | None:
    """Return the first elements of large arrays, and numbers as they are.

    Returns None if the arrays are large, and have no shape in common.

    Args:
        values: the arrays and numbers.
        at: an element that is to be among them, by its number, if not all are.
    """
    if is_small(*values):
        return list(values)
    numpy = sys.modules["numpy"]
    shapes = {v.shape for v in values if getattr(v, "ndim", 0)}
    try:
        shape = numpy.broadcast_shapes(*shapes)
    except ValueError:
        return None
    part = _part(shape, at)
    return [numpy.broadcast_to(v, shape)[part] if getattr(v, "ndim", 0) else v for v in values]


def _part(shape: Sequence[int], at: int) -> tuple[slice, ...]:
    """Return a part of an array of few elements, with one of a number."""
    part: list[slice] = []
    place = sys.modules["numpy"].unravel_index(at, shape)
    for axis, index in enumerate(place):
        many = max(1, MOST // max(prod(shape[axis + 1 :]), 1))
        first = int(index) - int(index) % many
        part.append(slice(first, first + many))
        if prod(shape[axis + 1 :]) <= MOST:
            break
    return tuple(part)


def beyond(x: Any, d: Any) -> int:
    """Return the number of the first element that integers have no place for, or 0.

    Args:
        x: a large array; of others nothing is asked.
        d: the integers, as NumPy's dtype.
    """
    numpy = sys.modules["numpy"]
    if is_small(x) or d.kind not in "iu" or x.dtype.kind not in "iuf":
        return 0
    least, most = numpy.iinfo(d).min, numpy.iinfo(d).max
    if x.max() > most:
        return int(numpy.argmax(x > most))
    return int(numpy.argmax(x < least)) if x.min() < least else 0


def wide(value: Any) -> Any:
    """Return a value in float64, which no operation of its own dtype overflows."""
    numpy = sys.modules["numpy"]
    return numpy.asarray(value).astype(numpy.float64)


def in_dtype(value: Any, d: DType) -> Any:
    """Return a copy of an array of any library in another dtype."""
    if hasattr(value, "astype"):
        return value.astype(d.name)
    if hasattr(value, "detach"):
        return value.detach().to(getattr(sys.modules["torch"], d.name), copy=True)
    return sys.modules["tensorflow"].cast(value, d.name)


def rounded(x: Any, d: DType) -> Any:
    """Return numbers of float64 as a dtype of fewer bits has them, if they are in its range."""
    numpy, bits = sys.modules["numpy"], d.precision or 0
    part, exponent = numpy.frexp(x)
    return numpy.ldexp(numpy.rint(numpy.ldexp(part, bits)), exponent - bits)

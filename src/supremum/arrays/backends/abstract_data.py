"""The arrays of the abstract backend, and the shapes of their parts."""

from __future__ import annotations

from math import nan
from typing import Any, NoReturn

from ...core.dtypes import DType, by_name, dtype
from . import shapes


class Abstract:
    """An array without elements.

    Attributes:
        shape: its lengths; NaN for an unknown one.
        dtype: its dtype.
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: shapes.Shape, dtype: DType) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def refused(self) -> TypeError:
        """Return the error for a program that asks for values."""
        return TypeError(
            f"an array of the abstract backend has no values, only {self.dtype} and shape "
            f"{shapes.text(self.shape)}: a program that needs them runs on another backend, such "
            f'as supremum.namespace(..., backend="numpy")'
        )

    def _refuse(self, *_: Any) -> NoReturn:
        raise self.refused()

    __bool__ = __int__ = __float__ = __complex__ = __index__ = _refuse


def shape_of(x: Any) -> shapes.Shape:
    """Return the shape of a number, nested lists, or an array."""
    if isinstance(x, (list, tuple)):
        return (len(x), *(shape_of(x[0]) if x else ()))
    return tuple(getattr(x, "shape", ()))


def indexed(shape: shapes.Shape, key: Any) -> shapes.Shape:
    """Return the shape of part of an array, for an index of any kind, as NumPy has it."""
    keys = list(key) if isinstance(key, tuple) else [key]
    keys = [_as_index(k) for k in keys]
    used = sum(_axes_of(k) for k in keys)
    if sum(k is ... for k in keys) > 1:
        raise IndexError("an index has one ellipsis (...) at most")
    if used > len(shape):
        raise IndexError(f"{used} indices are too many for an array of shape {shapes.text(shape)}")
    if not any(k is ... for k in keys):
        keys.append(...)
    found: list[Any] = []
    arrays: list[shapes.Shape] = []
    places: list[int] = []
    axis = first = 0
    for number, k in enumerate(keys):
        if k is None:
            found.append(1)
        elif k is ...:
            rest = len(shape) - used
            found += shape[axis : axis + rest]
            axis += rest
        elif isinstance(k, slice):
            found.append(_length(k, shape[axis]))
            axis += 1
        elif isinstance(k, int):
            n = shape[axis]
            if n == n and not -n <= k < n:  # noqa: PLR0124  # NaN
                raise IndexError(f"index {k} is out of bounds for an axis of length {n}")
            first = first if places else len(found)
            arrays.append(())
            places.append(number)
            axis += 1
        else:
            first = first if places else len(found)
            arrays.append((nan,) if k.dtype.kind == "bool" else k.shape)
            places.append(number)
            axis += _axes_of(k)
    if all(one == () for one in arrays) and not any(isinstance(k, Abstract) for k in keys):
        return tuple(found)
    together = places == list(range(places[0], places[-1] + 1))
    at = first if together else 0
    return (*found[:at], *shapes.broadcast(*arrays), *found[at:])


def _as_index(k: Any) -> Any:
    """Return part of an index as an int, a slice, an array of ours, None or an ellipsis."""
    if k is None or k is ... or isinstance(k, (slice, Abstract)):
        return k
    if type(k) is int:
        return k
    if hasattr(k, "dtype") and not getattr(k, "shape", ()) and hasattr(k, "__index__"):
        try:
            return k.__index__()
        except TypeError:
            pass
    if hasattr(k, "dtype"):
        return Abstract(shape_of(k), dtype(k.dtype))
    if isinstance(k, (bool, list)):
        leaf = k
        while isinstance(leaf, list) and leaf:
            leaf = leaf[0]
        return Abstract(shape_of(k), by_name("bool" if type(leaf) is bool else "int64"))
    if not hasattr(k, "__index__"):
        raise IndexError(f"{k!r} is not an index; use integers, slices, None, or arrays of them")
    return k.__index__()


def _axes_of(k: Any) -> int:
    """Return how many axes part of an index covers; 0 for an ellipsis."""
    if k is None or k is ...:
        return 0
    return k.ndim if isinstance(k, Abstract) and k.dtype.kind == "bool" else 1


def _length(k: slice, n: float) -> float:
    if n != n:  # noqa: PLR0124  # NaN
        return nan
    return len(range(*k.indices(int(n))))

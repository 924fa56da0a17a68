"""The arrays of the abstract backend, and the shapes of their parts."""

from __future__ import annotations

from math import nan
from typing import Any, NoReturn

from ...core import shapes
from ...core.dtypes import DType
from .indices import Index, is_mask


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


def selected(index: Index, shape: shapes.Shape) -> shapes.Shape:
    """Return the shape of what an index selects of an array of some shape."""
    lengths = iter(shape)
    found: list[Any] = []
    inserted = (slice(None),) * len(shape) if index.insert is None else index.insert
    whole = iter([1 if k is None else next(lengths) for k in inserted])
    for k in index.basic:
        if k is None:
            found.append(1)
        elif isinstance(k, slice):
            found.append(_length(k, next(whole)))
        else:
            next(whole)
    of_arrays = [(nan,) if is_mask(k) else k.shape for k in index.arrays]
    rest = [n for axis, n in enumerate(found) if axis not in index.axes]
    return (*rest[: index.at], *shapes.broadcast(*of_arrays), *rest[index.at :])


def _length(k: slice, n: float) -> float:
    if n != n:  # noqa: PLR0124  # NaN
        return nan
    return len(range(*k.indices(int(n))))

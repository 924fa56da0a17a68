"""Sums, means and their kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supremum.arrays.array import Array
    from supremum.arrays.space import Namespace

__all__ = [
    "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var",
]  # fmt: skip


def cumulative_prod(
    xp: Namespace,
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the products of all elements so far along an axis."""
    return xp._reduced("cumulative_prod", x, dtype, axis=axis, include_initial=include_initial)


def cumulative_sum(
    xp: Namespace,
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the sums of all elements so far along an axis."""
    return xp._reduced("cumulative_sum", x, dtype, axis=axis, include_initial=include_initial)


def max(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:  # noqa: A001  # the standard's name
    """Return the largest element."""
    return xp._reduced("max", x, axis=axis, keepdims=keepdims)


def mean(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the arithmetic mean."""
    return xp._reduced("mean", x, axis=axis, keepdims=keepdims)


def min(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:  # noqa: A001  # the same
    """Return the smallest element."""
    return xp._reduced("min", x, axis=axis, keepdims=keepdims)


def prod(
    xp: Namespace, x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Array:
    """Return the product of elements."""
    return xp._reduced("prod", x, dtype, axis=axis, keepdims=keepdims)


def std(
    xp: Namespace, x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Return the standard deviation, the square root of `var`."""
    return xp._reduced("std", x, axis=axis, correction=correction, keepdims=keepdims)


def sum(  # noqa: A001  # the same
    xp: Namespace, x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Array:
    """Return the sum of elements."""
    return xp._reduced("sum", x, dtype, axis=axis, keepdims=keepdims)


def var(
    xp: Namespace, x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Return the variance; the sum of squares is divided by their count less `correction`."""
    return xp._reduced("var", x, axis=axis, correction=correction, keepdims=keepdims)

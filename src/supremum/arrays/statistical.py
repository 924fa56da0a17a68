"""Sums, means and other reductions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

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
    """Return the cumulative product of elements along an axis."""
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
    """Return the cumulative sum of elements along an axis."""
    return xp._reduced("cumulative_sum", x, dtype, axis=axis, include_initial=include_initial)


def max(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:  # noqa: A001  # the standard's name
    """Return the maximum along some axes."""
    return xp._reduced("max", x, axis=axis, keepdims=keepdims)


def mean(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the arithmetic mean along some axes."""
    return xp._reduced("mean", x, axis=axis, keepdims=keepdims)


def min(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:  # noqa: A001  # the same
    """Return the minimum along some axes."""
    return xp._reduced("min", x, axis=axis, keepdims=keepdims)


def prod(
    xp: Namespace, x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Array:
    """Return the product of elements along some axes."""
    return xp._reduced("prod", x, dtype, axis=axis, keepdims=keepdims)


def std(
    xp: Namespace, x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Return the standard deviation along some axes, the square root of `var`."""
    return xp._reduced("std", x, axis=axis, correction=correction, keepdims=keepdims)


def sum(  # noqa: A001  # the same
    xp: Namespace, x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Array:
    """Return the sum of elements along some axes."""
    return xp._reduced("sum", x, dtype, axis=axis, keepdims=keepdims)


def var(
    xp: Namespace, x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Return the variance along some axes; the divisor is the count minus `correction`."""
    return xp._reduced("var", x, axis=axis, correction=correction, keepdims=keepdims)

"""Sums, means and other reductions."""

from __future__ import annotations

from typing import Any

from .array import Array, Axes
from .engine import Engine
from .operations import reduced

__all__ = [
    "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var",
]  # fmt: skip


def cumulative_prod(
    engine: Engine,
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the cumulative product of elements along an axis."""
    return reduced(engine, "cumulative_prod", x, dtype, axis=axis, include_initial=include_initial)


def cumulative_sum(
    engine: Engine,
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the cumulative sum of elements along an axis."""
    return reduced(engine, "cumulative_sum", x, dtype, axis=axis, include_initial=include_initial)


def max(engine: Engine, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:  # noqa: A001  # the standard's name
    """Return the maximum along some axes."""
    return reduced(engine, "max", x, axis=axis, keepdims=keepdims)


def mean(engine: Engine, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """Return the arithmetic mean along some axes."""
    return reduced(engine, "mean", x, axis=axis, keepdims=keepdims)


def min(engine: Engine, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:  # noqa: A001  # the same
    """Return the minimum along some axes."""
    return reduced(engine, "min", x, axis=axis, keepdims=keepdims)


def prod(
    engine: Engine, x: Any, /, *, axis: Axes = None, dtype: Any = None, keepdims: bool = False
) -> Array:
    """Return the product of elements along some axes."""
    return reduced(engine, "prod", x, dtype, axis=axis, keepdims=keepdims)


def std(
    engine: Engine, x: Any, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Return the standard deviation along some axes, the square root of `var`."""
    return reduced(engine, "std", x, axis=axis, correction=correction, keepdims=keepdims)


def sum(  # noqa: A001  # the same
    engine: Engine, x: Any, /, *, axis: Axes = None, dtype: Any = None, keepdims: bool = False
) -> Array:
    """Return the sum of elements along some axes."""
    return reduced(engine, "sum", x, dtype, axis=axis, keepdims=keepdims)


def var(
    engine: Engine, x: Any, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Return the variance along some axes; the divisor is the count minus `correction`."""
    return reduced(engine, "var", x, axis=axis, correction=correction, keepdims=keepdims)

"""Sums, means and other reductions, products of matrices, and differences."""

from __future__ import annotations

from typing import Any, Final

from ..core.dtypes import by_name
from ..core.shapes import axis_of
from .array import Array, Axes
from .engine import Engine
from .manipulation import broadcast_to, concat
from .operand import as_array, misplaced
from .operations import operate, reduced

__all__ = [
    "all", "any", "cumulative_prod", "cumulative_sum", "diff", "matmul", "max", "mean", "min",
    "prod", "std", "sum", "tensordot", "var", "vecdot",
]  # fmt: skip

_BOOL: Final = by_name("bool")


def cumulative_prod(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the cumulative product of elements along an axis."""
    return reduced(
        engine, "cumulative_prod", x, others, dtype, axis=axis, include_initial=include_initial
    )


def cumulative_sum(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the cumulative sum of elements along an axis."""
    return reduced(
        engine, "cumulative_sum", x, others, dtype, axis=axis, include_initial=include_initial
    )


def max(  # noqa: A001  # the standard's name
    engine: Engine, x: Any, /, *others: Any, axis: Axes = None, keepdims: bool = False
) -> Array:
    """Return the maximum along some axes."""
    return reduced(engine, "max", x, others, axis=axis, keepdims=keepdims)


def mean(
    engine: Engine, x: Any, /, *others: Any, axis: Axes = None, keepdims: bool = False
) -> Array:
    """Return the arithmetic mean along some axes."""
    return reduced(engine, "mean", x, others, axis=axis, keepdims=keepdims)


def min(  # noqa: A001  # the same
    engine: Engine, x: Any, /, *others: Any, axis: Axes = None, keepdims: bool = False
) -> Array:
    """Return the minimum along some axes."""
    return reduced(engine, "min", x, others, axis=axis, keepdims=keepdims)


def prod(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: Axes = None,
    dtype: Any = None,
    keepdims: bool = False,
) -> Array:
    """Return the product of elements along some axes."""
    return reduced(engine, "prod", x, others, dtype, axis=axis, keepdims=keepdims)


def std(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: Axes = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Array:
    """Return the standard deviation along some axes, the square root of `var`."""
    return reduced(engine, "std", x, others, axis=axis, correction=correction, keepdims=keepdims)


def sum(  # noqa: A001  # the same
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: Axes = None,
    dtype: Any = None,
    keepdims: bool = False,
) -> Array:
    """Return the sum of elements along some axes."""
    return reduced(engine, "sum", x, others, dtype, axis=axis, keepdims=keepdims)


def var(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: Axes = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Array:
    """Return the variance along some axes; the divisor is the count minus `correction`."""
    return reduced(engine, "var", x, others, axis=axis, correction=correction, keepdims=keepdims)


def all(  # noqa: A001  # the standard's name
    engine: Engine, x: Any, /, *others: Any, axis: Axes = None, keepdims: bool = False
) -> Array:
    """Tell whether all elements along some axes are nonzero."""
    return reduced(engine, "all", x, others, to=_BOOL, axis=axis, keepdims=keepdims)


def any(  # noqa: A001  # the same
    engine: Engine, x: Any, /, *others: Any, axis: Axes = None, keepdims: bool = False
) -> Array:
    """Tell whether any element along some axes is nonzero."""
    return reduced(engine, "any", x, others, to=_BOOL, axis=axis, keepdims=keepdims)


def diff(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: int = -1,
    n: int = 1,
    prepend: Any = None,
    append: Any = None,
) -> Array:
    """Return the `n`-th difference between neighbours along an axis."""
    if others:
        raise misplaced("diff", "x", others)
    x = as_array(engine, x)
    parts = [as_array(engine, part) for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        one = [*x.shape]
        one[axis] = 1
        parts = [part if part.ndim else broadcast_to(engine, part, one) for part in parts]
        x = concat(engine, parts, axis=axis)
    for _ in range(n):
        length = x.shape[axis]
        key = [slice(None)] * x.ndim
        key[axis] = slice(1, None)
        after = x[tuple(key)]
        key[axis] = slice(None, None if length is None else length - 1 if length else 0)
        before = x[tuple(key)]
        name = "subtract"
        if x.key.dtype.kind == "bool" and engine.decide("diff", x).dtype is x.key.dtype:
            name = "not_equal"
        x = operate(engine, name, (after, before))
    if not n and len(parts) == 1:
        return engine.same(engine.backend.copied(x.native), x.key)
    return x  # type: ignore[no-any-return]  # it is an array


def matmul(engine: Engine, x1: Any, x2: Any, /) -> Array:
    """Return the matrix product."""
    return operate(engine, "matmul", (as_array(engine, x1), as_array(engine, x2)))


def _lengths(x: Array, axes: Any) -> list[int | None]:
    """Return the lengths of the axes of an array that a function contracts."""
    along = (axes,) if isinstance(axes, int) else axes
    return [x.shape[axis_of("tensordot", axis, x.ndim)] for axis in along]


def tensordot(engine: Engine, x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """Return a tensor contraction of two arrays over some axes.

    Raises:
        ValueError: if the axes have other lengths: libraries broadcast a length of 1.
    """
    x1, x2 = as_array(engine, x1), as_array(engine, x2)
    pair = (range(x1.ndim - axes, x1.ndim), range(axes)) if isinstance(axes, int) else axes
    own, other = (_lengths(x, along) for x, along in zip((x1, x2), pair, strict=True))
    pairs = zip(own, other, strict=False)
    if len(own) != len(other) or [1 for m, n in pairs if None not in (m, n) and m != n]:
        raise ValueError(
            f"tensordot of shapes {x1.shape} and {x2.shape} along axes of lengths {own} and "
            f"{other}, which have to be equal"
        )
    return operate(engine, "tensordot", (x1, x2), {"axes": axes})


def vecdot(engine: Engine, x1: Any, x2: Any, /, *others: Any, axis: int = -1) -> Array:
    """Return the dot product of vectors along an axis, with the first one conjugated."""
    if others:
        raise misplaced("vecdot", "x1, x2", others)
    x1, x2 = as_array(engine, x1), as_array(engine, x2)
    if not x1.ndim or not x2.ndim:
        raise ValueError(f"vecdot takes vectors, not arrays of {x1.ndim} and {x2.ndim} dimensions")
    return operate(engine, "vecdot", (x1, x2), {"axis": axis})

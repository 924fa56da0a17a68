"""Products of matrices."""

from __future__ import annotations

from typing import Any

from .array import Array
from .backends.shapes import axis_of
from .engine import Engine
from .operand import as_array
from .views import How, viewed

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(engine: Engine, x1: Any, x2: Any, /) -> Array:
    """Return the matrix product."""
    return _product(engine, "matmul", x1, x2)


def _product(engine: Engine, name: str, x1: Any, x2: Any, **options: Any) -> Array:
    x1, x2 = as_array(engine, x1), as_array(engine, x2)
    decision = engine.decide(name.rpartition(".")[2], x1, x2)
    cast = [engine.backend.cast(x.native, decision.compute) for x in (x1, x2)]
    found = engine.asked(name, decision.compute, engine.backend.product, name, *cast, **options)
    return engine.wrap(found, decision.dtype, decision.weak)


def matrix_transpose(engine: Engine, x: Any, /) -> Array:
    """Transpose a matrix, or each matrix of a stack."""
    x = as_array(engine, x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose requires 2 dimensions or more, got {x.ndim}")

    def turned(native: Any) -> Any:
        return engine.call("matrix_transpose", x.key.dtype, native)

    how = How(turned, lambda _, new: turned(new), lambda layout: layout.swapaxes(-2, -1))
    return viewed(engine, x, how)


def _lengths(x: Array, axes: Any) -> list[int | None]:
    """Return the lengths of the axes of an array that a function contracts."""
    along = (axes,) if isinstance(axes, int) else axes
    return [x.shape[axis_of("tensordot", axis, x.ndim)] for axis in along]


def tensordot(engine: Engine, x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """Return a tensor contraction of two arrays over some axes."""
    x1, x2 = as_array(engine, x1), as_array(engine, x2)
    pair = (range(x1.ndim - axes, x1.ndim), range(axes)) if isinstance(axes, int) else axes
    own, other = (_lengths(x, along) for x, along in zip((x1, x2), pair, strict=True))
    pairs = zip(own, other, strict=False)
    # libraries broadcast a length of 1
    if len(own) != len(other) or any(m != n for m, n in pairs if None not in (m, n)):
        raise ValueError(
            f"tensordot of shapes {x1.shape} and {x2.shape} along axes of lengths {own} and "
            f"{other}, which have to be equal"
        )
    return _product(engine, "tensordot", x1, x2, axes=axes)


def vecdot(engine: Engine, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the dot product of vectors along an axis, with the first one conjugated."""
    x1, x2 = as_array(engine, x1), as_array(engine, x2)
    if not x1.ndim or not x2.ndim:
        raise ValueError(f"vecdot takes vectors, not arrays of {x1.ndim} and {x2.ndim} dimensions")
    return _product(engine, "vecdot", x1, x2, axis=axis)

"""Products of matrices."""

from __future__ import annotations

from typing import Any

from .array import Array
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


def tensordot(engine: Engine, x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """Return a tensor contraction of two arrays over some axes."""
    return _product(engine, "tensordot", x1, x2, axes=axes)


def vecdot(engine: Engine, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the dot product of vectors along an axis, with the first one conjugated."""
    return _product(engine, "vecdot", x1, x2, axis=axis)

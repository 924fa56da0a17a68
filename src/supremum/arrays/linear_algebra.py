"""Products of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .views import How

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(xp: Namespace, x1: Any, x2: Any, /) -> Array:
    """Return the matrix product."""
    return _product(xp, "matmul", x1, x2)


def _product(xp: Namespace, name: str, x1: Any, x2: Any, **options: Any) -> Array:
    x1, x2 = xp._taken(x1), xp._taken(x2)
    decision = xp._decide(name.rpartition(".")[2], x1, x2)
    cast = [xp._backend.cast(x.native, decision.compute) for x in (x1, x2)]
    found = xp._asked(name, decision.compute, xp._backend.product, name, *cast, **options)
    return xp._wrap(found, decision.dtype, decision.weak)


def matrix_transpose(xp: Namespace, x: Any, /) -> Array:
    """Transpose a matrix, or each matrix of a stack."""
    x = xp._taken(x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose requires 2 dimensions or more, got {x.ndim}")

    def turned(native: Any) -> Any:
        return xp._call("matrix_transpose", x._key.dtype, native)

    how = How(turned, lambda _, new: turned(new), lambda layout: layout.swapaxes(-2, -1))
    return xp._viewed(x, how)


def tensordot(xp: Namespace, x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    """Return a tensor contraction of two arrays over some axes."""
    return _product(xp, "tensordot", x1, x2, axes=axes)


def vecdot(xp: Namespace, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the dot product of vectors along an axis, with the first one conjugated."""
    return _product(xp, "vecdot", x1, x2, axis=axis)

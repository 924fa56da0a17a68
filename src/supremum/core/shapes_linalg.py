"""The shapes that functions of linear algebra give; see `shapes`."""

from __future__ import annotations

from math import isnan, nan
from typing import Any

from .shapes import (
    Shape,
    axis_of,
    broadcast,
    check_same,
    reduced,
    shortest,
    text,
)


def square(name: str, shape: Shape) -> Shape:
    """Return the shape of matrices that have to be square.

    Raises:
        ValueError: if they are not.
    """
    matrices(name, shape)
    check_same(name, shape[:-1], shape[-1:], shape[-2], shape[-1])
    return shape


def matrices(name: str, shape: Shape) -> Shape:
    """Return the shape of matrices, which have two dimensions or more.

    Raises:
        ValueError: if there are fewer.
    """
    if len(shape) < 2:
        raise ValueError(f"{name} requires 2 dimensions or more, got shape {text(shape)}")
    return shape


def diagonal(shape: Shape, offset: int = 0) -> Shape:
    """Return the shape of the diagonals of matrices."""
    m, n = matrices("diagonal", shape)[-2:]
    rows, columns = (m + offset, n) if offset < 0 else (m, n - offset)
    found = shortest(rows, columns)
    return (*shape[:-2], found if isnan(found) else max(found, 0))


def qr(shape: Shape, mode: str = "reduced") -> tuple[Shape, Shape]:
    """Return the shapes of the two factors."""
    *rest, m, n = matrices("qr", shape)
    k = m if mode == "complete" else shortest(m, n)
    return (*rest, m, k), (*rest, k, n)


def svd(shape: Shape, *, full_matrices: bool = True) -> tuple[Shape, Shape, Shape]:
    """Return the shapes of the singular vectors and values."""
    *rest, m, n = matrices("svd", shape)
    k = shortest(m, n)
    return (*rest, m, m if full_matrices else k), (*rest, k), (*rest, n if full_matrices else k, n)


def solve(x: Shape, y: Shape) -> Shape:
    """Return the shape of solutions."""
    square("solve", x)
    check_same("solve", x, y, x[-1], y[-1] if len(y) == 1 else y[-2] if y else nan)
    if len(y) == 1:
        return (*x[:-2], *y)
    return (*broadcast(x[:-2], y[:-2]), *y[-2:])


def matrix_norm(shape: Shape, *, keepdims: bool = False, **_: Any) -> Shape:
    """Return the shape of norms of matrices."""
    return reduced("matrix_norm", matrices("matrix_norm", shape), (-2, -1), keepdims=keepdims)


def cross(x: Shape, y: Shape, axis: int = -1) -> Shape:
    """Return the shape of cross products, of vectors of three elements."""
    found = broadcast(x, y)
    for shape in (x, y):
        n = shape[axis_of("cross", axis, len(shape))]
        if n != 3 and not isnan(n):
            raise ValueError(f"cross takes vectors of 3 elements, not shape {text(shape)}")
    return found


def outer(x: Shape, y: Shape) -> Shape:
    """Return the shape of the outer product of vectors."""
    if len(x) != 1 or len(y) != 1:
        raise ValueError(f"outer takes vectors, not shapes {text(x)} and {text(y)}")
    return (*x, *y)

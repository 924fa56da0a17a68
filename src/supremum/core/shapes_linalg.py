"""The shapes that functions of linear algebra give; see `shapes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan, nan
from typing import Any, Final

from .shapes import (
    Shape,
    axis_of,
    broadcast,
    check_same,
    matrix_transpose,
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


def vector_norm(shape: Shape, *, axis: Any, keepdims: bool = False, **_: Any) -> Shape:
    """Return the shape of norms of vectors."""
    return reduced("vector_norm", shape, axis, keepdims=keepdims)


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


OF_ONE: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.cholesky": lambda s, **_: square("cholesky", s),
    "linalg.det": lambda s: square("det", s)[:-2],
    "linalg.diagonal": diagonal,
    "linalg.eig": lambda s: (square("eig", s)[:-1], s),
    "linalg.eigh": lambda s: (square("eigh", s)[:-1], s),
    "linalg.eigvals": lambda s: square("eigvals", s)[:-1],
    "linalg.eigvalsh": lambda s: square("eigvalsh", s)[:-1],
    "linalg.inv": lambda s: square("inv", s),
    "linalg.matrix_norm": matrix_norm,
    "linalg.matrix_power": lambda s, _: square("matrix_power", s),
    "linalg.matrix_rank": lambda s, **_: matrices("matrix_rank", s)[:-2],
    "linalg.pinv": lambda s, **_: matrix_transpose(matrices("pinv", s)),
    "linalg.qr": qr,
    "linalg.slogdet": lambda s: (square("slogdet", s)[:-2], s[:-2]),
    "linalg.svd": svd,
    "linalg.svdvals": lambda s: (*matrices("svdvals", s)[:-2], shortest(*s[-2:])),
    "linalg.trace": lambda s, **_: matrices("trace", s)[:-2],
    "linalg.vector_norm": vector_norm,
}
"""What functions make of the shape of matrices; the others' arguments are theirs."""

OF_TWO: Final[Mapping[str, Callable[..., Shape]]] = {
    "linalg.cross": cross,
    "linalg.outer": outer,
    "linalg.solve": solve,
}
"""What functions make of two arrays' shapes."""

"""The extension for linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from supremum.arrays.data_type import as_dtype
from supremum.arrays.linear_algebra import (
    _product,
    matmul,
    matrix_transpose,
    tensordot,
    vecdot,
)

if TYPE_CHECKING:
    from supremum.arrays.array import Array
    from supremum.arrays.space import Namespace

__all__ = [
    "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip


class Eig(NamedTuple):
    """Eigenvalues, and an eigenvector of each in a column."""

    eigenvalues: Array
    eigenvectors: Array


class QR(NamedTuple):
    """An orthogonal matrix and an upper triangular one, whose product is the matrix."""

    Q: Array
    R: Array


class SlogDet(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Array
    logabsdet: Array


class SVD(NamedTuple):
    """Left singular vectors, singular values, and right singular vectors in rows."""

    U: Array
    S: Array
    Vh: Array


def _solved(xp: Namespace, name: str, *operands: Any, **options: Any) -> Any:
    """Return what a function of the backend gives of operands in the dtype to compute in."""
    taken = [xp._taken(x) for x in operands]
    decision = xp._decide(name, *taken)
    d = decision.compute
    cast = [xp._backend.cast(x.native, d) for x in taken]
    found = xp._call(f"linalg.{name}", d, *cast, **options)
    return found, d, decision.weak


def _one(xp: Namespace, name: str, *operands: Any, **options: Any) -> Array:
    found, d, weak = _solved(xp, name, *operands, **options)
    return xp._wrap(found, d, weak)


def _tolerance(xp: Namespace, name: str, x: Any, rtol: Any) -> dict[str, Any]:
    """Return the option for what counts as zero, beside the largest singular value."""
    if rtol is None:
        return {}
    x = xp._taken(x)
    return {"rtol": xp._ready(rtol, xp._decide(name, x).compute.part, x.device)}


def cholesky(xp: Namespace, x: Any, /, *, upper: bool = False) -> Array:
    """Return the Cholesky factor of a positive definite matrix."""
    return _one(xp, "cholesky", x, upper=upper)


def cross(xp: Namespace, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the cross product of vectors of three elements."""
    return _product(xp, "linalg.cross", x1, x2, axis=axis)


def det(xp: Namespace, x: Any, /) -> Array:
    """Return the determinant."""
    return _one(xp, "det", x)


def diagonal(xp: Namespace, x: Any, /, *, offset: int = 0) -> Array:
    """Return the diagonal of a matrix."""
    x = xp._taken(x)
    d, weak, _ = xp._decide("diagonal", x)
    return xp._wrap(xp._call("linalg.diagonal", d, x.native, offset=offset), d, weak)


def eig(xp: Namespace, x: Any, /) -> Eig:
    """Return eigenvalues and eigenvectors, which are complex."""
    found, d, weak = _solved(xp, "eig", x)
    to = xp._complex(d)
    return Eig(*(xp._wrap(one, to, weak) for one in found))


def eigvals(xp: Namespace, x: Any, /) -> Array:
    """Return eigenvalues, which are complex."""
    found, d, weak = _solved(xp, "eigvals", x)
    return xp._wrap(found, xp._complex(d), weak)


def eigh(xp: Namespace, x: Any, /) -> Eig:
    """Return eigenvalues and eigenvectors of a Hermitian matrix."""
    (values, vectors), d, weak = _solved(xp, "eigh", x)
    return Eig(xp._wrap(values, d.part, weak), xp._wrap(vectors, d, weak))


def eigvalsh(xp: Namespace, x: Any, /) -> Array:
    """Return eigenvalues of a Hermitian matrix."""
    found, d, weak = _solved(xp, "eigvalsh", x)
    return xp._wrap(found, d.part, weak)


def inv(xp: Namespace, x: Any, /) -> Array:
    """Return the inverse of a matrix."""
    return _one(xp, "inv", x)


def matrix_norm(xp: Namespace, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Return a norm of matrices."""
    return _norm(xp, "matrix_norm", "matrix_norm", x, keepdims=keepdims, ord=ord)


def vector_norm(
    xp: Namespace,
    x: Any,
    /,
    *,
    axis: Any = None,
    keepdims: bool = False,
    ord: Any = 2,
) -> Array:
    """Return a norm of vectors."""
    rule = {1: "norm_sum", float("inf"): "norm_max", -float("inf"): "norm_max"}.get(ord, "norm")
    return _norm(xp, rule, "vector_norm", x, axis=axis, keepdims=keepdims, ord=ord)


def _norm(xp: Namespace, rule: str, name: str, x: Any, **options: Any) -> Array:
    x = xp._taken(x)
    decision = xp._decide(rule, x)
    of = x.dtype if x.dtype.kind == "complex" else decision.dtype
    found = xp._call(f"linalg.{name}", of, xp._backend.cast(x.native, of), **options)
    return xp._wrap(found, decision.dtype, decision.weak)


def matrix_power(xp: Namespace, x: Any, n: int, /) -> Array:
    """Return a matrix to an integer power; a negative one is of the inverse."""
    x, n = (inv(xp, x), -n) if n < 0 else (xp._taken(x), n)
    d, weak, _ = xp._decide("same" if n else "eye", x)
    cast = xp._backend.cast(x.native, d)
    return xp._wrap(xp._call("linalg.matrix_power", d, cast, n), d, weak)


def matrix_rank(xp: Namespace, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the rank: how many singular values are not zero."""
    found, _, _ = _solved(xp, "matrix_rank", x, **_tolerance(xp, "matrix_rank", x, rtol))
    return xp._wrap(found, xp.decider.index)


def outer(xp: Namespace, x1: Any, x2: Any, /) -> Array:
    """Return the products of each element of one vector with each of another."""
    return _product(xp, "linalg.outer", x1, x2)


def pinv(xp: Namespace, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the Moore-Penrose inverse."""
    return _one(xp, "pinv", x, **_tolerance(xp, "pinv", x, rtol))


def qr(xp: Namespace, x: Any, /, *, mode: str = "reduced") -> QR:
    """Return an orthogonal matrix and an upper triangular one, whose product is the matrix."""
    (q, r), d, weak = _solved(xp, "qr", x, mode=mode)
    return QR(xp._wrap(q, d, weak), xp._wrap(r, d, weak))


def slogdet(xp: Namespace, x: Any, /) -> SlogDet:
    """Return the sign of a determinant, and the logarithm of its absolute value."""
    (sign, logarithm), d, _ = _solved(xp, "slogdet", x)
    return SlogDet(xp._wrap(sign, d), xp._wrap(logarithm, d.part))


def solve(xp: Namespace, x1: Any, x2: Any, /) -> Array:
    """Return what a matrix has to be multiplied with, to give a vector or a matrix."""
    return _one(xp, "solve", x1, x2)


def svd(xp: Namespace, x: Any, /, *, full_matrices: bool = True) -> SVD:
    """Return the singular value decomposition."""
    (u, s, vh), d, weak = _solved(xp, "svd", x, full_matrices=full_matrices)
    return SVD(xp._wrap(u, d, weak), xp._wrap(s, d.part, weak), xp._wrap(vh, d, weak))


def svdvals(xp: Namespace, x: Any, /) -> Array:
    """Return the singular values."""
    found, d, weak = _solved(xp, "svdvals", x)
    return xp._wrap(found, d.part, weak)


def trace(xp: Namespace, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum of the diagonal."""
    x = xp._taken(x)
    d, weak, _ = xp._decide("trace", x)
    if dtype is not None:
        d, weak = xp.decider.own(as_dtype(dtype)), False
    cast = xp._backend.cast(x.native, d)
    return xp._wrap(xp._call("linalg.trace", d, cast, offset=offset), d, weak)

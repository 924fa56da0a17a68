"""The extension for linear algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.dtypes import DType
from ..core.functions import chain
from .backends.base import summed_in
from .data_type import as_dtype
from .linear_algebra import _product, matmul, matrix_transpose, tensordot, vecdot
from .views import How, share

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = [
    "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip


class Eig(NamedTuple):
    """The eigenvalues, and the eigenvectors in columns."""

    eigenvalues: Array
    eigenvectors: Array


class QR(NamedTuple):
    """The factors of a matrix: Q has orthonormal columns, and R is upper triangular."""

    Q: Array
    R: Array


class SlogDet(NamedTuple):
    """The sign of a determinant, and the natural logarithm of its absolute value."""

    sign: Array
    logabsdet: Array


class SVD(NamedTuple):
    """The left singular vectors, the singular values, and the right singular vectors in rows."""

    U: Array
    S: Array
    Vh: Array


def _decided(xp: Namespace, name: str, *operands: Array) -> tuple[DType, bool]:
    """Return the dtype to compute in, and whether results are weak.

    A function computes in the dtype that the one which it follows gives; its own results may be
    complex, real or indices, and some have several.
    """
    decision, leader = xp._decide(name, *operands), chain(name)[-1]
    if leader == name or len(operands) > 1:
        return decision.compute, decision.weak
    return xp._decide(leader, *operands).compute, decision.weak


def _solved(xp: Namespace, name: str, *operands: Any, **options: Any) -> Any:
    """Return the result of a function of the backend, the dtype computed in, and whether weak."""
    taken = [xp._taken(x) for x in operands]
    d, weak = _decided(xp, name, *taken)
    cast = [xp._backend.cast(x.native, d) for x in taken]
    return xp._call(f"linalg.{name}", d, *cast, **options), d, weak


def _one(xp: Namespace, name: str, *operands: Any, **options: Any) -> Array:
    found, d, weak = _solved(xp, name, *operands, **options)
    return xp._wrap(found, d, weak)


def _tolerance(xp: Namespace, name: str, x: Any, rtol: Any) -> dict[str, Any]:
    """Return the option that says which singular values count as zero."""
    if rtol is None:
        return {}
    x = xp._taken(x)
    return {"rtol": xp._ready(rtol, _decided(xp, name, x)[0].part, x.device)}


def cholesky(xp: Namespace, x: Any, /, *, upper: bool = False) -> Array:
    """Return the Cholesky factor of a positive-definite matrix."""
    return _one(xp, "cholesky", x, upper=upper)


def cross(xp: Namespace, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    """Return the cross product of 3-element vectors."""
    return _product(xp, "linalg.cross", x1, x2, axis=axis)


def det(xp: Namespace, x: Any, /) -> Array:
    """Return the determinant of a square matrix."""
    return _one(xp, "det", x)


def diagonal(xp: Namespace, x: Any, /, *, offset: int = 0) -> Array:
    """Return a diagonal of a matrix. It cannot be written to: copy it first."""
    x = xp._taken(x)
    d, weak, _ = xp._decide("diagonal", x)

    def read(native: Any) -> Any:
        return xp._call("linalg.diagonal", d, native, offset=offset)

    made = xp._wrap(read(x.native), d, weak)
    how = How(read, None, lambda layout: layout.diagonal(offset, -2, -1))
    return share(x, made, how, is_copy=not xp._backend.is_mutable)


def eig(xp: Namespace, x: Any, /) -> Eig:
    """Return the eigenvalues and eigenvectors of a square matrix, which are complex."""
    found, d, weak = _solved(xp, "eig", x)
    to = xp._complex(d)
    return Eig(*(xp._wrap(one, to, weak) for one in found))


def eigvals(xp: Namespace, x: Any, /) -> Array:
    """Return the eigenvalues of a square matrix, which are complex."""
    found, d, weak = _solved(xp, "eigvals", x)
    return xp._wrap(found, xp._complex(d), weak)


def eigh(xp: Namespace, x: Any, /) -> Eig:
    """Return the eigenvalues and eigenvectors of a Hermitian matrix."""
    (values, vectors), d, weak = _solved(xp, "eigh", x)
    return Eig(xp._wrap(values, d.part, weak), xp._wrap(vectors, d, weak))


def eigvalsh(xp: Namespace, x: Any, /) -> Array:
    """Return the eigenvalues of a Hermitian matrix."""
    found, d, weak = _solved(xp, "eigvalsh", x)
    return xp._wrap(found, d.part, weak)


def inv(xp: Namespace, x: Any, /) -> Array:
    """Return the multiplicative inverse of a square matrix."""
    return _one(xp, "inv", x)


def matrix_norm(xp: Namespace, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Return the norm of a matrix."""
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
    """Return the norm of a vector."""
    rule = {1: "norm_sum", float("inf"): "norm_max", -float("inf"): "norm_max"}.get(
        ord, "vector_norm"
    )
    return _norm(xp, rule, "vector_norm", x, axis=axis, keepdims=keepdims, ord=ord)


def _norm(xp: Namespace, rule: str, name: str, x: Any, **options: Any) -> Array:
    x = xp._taken(x)
    decision = xp._decide(rule, x)
    of = summed_in(x._key.dtype if x._key.dtype.kind == "complex" else decision.dtype)
    found = xp._call(f"linalg.{name}", of, xp._backend.cast(x.native, of), **options)
    return xp._wrap(found, decision.dtype, decision.weak)


def matrix_power(xp: Namespace, x: Any, n: int, /) -> Array:
    """Raise a square matrix to an integer power; a negative one is a power of the inverse."""
    x, n = (inv(xp, x), -n) if n < 0 else (xp._taken(x), n)
    d, weak, _ = xp._decide("same" if n else "diagonal", x)
    cast = xp._backend.cast(x.native, d)
    return xp._wrap(xp._call("linalg.matrix_power", d, cast, n), d, weak)


def matrix_rank(xp: Namespace, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the rank of a matrix: the number of its nonzero singular values."""
    found, _, _ = _solved(xp, "matrix_rank", x, **_tolerance(xp, "matrix_rank", x, rtol))
    return xp._wrap(found, xp.decider.defaults.index)


def outer(xp: Namespace, x1: Any, x2: Any, /) -> Array:
    """Return the outer product of two vectors."""
    return _product(xp, "linalg.outer", x1, x2)


def pinv(xp: Namespace, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the Moore-Penrose pseudo-inverse of a matrix."""
    return _one(xp, "pinv", x, **_tolerance(xp, "pinv", x, rtol))


def qr(xp: Namespace, x: Any, /, *, mode: str = "reduced") -> QR:
    """Return the QR decomposition of a matrix."""
    (q, r), d, weak = _solved(xp, "qr", x, mode=mode)
    return QR(xp._wrap(q, d, weak), xp._wrap(r, d, weak))


def slogdet(xp: Namespace, x: Any, /) -> SlogDet:
    """Return the sign and the natural logarithm of the absolute value of the determinant."""
    (sign, logarithm), d, _ = _solved(xp, "slogdet", x)
    return SlogDet(xp._wrap(sign, d), xp._wrap(logarithm, d.part))


def solve(xp: Namespace, x1: Any, x2: Any, /) -> Array:
    """Solve x1 @ x = x2."""
    return _one(xp, "solve", x1, x2)


def svd(xp: Namespace, x: Any, /, *, full_matrices: bool = True) -> SVD:
    """Return the singular value decomposition of a matrix."""
    (u, s, vh), d, weak = _solved(xp, "svd", x, full_matrices=full_matrices)
    return SVD(xp._wrap(u, d, weak), xp._wrap(s, d.part, weak), xp._wrap(vh, d, weak))


def svdvals(xp: Namespace, x: Any, /) -> Array:
    """Return the singular values of a matrix."""
    found, d, weak = _solved(xp, "svdvals", x)
    return xp._wrap(found, d.part, weak)


def trace(xp: Namespace, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum along a diagonal of a matrix."""
    x = xp._taken(x)
    d, weak, _ = xp._decide("trace", x)
    if dtype is not None:
        d, weak = xp.decider.own(as_dtype(dtype)), False
    compute = summed_in(d)
    cast = xp._backend.cast(x.native, compute)
    return xp._wrap(xp._call("linalg.trace", compute, cast, offset=offset), d, weak)

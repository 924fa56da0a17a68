"""The extension for linear algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.functions import chain
from .array import Array, Axes, as_dtype, complex_of, summed_in
from .engine import Engine
from .manipulation import matrix_transpose
from .operand import as_array, as_native, misplaced
from .operations import operate
from .reductions import matmul, tensordot, vecdot
from .views import joined
from .ways import Way, computed, make_way, way_of

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


def _decided(engine: Engine, function: str, operands: Sequence[Array]) -> Way:
    """Return how a function is computed.

    It computes in the dtype that the one which it follows gives; its own results may be complex,
    real or indices, and some have several.
    """
    name = function.removeprefix("linalg.")
    decision, leader = engine.decide(name, *operands), chain(name)[-1]
    d = decision.compute
    if leader != name and len(operands) == 1:
        d = engine.decide(leader, *operands).compute
    return make_way(engine, function, d, d, weak=decision.weak)


def _found(engine: Engine, name: str, *operands: Any, **options: Any) -> tuple[Any, Way]:
    """Return the result of a function of the backend, and how it was computed."""
    taken = [as_array(engine, x) for x in operands]
    way = way_of(engine, f"linalg.{name}", taken, _decided)
    return computed(engine, way, taken, options), way


def _solved(engine: Engine, name: str, *operands: Any, **options: Any) -> Any:
    """Return the result of a function of the backend, the dtype computed in, and whether weak."""
    found, way = _found(engine, name, *operands, **options)
    return found, way.compute, way.key.weak


def _one(engine: Engine, name: str, *operands: Any, **options: Any) -> Array:
    found, way = _found(engine, name, *operands, **options)
    return engine.same(way.finished(found), way.key)


def _tolerance(engine: Engine, name: str, x: Any, rtol: Any) -> dict[str, Any]:
    """Return the option that says which singular values count as zero."""
    if rtol is None:
        return {}
    x = as_array(engine, x)
    d = way_of(engine, f"linalg.{name}", [x], _decided).compute
    return {"rtol": as_native(engine, rtol, d.part, x.device)}


def cholesky(engine: Engine, x: Any, /, *, upper: bool = False) -> Array:
    """Return the Cholesky factor of a positive-definite matrix."""
    return _one(engine, "cholesky", x, upper=upper)


def cross(engine: Engine, x1: Any, x2: Any, /, *others: Any, axis: int = -1) -> Array:
    """Return the cross product of 3-element vectors."""
    if others:
        raise misplaced("linalg.cross", "x1, x2", others)
    return operate(engine, "cross", (as_array(engine, x1), as_array(engine, x2)), {"axis": axis})


def det(engine: Engine, x: Any, /) -> Array:
    """Return the determinant of a square matrix."""
    return _one(engine, "det", x)


def diagonal(engine: Engine, x: Any, /, *, offset: int = 0) -> Array:
    """Return a diagonal of a matrix. It cannot be written to: copy it first."""
    x = as_array(engine, x)
    d, weak, _ = engine.decide("diagonal", x)
    made = engine.wrap(engine.call("linalg.diagonal", d, x.native, offset=offset), d, weak)
    return joined(x, made, is_copy=not engine.backend.is_mutable)


def eig(engine: Engine, x: Any, /) -> Eig:
    """Return the eigenvalues and eigenvectors of a square matrix, which are complex."""
    found, d, weak = _solved(engine, "eig", x)
    to = complex_of(d)
    return Eig(*(engine.wrap(one, to, weak) for one in found))


def eigvals(engine: Engine, x: Any, /) -> Array:
    """Return the eigenvalues of a square matrix, which are complex."""
    found, d, weak = _solved(engine, "eigvals", x)
    return engine.wrap(found, complex_of(d), weak)


def eigh(engine: Engine, x: Any, /) -> Eig:
    """Return the eigenvalues and eigenvectors of a Hermitian matrix."""
    (values, vectors), d, weak = _solved(engine, "eigh", x)
    return Eig(engine.wrap(values, d.part, weak), engine.wrap(vectors, d, weak))


def eigvalsh(engine: Engine, x: Any, /) -> Array:
    """Return the eigenvalues of a Hermitian matrix."""
    found, d, weak = _solved(engine, "eigvalsh", x)
    return engine.wrap(found, d.part, weak)


def inv(engine: Engine, x: Any, /) -> Array:
    """Return the multiplicative inverse of a square matrix."""
    return _one(engine, "inv", x)


def matrix_norm(engine: Engine, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Return the norm of a matrix."""
    return _norm(engine, "matrix_norm", x, keepdims=keepdims, ord=ord)


def vector_norm(
    engine: Engine,
    x: Any,
    /,
    *others: Any,
    axis: Axes = None,
    keepdims: bool = False,
    ord: Any = 2,
) -> Array:
    """Return the norm of a vector."""
    if others:
        raise misplaced("linalg.vector_norm", "x", others)
    rule = {1: "norm_sum", float("inf"): "norm_max", -float("inf"): "norm_max"}.get(
        ord, "vector_norm"
    )
    return _norm(engine, rule, x, axis=axis, keepdims=keepdims, ord=ord)


def _norm(engine: Engine, rule: str, x: Any, **options: Any) -> Array:
    operands = [as_array(engine, x)]
    way = way_of(engine, f"linalg.{rule}", operands, _decided_norm)
    return engine.same(way.finished(computed(engine, way, operands, options)), way.key)


def _decided_norm(engine: Engine, function: str, operands: Sequence[Array]) -> Way:
    """Return how a norm is computed."""
    rule, own = function.removeprefix("linalg."), operands[0].key.dtype
    decision = engine.decide(rule, *operands)
    of = summed_in(own if own.kind == "complex" else decision.dtype)
    name = "linalg.matrix_norm" if rule == "matrix_norm" else "linalg.vector_norm"
    return make_way(engine, name, of, decision.dtype, weak=decision.weak)


def matrix_power(engine: Engine, x: Any, n: int, /) -> Array:
    """Raise a square matrix to an integer power; a negative one is a power of the inverse."""
    x, n = (inv(engine, x), -n) if n < 0 else (as_array(engine, x), n)
    d, weak, _ = engine.decide("same" if n else "diagonal", x)
    cast = engine.backend.cast(x.native, d)
    found = engine.call("linalg.matrix_power", d, cast, n)
    return engine.wrap(engine.backend.copied(found) if found is x.native else found, d, weak)


def matrix_rank(engine: Engine, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the rank of a matrix: the number of its nonzero singular values."""
    found, _, _ = _solved(engine, "matrix_rank", x, **_tolerance(engine, "matrix_rank", x, rtol))
    return engine.wrap(found, engine.decider.defaults.index)


def outer(engine: Engine, x1: Any, x2: Any, /) -> Array:
    """Return the outer product of two vectors."""
    return operate(engine, "outer", (as_array(engine, x1), as_array(engine, x2)))


def pinv(engine: Engine, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the Moore-Penrose pseudo-inverse of a matrix."""
    return _one(engine, "pinv", x, **_tolerance(engine, "pinv", x, rtol))


def qr(engine: Engine, x: Any, /, *, mode: str = "reduced") -> QR:
    """Return the QR decomposition of a matrix."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr takes the mode 'reduced' or 'complete', not {mode!r}")
    (q, r), d, weak = _solved(engine, "qr", x, mode=mode)
    return QR(engine.wrap(q, d, weak), engine.wrap(r, d, weak))


def slogdet(engine: Engine, x: Any, /) -> SlogDet:
    """Return the sign and the natural logarithm of the absolute value of the determinant."""
    (sign, logarithm), d, _ = _solved(engine, "slogdet", x)
    return SlogDet(engine.wrap(sign, d), engine.wrap(logarithm, d.part))


def solve(engine: Engine, x1: Any, x2: Any, /) -> Array:
    """Solve x1 @ x = x2."""
    return _one(engine, "solve", x1, x2)


def svd(engine: Engine, x: Any, /, *, full_matrices: bool = True) -> SVD:
    """Return the singular value decomposition of a matrix."""
    (u, s, vh), d, weak = _solved(engine, "svd", x, full_matrices=full_matrices)
    return SVD(engine.wrap(u, d, weak), engine.wrap(s, d.part, weak), engine.wrap(vh, d, weak))


def svdvals(engine: Engine, x: Any, /) -> Array:
    """Return the singular values of a matrix."""
    found, d, weak = _solved(engine, "svdvals", x)
    return engine.wrap(found, d.part, weak)


def trace(engine: Engine, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum along a diagonal of a matrix."""
    x = as_array(engine, x)
    d, weak, _ = engine.decide("trace", x)
    if dtype is not None:
        d, weak = engine.decider.own(as_dtype(dtype)), False
    compute = summed_in(d)
    cast = engine.backend.cast(x.native, compute)
    return engine.wrap(engine.call("linalg.trace", compute, cast, offset=offset), d, weak)

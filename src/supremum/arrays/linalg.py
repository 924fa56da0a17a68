"""The extension for linear algebra."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from ..core.dtypes import DType
from ..core.functions import chain
from .array import Array, Axes, as_dtype, complex_of, summed_in
from .decide import Decider
from .engine import Engine
from .manipulation import matrix_transpose
from .operand import as_array, as_native, misplaced
from .operations import operate
from .reductions import matmul, tensordot, vecdot
from .views import joined
from .ways import Way, computed, make_way

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


_Result = Callable[[Decider, DType], DType]
"""What gives the dtype of a result from the one that its function computes in."""


def _same(_: Decider, d: DType) -> DType:
    return d


def _real(_: Decider, d: DType) -> DType:
    return d.part


def _complex(_: Decider, d: DType) -> DType:
    return complex_of(d)


def _index(decider: Decider, _: DType) -> DType:
    return decider.defaults.index


_RESULTS: Final[Mapping[str, tuple[_Result, ...]]] = {
    "eig": (_complex, _complex),
    "eigh": (_real, _same),
    "eigvals": (_complex,),
    "eigvalsh": (_real,),
    "matrix_rank": (_index,),
    "qr": (_same, _same),
    "slogdet": (_same, _real),
    "svd": (_same, _real, _same),
    "svdvals": (_real,),
}
"""The results of functions; all others have one, of the dtype that they compute in."""


def _decided(engine: Engine, function: str, operands: Sequence[Array]) -> Way:
    """Return how a function is computed, in the dtype that the one which it follows gives."""
    name = function.removeprefix("linalg.")
    decision, leader = engine.decide(name, *operands), chain(name)[-1]
    d = decision.compute
    if leader != name and len(operands) == 1:
        d = engine.decide(leader, *operands).compute
    results = [result(engine.decider, d) for result in _RESULTS.get(name, (_same,))]
    return make_way(engine, function, operands, d, results, weak=decision.weak)


def _found(engine: Engine, name: str, operands: Sequence[Any], **options: Any) -> list[Array]:
    return computed(engine, name, operands, _decided, options)


def _tolerance(engine: Engine, name: str, x: Any, rtol: Any) -> dict[str, Any]:
    """Return the option that says which singular values count as zero."""
    if rtol is None:
        return {}
    x = as_array(engine, x)
    d = _decided(engine, name, [x]).compute
    return {"rtol": as_native(engine, rtol, d.part, x.device)}


def cholesky(engine: Engine, x: Any, /, *, upper: bool = False) -> Array:
    """Return the Cholesky factor of a positive-definite matrix."""
    return _found(engine, "linalg.cholesky", [x], upper=upper)[0]


def cross(engine: Engine, x1: Any, x2: Any, /, *others: Any, axis: int = -1) -> Array:
    """Return the cross product of 3-element vectors."""
    if others:
        raise misplaced("linalg.cross", "x1, x2", others)
    return operate(engine, "cross", (as_array(engine, x1), as_array(engine, x2)), {"axis": axis})


def det(engine: Engine, x: Any, /) -> Array:
    """Return the determinant of a square matrix."""
    return _found(engine, "linalg.det", [x])[0]


def diagonal(engine: Engine, x: Any, /, *, offset: int = 0) -> Array:
    """Return a diagonal of a matrix. It cannot be written to: copy it first."""
    x = as_array(engine, x)
    d, weak, _ = engine.decide("diagonal", x)
    made = engine.wrap(engine.call("linalg.diagonal", d, x.native, offset=offset), d, weak)
    return joined(x, made, is_copy=not engine.backend.is_mutable)


def eig(engine: Engine, x: Any, /) -> Eig:
    """Return the eigenvalues and eigenvectors of a square matrix, which are complex."""
    return Eig(*_found(engine, "linalg.eig", [x]))


def eigvals(engine: Engine, x: Any, /) -> Array:
    """Return the eigenvalues of a square matrix, which are complex."""
    return _found(engine, "linalg.eigvals", [x])[0]


def eigh(engine: Engine, x: Any, /) -> Eig:
    """Return the eigenvalues and eigenvectors of a Hermitian matrix."""
    return Eig(*_found(engine, "linalg.eigh", [x]))


def eigvalsh(engine: Engine, x: Any, /) -> Array:
    """Return the eigenvalues of a Hermitian matrix."""
    return _found(engine, "linalg.eigvalsh", [x])[0]


def inv(engine: Engine, x: Any, /) -> Array:
    """Return the multiplicative inverse of a square matrix."""
    return _found(engine, "linalg.inv", [x])[0]


_NORMS: Final[Mapping[float, str]] = {1: "norm_sum", inf: "norm_max", -inf: "norm_max"}
"""The rules of norms of vectors by their order; all others follow that of ``vector_norm``."""


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
    rule = _NORMS.get(ord, "vector_norm")
    return _norm(engine, rule, x, axis=axis, keepdims=keepdims, ord=ord)


def _norm(engine: Engine, rule: str, x: Any, **options: Any) -> Array:
    return computed(engine, f"linalg.{rule}", [x], _decided_norm, options)[0]


def _decided_norm(engine: Engine, function: str, operands: Sequence[Array]) -> Way:
    """Return how a norm is computed."""
    rule, own = function.removeprefix("linalg."), operands[0].key.dtype
    decision = engine.decide(rule, *operands)
    of = summed_in(own if own.kind == "complex" else decision.dtype)
    name = "linalg.matrix_norm" if rule == "matrix_norm" else "linalg.vector_norm"
    return make_way(engine, name, operands, of, [decision.dtype], weak=decision.weak)


def matrix_power(engine: Engine, x: Any, n: int, /) -> Array:
    """Raise a square matrix to an integer power; a negative one is a power of the inverse."""
    x, n = (inv(engine, x), -n) if n < 0 else (as_array(engine, x), n)
    d, weak, _ = engine.decide("same" if n else "diagonal", x)
    cast = engine.backend.cast(x.native, d)
    found = engine.call("linalg.matrix_power", d, cast, n)
    return engine.wrap(engine.backend.copied(found) if found is x.native else found, d, weak)


def matrix_rank(engine: Engine, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the rank of a matrix: the number of its nonzero singular values."""
    return _found(
        engine, "linalg.matrix_rank", [x], **_tolerance(engine, "linalg.matrix_rank", x, rtol)
    )[0]


def outer(engine: Engine, x1: Any, x2: Any, /) -> Array:
    """Return the outer product of two vectors."""
    return operate(engine, "outer", (as_array(engine, x1), as_array(engine, x2)))


def pinv(engine: Engine, x: Any, /, *, rtol: Any = None) -> Array:
    """Return the Moore-Penrose pseudo-inverse of a matrix."""
    return _found(engine, "linalg.pinv", [x], **_tolerance(engine, "linalg.pinv", x, rtol))[0]


def qr(engine: Engine, x: Any, /, *, mode: str = "reduced") -> QR:
    """Return the QR decomposition of a matrix."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr takes the mode 'reduced' or 'complete', not {mode!r}")
    return QR(*_found(engine, "linalg.qr", [x], mode=mode))


def slogdet(engine: Engine, x: Any, /) -> SlogDet:
    """Return the sign and the natural logarithm of the absolute value of the determinant."""
    return SlogDet(*_found(engine, "linalg.slogdet", [x]))


def solve(engine: Engine, x1: Any, x2: Any, /) -> Array:
    """Solve x1 @ x = x2."""
    return _found(engine, "linalg.solve", [x1, x2])[0]


def svd(engine: Engine, x: Any, /, *, full_matrices: bool = True) -> SVD:
    """Return the singular value decomposition of a matrix."""
    return SVD(*_found(engine, "linalg.svd", [x], full_matrices=full_matrices))


def svdvals(engine: Engine, x: Any, /) -> Array:
    """Return the singular values of a matrix."""
    return _found(engine, "linalg.svdvals", [x])[0]


def trace(engine: Engine, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum along a diagonal of a matrix."""
    x = as_array(engine, x)
    d, weak, _ = engine.decide("trace", x)
    if dtype is not None:
        d, weak = engine.decider.own(as_dtype(dtype)), False
    compute = summed_in(d)
    cast = engine.backend.cast(x.native, compute)
    return engine.wrap(engine.call("linalg.trace", compute, cast, offset=offset), d, weak)

"""MLX's rules: a table, which is JAX's lattice with no weak answers, joined from the left.

What is weak in JAX is concrete at once here: uint64 with int8 is float32, and no float* that would
give way to a third operand. So the order of more than two operands counts: uint64, int8 and float16
are float32, and float16, uint64 and int8 are float16. There is no complex128, so that float64 with
complex64 is complex64. A Python number is weak beside an array, and an int must fit the integers
that it meets.

Source: MLX 0.32.4, measured on ``mx.result_type``, and with Python numbers, which that does not
take, on ``mx.add``, one after the other; the table is ``mlx/dtype.cpp``.
Functions of logic take a Python int of any value that fits 64 bits.
Not modelled: NumPy arrays, which take the dtype of the MLX array that they meet; GPUs, which have
no float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..common_steps import INT32, INT64, Converting, State, WithoutScalars
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import Call, Defaults, Special, parse_rules, special_rules
from ..lattice import Lattice
from ..libraries import ASTYPE, Library
from ..operands import Operand
from ..steps import Classified, Settled, fits
from ..system import PromotionSystem
from ..table import Table
from .jax import ARROWS

LIBRARY = Library(
    "MLX",
    ("mlx",),
    import_as=("mlx.core", "mx"),
    dtypes_in="mlx.core",
    lacks_parameters=("softmax dtype",),
    dtype_names=(("bool", "bool_"),),
    cast=ASTYPE,
)

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 i* f* c*"

# What stands for these answers of JAX's.
AT_ONCE = {"i*": "i32", "f*": "f32", "c*": "c64", "c128": "c64"}


FUNCTIONS = """
    add = shared
    subtract, multiply, floor_divide, power, maximum, minimum, square, conj, round, sign =
    max, min, diff, where, clip, concat, stack, outer, kron, cross, cumulative_prod =
    sort, flip, diag, transpose, zeros_like, ones_like, roll, positive =
    true_divide, mean, median, sqrt, rsqrt, exp, log, log1p, log2, log10, reciprocal, sin, cos,
    tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, deg2rad, radians, rad2deg,
    degrees, logsumexp, logaddexp = bool integer: f32
    atan2, expm1, sigmoid, erf, erfinv = bool integer: f32; complex: -
    remainder, floor, ceil, trunc = complex: -
    negative = b: -
    abs, real, imag = complex: part
    equal, not_equal, less, less_equal, greater, greater_equal = *: b
    logical_and, logical_or, logical_xor = ints any; *: b
    logical_not, all, any = *: b
    isfinite, isinf, isnan = *: b
    bitwise_and, bitwise_or, bitwise_xor, invert = float complex: -
    left_shift, right_shift = b: u8; float complex: -
    cumulative_sum, cumsum = b: i32
    argmax, argmin, argsort = *: u32
    std, var, norm = bool integer complex: f32
    matmul, inner, tensordot = bool integer: -
    inv, cholesky, pinv, qr[0], qr[1] = bool integer complex bf16 f16: -
    einsum = bool integer: -
    isclose = arrays all; *: b
    isneginf, isposinf = *: b
    divmod[0], divmod[1] = complex: -
    nan_to_num = f64 complex: -
    trace, vecdot = b i8 i16: i32; u8 u16: u32
    logcumsumexp = bool integer: f32
    count_nonzero = *: i32
    argpartition, searchsorted = *: u32
    det, slogdet[0], slogdet[1] = complex: -; bool integer: f32
    eigvals, eig[0], eig[1] = bool integer bf16 f16: -; *: c64
    eigvalsh, eigh[0], svd[1] = bool integer bf16 f16: -; complex: part
    eigh[1], svd[0], svd[2] = bool integer bf16 f16: -
    matrix_norm = bool integer: f32; complex: part
    fft, ifft, fft2, ifft2, fftn, ifftn, rfft, rfft2, rfftn = *: c64
    irfft, irfft2, irfftn = complex: part; *: f32

    same, reshape, ravel, flatten, squeeze, expand_dims, atleast_1d, atleast_2d, atleast_3d,
    matrix_transpose, permute_dims, swapaxes, moveaxis, unflatten, broadcast_to, repeat, tile, pad,
    split[0], unstack, take, take_along_axis, partition, topk[0], cummax, cummin, diagonal, triu,
    tril, linalg.cross, stop_gradient, contiguous, fftshift, ifftshift, empty_like,
    full_like, asarray, array, arange =
    broadcast_arrays[0], meshgrid[0] = only 1
    zeros, ones, eye, identity, tri, linspace, uniform, normal = *: FLOAT
    randint = *: i32
"""
OF_DIMENSIONS = """
    sum, prod = b i8 i16: i32; u8 u16: u32
"""
OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64"


class Sums(NamedTuple):
    """How MLX adds operands, one after the other; a state has seen a number that came first."""

    table: Table[DType]
    must_fit: bool = True

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=first.operand if first.operand.is_python else None)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand. An int must fit the integers that it meets."""
        number, op, nodes = state.seen, item.operand, (state.node, item.node)
        if number is not None and op.is_python:  # both become arrays
            nodes = (_as_array(number, state.node), _as_array(op, item.node))
        elif self.must_fit:
            _refuse_unfit(number, item.node)
            _refuse_unfit(op, state.node)
        return State(self.table.join(*nodes))


def build() -> PromotionSystem:
    """Return MLX's rules."""
    jax: Lattice[str] = Lattice(ARROWS)
    pairs = [(a, b) for a in DTYPES.split() for b in DTYPES.split()]
    joins = {pair: jax.join(*pair) for pair in pairs}
    cells = {pair: AT_ONCE.get(joined, joined) for pair, joined in joins.items()}
    sums = Sums(Table(DTYPES.split(), cells).map(from_code))
    others = Sums(sums.table, must_fit=False)
    return PromotionSystem(
        "mlx",
        Fold(sums.table.nodes, sums.step, start=sums.start),
        classify=Converting("MLX", _classify),
        settle=_settle,
        functions={
            **parse_rules(FUNCTIONS),
            **special_rules(_KEPT, OF_DIMENSIONS),
            **special_rules(_SOFTMAX, "softmax = bool integer: f32"),
        },
        operable=OPERABLE,
        function_join=Fold(sums.table.nodes, others.step, start=others.start),
        refuse_int=_refuse_int,
        valued=True,
        defaults=Defaults(*map(by_name, ("int32", "float32", "complex64", "uint32"))),
        version="0.32.4",
        source="measured on mx.result_type and mx.add; mlx/dtype.cpp",
    )


def _kept_without_dimensions(call: Call) -> DType:
    is_kept = call.classified[0].operand.rank == 0
    return call.joined if is_kept else call.becomes(call.joined)


_KEPT = Special("an array without dimensions is returned as it is", result=_kept_without_dimensions)


def _softened(call: Call) -> DType:
    """Return what softmax gives: only along the last axis does it make floats of integers."""
    shape, made = call.classified[0].operand.shape, call.becomes(call.joined)
    if shape == () or (shape and 0 in shape) or made is call.joined:
        return call.joined
    if shape and len(shape) > 1:
        raise NoJoinError(
            f"along its last axis softmax of {call.joined} is {made}, and along another one it is "
            f"{call.joined}; cast to {made} first"
        )
    return made


_SOFTMAX = Special(
    "an array without elements or dimensions is returned as it is; integers of more dimensions "
    "than one depend on the axis",
    result=_softened,
)
_numbers_are_weak = WithoutScalars("MLX")


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    if isinstance(op.number, int) and (why := fits(op.number, INT64)):
        raise NoJoinError(why)
    return _numbers_are_weak(op, operands)


def _settle(node: DType, classified: Sequence[Classified]) -> Settled:
    if not node.weak:
        return Settled(node)
    result = _as_array(classified[0].operand, from_code(AT_ONCE[node.code or ""]))
    return Settled(result, False, f"{node} has no array to meet, and becomes {result}.")


def _as_array(op: Operand, node: DType) -> DType:
    """Return the dtype of the array that a number becomes."""
    return INT64 if isinstance(op.number, int) and fits(op.number, INT32) else node


def _refuse_unfit(op: Operand | None, met: DType) -> None:
    if op is not None and (why := _unfit(op.number, met)):
        raise NoJoinError(why)


def _unfit(value: Any, met: DType) -> str | None:
    narrow = not met.weak and met.bits != 64
    return fits(value, met) if isinstance(value, int) and narrow else None


def _refuse_int(value: int, _: DType, operands: Sequence[Operand], ints: str) -> str | None:
    reasons = [_unfit(value, op.dtype) for op in operands if not op.is_python]
    return next(filter(None, reasons), None) if ints != "any" else None

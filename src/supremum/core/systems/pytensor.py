"""PyTensor's rules: NumPy's table for variables; a number is the smallest type that holds it.

By the policy "custom", a Python int is the first of int8 to int64 that holds it, and a float is
float32 if that holds it exactly, or else float64: ``float32[] + 9.0`` is float32, and
``float32[] + 8.9`` float64. If ``floatX`` is float32, every float is. An int of 2**63 and more is
int64, and changes its value. By "numpy+floatX", an int is int64, and a float of the type
``floatX``; if that is float32, float64 that no operand has becomes float32. Numbers are not weak:
``int8[] + 300`` is int16, and ``uint8[] - 1`` int16. Division of integers gives ``floatX``.

Source: PyTensor 2.38.2 with NumPy 2.4.6, measured on the types of variables, which are not
compiled; ``upcast`` and ``NumpyAutocaster`` of ``scalar/basic.py``.
Not modelled: ``floatX`` of float16; ``True`` and ``False``, which PyTensor does not take; scalars
of NumPy; ``round``, eigenvalues, singular values, LU and Fourier transforms, what is made with a
number, such as ``full``, and sparse variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from ..common_steps import State, fits_64_bits, is_single
from ..dtypes import DType, by_name
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import Call, Defaults, Special, parse_rules, special_rules
from ..libraries import ASTYPE, Library
from ..operands import Operand
from ..steps import Classified, Settled, fits
from ..system import PromotionSystem
from ..table import Table
from . import numpy


def _as_set(module: Any) -> str:
    """Return the rules that are set."""
    config = module.config
    return f"pytensor:floatx={config.floatX},cast_policy={config.cast_policy}"


LIBRARY = Library(
    "PyTensor",
    ("pytensor",),
    import_as=("pytensor.tensor", "pt"),
    dtypes_in="numpy",
    cast=ASTYPE,
    dtypes_as_text=True,
    asked_by_rule=("mean",),
    lengths=(("shape", "int64"), (".shape", "int64"), (".size", "int64")),
    rules_as_set=_as_set,
)

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128"
INTS = tuple(map(by_name, ("int8", "int16", "int32", "int64")))
SINE = "b u8 u16 i8 i16: f32; integer: f64"
FUNCTIONS = f"""
    add, multiply, maximum, minimum, remainder, where, concat, stack, matmul, dot, vecdot,
    tensordot, outer, einsum, floor_divide =
    subtract, diff = b: -
    divmod[0], divmod[1], clip = complex: -
    power = b: i8
    equal, not_equal, less, less_equal, greater, greater_equal = *: b
    complex = complex: -; f32 f16 b u8 u16 i8 i16: c64; *: c128
    broadcast_arrays[0] = only 1

    conj, square, max, cumsum, cumulative_prod, sort =
    negative = b: -
    invert = float complex: -
    isnan, isinf, isposinf, isneginf, all, any = *: b
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1, log,
    log1p, log2, log10, sqrt, reciprocal, deg2rad, rad2deg, sigmoid, digamma, lgamma, erf, i0, i1,
    logsumexp = {SINE}
    floor, ceil, trunc, erfc, erfcx, erfinv = complex: -; {SINE}
    sign = b complex: -
    sgn, ptp = b complex: -
    abs, real, imag = complex: part
    min = complex: -
    sum = bool signed: i64; unsigned: u64
    prod, trace = bool signed: i64; unsigned: u64
    mean, var, std, inv, det, pinv = bool integer: f64
    argmax, argsort, nonzero, flatnonzero, searchsorted = *: i64
    argmin = complex: -; *: i64
    softplus, log1mexp, gamma = {SINE}
    polygamma = {SINE}; complex: -
    cholesky = f16: f32; {SINE}
    bincount = bool float complex: -
    unravel_index = bool unsigned float complex: -; *: i64
    slogdet[0], slogdet[1] = complex: -; bool integer: f64
    eigh[0], eigh[1] = f16: -; bool integer: f64; complex: part
    qr[0], qr[1] = f16: f32; {SINE}; complex: f64

    same, squeeze, flatten, transpose, matrix_transpose, expand_dims, broadcast_to, flip, roll,
    diag, diagonal, tril, tile, swapaxes, moveaxis, take, take_along_axis, compress, unique,
    zeros_like, ones_like, empty_like, ravel, reshape, atleast_1d, atleast_2d, atleast_3d, full,
    matvec, vecmat, matrix_power =
    triu = b: -
    repeat = u64: -
    arange = bool signed u8 u16 u32: i64
    zeros, ones, eye, tri = *: FLOAT
"""
APART = f"atan2, logaddexp, igamma, igammac = apart; {SINE}"


@cache
def _table() -> Table[DType]:
    return numpy.build().table().only(map(numpy.coded, DTYPES.split()))


class Autocast(NamedTuple):
    """What a Python number is.

    Attributes:
        floatx: the dtype of floats.
        smallest: whether it is the smallest dtype that holds it.
    """

    floatx: str
    smallest: bool

    def __call__(self, op: Operand, _: Sequence[Operand] = ()) -> Classified:
        """Return what an operand is."""
        if op.number is None:
            return Classified(op, op.dtype, op.describe())
        node = self.of(op.number)
        return Classified(op, node, f"Python {op.library}, which is {node} to PyTensor")

    def of(self, x: Any) -> DType:
        """Return the dtype of a number."""
        if isinstance(x, bool):
            raise NoJoinError("PyTensor does not take True and False; pass an array of bool")
        if isinstance(x, int):
            return self._of_int(x)
        if isinstance(x, complex):
            return by_name("complex128")
        if self.floatx != "float64" or not self.smallest:
            return by_name(self.floatx)
        return by_name("float32" if is_single(x) else "float64")

    def _of_int(self, x: int) -> DType:
        if why := fits_64_bits(x):
            raise NoJoinError(why)
        if not self.smallest:
            return by_name("uint64" if x >= 2**63 else "int64")
        return next((d for d in INTS if not fits(x, d)), INTS[-1])


class Upcast(NamedTuple):
    """How operands join: as NumPy's, and then float64 may be narrowed.

    Attributes:
        keeps_single: whether float64 that no operand has is float32.
    """

    keeps_single: bool

    def step(self, state: Classified | State, item: Classified) -> State:
        """Return the state after another operand."""
        return State(_table().join(state.node, item.node))

    def settle(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        has_double = any(x.node is node for x in classified)
        if self.keeps_single and node.name == "float64" and not has_double:
            why = "With floatX of float32, float64 that no operand has becomes float32."
            return Settled(by_name("float32"), False, why)
        return Settled(node)


def _of_bits(call: Call) -> DType:
    kinds = {x.node.kind for x in call.classified}
    if kinds & {"float", "complex"} or {"bool"} < kinds:
        raise NoJoinError(f"{call.name} takes bools, or integers")
    return call.joined  # which is a float for uint64 and int64


def _divided(call: Call) -> DType:
    is_exact = all(x.node.kind in ("bool", "unsigned", "signed") for x in call.classified)
    return call.defaults.float if is_exact else call.joined


_DIVIDE = Special("bools and integers give the default float", result=_divided)
_OF_BITS = Special("bools, or integers, join; anything else is refused", result=_of_bits)


def build(
    *,
    floatx: Literal["float64", "float32"] = "float64",
    cast_policy: Literal["custom", "numpy+floatX"] = "custom",
) -> PromotionSystem:
    """Return PyTensor's rules, those of ``pytensor.tensor.add``.

    Args:
        floatx: ``pytensor.config.floatX``.
        cast_policy: ``pytensor.config.cast_policy``.
    """
    custom = cast_policy == "custom"
    upcast = Upcast(floatx == "float32" and not custom)
    return PromotionSystem(
        "pytensor",
        Fold(_table().nodes, upcast.step),
        classify=Autocast(floatx, custom),
        settle=upcast.settle,
        functions={
            **parse_rules(FUNCTIONS),
            **parse_rules(APART),
            **special_rules(_DIVIDE, "true_divide ="),
            **special_rules(_OF_BITS, "bitwise_and, bitwise_or, bitwise_xor ="),
        },
        defaults=Defaults(*map(by_name, ("int64", floatx, "complex128", "int64"))),
        weak_arrays=False,
        valued=True,
        label=f"{floatx}, {cast_policy}",
        version="2.38.2",
        source="measured on pytensor.tensor.add; scalar/basic.py",
    )

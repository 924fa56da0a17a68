"""Keras' rules: JAX's lattice without a weak complex, and 64-bit types that narrow after the join.

What is still weak after the join takes the width of ``floatx``: with float16 a Python int is int16,
and with bfloat16, whose name ends in 16 too, a Python float is float16. Then uint64 narrows to
uint32 and complex128 to complex64, and on any backend but TensorFlow int64 and float64 narrow also.

Source: ``keras/src/backend/common/dtypes.py`` of Keras 3.15.1, measured on
``keras.backend.result_type`` on TensorFlow, JAX, PyTorch and NumPy. It is asked about dtypes, and
about the types of Python numbers. It takes no float8, not even alone.

Functions are those of ``keras.ops``, called on arrays of the backend: TensorFlow, eagerly, or JAX
with its 64-bit types off. On TensorFlow some join as above, and others, such as ``remainder`` and
``hypot``, make a tensor of a Python number first: int32, or int64 if it must; float32; complex128.
On JAX a number is as weak as JAX itself has it, whatever ``floatx`` is; but if that is bfloat16,
Keras makes it float32, a complex one too, except in ``where``. A symbolic ``KerasTensor`` may have
another dtype than what is computed.
Of 15,825 cells on TensorFlow (two arrays, floatx float32), a symbolic ``KerasTensor`` declares
another dtype in 233, such as ``abs`` of complex and ``linspace``, has one in 3,402 that TensorFlow
refuses, and none in 240. The rules say what is computed.

``clip`` of bool is refused on TensorFlow, where it takes bounds of int32. A Python number in
``atan2``, ``logaddexp`` and shifts is refused on one backend or both.
Not modelled: strings; the functions on PyTorch and NumPy; in functions, Python bools, ints beyond
int64, floats of which TensorFlow makes no float32, and weakly typed arrays of JAX; what the
backends' own operators make of their arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ..common_steps import INT32, INT64, MustFit
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Call, Defaults, FunctionRule, Special, parse_rules, special_rules
from ..lattice import Lattice
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, fits
from ..system import PromotionSystem
from . import jax
from .tensorflow import refuse_cut

LIBRARY = Library(
    "Keras",
    ("keras",),
    import_as=("keras.ops", "ops"),
    lacks_parameters=("softmax dtype", "log_softmax dtype"),
    dtypes_as_text=True,
    asked_by_rule=("cumsum", "cumulative_sum", "cumulative_prod"),
    lengths=(("size", ""),),
)

ARROWS = jax.ARROWS.replace(", c*", "")

NARROWED = {"uint64": "uint32", "complex128": "complex64"}
NARROWED_ELSEWHERE = {"int64": "int32", "float64": "float32"}

# What is said of operands of a function: if all are of one dtype, that does not narrow.
OF_FUNCTION = frozenset(("of a function",))

OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"
OPERABLE_ON_JAX = "b u8 u16 u32 i8 i16 i32 bf16 f16 f32 c64"

_WEAK = "bool integer: WEAK"
_SINE = f"i64: FLOAT; {_WEAK}"
_FLOATX = "bool integer: FLOAT"
_NARROW = "u64: u32; c128: c64"
_NO_SOLVE = "bool integer bf16 f16: -"
_KEPT = """
    ravel, squeeze, copy, flip, flipud, diag, diagflat, zeros_like, ones_like, empty_like, unstack,
    transpose, fliplr, rot90, diagonal, triu, tril, expand_dims, reshape, roll, repeat, tile, pad,
    array_split[0], split[0], hsplit[0], vsplit[0], dsplit[0], broadcast_to, swapaxes, moveaxis,
    take, take_along_axis, array, asarray, stop_gradient, diff ="""
ON_TENSORFLOW = f"""
    add, subtract, multiply = shared; b: -; {_NARROW}
    where = shared; {_NARROW}
    true_divide = shared; {_WEAK}; {_NARROW}
    floor_divide = shared; ints divisor; b complex: -; u64: u32
    power = shared; ints exponent; b: -; {_NARROW}
    maximum, minimum, fmax, fmin = shared; b complex: -; u64: u32
    clip = shared; alike; b complex: -
    remainder, fmod = b: i32; complex: -
    bitwise_and, bitwise_or, bitwise_xor, gcd = b float complex: -
    left_shift, right_shift = arrays all; b float complex: -
    equal, not_equal, logical_and, logical_or, logical_xor, isclose = *: b
    less, less_equal, greater, greater_equal = b complex: -; *: b
    isin = complex: -; *: b
    heaviside = b complex: -; i64: f64; integer: FLOAT
    hypot = b: -; i64: f64; integer: FLOAT; c64: f32
    atan2, logaddexp, logaddexp2 = {_WEAK}; complex: -
    nextafter, linspace, logspace = {_WEAK}

    conj = b: -
    negative = b unsigned: -
    sign = b u64: -
    abs, imag = complex: part
    real = b: -; complex: part
    angle = {_SINE}; complex: f32
    square = b: i32
    invert = b float complex: -
    exp, expm1, exp2 = {_FLOATX}
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, log, log1p, log2, log10,
    sqrt, sinc, norm = {_SINE}; c128: c64
    average, var, trapezoid = {_WEAK}; c128: c64
    fabs = {_FLOATX}; complex: -
    floor, ceil = {_SINE}; complex: -
    median, nanmedian, quantile, nanquantile, percentile, nanpercentile, nanstd,
    nanvar = {_WEAK}; complex: -
    std = {_FLOATX}; complex: part
    mean = bool integer: f32
    nanmean = bool integer complex: f32
    reciprocal, rsqrt, sigmoid = bool integer: -
    softmax, log_softmax, logsumexp, erf, erfc, erfinv, selu, celu, elu, gelu, softplus, logsigmoid,
    softsign, hardsigmoid, hardswish, softshrink, hardtanh, sparse_plus, sparse_sigmoid,
    normalize = bool integer complex: -
    silu, tanhshrink, hardshrink, squareplus, glu = bool integer: -
    leaky_relu = b complex: -; integer: f32
    one_hot = *: FLOAT
    cbrt = i64: f64; bool integer f32 complex: FLOAT
    deg2rad, rad2deg = u64: -; i64: f64; {_FLOATX}
    round, relu, relu6, threshold, ptp, unique = b complex: -
    trunc, nan_to_num, max, min, nanmax, nanmin, sort = complex: -
    logical_not, signbit, isneginf, isposinf, isreal, all, any = *: b
    isfinite, isinf, isnan = complex: -; *: b
    sum, nansum, trace = b i8 i16: i32; u8 u16: u32
    prod, nanprod = b i8 i16: i32; u8 u16 u64: u32; c128: c64
    cumulative_sum, cumsum, cumulative_prod = b: i32
    nancumsum, nancumprod = b: i32; complex: -
    argmax, argmin, nanargmax, nanargmin, argsort = complex: -; *: i32
    nonzero, count_nonzero, argpartition, bincount = *: i32
    searchsorted = alike; b complex: -; *: i32
    digitize = only 1; complex u64: -; *: i32

    dot, vdot, inner, tensordot, outer, append =
    correlate = i64: f64; bool integer complex: f32
    cross = b complex: -
    kron = b: -
    concat, stack, hstack, vstack, dstack = shared
    inv, qr[0], qr[1] = bool integer bf16: -
    det, cholesky_inverse, eigh[1], slogdet[0], svd[0], svd[2] = {_NO_SOLVE}
    eigh[0], slogdet[1] = {_NO_SOLVE}
    logdet, svd[1] = {_NO_SOLVE}; complex: part
    eig[0], eig[1] = {_NO_SOLVE}; f32: c64; f64: c128
    cholesky, pinv = {_NO_SOLVE}; complex: -
    matrix_rank = {_NO_SOLVE}; complex: -; *: i32
    solve = shared; alike; {_NO_SOLVE}
    full_like = {_NARROW}
    arange = b complex u8: -; u64: u32
    full = *: FLOAT
    topk[0] = b complex: -
    topk[1] = b complex: -; *: i32
    zeros, ones, empty, eye, identity, tri = *: FLOAT
{_KEPT}
"""
_SINGLE = "bool integer: f32"
ON_JAX = f"""
    add, multiply, maximum, minimum, fmax, fmin =
    where = shared
    subtract = b: -
    true_divide = {_SINGLE}
    floor_divide, remainder, fmod = b: i32; complex: -
    power = b: i32
    left_shift, right_shift = b: i32; float complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    gcd, lcm = b float complex: -
    equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or,
    logical_xor, isclose, isin = *: b
    heaviside, hypot, nextafter = {_SINGLE}; complex: -
    atan2, logaddexp, logaddexp2 = arrays all; {_WEAK}

    conj, nan_to_num, max, min, nanmax, nanmin, sort, unique, full_like =
    negative, sign, round, ptp, vander = b: -
    square, relu, threshold, hardtanh = b: i32
    abs, real, imag = complex: part
    angle, norm = {_SINE}; complex: part
    invert = float complex: -
    trunc = complex: -
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, sinc, average,
    var = {_SINE}
    exp, exp2, expm1 = {_FLOATX}
    floor, ceil = {_SINE}; complex: -
    log, log1p, log2, log10, sqrt, reciprocal, deg2rad, rad2deg, selu, celu, logsumexp, mean,
    nanmean, linspace, logspace, geomspace = {_SINGLE}
    cbrt, fabs, erfc, erfinv, median, nanmedian, quantile, nanquantile, percentile,
    nanpercentile = {_SINGLE}; complex: -
    std, nanstd, nanvar = {_SINGLE}; complex: part
    relu6, elu, gelu, softplus, softsign, hardsigmoid, hardswish, tanhshrink, softshrink,
    hardshrink, leaky_relu, squareplus, sparse_plus = {_SINGLE}
    logsigmoid = b: -; integer: f32
    sparse_sigmoid = {_SINGLE}; complex: -
    silu, glu = bool integer: -
    one_hot = b: -; *: FLOAT
    i0 = bool integer f32 complex: FLOAT
    erf = bool integer complex: -
    rsqrt, sigmoid = bool integer: -
    softmax, log_softmax = b: -; integer: f32
    logical_not, isfinite, isinf, isnan, isreal, all, any = *: b
    signbit, isneginf, isposinf = complex: -; *: b
    sum, nansum, prod, nanprod, trace = b i8 i16: i32; u8 u16: u32
    cumulative_sum, cumsum, nancumsum, cumulative_prod, nancumprod = b: i32
    argmax, argmin, nanargmax, nanargmin = complex: -; *: i32
    argsort, nonzero, count_nonzero, searchsorted, digitize = *: i32
    argpartition = b complex: -; *: i32
    bincount = float complex: -; *: i32

    dot, vdot, inner, tensordot, outer, append, concat, stack, hstack, vstack, dstack =
    cross, kron = b: -
    correlate, corrcoef, inv, cholesky, cholesky_inverse, det, pinv, eigh[1], qr[0], qr[1],
    slogdet[0], svd[0], svd[2], solve = {_SINGLE}
    eigh[0], slogdet[1], svd[1], logdet = {_SINGLE}; complex: part
    eig[0], eig[1] = *: c64
    matrix_rank = *: i32
    histogram[0], histogram[1] = {_SINGLE}
    arange = b complex: -
    full = *: FLOAT
    meshgrid[0] = only 1
    zeros, ones, empty, eye, identity, tri = *: FLOAT
{_KEPT}
"""
FUNCTIONS = {"tensorflow": ON_TENSORFLOW, "jax": ON_JAX}


def _of_numbers(operands: list[Operand]) -> list[Operand]:
    """Return the operands of clip, of which the first is cast if it is of bools."""
    first, *bounds = operands
    return [first._replace(dtype=INT32) if first.dtype.kind == "bool" else first, *bounds]


_CLIP = Special("a first operand of bools is an int32", select=_of_numbers)


def _widened(call: Call) -> DType:
    """Return what a sum of products gives: that of int8 alone is int32, and not beside bool."""
    is_int8 = {d.name for d in call.dtypes} == {"int8"}
    return by_name("int32") if is_int8 else call.becomes(call.joined)


_WIDENED = Special("int8 adds up in int32 if all are int8", result=_widened)
# The sums of products that are so, on each backend.
PRODUCTS = {"tensorflow": "einsum = b: -", "jax": "matmul, einsum ="}


def _widened_matrices(call: Call) -> DType:
    """Return what matmul gives, which TensorFlow computes in another way for vectors."""
    made, ranks = _widened(call), [x.operand.rank for x in call.classified]
    if made is call.joined or 1 in ranks:
        return call.joined
    if None in ranks:
        raise NoJoinError(f"of vectors matmul of {call.joined} is {call.joined}, and else {made}")
    return made


_MATRICES = Special(
    "int8 adds up in int32 if all are int8, and none is a vector", result=_widened_matrices
)


def functions(backend: str, weak: str) -> dict[str, FunctionRule]:
    """Return the rules of functions on a backend.

    Args:
        backend: what Keras runs on.
        weak: the float that integers become in some.
    """
    return {
        **parse_rules(FUNCTIONS.get(backend, "").replace("WEAK", weak)),
        **special_rules(_WIDENED, PRODUCTS.get(backend, "")),
        **special_rules(_MATRICES, "matmul =" if backend == "tensorflow" else ""),
        **special_rules(_CLIP, "clip = complex: -" if backend == "jax" else ""),
    }


class Tensors(NamedTuple):
    """How operands join where Keras makes a tensor of a number first, which has a dtype then."""

    lattice: Lattice[DType]
    floatx: str
    backend: str

    def start(self, first: Classified) -> DType:
        """Return the dtype of the first operand."""
        value: Any = first.operand.number
        if not first.operand.is_python:
            return first.node
        if self.backend == "jax":  # as floatx is bfloat16 there
            return by_name("float32")
        if isinstance(value, int):
            return INT64 if fits(value, INT32) else INT32
        return by_name("float32" if first.operand.dtype.kind == "float" else "complex128")

    def step(self, node: DType, item: Classified) -> DType:
        """Return the dtype after another operand."""
        joined = self.lattice.join(node, self.start(item))
        full = f"float{self.floatx[-2:]}" if joined.weak else joined.name
        return by_name(NARROWED.get(full, full))


class Settle(NamedTuple):
    """What becomes of a node: weak ones get the width of floatx, and then some narrow."""

    floatx: str
    backend: str

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        if any(x.operand.form == "Python subclass" for x in classified):
            raise NoJoinError("Keras takes the types int and float, not types derived from them")
        floatx = self.floatx
        if classified[0].facts == OF_FUNCTION:
            if len({x.node for x in classified}) == 1 and not node.weak:
                return Settled(node)
            if self.backend == "jax":
                floatx = "float32"
            elif node.weak and len(classified) == 1:
                raise NoJoinError("a number has the dtype of what it meets")
        full = f"{node.name[:-1]}{floatx[-2:]}" if node.weak else node.name
        narrowed = {**NARROWED, **({} if self.backend == "tensorflow" else NARROWED_ELSEWHERE)}
        result = by_name(narrowed.get(full, full))
        weak = f"{node} is weak, and floatx is {floatx}: " if node.weak else ""
        if result.name != full:
            why = f"{weak}{full} becomes {result}, because Keras has no {full} on {self.backend}."
            return Settled(result, False, why)
        return Settled(result, False, f"{weak}it becomes {result}." if weak else "")


def build(
    *,
    floatx: Literal["float32", "float16", "bfloat16", "float64"] = "float32",
    backend: Literal["tensorflow", "jax", "torch", "numpy"] = "tensorflow",
) -> PromotionSystem:
    """Return Keras' rules.

    Args:
        floatx: the default float (``keras.config.set_floatx``).
        backend: what Keras runs on. For its dtypes it matters whether that is TensorFlow; there are
            rules of functions on TensorFlow and JAX.
    """
    default = "float32" if floatx == "float64" and backend != "tensorflow" else floatx
    lattice: Lattice[DType] = Lattice(ARROWS, node=from_code)
    tensors = Tensors(lattice, floatx, backend)
    of_tensors: Fold[DType] = Fold(lattice, tensors.step, start=tensors.start)
    has_tensors = backend == "tensorflow" or (backend, floatx) == ("jax", "bfloat16")
    return PromotionSystem(
        "keras",
        lattice,
        classify=_classify,
        settle=Settle(floatx, backend),
        label=f"floatx {floatx}, on {backend}",
        version="3.15.1",
        source="keras/src/backend/common/dtypes.py",
        functions=functions(backend, f"float{default[-2:]}"),
        operable=OPERABLE_ON_JAX if backend == "jax" else OPERABLE,
        function_join=of_tensors if has_tensors else None,
        function_classify=_classify_of_function,
        refuse_int=MustFit(INT32) if backend == "jax" else refuse_cut,
        defaults=Defaults(
            by_name(f"int{default[-2:]}"),
            by_name(default),
            by_name("complex128" if backend == "tensorflow" else "complex64"),
            INT32,
        ),
    )


def _classify(op: Operand, _: Sequence[Operand]) -> Classified:
    # arrays are never weak here, and a complex is no weaker than they are
    node = op.weak_dtype if op.is_python or op.form == "type" else op.dtype
    if node.name == "complex*":
        return Classified(op, by_name("complex64"), f"{op.describe()}, treated as complex64")
    return Classified(op, node, op.describe())


def _classify_of_function(op: Operand, operands: Sequence[Operand]) -> Classified:
    value: Any = op.number
    is_bool = isinstance(value, bool)
    if op.form == "Python scalar" and (is_bool or (isinstance(value, int) and fits(value, INT64))):
        what = f"how its functions take {short(value)} is not modelled"
        raise NoJoinError(f"{what}; make an array of it first")
    return _classify(op, operands)._replace(facts=OF_FUNCTION)

"""PyTorch's rules: a table, and three tiers of operands.

Source: PyTorch 2.13.0, measured on ``torch.result_type``; ``c10/core/ScalarType.cpp`` for the table
and ``ATen/native/TypeProperties.cpp`` for the tiers. Tensors with dimensions come first, then those
without, then Python numbers; within a tier the table joins. A lower tier counts only if it is of a
higher kind, and of a complex one only that it is complex. The table joins from left to right, so
uint16 with int8 with float32 is refused or not by their order. NumPy's scalars are numbers too; its
bool and complex64, which are not derived from Python's, are read as floats.
``version="2.15.0"`` has bcomplex32, which bfloat16 gives with complex numbers, and more kernels;
its ``quantile`` makes float64 on the way, on a CPU, which ``fp64=False`` does not know.
``version="1.10"`` has the table of JAX's design document (2021): without uint16, uint32 and uint64,
complex32 or float8; there Python numbers alone stay as wide as Python's.
``fp64=False`` has neither float64 nor complex128, as Apple's devices (``ATen/mps/EmptyTensor.cpp``,
which refuses to make such a tensor); it is confirmed on a CPU on which no such tensor may be made.
Functions: each with every dtype and pair of dtypes; those that are not listed have no answer.
Not modelled: quantized and bit dtypes, and the C++ code's own copy in ``torch._prims_common``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Any, Literal, NamedTuple

from ..common_steps import INT64, Advice, State, fits_64_bits
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Call, Case, Defaults, FunctionRule, Special, parse_rules, special_rules
from ..functions import FUNCTIONS
from ..libraries import Library
from ..operands import SCALAR_LIBRARY, Operand
from ..steps import DEFAULT_WIDTHS, Classified, Settled, ToWidths, fits
from ..system import PromotionSystem
from ..table import Table


def _at_hand(tensor: Any) -> Any:
    torch = sys.modules["torch"]
    plain = type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.device.type == "cpu"
    if not plain or tensor.layout is not torch.strided or torch.compiler.is_compiling():
        return None
    tensor = tensor.detach()
    if tensor.dtype is torch.bfloat16:
        return tensor.float().numpy()
    return tensor.resolve_conj().resolve_neg().numpy()


def _is_tracing() -> bool:
    return bool(sys.modules["torch"].jit.is_tracing())


def _as_set(module: Any) -> str:
    """Return the rules of the release that is imported, with the default dtype that is set."""
    default = getattr(module, "get_default_dtype", None)  # None while it is being imported
    return _setting(str(module.__version__), "float32" if default is None else default())


@cache
def _setting(release: str, default: Any) -> str:
    """Return the rules of a release, of which there are others from 2.15 on, with a default."""
    major, minor = (int(number) for number in release.split(".")[:2])
    version = "version=2.15.0" if (major, minor) >= (2, 15) else ""
    name = str(default).removeprefix("torch.")
    options = [version, "" if name == "float32" else f"default_dtype={name}"]
    said = ",".join(filter(None, options))
    return f"torch:{said}" if said else "torch"


LIBRARY = Library(
    "PyTorch",
    ("torch",),
    import_as=("torch", "torch"),
    dtypes_in="torch",
    spellings=tuple({
        "half": "float16", "float": "float32", "double": "float64", "short": "int16",
        "int": "int32", "long": "int64", "chalf": "complex32", "cfloat": "complex64",
        "cdouble": "complex128",
    }.items()),
    shapeless=("UninitializedParameter", "UninitializedBuffer", "is_nested"),
    index_dtypes=("bool", "uint8", "int32", "int64"),
    unmade=(("arange", "bool complex"), ("linspace", "bool"), ("logspace", "bool")),
    indices_of=(
        *((name, "int64") for name in (
            "take", "take_along_axis", "index_fill", "index_copy", "put", "one_hot",
            "multi_margin_loss")),
        *((name, "int32 int64") for name in (
            "gather", "scatter", "scatter_add", "index_select", "index_add", "index_reduce",
            "scatter_reduce", "nn.functional.embedding")),
        *((name, "uint8 int64") for name in ("cross_entropy", "nll_loss")),
    ),
    unfit_ints=("made", "filled"),
    array_class="torch:Tensor",
    cast="{x}.to({dtype})",
    names_own_dtype=True,
    cast_methods=tuple({
        "float64": "double", "float32": "float", "float16": "half", "bfloat16": "bfloat16",
        "int64": "long", "int32": "int", "int16": "short",
    }.items()),
    dtype_by_name=True,
    wide_scalars=("multiply", "true_divide", "floor_divide"),
    by_reciprocal=True,
    at_hand=_at_hand,
    is_tracing=_is_tracing,
    rules_as_set=_as_set,
    devices=(("mps", "fp64=false"),),
    divides_by_one_less=True,
    stores_in_place=True,
    takes_own_alone=True,
    truths=("equal",),
)  # fmt: skip

TABLE = """
          b    u8   u16  u32  u64  i8   i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    b     b    u8   -    -    -    i8   i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    u8    u8   u8   -    -    -    i16  i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    u16   -    -    u16  -    -    -    -    -    -    bf16 f16  f32  f64  -    -    -
    u32   -    -    -    u32  -    -    -    -    -    bf16 f16  f32  f64  -    -    -
    u64   -    -    -    -    u64  -    -    -    -    bf16 f16  f32  f64  -    -    -
    i8    i8   i16  -    -    -    i8   i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    i16   i16  i16  -    -    -    i16  i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    i32   i32  i32  -    -    -    i32  i32  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    i64   i64  i64  -    -    -    i64  i64  i64  i64  bf16 f16  f32  f64  c32  c64  c128
    bf16  bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32  f32  f64  c64  c64  c128
    f16   f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f16  f32  f64  c32  c64  c128
    f32   f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c64  c128
    f64   f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128 c128
    c32   c32  c32  -    -    -    c32  c32  c32  c32  c64  c32  c64  c128 c32  c64  c128
    c64   c64  c64  -    -    -    c64  c64  c64  c64  c64  c64  c64  c128 c64  c64  c128
    c128  c128 c128 -    -    -    c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""

# What bcomplex32, which 2.15 has, gives with others.
HALVED = "b u8 i8 i16 i32 i64 bf16 bc32: bc32; f16 f32 c32 c64: c64; f64 c128: c128"

# These promote to nothing but themselves.
ALONE = """
    float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
"""

COMPLEX_OF = {"f16": "c32", "bf16": "c64", "f32": "c64", "f64": "c128"}

OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"

_NEW = "u16 u32 u64 c32 " + ALONE
_DOUBLE = "f64 c128"


_WIDE = "u16 u32 u64"  # the unsigned integers that most kernels lack
_FLOATED = "bool integer: FLOAT"
_REAL = f"complex {_WIDE}: -"
_FACTORED = "bool integer bf16 f16: -"
# These compute in single and double precision alone.
_SPECIAL = """
    zeta, chebyshev_polynomial_t, chebyshev_polynomial_u, chebyshev_polynomial_v,
    chebyshev_polynomial_w, hermite_polynomial_h, hermite_polynomial_he, laguerre_polynomial_l,
    legendre_polynomial_p, shifted_chebyshev_polynomial_t, shifted_chebyshev_polynomial_u,
    shifted_chebyshev_polynomial_v, shifted_chebyshev_polynomial_w, erfcx, log_ndtr, ndtri,
    airy_ai, bessel_j0, bessel_j1, bessel_y0, bessel_y1, modified_bessel_i0, modified_bessel_i1,
    modified_bessel_k0, modified_bessel_k1, scaled_modified_bessel_k0, scaled_modified_bessel_k1,
    spherical_bessel_j0"""
_FUNCTIONS = f"""
    add = {_WIDE}: -
    addr = {_WIDE}: -
    subtract = takes integer float complex, integer float complex; {_WIDE}: -
    multiply, outer, nn.functional.embedding =
    true_divide = c32: -; {_FLOATED}
    floor_divide = ints divisor; bool complex {_WIDE}: -
    remainder = ints divisor; bool complex {_WIDE}: -
    fmod = arrays first; ints divisor; bool complex {_WIDE}: -
    equal, not_equal = arrays first; *: b
    less, less_equal, greater, greater_equal = arrays first; {_REAL}; *: b
    logical_and, logical_or, logical_xor = arrays all; c32 {_WIDE}: -; *: b
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    left_shift, right_shift = bool float complex {_WIDE}: -
    gcd, lcm = arrays all; bool float complex {_WIDE}: -
    maximum, minimum, fmax, fmin = arrays all; {_REAL}
    clip = ints bound; bool {_REAL}
    xlogy, xlog1py = {_FLOATED}; complex: -
    atan2 = arrays all; {_FLOATED}; complex: -
    copysign = arrays first; {_FLOATED}; complex: -
    hypot, nextafter, igamma, igammac, logaddexp2 = arrays all; bool integer complex: -
    logaddexp = arrays all; c32 bool integer: -
    heaviside = arrays all; alike; {_REAL}
    float_power = apart; ints float; complex: c128; *: f64
    polar = arrays all; alike; f32: c64; f64: c128; *: -
    complex = arrays all; alike; f16: c32; f32: c64; f64: c128; *: -
    isclose = arrays all; alike; *: b
    where = ints fit
    addcmul, matrix_power = bool {_WIDE}: -
    lerp = arrays all; alike; bool integer: -
    prelu = alike; integer bool complex: -
    dist = arrays all; takes integer float complex, integer float complex; integer: -; complex: part

    negative = bool {_WIDE}: -
    positive = b: -
    abs = bool {_WIDE}: -; complex: part
    sign = {_REAL}
    sgn = {_WIDE}: -
    square = b: i64; {_WIDE}: -
    real = complex: part
    imag, view_as_real = bool integer float: -; complex: part
    angle = bool integer: FLOAT; complex: part
    conj, conj_physical, resolve_conj, resolve_neg =
    invert = float complex {_WIDE}: -
    logical_not = c32 {_WIDE}: -; *: b
    isfinite, isinf, isnan, isreal = *: b
    signbit, isneginf, isposinf = complex: -; *: b
    floor, ceil, trunc, round, randint_like = bool complex: -
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1, log,
    log1p, log2, log10, sqrt, rsqrt, reciprocal, sinc, sigmoid, logsumexp = {_FLOATED}
    deg2rad, rad2deg, i0, i0e, i1, i1e, erf, erfc, erfinv, lgamma, digamma, logit, entr, ndtr,
    polygamma = {_FLOATED}; complex: -
    mvlgamma = bool complex: -; integer: FLOAT
    relu, threshold, relu6 = bool {_REAL}
    frac, softmax, log_softmax, frexp[0], selu, celu, hardshrink, rrelu, dropout, alpha_dropout,
    feature_alpha_dropout, nanmean, histc, poisson, bernoulli, group_norm,
    layer_norm, batch_norm, instance_norm, embedding_bag[0], segment_reduce, max_pool1d,
    adaptive_max_pool1d[0], adaptive_max_pool2d, adaptive_max_pool3d, elu, leaky_relu, gelu, mish,
    softplus, logsigmoid, hardsigmoid, hardswish, softshrink, softmin, glu, gumbel_softmax,
    dropout1d, dropout2d, dropout3d, cross_entropy, nll_loss = bool integer complex: -
    silu, normalize, adaptive_avg_pool2d, adaptive_avg_pool3d = bool integer: -
    hardtanh = bool u8 {_REAL}
    softsign = bool {_WIDE}: -; integer: FLOAT
    tanhshrink = b: -; integer: FLOAT
    frexp[1] = bool integer complex: -; *: i32
    multinomial, adaptive_max_pool1d[1], embedding_bag[1], embedding_bag[2],
    embedding_bag[3] = bool integer complex: -; *: i64

    sum, prod, cumsum, cumulative_prod = bool integer: i64
    nansum = bool integer: i64; complex: -
    trace = bool {_WIDE}: -; integer: i64
    mean, std_mean[1], var_mean[1], logcumsumexp, matrix_exp, renorm, adaptive_avg_pool1d, rms_norm,
    rand_like, randn_like = bool integer: -
    std, var, std_mean[0], var_mean[0], norm, vector_norm, matrix_norm = bool integer: -;
    complex: part
    max, min, aminmax[0], aminmax[1], cummax[0], cummin[0], mode[0] = {_REAL}
    max[1], min[1], cummax[1], cummin[1], mode[1] = {_REAL}; *: i64
    median, nanmedian, kthvalue[0], topk[0], max_pool2d, max_pool3d = bool {_REAL}
    argmax, argmin, median[1], nanmedian[1], kthvalue[1], topk[1], searchsorted,
    bucketize = bool {_REAL}; *: i64
    quantile, nanquantile, pdist, lobpcg[0], lobpcg[1], histogram[0], histogram[1],
    histogramdd[0], ctc_loss = bool integer complex bf16 f16: -
    all, any = u8: u8; *: b
    argsort, sort[1] = complex: -; *: i64
    sort, msort, unique, unique_consecutive = complex: -
    nonzero, count_nonzero, argwhere, nonzero_static = {_WIDE}: -; *: i64
    bincount = bool float complex {_WIDE}: -; *: i64
    gradient = only 1; bool unsigned: -; signed: FLOAT
    trapezoid, cumulative_trapezoid = bool {_WIDE}: -; integer: FLOAT
    cov, corrcoef = b: -; integer: FLOAT
    hash_tensor = {_REAL}; *: u64
    avg_pool1d, avg_pool2d = bool unsigned complex i8 i16 i32: -
    avg_pool3d = bool unsigned complex i8 i16 i32 bf16 f16: -
    lp_pool1d, lp_pool2d = unsigned complex i8 i16 i32: -; b i64: FLOAT
    local_response_norm = bool unsigned complex i8 i16 i32: -; i64: FLOAT
    interpolate = bool signed {_REAL}
    one_hot = bool unsigned float complex i8 i16 i32: -

    multi_margin_loss = bool integer complex bf16 f16: -
    huber_loss = only 1; takes float, bool integer float
    hinge_embedding_loss = only 1; bool complex {_WIDE}: -
    binary_cross_entropy = alike; bool integer complex: -
    binary_cross_entropy_with_logits = only 2; takes float, float complex
    multilabel_soft_margin_loss = takes float, u8 signed float complex
    kl_div = takes float, float
    pairwise_distance = arrays all; takes integer float complex, integer float complex;
    {_WIDE}: -; integer: FLOAT; complex: part
    scaled_dot_product_attention = alike; bool integer complex: -

    matmul, mm, mv, bmm, dot, vdot, tensordot, addmm, addmv, addbmm, baddbmm,
    multi_dot, chain_matmul, cross, linalg.cross, conv1d, conv2d, conv3d,
    bilinear, linear = alike; bool {_WIDE}: -
    conv_transpose1d, conv_transpose2d, conv_transpose3d = alike; bool unsigned i8 i16 i32: -
    index_reduce = alike; bool {_REAL}
    vecdot = alike; bool integer: -
    cdist, binomial = alike; bool integer complex bf16 f16: -
    concat, stack, hstack, vstack, dstack, column_stack, block_diag =
    cartesian_prod, meshgrid[0] = alike
    scatter_reduce = alike; {_REAL}

    inv, pinv, cholesky, det, logdet, cholesky_inverse, lu_factor[0], lu_factor_ex[0], inv_ex[0],
    cholesky_ex[0], ldl_factor[0], ldl_factor_ex[0], geqrf[0], geqrf[1], linalg.lu[0],
    linalg.lu[1], linalg.lu[2], lu[0], svd_lowrank[0], svd_lowrank[2], pca_lowrank[0],
    pca_lowrank[2], eigh[1], qr[0], qr[1], slogdet[0], svd[0], svd[2], tensorinv = {_FACTORED}
    eigvalsh, eigh[0], svdvals, svd[1], svd_lowrank[1], pca_lowrank[1], slogdet[1],
    cond = {_FACTORED}; complex: part
    eigvals, eig[0], eig[1], stft = {_FACTORED}; f32: c64; f64: c128
    lu_factor[1], lu_factor_ex[1], lu_factor_ex[2], inv_ex[1], cholesky_ex[1], ldl_factor[1],
    ldl_factor_ex[1], ldl_factor_ex[2], lu[1] = {_FACTORED}; *: i32
    matrix_rank = {_FACTORED}; *: i64
    solve, lstsq[0], cholesky_solve, solve_ex[0], triangular_solve[0], triangular_solve[1],
    tensorsolve, orgqr, ormqr, lu_solve, ldl_solve = alike; {_FACTORED}
    lstsq[1], lstsq[3] = alike; {_FACTORED}; complex: part
    solve_ex[1] = alike; {_FACTORED}; *: i32
    lstsq[2] = alike; {_FACTORED}; *: i64
    solve_triangular = only 1; {_FACTORED}
    vander = {_WIDE}: -; bool integer: i64
    istft = bool integer float: -; complex: part

    same, ravel, flatten, reshape, view, squeeze, expand_dims, transpose, matrix_transpose,
    permute_dims, swapaxes, moveaxis, broadcast_to, atleast_1d, atleast_2d, atleast_3d, roll, pad,
    repeat, tile, resize, copy, contiguous, detach, select, narrow, narrow_copy, as_strided, unfold,
    unflatten, diag, diagflat, diag_embed, diagonal, linalg.diagonal, unstack, split[0], hsplit[0],
    vsplit[0], dsplit[0], fftshift, ifftshift, nan_to_num, zeros_like, ones_like, empty_like,
    full_like, new_empty, new_empty_strided, new_zeros, new_ones, new_full, fill, asarray,
    as_tensor, tensor, from_dlpack =
    flip, flipud, fliplr, rot90, triu, tril, diff, combinations, take, take_along_axis, gather,
    index_select, index_fill, masked_select, masked_fill, pixel_shuffle, pixel_unshuffle,
    channel_shuffle, lu_unpack[0], lu_unpack[1], lu_unpack[2] = {_WIDE}: -
    scatter, scatter_add, index_add, index_copy, index_put, put,
    masked_scatter = alike; {_WIDE}: -
    broadcast_arrays[0], expand_as, reshape_as, view_as, new_tensor, diagonal_scatter,
    select_scatter, slice_scatter, as_strided_scatter = only 1
    type_as = only 2
    view_as_complex = f16: c32; f32: c64; f64: c128; *: -

    zeros, ones, empty, eye, fftfreq, rfftfreq, hann_window, hamming_window, blackman_window,
    bartlett_window, kaiser_window, empty_strided, empty_permuted, rand, randn, normal = *: FLOAT
    unravel_index = bool float complex {_WIDE}: -; *: i64
    randint, tril_indices[0], triu_indices[0], randperm = *: i64
    linspace, logspace = apart; complex: COMPLEX; *: FLOAT
    iadd = into category; {_WIDE}: -
"""
# Kernels that 2.15 has besides.
_OF_2_15 = """
    maximum, minimum, fmax, fmin = arrays all; complex: -
    relu = bool complex: -
    clip = ints bound; bool complex: -
    dropout, alpha_dropout, feature_alpha_dropout = bool integer: -
    polar = arrays all; alike; f16: c32; f32: c64; f64: c128; *: -
    flip, flipud, fliplr, rot90, combinations, take_along_axis, gather, index_select =
    scatter, scatter_add = alike
"""
_NOT_HALVED = (
    "add", "subtract", "multiply", "true_divide", "power", "logaddexp", "logical_and",
    "logical_or", "logical_xor",
)  # fmt: skip
# What there is not in half precision, which integers become if that is the default.
TRANSFORMS = f"""
    {_SPECIAL.strip()} = complex bf16 f16: -; {_FLOATED}
    full = integer: i64; float: FLOAT; complex: COMPLEX
    fft, ifft, fft2, ifft2, fftn, ifftn = bf16 f16: -; bool integer: COMPLEX; f64: c128; float: c64
    rfft, rfft2, rfftn, ihfft, ihfft2, ihfftn = bf16 f16 complex: -;
    bool integer: COMPLEX; f64: c128; float: c64
    irfft, irfft2, irfftn, hfft, hfft2, hfftn = bf16 f16: -; bool integer: FLOAT;
    c64: f32; c128: f64
"""
TRANSFORMS_OF_HALF = f"""
    {_SPECIAL.strip()} = bool integer complex bf16 f16: -
    full = integer: i64; float: FLOAT; complex: c64
    fft, ifft, fft2, ifft2, fftn, ifftn = bool integer bf16 f16: -; f64: c128; float: c64
    rfft, rfft2, rfftn, ihfft, ihfft2, ihfftn = bool integer bf16 f16 complex: -;
    f64: c128; float: c64
    irfft, irfft2, irfftn, hfft, hfft2, hfftn = bool integer bf16 f16: -; c64: f32; c128: f64
"""

# What takes Python's numbers alone; all other functions of elements take a tensor.
_NUMBERS_ALONE = ("add", "subtract", "multiply", "true_divide", "floor_divide", "where")
_COMPUTES = ("elementwise", "condition", "reduction", "cumulative")


class Tiers(NamedTuple):
    """PyTorch's three tiers, with the dtypes that Python's numbers have by default.

    A state has seen the dtypes of the tiers so far.
    """

    table: Table[DType]
    complex_of: tuple[tuple[DType, DType], ...]
    python: tuple[tuple[str, DType], ...]

    def classify(self, op: Operand, operands: Sequence[Operand]) -> Classified:
        """Return what an operand is to PyTorch: Python's numbers have the default dtype."""
        if _is_taken_over(op, operands):
            how = f"write torch.asarray({op.text})"
            raise NoJoinError(f"{op.library} computes with its arrays, not PyTorch; {how}")
        known: Any = op.value
        if isinstance(known, int) and op.form == "scalar" and (why := fits(known, INT64)):
            raise NoJoinError(f"{why}; {op.library} takes over then, beside tensors")
        value = op.number if isinstance(op.number, int) else 0
        if why := fits_64_bits(value):
            raise NoJoinError(why)
        if value >= 2**63:
            return Classified(op, by_name("uint64"), f"{op.describe()}, too large for int64")
        is_scalar = op.form == "scalar"
        what = op.describe() + (", 0-d" if op.form == "array" and op.rank == 0 else "")
        kind = _kind_of_scalar(op) if is_scalar else op.dtype.kind
        if _tier(op) == 2 and kind != "bool":
            node = dict(self.python)[kind.replace("unsigned", "signed")]
            return Classified(op, node, what, is_scalar)
        return Classified(op, op.dtype, what, is_scalar)

    def order(self, items: Sequence[Classified]) -> list[Classified]:
        """Return tensors with dimensions first, then those without, then Python's numbers."""
        return sorted(items, key=lambda x: _tier(x.operand))

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return self.step(State(first.node, seen=(None, None, None)), first)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand: its tier joins, and then the tiers meet."""
        tier, before = _tier(item.operand), state.seen
        own = item.node if before[tier] is None else self.table.join(before[tier], item.node)
        tiers = list(before)
        tiers[tier] = own
        try:
            node = self.combine(tiers[0], self.combine(tiers[1], tiers[2])) or own
        except NoJoinError as refusal:  # of this tier, which another operand of it may change
            return State(own, seen=tuple(tiers), refusal=refusal)
        is_lower = any(d is not None for d in before[:tier])
        why = _deference(item, state.node, node) if is_lower else ""
        return State(node, why, tuple(tiers))

    def combine(self, higher: DType | None, lower: DType | None) -> DType | None:
        """Return what the dtype of a tier becomes beside that of a lower one."""
        if higher is None or lower is None:
            return higher or lower
        if lower.kind == "complex":
            return self._with_complex(higher, lower)
        is_whole = higher.kind in ("unsigned", "signed")
        joins = higher.kind == "bool" or (is_whole and lower.kind == "float")
        return self.table.join(higher, lower) if joins else higher

    def _with_complex(self, higher: DType, lower: DType) -> DType:
        """Return what a dtype becomes beside a complex one of a lower tier."""
        if higher.kind == "bool":
            return self.table.join(higher, lower)
        if higher.kind != "float":
            return higher if higher.kind == "complex" else lower
        found = dict(self.complex_of).get(higher)
        if found is None:
            raise NoJoinError(f"no complex dtype has parts of {higher}", (higher,))
        return found


class SettleAlone(NamedTuple):
    """What becomes of Python's numbers alone in 1.10: they were as wide as Python's."""

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        dtypes = {x.operand.dtype for x in classified}
        if len(dtypes) == 1 and all(d.weak for d in dtypes):
            wide = by_name(DEFAULT_WIDTHS[dtypes.pop().name])
            return Settled(wide, False, "Python's numbers alone are as wide as Python's.")
        return Settled(node)


def build(
    *,
    default_dtype: Literal["float32", "float64", "float16", "bfloat16"] = "float32",
    fp64: bool = True,
    version: Literal["2.13.0", "2.15.0", "1.10"] = "2.13.0",
) -> PromotionSystem:
    """Return PyTorch's rules, those of ``torch.result_type``.

    Args:
        default_dtype: that of Python's floats (``torch.set_default_dtype``).
        fp64: whether the device has float64 and complex128; Apple's (MPS) has not.
        version: the release; ``"1.10"`` is the table of JAX's design document.
    """
    old = version == "1.10"
    default = by_name(default_dtype)
    table, complex_of = _old_table() if old else _table(version)
    if not fp64:
        table = _without(table, _DOUBLE)
    # those of 2.15 and bfloat16 are complex64 still
    complex_default = by_name("complex64") if default.name == "bfloat16" else complex_of[default]
    python = {"signed": INT64, "float": default, "complex": complex_default}
    tiers = Tiers(table, tuple(complex_of.items()), tuple(python.items()))
    return PromotionSystem(
        "torch",
        Fold(table.nodes, tiers.step, start=tiers.start, order=tiers.order),
        classify=tiers.classify,
        settle=SettleAlone() if old else ToWidths(),
        functions={}
        if old
        else functions(
            TRANSFORMS_OF_HALF if default.bits == 16 else TRANSFORMS, version, fp64=fp64
        ),
        operable=[d for d in map(from_code, OPERABLE.split()) if d in table.nodes],
        ranked=True,
        refuse_int=_refuse_int,
        defaults=Defaults(INT64, default, python["complex"], INT64),
        advise=ADVICE,
        label=f"default {default_dtype}{'' if fp64 else ', no float64'}, {version}",
        version=version,
        source="JEP 9407" if old else "measured on torch.result_type; c10/core/ScalarType.cpp",
    )


def _table(version: str) -> tuple[Table[DType], dict[DType, DType]]:
    """Return the table, and the complex dtype of each float one."""
    table: Table[DType] = Table.parse(TABLE, node=from_code)
    cells = {(a, b): d for a in table.nodes for b in table.nodes if (d := table[a, b])}
    alone = [by_name(name) for name in ALONE.split()]
    complex_of = {from_code(real): from_code(found) for real, found in COMPLEX_OF.items()}
    nodes = [*table.nodes, *alone]
    if version == "2.15.0":
        halved = by_name("bcomplex32")
        complex_of[halved.part] = halved
        nodes.insert(-len(alone), halved)
        for codes, joined in (pair.split(": ") for pair in HALVED.split("; ")):
            for own in map(from_code, codes.split()):
                cells[own, halved] = cells[halved, own] = from_code(joined)
    return Table(nodes, {**cells, **{(d, d): d for d in alone}}), complex_of


def _old_table() -> tuple[Table[DType], dict[DType, DType]]:
    """Return those of 1.10, where complex64 stands for complex32."""
    table, complex_of = _table("1.10")
    complex_of[by_name("float16")] = by_name("complex64")
    return _without(table, _NEW), complex_of


def _without(table: Table[DType], codes: str) -> Table[DType]:
    """Return a table without some dtypes."""
    left_out = set(map(from_code, codes.split()))
    nodes = [d for d in table.nodes if d not in left_out]
    return Table(nodes, {(a, b): d for a in nodes for b in nodes if (d := table[a, b])})


def _is_taken_over(op: Operand, operands: Sequence[Operand]) -> bool:
    """Return whether an operand is an array of NumPy, beside a tensor."""
    is_array = op.form == "array" and op.library == SCALAR_LIBRARY
    return is_array and any(x.library == LIBRARY.title for x in operands)


def _kind_of_scalar(op: Operand) -> str:
    """Return the kind of number that a scalar of NumPy is read as: all but some are floats."""
    is_read = op.dtype.kind in ("unsigned", "signed") or op.dtype.name == "complex128"
    return op.dtype.kind if is_read else "float"


def _tier(op: Operand) -> int:
    if op.dtype.weak or op.is_python or op.form == "scalar":  # NumPy's scalars are numbers to it
        return 2
    return 1 if op.rank == 0 else 0


def _refuse_int(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    if ints == "divisor" and d.kind in ("unsigned", "signed") and d.bits != 64:
        return fits(max(value, 0), INT64)
    if ints in ("bound", "exponent") and d.kind == "float" and abs(value) > d.max:
        return f"{short(value)} does not fit {d}"
    if d.kind == "unsigned" and value < 0:  # as C++ does, which converts it modulo
        value = -value
    return fits(value, d) if ints in ("fit", "bound", "exponent") else None


def _deference(item: Classified, before: DType, after: DType) -> str:
    """Return why an operand of a lower tier gives what it gives."""
    op = item.operand
    what = f"{op.text}, a number," if _tier(op) == 2 else f"{op.text}, without dimensions,"
    if after is before:
        return f"{what} defers to {before}"
    return f"{what} is of a higher kind than {before}"


ADVICE = Advice(
    (
        ("u16 u32 u64", "uint16, uint32 and uint64 promote only with real floats"),
        (ALONE, "float8 dtypes do not promote"),
    )
)


def _kept_beside_one(call: Call) -> DType:
    """Return the joined dtype beside a Python int 1, which PyTorch looks at first.

    Raises:
        NoJoinError: if a float after half precision is beyond it.
    """
    scalars = [x.operand for x in call.classified if x.operand.form == "Python scalar"]
    values: list[Any] = [op.value for op in scalars]
    is_one = any(isinstance(x, int) and x == 1 for x in values)
    if is_one and call.classified[0].operand.value is not True:
        return call.joined
    exponent: Any = call.classified[-1].operand.number
    is_half = type(exponent) is float and call.joined.bits == 16
    if is_half and call.joined.max < abs(exponent) < inf:
        raise NoJoinError(f"{short(exponent)} does not fit {call.joined}")
    return call.becomes(call.joined)


def _of_one_tier(operands: list[Operand]) -> list[Operand]:
    return [x.ranked(1) for x in operands]


def _multiplied_without_dimensions(call: Call) -> DType:
    """Return what inner gives, which multiplies if an operand has no dimensions."""
    if any(x.operand.rank == 0 for x in call.classified):
        return call.joined
    return call._replace(rule=call.rule._replace(special=None)).result()


_LEVEL = Special("tensors without dimensions count as others do", select=_of_one_tier)
_BROADCAST_FIRST = """
    kron =
    mse_loss, smooth_l1_loss, cosine_similarity = bool integer complex: -
    l1_loss = takes integer float complex, integer float complex; integer: -; complex: part
"""
_INNER = Special(
    "as multiply, if an operand has no dimensions", result=_multiplied_without_dimensions
)


def _contracted(call: Call) -> DType:
    """Return what einsum gives: that of one tensor of integers may add them up."""
    if len(call.classified) == 1 and call.joined.kind in ("unsigned", "signed"):
        raise NoJoinError("einsum of one tensor of integers may be a sum, and that decides")
    return call._replace(rule=call.rule._replace(special=None)).result()


_EINSUM = Special("of one tensor, no integers", result=_contracted)
_POWER = Special(
    "beside a Python int 1 the other operand is kept", result=_kept_beside_one, by_value=True
)


def _of_real_numbers(call: Call) -> DType:
    """Return what arange gives, which takes the value of each operand as a real number."""
    numbers = [x.operand.number for x in call.classified]
    if any(type(x) is complex and x.imag for x in numbers):
        raise NoJoinError(f"{call.name} does not take complex numbers; take their real part first")
    return call.becomes(call.joined)


_ARANGE = Special("no number has an imaginary part", result=_of_real_numbers, by_value=True)


def _of_float64(call: Call) -> DType:
    raise NoJoinError(
        f"{call.name} makes its tolerance in float64, which the device does not have; count the "
        "singular values above one instead"
    )


_RANK = Special("not without float64, in which its tolerance is", result=_of_float64)


def functions(transforms: str, version: str, *, fp64: bool) -> dict[str, FunctionRule]:
    """Return the rules of functions.

    Args:
        transforms: those that depend on the default dtype.
        version: the release.
        fp64: whether the device has float64.
    """
    found = {
        **parse_rules(_FUNCTIONS + transforms),
        **special_rules(_LEVEL, _BROADCAST_FIRST),
        **special_rules(_INNER, f"inner = alike; bool {_WIDE}: -"),
        **special_rules(_EINSUM, f"einsum = alike; bool {_WIDE}: -"),
        **special_rules(_ARANGE, "arange = bool integer: i64; *: FLOAT"),
        **special_rules(_POWER, f"power = ints exponent; c32 bool {_WIDE}: -"),
    }
    if version == "2.15.0":
        found |= parse_rules(_OF_2_15)
        refused = Case(frozenset({"bcomplex32"}), "-")
        found |= {n: found[n]._replace(cases=(refused, *found[n].cases)) for n in _NOT_HALVED}
    if not fp64:
        found |= special_rules(_RANK, f"matrix_rank = {_FACTORED}; *: i64")
        found |= parse_rules(f"max_pool1d = bool {_REAL}")  # off a CPU it is max_pool2d
    return {
        name: rule._replace(arrays="any") if _takes_tensor(name, rule) else rule
        for name, rule in found.items()
    }


def _takes_tensor(name: str, rule: FunctionRule) -> bool:
    computes = FUNCTIONS[name].category in _COMPUTES
    return computes and not rule.arrays and name not in _NUMBERS_ALONE

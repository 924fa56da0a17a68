"""What the functions of ``keras.ops`` give, as data: see `function_rules` for the language.

Source: Keras 3.15.1 on TensorFlow 2.21.0 and on JAX 0.10.2, each function with every dtype and pair
of dtypes that the backend's arrays have, called eagerly on TensorFlow and traced on JAX.
``FLOAT`` is ``floatx``, and ``WEAK`` what a Python float is alone: float16 if that is bfloat16.
Those that are ``shared`` join as ``keras.backend.result_type`` does.

Of 15,825 cells on TensorFlow (two arrays, floatx float32), a symbolic ``KerasTensor`` declares
another dtype in 233, such as ``abs`` of complex and ``linspace``, has one in 3,402 that TensorFlow
refuses, and none in 240. The rules say what is computed.

On JAX there are cells that the rules do not have right: bool with int8 in ``matmul`` is int8, and
``clip`` of bool is int32 there, which they refuse, as they do on TensorFlow where the bounds are
int32. A Python number in ``atan2``, ``logaddexp`` and shifts is refused on one backend or both.
"""

from __future__ import annotations

_WEAK = "bool integer: WEAK"
_SINE = f"i64: FLOAT; {_WEAK}"
_FLOATX = "bool integer: FLOAT"
_NARROW = "u64: u32; c128: c64"
_NO_SOLVE = "bool integer bf16 f16: -"
_KEPT = """
    ravel, squeeze, copy, flip, flipud, diag, diagflat, zeros_like, ones_like, empty_like, unstack,
    transpose, fliplr, rot90, diagonal, triu, tril, expand_dims, reshape, roll, repeat, tile, pad,
    array_split[0], split[0], hsplit[0], vsplit[0], dsplit[0], broadcast_to, swapaxes, moveaxis,
    take, take_along_axis, array, diff ="""
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
    left_shift, right_shift = arrays; b float complex: -
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
    softmax, log_softmax, logsumexp, erf, erfc, erfinv, selu, celu = bool integer complex: -
    cbrt = i64: f64; bool integer f32 complex: FLOAT
    deg2rad, rad2deg = u64: -; i64: f64; {_FLOATX}
    round, relu, threshold, ptp, unique = b complex: -
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

    matmul, dot, vdot, inner, tensordot, outer, append =
    correlate = i64: f64; bool integer complex: f32
    cross = b complex: -
    kron = b: -
    einsum = b: -; i8: i32
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
    clip = takes integer float complex, *, *; complex: -
    left_shift, right_shift = b: i32; float complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    gcd, lcm = b float complex: -
    equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or,
    logical_xor, isclose, isin = *: b
    heaviside, hypot, nextafter = {_SINGLE}; complex: -
    atan2, logaddexp, logaddexp2 = arrays; {_WEAK}

    conj, nan_to_num, max, min, nanmax, nanmin, sort, unique, full_like =
    negative, sign, round, ptp, vander = b: -
    square, relu, threshold = b: i32
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
    i0 = bool integer f32 complex: FLOAT
    erf = bool integer complex: -
    rsqrt, sigmoid = bool integer: -
    softmax, log_softmax = b: -; integer: f32
    logical_not, isfinite, isinf, isnan, isreal, all, any = *: b
    signbit, isneginf, isposinf = complex: -; *: b
    sum, nansum, prod, nanprod, trace = b i8 i16: i32; u8 u16: u32
    cumulative_sum, cumsum, nancumsum, cumulative_prod, nancumprod = b: i32
    argmax, argmin = complex: -; *: i32
    nanargmax, nanargmin, argsort, nonzero, count_nonzero, searchsorted, digitize = *: i32
    argpartition = b complex: -; *: i32
    bincount = float complex: -; *: i32

    matmul, einsum = i8: i32
    dot, vdot, inner, tensordot, outer, append, concat, stack, hstack, vstack, dstack =
    cross, kron = b: -
    correlate, corrcoef, inv, cholesky, cholesky_inverse, det, pinv, eigh[1], qr[0], qr[1],
    slogdet[0], svd[0], svd[2], solve = {_SINGLE}
    eigh[0], slogdet[1], svd[1], logdet = {_SINGLE}; complex: part
    eig[0], eig[1] = *: c64
    matrix_rank = *: i32
    zeros, ones, empty, eye, identity, tri = *: FLOAT
{_KEPT}
"""


def functions(backend: str, weak: str) -> str:
    """Return the rules of the functions on a backend, or none.

    Args:
        backend: what Keras runs on.
        weak: the name of what a Python float is alone.
    """
    return {"tensorflow": ON_TENSORFLOW, "jax": ON_JAX}.get(backend, "").replace("WEAK", weak)

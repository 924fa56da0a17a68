"""What NumPy's functions give, as data: see `function_rules` for the language.

Source: NumPy 2.4.6 with ml_dtypes 0.6.0, each function with every dtype and pair of dtypes.
``eigvals`` and ``eig`` are those of matrices whose eigenvalues are real, as NumPy looks at them.
"""

from __future__ import annotations

from typing import Final

from ..dtypes import DType
from ..function_rules import Call, Special, parse_rules, special_rules
from ..operands import Operand, operand

_SINE = "b u8 i8: f16; u16 i16: f32; integer: f64"
_REAL_SINE = f"{_SINE}; complex: -"
_WIDENED = "bool integer bf16: f64"
_NO_BFLOAT16 = "bool integer f16 f32 f64 complex"
_SOLVED = f"{_WIDENED}; f16: -"
_SUMS = "bool signed: i64; unsigned: u64"
_HALF_TO_SINGLE = "bool integer: f64; bf16: f32"
_FUNCTIONS = f"""
    add, multiply, maximum, minimum, fmax, fmin, polyadd, outer, linalg.outer, kron, polyval =
    subtract, polysub = b: -
    true_divide = ints any; bool integer: f64
    floor_divide, remainder, fmod, divmod[0], divmod[1] = b: i8; complex: -
    power = ints natural; b: i8
    float_power = ints float; bool integer bf16 f16 f32: f64; c64: c128
    left_shift, right_shift = b: i8; float complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    gcd, lcm = bool float complex: -
    equal, not_equal, less, less_equal, greater, greater_equal = ints compared; *: b
    logical_and, logical_or, logical_xor = ints int64; *: b
    isclose = ints float; *: b
    isin = *: b
    ldexp = only 1; takes *, bool signed u8 u16 u32; arrays first; ints int64; bf16: -; {_REAL_SINE}
    where, choose = shared; ints 64 bits
    clip = ints any; bf16: f32
    matmul, vecdot, matvec, vecmat, matrix_power = bf16: f32

    negative, positive, sign = b: -
    conj, square, reciprocal = b: i8
    invert = float complex: -
    abs, real, imag = complex: part
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1,
    log, log2, log10, log1p, sqrt, rint = {_SINE}
    cbrt, deg2rad, rad2deg, fabs, spacing, modf[0], modf[1], frexp[0] = {_REAL_SINE}
    frexp[1] = complex: -; *: i32
    angle = bool: f64; {_SINE}; complex: part
    sinc = {_HALF_TO_SINGLE}
    i0, unwrap = {_WIDENED}; complex: -
    floor, ceil, trunc = complex: -
    round = b: f16
    isfinite, isinf, isnan, iscomplex, isreal, logical_not, all, any = *: b
    signbit, isneginf, isposinf = complex: -; *: b
    bitwise_count = float complex: -; *: u8

    sum, prod, nansum, nanprod, trace, cumulative_sum, cumsum, nancumsum, cumulative_prod,
    nancumprod = {_SUMS}
    mean, nanmean, median, nanmedian, average, true_divide.reduce = bool integer: f64
    quantile, percentile, nanquantile, nanpercentile = bool complex: -; {_HALF_TO_SINGLE}
    std, var, nanstd, nanvar = bool integer: f64; complex: part
    max, min, nanmax, nanmin, maximum.reduce, minimum.reduce, fmax.reduce, fmin.reduce, diff =
    ptp, ediff1d, subtract.reduce = b: -
    floor_divide.reduce, remainder.reduce, fmod.reduce = b: i8; complex: -
    power.reduce = b: i8
    float_power.reduce = bool integer bf16 f16 f32: f64; c64: c128
    left_shift.reduce, right_shift.reduce = b: i8; float complex: -
    bitwise_and.reduce, bitwise_or.reduce, bitwise_xor.reduce = float complex: -
    gcd.reduce, lcm.reduce = bool float complex: -
    ldexp.reduce = bool i8 u8: f16; i16 u16: f32; i32 u32 i64: f64; u64 float complex: -
    ldexp.accumulate, isnat = *: -
    logical_and.reduce, logical_or.reduce, logical_xor.reduce = *: b
    equal.reduce, not_equal.reduce, less.reduce, less_equal.reduce, greater.reduce,
    greater_equal.reduce = integer float complex: -
    arctan2.reduce, copysign.reduce, hypot.reduce, logaddexp.reduce, logaddexp2.reduce,
    nextafter.reduce, heaviside.reduce = {_REAL_SINE}
    argmax, argmin, nanargmax, nanargmin, argsort, argpartition, nonzero, flatnonzero, argwhere,
    count_nonzero = *: i64
    lexsort, searchsorted = only 1; *: i64
    digitize = complex: -; *: i64
    bincount = float complex: -; *: i64
    gradient = b: -; integer bf16: f64
    trapezoid = {_HALF_TO_SINGLE}

    concat, stack, hstack, vstack, dstack, column_stack, block, append, convolve, correlate,
    tensordot, multi_dot, union1d, intersect1d, setxor1d, polymul = shared
    cross, linalg.cross = shared; b: -
    einsum = shared; bf16: -
    insert, setdiff1d, meshgrid[0], broadcast_arrays[0] = only 1

    inv, pinv, cholesky, det, eigvals, eig[0], eig[1], eigh[1], qr[0], qr[1], slogdet[0], svd[0],
    svd[2], tensorinv = {_SOLVED}
    eigvalsh, eigh[0], svdvals, svd[1], slogdet[1], cond = {_SOLVED}; complex: part
    matrix_rank = f16: -; *: i64
    solve, lstsq[0] = apart; {_SOLVED}
    lstsq[1], lstsq[3] = apart; {_SOLVED}; complex: part
    lstsq[2] = apart; f16: -; *: i32
    norm, vector_norm, matrix_norm = {_WIDENED}; complex: part
    cov, corrcoef, polyint = bool integer float: f64; complex: c128
    polyfit = takes *, bool integer bf16 f32 f64 complex; bool integer float: f64; complex: c128
    polydiv[0], polydiv[1] = apart; {_HALF_TO_SINGLE}
    polyder = bool u8 u16 u32 signed: i64; u64 float: f64; complex: c128
    vander = bf16: -; bool u8 u16 u32 signed: i64; u64 float: f64; complex: c128
    interp = only 3; takes bool integer float, bool integer float, *;
    bool integer float: f64; complex: c128
    histogram[0] = *: i64
    histogram[1], histogram_bin_edges = {_HALF_TO_SINGLE}
    histogramdd[0] = *: f64

    fft, ifft, fft2, ifft2, fftn, ifftn = bool integer f64: c128; float: c64
    rfft, rfft2, rfftn, ihfft = complex: -; bool integer f64: c128; float: c64
    irfft, hfft = {_WIDENED}; complex: part
    irfft2, irfftn = bool integer: f64; bf16 f16: f32; complex: part

    same, ravel, reshape, squeeze, expand_dims, transpose, matrix_transpose, permute_dims,
    swapaxes, moveaxis, rollaxis, broadcast_to, atleast_1d, atleast_2d, atleast_3d, flip, fliplr,
    flipud, rot90, roll, repeat, tile, pad, resize, copy, sort, partition, take,
    take_along_axis, compress, extract, delete, trim_zeros, diag, diagflat, diagonal,
    linalg.diagonal, triu, tril, unstack, array_split[0], split[0], hsplit[0], vsplit[0],
    dsplit[0], unique, unique_all[0], unique_counts[0], unique_inverse[0], fftshift, ifftshift,
    nan_to_num, zeros_like, ones_like, empty_like, full, full_like, asarray, array, asanyarray,
    ascontiguousarray, asfortranarray, asarray_chkfinite, require =
    sort_complex = u8 u16 i8 i16: c64; bool integer float: c128
    unique_all[1], unique_all[2], unique_all[3], unique_counts[1], unique_inverse[1] = *: i64
    packbits = float complex: -; *: u8
    unpackbits = bool signed float complex u16 u32 u64: -

    zeros, ones, empty, eye, identity, tri, fftfreq, rfftfreq, hanning, hamming, blackman,
    bartlett, kaiser = *: f64
    indices[0], tril_indices[0], triu_indices[0], diag_indices[0], unravel_index = *: i64
    arange = bf16: -; bool signed u8 u16 u32: i64; complex: c128; *: f64
    geomspace = shared; takes *, {_NO_BFLOAT16}; bf16: -; bool integer float: f64; complex: c128
    iadd = into kind bf16
"""

_WIDEST = f"""
    atan2, copysign, hypot, logaddexp, logaddexp2, nextafter,
    heaviside = ints any; {_REAL_SINE}
"""


def _widest(call: Call) -> DType:
    """Return the widest of what becomes of each operand that is no wider than what they share."""
    made = call.becomes(call.joined)
    if call.joined.kind not in ("bool", "unsigned", "signed"):
        return made
    own = [d for d in call.dtypes if (d.bits or 0) <= (call.joined.bits or 0)]
    return max(map(call.becomes, own), key=lambda d: d.bits or 0, default=made)


def _with_float(operands: list[Operand]) -> list[Operand]:
    return [*operands, operand(1.0)]


WIDEST: Final = Special(
    "of bools and integers, the widest of what becomes of each operand", result=_widest
)
BESIDE_FLOAT: Final = Special("operands join with a Python float beside them", select=_with_float)
_ELSE_FLOAT: Final = Special("float64 if the operands do not join", otherwise="float64")

FUNCTIONS: Final = {
    **parse_rules(_FUNCTIONS),
    **special_rules(WIDEST, _WIDEST),
    **special_rules(BESIDE_FLOAT, "linspace, logspace = shared"),
    **special_rules(_ELSE_FLOAT, "dot, vdot, inner = shared"),
}

"""What PyTorch's functions give, as data: see `function_rules` for the language.

Source: PyTorch 2.13.0, measured on each function with every dtype and pair of dtypes.
Functions that are not listed have no answer.
"""

from __future__ import annotations

from typing import Any, Final

from ..dtypes import DType
from ..function_rules import Call, FunctionRule, Special, parse_rules, special_rules
from ..functions import FUNCTIONS as CATALOGUE

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
    rsub = arrays first; takes integer float complex, integer float complex; {_WIDE}: -
    multiply, outer, kron, embedding =
    true_divide = c32: -; {_FLOATED}
    floor_divide = ints divisor; bool complex {_WIDE}: -
    remainder = ints divisor; bool complex {_WIDE}: -
    fmod = arrays first; ints divisor; bool complex {_WIDE}: -
    equal, not_equal = arrays first; *: b
    less, less_equal, greater, greater_equal = arrays first; {_REAL}; *: b
    logical_and, logical_or, logical_xor = arrays; c32 {_WIDE}: -; *: b
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    left_shift, right_shift = bool float complex {_WIDE}: -
    gcd, lcm = arrays; bool float complex {_WIDE}: -
    maximum, minimum, fmax, fmin = arrays; {_REAL}
    clamp_min, clamp_max = arrays first; ints bound; bool {_REAL}
    clip = ints bound; bool {_REAL}
    xlogy, xlog1py = {_FLOATED}; complex: -
    atan2 = arrays; {_FLOATED}; complex: -
    copysign = arrays first; {_FLOATED}; complex: -
    hypot, nextafter, igamma, igammac, logaddexp2 = arrays; bool integer complex: -
    logaddexp = arrays; c32 bool integer: -
    heaviside = arrays; alike; {_REAL}
    float_power = apart; ints float; complex: c128; *: f64
    polar = arrays; alike; f32: c64; f64: c128; *: -
    complex = arrays; alike; f16: c32; f32: c64; f64: c128; *: -
    isclose = arrays; alike; *: b
    where = ints fit
    addcmul, matrix_power, affine_grid_generator = bool {_WIDE}: -
    lerp = arrays; alike; bool integer: -
    prelu = alike; integer bool complex: -
    dist = arrays; takes integer float complex, integer float complex; integer: -; complex: part

    negative = bool {_WIDE}: -
    positive = b: -
    abs = bool {_WIDE}: -; complex: part
    sign = {_REAL}
    sgn = {_WIDE}: -
    square = b: i64; {_WIDE}: -
    real = complex: part
    imag, view_as_real, view_as_real_copy = bool integer float: -; complex: part
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
    relu, threshold = bool {_REAL}
    frac, softmax, log_softmax, frexp[0], selu, celu, hardshrink, rrelu, dropout, alpha_dropout,
    feature_dropout, feature_alpha_dropout, nanmean, histc, poisson, bernoulli,
    cosine_similarity, group_norm, layer_norm, native_layer_norm[0], native_layer_norm[1],
    native_layer_norm[2], native_group_norm[0], native_group_norm[1], native_group_norm[2],
    batch_norm, native_batch_norm[0], native_batch_norm[1], native_batch_norm[2], instance_norm,
    embedding_bag[0], segment_reduce, max_pool1d, adaptive_max_pool1d[0] = bool integer complex: -
    frexp[1] = bool integer complex: -; *: i32
    multinomial, adaptive_max_pool1d[1], embedding_bag[1], embedding_bag[2],
    embedding_bag[3] = bool integer complex: -; *: i64

    sum, prod, cumsum, cumulative_prod = bool integer: i64
    nansum = bool integer: i64; complex: -
    trace = bool {_WIDE}: -; integer: i64
    mean, std_mean[1], var_mean[1], logcumsumexp, matrix_exp, renorm, adaptive_avg_pool1d,
    rms_norm, native_dropout[0], rand_like, randn_like = bool integer: -
    native_dropout[1] = bool integer: -; *: b
    std, var, std_mean[0], var_mean[0], norm, vector_norm, matrix_norm, frobenius_norm,
    norm_except_dim = bool integer: -; complex: part
    max, min, aminmax[0], aminmax[1], cummax[0], cummin[0], mode[0] = {_REAL}
    max[1], min[1], cummax[1], cummin[1], mode[1] = {_REAL}; *: i64
    median, nanmedian, kthvalue[0], topk[0], max_pool2d, max_pool1d_with_indices[0],
    max_pool3d = bool {_REAL}
    argmax, argmin, median[1], nanmedian[1], kthvalue[1], topk[1], searchsorted, bucketize,
    max_pool1d_with_indices[1] = bool {_REAL}; *: i64
    quantile, nanquantile, pdist, lobpcg[0], lobpcg[1], histogram[0], histogram[1],
    histogramdd[0], ctc_loss = bool integer complex bf16 f16: -
    all, any = u8: u8; *: b
    argsort, sort[1] = complex: -; *: i64
    sort, msort, unique, unique_consecutive = complex: -
    nonzero, count_nonzero, argwhere, nonzero_static = {_WIDE}: -; *: i64
    bincount = bool float complex {_WIDE}: -; *: i64
    gradient = bool unsigned: -; signed: FLOAT
    trapezoid, cumulative_trapezoid = bool {_WIDE}: -; integer: FLOAT
    cov, corrcoef = b: -; integer: FLOAT
    hash_tensor = {_REAL}; *: u64
    avg_pool1d = bool unsigned complex i8 i16 i32: -

    matmul, mm, mv, bmm, dot, vdot, inner, tensordot, addmm, addmv, addbmm, baddbmm, einsum,
    multi_dot, chain_matmul, cross, linalg.cross, conv1d, conv2d, conv3d,
    bilinear = alike; bool {_WIDE}: -
    conv_transpose1d, conv_transpose2d, conv_transpose3d = alike; bool unsigned i8 i16 i32: -
    convolution, rnn_relu_cell, rnn_relu[0], rnn_relu[1], index_reduce = alike; bool {_REAL}
    rnn_tanh_cell = alike; bool {_WIDE}: -; integer: FLOAT
    vecdot, gru_cell, lstm_cell[0], lstm_cell[1], rnn_tanh[0], rnn_tanh[1], gru[0], gru[1],
    lstm[0], lstm[1], lstm[2] = alike; bool integer: -
    cdist, binomial = alike; bool integer complex bf16 f16: -
    grid_sampler, grid_sampler_2d, grid_sampler_3d = alike; bool integer complex: -
    concat, stack, hstack, vstack, dstack, column_stack, block_diag =
    cartesian_prod, meshgrid[0] = alike
    scatter_reduce = alike; {_REAL}

    inv, pinv, cholesky, det, logdet, cholesky_inverse, lu_factor[0], lu_factor_ex[0], inv_ex[0],
    cholesky_ex[0], ldl_factor[0], ldl_factor_ex[0], geqrf[0], geqrf[1], linalg.lu[0],
    linalg.lu[1], linalg.lu[2], lu[0], svd_lowrank[0], svd_lowrank[2], pca_lowrank[0],
    pca_lowrank[2], eigh[1], qr[0], qr[1], slogdet[0], svd[0], svd[2], tensorinv = {_FACTORED}
    eigvalsh, eigh[0], svdvals, svd[1], svd_lowrank[1], pca_lowrank[1], slogdet[1], cond,
    nuclear_norm = {_FACTORED}; complex: part
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

    same, ravel, flatten, reshape, view, view_copy, squeeze, squeeze_copy, expand_dims,
    unsqueeze_copy, transpose, transpose_copy, t_copy, matrix_transpose, permute_dims,
    permute_copy, swapaxes, moveaxis, broadcast_to, expand_copy, sum_to_size, atleast_1d,
    atleast_2d, atleast_3d, roll, repeat, tile, constant_pad_nd, resize, copy, contiguous, detach,
    detach_copy, alias_copy, slice_copy, select, select_copy, narrow, narrow_copy, as_strided,
    as_strided_copy, unfold, unfold_copy, unflatten, diag, diagflat, diag_embed, diagonal,
    linalg.diagonal, diagonal_copy, unstack, unbind_copy[0], split[0], split_copy[0],
    split_with_sizes[0], split_with_sizes_copy[0], unsafe_split[0], unsafe_split_with_sizes[0],
    unsafe_chunk[0], hsplit[0], vsplit[0], dsplit[0], fftshift, ifftshift, nan_to_num, zeros_like,
    ones_like, empty_like, full_like, new_empty, new_empty_strided, new_zeros, new_ones, new_full,
    fill, asarray, as_tensor, tensor, from_dlpack =
    flip, flipud, fliplr, rot90, triu, tril, diff, combinations, take, take_along_axis, gather,
    index_select, index_fill, masked_select, masked_fill, pixel_shuffle, pixel_unshuffle,
    channel_shuffle, native_channel_shuffle, lu_unpack[0], lu_unpack[1],
    lu_unpack[2] = {_WIDE}: -
    scatter, scatter_add, index_add, index_copy, index_put, put,
    masked_scatter = alike; {_WIDE}: -
    broadcast_arrays[0], expand_as, reshape_as, resize_as, view_as, new_tensor, diagonal_scatter,
    select_scatter, slice_scatter, slice_inverse, as_strided_scatter = only 1
    view_as_complex, view_as_complex_copy = f16: c32; f32: c64; f64: c128; *: -

    zeros, ones, empty, eye, fftfreq, rfftfreq, hann_window, hamming_window, blackman_window,
    bartlett_window, kaiser_window, scalar_tensor, empty_strided, empty_permuted, rand, randn,
    normal = *: FLOAT
    unravel_index, randint, tril_indices[0], triu_indices[0], randperm = *: i64
    arange = bool integer: i64; *: FLOAT
    linspace, logspace = apart; complex: COMPLEX; *: FLOAT
    iadd = into category; {_WIDE}: -
"""
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

# The operators that take Python's numbers alone; all other functions of elements take a tensor.
_NUMBERS_ALONE: Final = ("add", "subtract", "multiply", "true_divide", "floor_divide")
_COMPUTES: Final = ("elementwise", "condition", "reduction", "cumulative")


def _kept_beside_one(call: Call) -> DType:
    """Return the joined dtype beside a Python int 1, which PyTorch looks at first."""
    values: list[Any] = [
        x.operand.value for x in call.classified if x.operand.form == "Python scalar"
    ]
    is_one = any(isinstance(x, int) and x == 1 for x in values)
    if is_one and call.classified[0].operand.value is not True:
        return call.joined
    return call.becomes(call.joined)


_POWER: Final = Special(
    "beside a Python int 1 the other operand is kept", result=_kept_beside_one, by_value=True
)


def functions(transforms: str) -> dict[str, FunctionRule]:
    """Return the rules of functions.

    Args:
        transforms: those that depend on the default dtype.
    """
    found = {
        **parse_rules(_FUNCTIONS + transforms),
        **special_rules(_POWER, f"power = ints exponent; c32 bool {_WIDE}: -"),
    }
    return {
        name: rule._replace(arrays="any") if _takes_tensor(name, rule) else rule
        for name, rule in found.items()
    }


def _takes_tensor(name: str, rule: FunctionRule) -> bool:
    computes = CATALOGUE[name].sort in _COMPUTES
    return computes and not rule.arrays and name not in _NUMBERS_ALONE

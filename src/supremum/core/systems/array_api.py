"""The array API's rules: within a kind, and from unsigned to signed; any other mix is refused.

Source: the proposal's minimal tables, and the page on type promotion of the standard. The one of
2021.12 leaves out float16, lets bool meet bool, and lets Python scalars meet arrays of their own
kind or a higher one. Later ones add complex dtypes; 2022.12 and 2023.12, which leave a Python
complex beside a real array undefined, are otherwise as 2024.12, and 2025.12 says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..common_steps import Refusing, is_number
from ..dtypes import DType
from ..libraries import Library
from ..steps import numbers_are_weak
from ..system import PromotionSystem

# Those of array-api-strict that were measured, newest first. Before 2.3 it has neither version.
RELEASES = dict.fromkeys(("2024.12", "2025.12"), ("2.6.1", "2.5", "2.4.1", "2.3.1"))

LIBRARY = Library(
    "array API",
    ("array_api_strict", "array_api_compat"),
    import_as=("array_api_strict", "xp"),
    standard=True,
)

_INTEGERS = """
    u8 -> u16 -> u32 -> u64
    i8 -> i16 -> i32 -> i64
    u8 -> i16; u16 -> i32; u32 -> i64
"""
_STANDARD = f"""{_INTEGERS}
    b
    i* -> u8, i8
    i* -> f* -> f32 -> f64
"""
_COMPLEX = """
    f* -> c* -> c64
    f32 -> c64 -> c128
    f64 -> c128
"""

ARROWS = {
    "proposal": f"{_INTEGERS} \n f16 -> f32 -> f64",
    "2021.12": _STANDARD,
    "2024.12": _STANDARD + _COMPLEX,
    "2025.12": _STANDARD + _COMPLEX,
}

_FUNCTIONS = """
    where, concat, stack =
    add, subtract, multiply, power, matmul, tensordot, vecdot, outer, linalg.outer, cross,
    linalg.cross = b: -
    true_divide, solve = bool integer: -
    floor_divide, remainder, maximum, minimum = bool complex: -
    clip = into category; bool complex: -
    atan2, copysign, hypot, logaddexp, nextafter = bool integer complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    left_shift, right_shift = bool float complex: -
    equal, not_equal = *: b
    less, less_equal, greater, greater_equal = bool complex: -; *: b
    logical_and, logical_or, logical_xor = integer float complex: -; *: b
    searchsorted = takes integer float, integer float; only 1; *: i64
    broadcast_arrays[0] = only 1
    meshgrid[0] = alike

    negative, positive, sign, square, diff, conj, round = b: -
    abs, real = bool: -; complex: part
    imag = bool integer float: -; complex: part
    invert = float complex: -
    floor, ceil, trunc, max, min, sort = bool complex: -
    logical_not = integer float complex: -
    isfinite, isinf, isnan = bool: -; *: b
    signbit = bool integer complex: -; *: b
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, expm1, log,
    log1p, log2, log10, sqrt, reciprocal, mean = bool integer: -
    sum, prod, cumulative_sum, cumulative_prod = b: -; signed: i64; unsigned: u64
    std, var = bool integer complex: -
    all, any = *: b
    argmax, argmin, argsort = bool complex: -; *: i64
    nonzero, count_nonzero = *: i64

    inv, pinv, cholesky, det, eigh[1], qr[0], qr[1], slogdet[0], svd[0], svd[2],
    matrix_power = bool integer: -
    eigvalsh, eigh[0], svdvals, svd[1], slogdet[1], vector_norm, matrix_norm,
    norm = bool integer: -; complex: part
    matrix_rank = *: i64
    trace = b: -; signed: i64; unsigned: u64
    fft, ifft, fftn, ifftn = bool integer float: -
    rfft, rfftn, ihfft = bool integer complex: -; f32: c64; f64: c128
    irfft, irfftn, hfft = bool integer float: -; c64: f32; c128: f64
    fftshift, ifftshift = bool integer: -

    same, reshape, squeeze, expand_dims, permute_dims, matrix_transpose, moveaxis, broadcast_to,
    flip, roll, repeat, tile, take, take_along_axis, diagonal, linalg.diagonal, triu, tril,
    unstack, unique, unique_all[0], unique_counts[0], unique_inverse[0], zeros_like, ones_like,
    empty_like, full_like, asarray =
    unique_all[1], unique_all[2], unique_all[3], unique_counts[1], unique_inverse[1] = *: i64

    zeros, ones, empty, eye, fftfreq, rfftfreq = *: f64
    iadd = into same; b: -
"""
FUNCTIONS = {
    "2024.12": f"{_FUNCTIONS}\n eigvals, eig[0], eig[1] = *: -",
    "2025.12": f"{_FUNCTIONS}\n eigvals, eig[0], eig[1] = bool integer: -; f32: c64; f64: c128\n"
    "    isin = bool float complex: -; *: b",
}


def build(
    *, version: Literal["2025.12", "2024.12", "2021.12", "proposal"] = "2025.12"
) -> PromotionSystem:
    """Return the array API's rules.

    Args:
        version: the standard of that month, or the proposal's minimal tables.
    """
    return PromotionSystem.from_lattice(
        ARROWS[version],
        "array-api",
        classify=numbers_are_weak,
        settle=Refusing("among Python scalars there must be an array or a dtype", is_number),
        functions=FUNCTIONS.get(version, ""),
        advise=_advise,
        label=version,
        version=version,
        releases=RELEASES.get(version, ()),
        source="data-apis/array-api: issue on type promotion; API_specification/type_promotion",
    )


def _advise(nodes: Sequence[DType]) -> str | None:
    kinds = {"integer" if n.kind in ("signed", "unsigned") else n.kind for n in nodes}
    if len(kinds) > 1:
        return f"the standard leaves a mix of {' and '.join(sorted(kinds))} undefined"
    return "the standard leaves uint64 with signed integers undefined"

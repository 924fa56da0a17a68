"""The functions of the namespace, as data: how each is written, and the rule of those without one.

An operator's rule is that of `supremum.operators`; so is that of a function which follows one. The
texts here are of the same form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from supremum.dtypes import by_name, names

UNARY: Final[Mapping[str, str]] = {
    "abs": "the absolute value, which is real",
    "acos": "the inverse cosine, in radians",
    "acosh": "the inverse hyperbolic cosine",
    "asin": "the inverse sine, in radians",
    "asinh": "the inverse hyperbolic sine",
    "atan": "the inverse tangent, in radians",
    "atanh": "the inverse hyperbolic tangent",
    "bitwise_invert": "each bit the other way round, ~x",
    "ceil": "the next integer upwards",
    "conj": "the complex conjugate",
    "cos": "the cosine of radians",
    "cosh": "the hyperbolic cosine",
    "exp": "e to the power of x",
    "expm1": "exp(x) - 1, exact for small x",
    "floor": "the next integer downwards",
    "imag": "the imaginary part",
    "isfinite": "whether x is neither infinite nor NaN",
    "isinf": "whether x is infinite",
    "isnan": "whether x is NaN",
    "log": "the natural logarithm",
    "log10": "the logarithm to base 10",
    "log1p": "log(1 + x), exact for small x",
    "log2": "the logarithm to base 2",
    "logical_not": "whether x is zero",
    "negative": "-x",
    "positive": "+x",
    "real": "the real part",
    "reciprocal": "1 / x",
    "round": "the nearest integer, the even one of two",
    "sign": "-1, 0 or 1 by the sign; of complex x, x / abs(x)",
    "signbit": "whether the sign bit is set",
    "sin": "the sine of radians",
    "sinh": "the hyperbolic sine",
    "sqrt": "the square root",
    "square": "x * x",
    "tan": "the tangent of radians",
    "tanh": "the hyperbolic tangent",
    "trunc": "the next integer towards zero",
}

BINARY: Final[Mapping[str, str]] = {
    "add": "x1 + x2",
    "atan2": "the angle of the point (x2, x1), in radians",
    "bitwise_and": "x1 & x2",
    "bitwise_left_shift": "x1 << x2",
    "bitwise_or": "x1 | x2",
    "bitwise_right_shift": "x1 >> x2",
    "bitwise_xor": "x1 ^ x2",
    "copysign": "x1 with the sign of x2",
    "divide": "x1 / x2",
    "equal": "x1 == x2",
    "floor_divide": "x1 // x2",
    "greater": "x1 > x2",
    "greater_equal": "x1 >= x2",
    "hypot": "the square root of x1**2 + x2**2",
    "less": "x1 < x2",
    "less_equal": "x1 <= x2",
    "logaddexp": "log(exp(x1) + exp(x2))",
    "logical_and": "whether neither is zero",
    "logical_or": "whether one of them is not zero",
    "logical_xor": "whether exactly one of them is zero",
    "maximum": "the larger one",
    "minimum": "the smaller one",
    "multiply": "x1 * x2",
    "nextafter": "the number after x1 on the way to x2",
    "not_equal": "x1 != x2",
    "pow": "x1 ** x2",
    "remainder": "x1 % x2, with the sign of x2",
    "subtract": "x1 - x2",
}

METHODS: Final[Mapping[str, str]] = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
}
"""The operators that may be reflected and in place, by the names of their methods."""

COMPARISONS: Final[Mapping[str, str]] = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}

# For rules that say nothing of an operator. FLOAT, COMPLEX and INT stand for the default dtypes,
# INDEX for that of indices.
FALLBACK: Final[Mapping[str, str]] = {
    "add": "",
    "subtract": "b: -",
    "multiply": "",
    "true_divide": "bool integer: FLOAT",
    "floor_divide": "complex: -",
    "remainder": "complex: -",
    "power": "",
    "matmul": "",
    "equal": "*: b",
    "less": "complex: -; *: b",
    "bitwise_and": "float complex: -",
    "left_shift": "bool float complex: -",
    "maximum": "",
    "where": "",
    "concat": "",
    "negative": "b: -",
    "invert": "float complex: -",
    "abs": "complex: part",
    "sin": "bool integer: FLOAT",
    "floor": "complex: -",
    "sum": "bool: INT",
    "prod": "bool: INT",
    "mean": "bool integer: FLOAT",
    "max": "",
    "argmax": "*: INDEX",
}

_LAPACK: Final = (
    "cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_rank", "pinv", "qr",
    "slogdet", "solve", "svd", "svdvals",
)  # fmt: skip
_TINY: Final = " ".join(
    n for n in names() if by_name(n).kind == "float" and (by_name(n).bits or 16) < 16
)
_NORMS: Final = ("matrix_norm", "norm", "norm_max", "norm_sum")

# Of functions that follow no operator. Systems that differ have a text of their own below.
OTHERS: Final[Mapping[str, str]] = {
    "clip": "",
    "conj": "",
    "diagonal": "",
    "eye": "",
    "isfinite": "*: b",
    "isinf": "*: b",
    "isnan": "*: b",
    "linspace": "bool integer: FLOAT",
    **dict.fromkeys(_NORMS, "bool integer: FLOAT; complex: part"),
    "logical_and": "*: b",
    "logical_not": "*: b",
    "logical_or": "*: b",
    "logical_xor": "*: b",
    "positive": "",
    "round": "",
    "same": "",
    "searchsorted": "*: INDEX",
    "signbit": "complex: -; *: b",
    "std": "bool integer: FLOAT; complex: part",
    "unique": "",
    "var": "bool integer: FLOAT; complex: part",
    "fft": "bool integer: COMPLEX; f64: c128; float: c64",
    "rfft": "bool integer: COMPLEX; f64: c128; float: c64",
    "irfft": "bool integer: FLOAT; c64: f32; c128: f64; f16 bf16: f32",
}

SPECIFIC: Final[Mapping[str, Mapping[str, str]]] = {
    "jax": {
        "clip": "complex: -",
        "copysign": f"u64 i64: f64; bool integer: f32; {_TINY}: -",
        "cumulative_prod": "b: INT",
        "diff": "",
        "fft": "u64 i64: c128; bool integer: c64; f64: c128; float: c64",
        "irfft": "u64 i64: f64; bool integer: f32; c64: f32; c128: f64; f64: f64; float: f32",
        "linspace": "u64 i64: f64; bool integer: f32",
        "matrix_norm": "u64 i64: f64; bool integer: f32; complex: part",
        "norm_max": "complex: part",
        "norm_sum": "bool signed: INT; unsigned: UINT; complex: part",
        "rfft": "u64 i64: c128; bool integer: c64; f64: c128; f32: c64; float: -",
        "round": "b: -",
        "searchsorted": "*: i32",
        "signbit": f"complex {_TINY}: -; *: b",
        "square": "b: i32",
        "std": "u64 i64: f64; bool integer: f32; complex: part",
        "var": "u64 i64: f64; bool integer: f32; complex: part",
    },
    "jax-lax": {  # it has no division of integers but one that cuts off, nor a mean
        **dict.fromkeys(("add", "multiply", "prod", "square", "sum"), "b: -"),
        **dict.fromkeys(("mean", "sin", "true_divide"), "bool integer: -"),
        **dict.fromkeys(("floor", "nextafter", "round"), "bool integer complex: -"),
        **dict.fromkeys(("imag", "real"), "bool integer float: -; complex: part"),
        **dict.fromkeys(("isfinite", "isinf", "isnan"), "bool integer complex: -; *: b"),
        **dict.fromkeys(("std", "var"), "bool integer: -; complex: part"),
        "abs": "bool unsigned: -; complex: part",
        "floor_divide": "bool complex: -",
        "power": "bool integer: -",
        "remainder": "bool complex: -",
    },
    "numpy": {
        **dict.fromkeys(
            ("atan2", "copysign", "hypot", "logaddexp", "nextafter"),
            "each; b u8 i8: f16; u16 i16: f32; integer: f64; complex: -",
        ),
        **dict.fromkeys(_LAPACK, "bool integer bf16: f64; f16: -"),
        **dict.fromkeys(_NORMS, "bool integer bf16: f64; complex: part"),
        "conj": "b: i8",
        "cross": "shared; b: -",
        "diff": "",
        "irfft": "bool integer bf16: f64; c64: f32; c128: f64",
        "linspace": "shared",
        "positive": "b: -",
        "reciprocal": "b: i8",
        "round": "b: f16",
        "square": "b: i8",
        "tensordot": "shared",
    },
    "torch": {
        **dict.fromkeys(_LAPACK, "bool integer bf16 f16: -"),
        **dict.fromkeys(_NORMS, "bool integer: -; complex: part"),
        **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), "u16 u32 u64: -; *: b"),
        "atan2": "bool integer: FLOAT; complex: -",
        "clip": "complex u16 u32 u64: -",
        "copysign": "bool integer: FLOAT; complex: -",
        "cross": "alike; bool u16 u32 u64: -",
        "diff": "",
        "fft": "bf16 f16: -; bool integer: COMPLEX; f64: c128; float: c64",
        "hypot": "bool integer complex: -",
        "imag": "bool integer float: -; complex: part",
        "irfft": "bf16 f16: -; bool integer: FLOAT; c64: f32; c128: f64",
        "linspace": "complex: COMPLEX; *: FLOAT",
        "logaddexp": "bool integer: -",
        "logical_not": "u16 u32 u64: -; *: b",
        "nextafter": "bool integer complex: -",
        "positive": "b: -",
        "real": "complex: part",
        "rfft": "bf16 f16: -; bool integer: COMPLEX; f64: c128; float: c64",
        "round": "bool complex: -",
        "sign": "u16 u32 u64 complex: -",
        "solve": "alike; bool integer bf16 f16: -",
        "square": "b: i64; u16 u32 u64: -",
        "std": "bool integer: -; complex: part",
        "trace": "bool u16 u32 u64: -; integer: i64",
        "var": "bool integer: -; complex: part",
        "vecdot": "alike; bool integer: -",
    },
    "array-api": {
        **dict.fromkeys(_NORMS, "bool integer: -; complex: part"),
        "clip": "bool complex: -",
        "conj": "bool: -",
        "imag": "bool integer float: -; complex: part",
        "isfinite": "bool: -; *: b",
        "isinf": "bool: -; *: b",
        "isnan": "bool: -; *: b",
        "logical_and": "integer float complex: -; *: b",
        "logical_not": "integer float complex: -; *: b",
        "logical_or": "integer float complex: -; *: b",
        "logical_xor": "integer float complex: -; *: b",
        "positive": "b: -",
        "real": "bool: -; complex: part",
        "round": "b: -",
        "signbit": "bool integer complex: -; *: b",
        "atan2": "bool integer complex: -",
        "copysign": "bool integer complex: -",
        "hypot": "bool integer complex: -",
        "logaddexp": "bool integer complex: -",
        "nextafter": "bool integer complex: -",
        "std": "bool integer complex: -",
        "var": "bool integer complex: -",
        "fft": "bool integer: -; f32: c64; f64: c128",
        "rfft": "bool integer: -; f32: c64; f64: c128",
        "irfft": "bool integer: -; c64: f32; c128: f64",
    },
}

WEAK_NUMBERS_ALONE: Final = frozenset({"numpy", "cupy", "dask", "polars"})
"""The rules by which Python scalars are weak, and no array is."""

EACH_FIRST: Final[Mapping[str, Mapping[str, str]]] = {"numpy": {"solve": "inv"}}
"""By rules, functions whose operands join as what another function makes of each."""

BESIDE_A_FLOAT: Final[Mapping[str, frozenset[str]]] = {"numpy": frozenset({"linspace"})}
"""By rules, functions whose operands join with a Python float beside them."""

KEEP_OPERANDS: Final = frozenset({"argmax", "argmin"})
"""The functions that compute in the dtype of their operands, whatever the result's."""

WEAK_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "jax": {
        "": "argmax argmin cross cumulative_prod cumulative_sum diagonal eye hypot inv log10 "
        "log2 matrix_norm max mean min norm norm_max norm_sum pinv prod std sum trace var",
        "float complex": "isfinite pow",
        "signed float": "unique",
        "signed float complex": "equal greater greater_equal isnan less less_equal not_equal",
    },
}
"""By kinds of what operands share, the functions whose results are weak where that is weak.

The results of others are, but for bools.
"""

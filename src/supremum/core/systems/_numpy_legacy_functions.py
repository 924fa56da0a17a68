"""What the functions of NumPy before version 2 give: those of NumPy's that differ, and the others.

Source: NumPy 1.26.4, each function with every dtype and pair of dtypes, and each ufunc with numbers
of many values.
"""

from __future__ import annotations

from typing import Final

from ..function_rules import FunctionRule, parse_rules, special_rules
from . import _numpy_functions

# What was not there yet.
_LATER = """
    bitwise_count vecdot matvec vecmat unstack permute_dims matrix_transpose svdvals vector_norm
    matrix_norm linalg.diagonal linalg.outer linalg.cross cumulative_sum cumulative_prod
    unique_all[0] unique_all[1] unique_all[2] unique_all[3] unique_counts[0] unique_counts[1]
    unique_inverse[0] unique_inverse[1]
"""

# What goes by the values of arrays, or by those of numbers otherwise than operators do.
_BY_VALUE = "ldexp polyval"

# The ufuncs below that are `shared` take what np.result_type says; the others take the first of
# their loops that all operands can be cast to.
_SINE = "b u8 i8: f16; u16 i16: f32; integer: f64"
_DOUBLE = "bool integer f16 f32: f64; c64: c128"
_CHANGED = f"""
    add, multiply, maximum, minimum, fmax, fmin = shared
    gcd, lcm = shared; bool float complex: -
    subtract = shared; b: -
    true_divide = shared; bool integer: f64
    float_power = shared; {_DOUBLE}
    equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or,
    logical_xor, isclose = shared; *: b
    clip = shared
    floor, ceil, trunc = {_SINE}; complex: -
    quantile, percentile, nanquantile, nanpercentile = bool complex: -; integer float: f64
    bincount = u64 float complex: -; *: i64
    fft, ifft, fft2, ifft2, fftn, ifftn, rfft, rfft2, rfftn, ihfft = *: c128
    irfft, hfft, irfft2, irfftn = *: f64
    geomspace = shared; bool integer: f64
    iadd = shared; into kind
"""
_LINES = f"""
    linspace = apart; bool integer: f64
    logspace = apart; {_DOUBLE}
"""


def _functions() -> dict[str, FunctionRule]:
    later = {*_LATER.split(), *_BY_VALUE.split()}
    usual = _numpy_functions.FUNCTIONS
    kept = {name: rule._replace(ints="") for name, rule in usual.items() if name not in later}
    kept["power"] = usual["power"]
    return {**kept, **parse_rules(_CHANGED), **special_rules(_numpy_functions.BESIDE_FLOAT, _LINES)}


FUNCTIONS: Final = _functions()

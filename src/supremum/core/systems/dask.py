"""Dask's rules: NumPy's, with Dask's arrays taken for their dtypes.

Source: ``result_type`` in ``dask/array/routines.py`` of Dask 2026.8.0, which hands dtypes to
NumPy's; measured with NumPy 2.4.6 and ml_dtypes 0.6.0. It is NumPy that decides, so another NumPy
gives other answers. A 0-d array of Dask is an array like any other. Scalars, and 0-d arrays of
NumPy, stay as they are, and NumPy takes them after the dtypes, which matters if there are more
than two.
Functions, operators among them, answer as NumPy's do, with the dtype that Dask's result declares.
It is that of what is computed, but that NumPy then makes float32 of matmul of bfloat16 and a
narrower dtype, and cannot compute the deviation or the variance of bfloat16.
"""

from __future__ import annotations

from ..function_rules import parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..system import PromotionSystem
from . import numpy
from ._numpy_functions import WIDEST as WIDEST_OF_EACH

LIBRARY = Library("Dask", ("dask",), dtypes_in="numpy")


_SINE = "b u8 i8: f16; u16 i16: f32; integer: f64"
FUNCTIONS = f"""
    add, multiply, maximum, minimum, fmax, fmin, max, min, nanmax, nanmin =
    ravel, squeeze, transpose, flip, diag, unique, zeros_like, ones_like, roll, take =
    subtract, negative, positive, sign, diff, ptp = b: -
    true_divide = ints any; bool integer: f64
    mean, nanmean, average = bool integer: f64
    floor_divide, remainder, fmod = b: i8; complex: -
    left_shift, right_shift = b: i8; float complex: -
    power = ints natural; b: i8
    square, conj, reciprocal = b: i8
    matmul, concat, stack = shared
    equal, not_equal, less, less_equal, greater, greater_equal = ints compared; *: b
    logical_and, logical_or, logical_xor = ints int64; *: b
    logical_not, isfinite, isinf, isnan, all, any = *: b
    bitwise_and, bitwise_or, bitwise_xor, invert = float complex: -
    where = shared; ints 64 bits
    abs, real, imag = complex: part
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1,
    log, log2, log10, log1p, sqrt, rint = {_SINE}
    cbrt, deg2rad, rad2deg, fabs = {_SINE}; complex: -
    floor, ceil, trunc = complex: -
    sum, prod, nansum, nanprod, trace, cumulative_sum, cumsum,
    cumulative_prod = bool signed: i64; unsigned: u64
    std, var, nanstd, nanvar = bool integer: f64; complex: part
    argmax, argmin, nanargmax, nanargmin, nonzero, count_nonzero = *: i64
"""


WIDEST = f"""
    atan2, hypot, copysign, logaddexp, logaddexp2, nextafter = ints any; {_SINE}; complex: -
"""


def build() -> PromotionSystem:
    """Return Dask's rules, those of ``dask.array.result_type``."""
    numbers = numpy.build()
    return PromotionSystem(
        "dask",
        numpy.knowing(numbers.table(), _stays),
        classify=numpy.classify,
        settle=numpy.settle,  # NumPy itself settles
        functions={**parse_rules(FUNCTIONS), **special_rules(WIDEST_OF_EACH, WIDEST)},
        operable=numpy.OPERABLE,
        function_join=numbers.function_join,
        refuse_int=numbers.refuse_int,
        ranked=True,
        weak_arrays=False,
        version="2026.8.0",
        source="dask/array/routines.py; measured on da.result_type",
        library=LIBRARY,
    )


def _stays(op: Operand) -> bool:
    if op.form == "array":
        return (op.library, op.rank) == (numpy.LIBRARY.title, 0)
    return op.form not in ("dtype", "type")

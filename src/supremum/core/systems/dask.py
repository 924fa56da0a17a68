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

from ..dtypes import by_name
from ..function_rules import Special, parse_rules, special_rules
from ..libraries import ASTYPE, Library
from ..operands import Operand
from ..system import PromotionSystem
from . import numpy

LIBRARY = Library(
    "Dask",
    ("dask",),
    prefixes=("da",),
    dtypes_in="numpy",
    cast=ASTYPE,
    takes_lists=True,
    conjugates_real=True,
    squares_bools=True,
    weighs_means=True,
    wrappers=("xarray",),
)

# The functions that are NumPy's, and those that answer otherwise.
AS_NUMPY = """
    add subtract multiply true_divide floor_divide remainder fmod power left_shift right_shift
    maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor invert where concat stack
    equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor
    logical_not atan2 hypot copysign logaddexp logaddexp2 nextafter
    negative positive sign square conj reciprocal abs real imag isfinite isinf isnan
    sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p
    sqrt rint cbrt deg2rad rad2deg radians degrees fabs floor ceil trunc
    sum prod nansum nanprod trace cumulative_sum cumsum cumulative_prod mean nanmean average
    std var nanstd nanvar max min nanmax nanmin ptp all any
    argmax argmin nanargmax nanargmin nonzero count_nonzero
    float_power isclose divmod[0] divmod[1] signbit spacing iscomplex isreal sinc i0 angle clip
    frexp[0] frexp[1] modf[0] modf[1] nan_to_num ediff1d argwhere flatnonzero searchsorted isin
    hstack vstack dstack block append meshgrid[0] broadcast_arrays[0] union1d cov corrcoef
    qr[0] qr[1] svd[0] svd[1] svd[2] fft ifft fft2 ifft2 fftn ifftn rfft rfft2 rfftn ihfft irfft
    irfft2 irfftn hfft fftshift ifftshift fftfreq rfftfreq
    ravel squeeze transpose flip diag unique zeros_like ones_like roll take copy flipud fliplr
    rot90 atleast_1d atleast_2d atleast_3d empty_like full_like full diagonal triu tril
    expand_dims reshape repeat tile pad broadcast_to swapaxes moveaxis rollaxis choose compress
    extract asarray array asanyarray zeros ones empty eye tri indices tril_indices[0]
    triu_indices[0] arange linspace same
"""
CHANGED = """
    diff = b: -
    matmul = shared
    round, persist, rechunk =
    gradient = only 1; bool integer f16: f64
    quantile, nanquantile = bool complex: -; *: f64
    percentile = integer: f64
    nanpercentile = bool complex: -; integer bf16: f64
    bincount, unravel_index, histogram[0] = *: i64
    dot, tensordot, einsum = shared; bool signed: i64; unsigned: u64
    outer = apart; bf16: -
    inv = bool integer float: f64; complex: c128
    cholesky = bool f16: -; integer bf16: f64
    norm = bool integer: f64; bf16: f32; complex: part
    random, normal, uniform, standard_normal = *: f64
"""
SOLVED = "solve = apart; bool u8 u16 i8 i16 f16: f32; u32 u64 i32 i64 bf16: f64"


def build() -> PromotionSystem:
    """Return Dask's rules, those of ``dask.array.result_type``."""
    numbers = numpy.build()
    return PromotionSystem(
        "dask",
        numpy.Knowing(numbers.table(), _stays).fold(),
        classify=numpy.classify,
        settle=numpy.settle,  # NumPy itself settles
        functions={
            **numpy.functions_named(AS_NUMPY),
            **parse_rules(CHANGED),
            **special_rules(_SOLVE, SOLVED),
        },
        operable=numpy.OPERABLE,
        function_join=numbers.function_join,
        refuse_int=numbers.refuse_int,
        ranked=True,
        weak_arrays=False,
        version="2026.8.0",
        source="dask/array/routines.py; measured on da.result_type",
    )


def _with_single(operands: list[Operand]) -> list[Operand]:
    """Return operands of which a right-hand side of bfloat16 is of float32."""
    matrix, *sides = operands
    is_half = bool(sides) and sides[0].dtype.name == "bfloat16"
    return [matrix, sides[0]._replace(dtype=by_name("float32"))] if is_half else operands


_SOLVE = Special("a right-hand side of bfloat16 is float32", select=_with_single)


def _stays(op: Operand) -> bool:
    if op.form == "array":
        return (op.library, op.rank) == (numpy.LIBRARY.title, 0)
    return op.form not in ("dtype", "type")

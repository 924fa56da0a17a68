"""CuPy's rules: NumPy's, on the dtypes that CuPy has.

Source: ``result_type`` in ``cupy/__init__.py`` of CuPy 14.2.0, which hands the dtypes of CuPy's
arrays to NumPy's; measured with NumPy 2.4.6. It is NumPy that decides, so another NumPy gives other
answers. Arrays need no GPU for that.

Functions, operators among them, take the first loop to which each operand may be cast
(``_Ops.guess_routine`` in ``_core/_kernel.pyx``). That is how NumPy's ufuncs join; but bool with a
Python int beyond int64 is uint64. CuPy's kernels are asked for that, and none is compiled or
launched: whether the loop that is chosen compiles is not known. What an operator in place may put
into its array is what ``numpy.can_cast`` allows as ``same_kind`` (``_get_out_args_from_optionals``
of the same file); measured with ml_dtypes, too.
Not modelled: functions that decide in other ways, on the GPU: ``mean``, ``std``, ``var``,
``argmax``, cumulative sums and products, ``matmul`` and other products, ``concatenate``, ``stack``
and linear algebra; structured dtypes; bfloat16 if ml_dtypes is not installed, which CuPy does not
have then.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dtypes import DType, by_name
from ..errors import short
from ..function_rules import parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, fits
from ..system import PromotionSystem
from ..table import Table
from . import numpy
from ._numpy_functions import WIDEST as WIDEST_OF_EACH

LIBRARY = Library("CuPy", ("cupy", "cupyx"), import_as=("cupy", "cp"), dtypes_in="numpy")

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128 i* f* c*"

_SINE = "b u8 i8: f16; u16 i16: f32; integer: f64"
_REAL_SINE = f"{_SINE}; complex: -"
FUNCTIONS = f"""
    add, multiply, maximum, minimum, fmax, fmin =
    subtract = b: -
    true_divide = ints int64; bool integer: f64
    floor_divide, remainder, fmod = b: i8; complex: -
    divmod[0], divmod[1] = ints 64 bits; b: i8; bf16: f32; complex: -
    power = b: i8
    float_power = ints float; bool integer bf16 f16 f32: f64; c64: c128
    left_shift, right_shift = b: i8; float complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    gcd, lcm = bool float complex: -
    equal, not_equal, less, less_equal, greater, greater_equal = ints any; *: b
    logical_and, logical_or = ints any; complex: -; *: b
    logical_xor = ints 64 bits; complex: -; *: b
    where = ints 64 bits; bf16: f32
    clip = bf16: f32; complex: -

    negative, positive = b: -
    conj, square, reciprocal, sign = b: i8
    invert = float complex: -
    abs = complex: part
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1,
    log, log2, log10, log1p, sqrt, sinc, i0, rint = {_SINE}
    cbrt, deg2rad, rad2deg, fabs, modf[0], modf[1], frexp[0] = {_REAL_SINE}
    frexp[1] = complex: -; *: i32
    round = b: f16; bf16: f32
    floor, ceil, trunc = complex: -
    isfinite, isinf, isnan, all, any = *: b
    logical_not, signbit = complex: -; *: b
    bitwise_count = float complex: -; *: u8
    sum, prod, nansum, nanprod = bool signed: i64; unsigned: u64
    max, min, nanmax, nanmin =

    real = complex: part
    ravel, squeeze, transpose, matrix_transpose, diagonal, expand_dims, reshape, array_split[0],
    split[0], hsplit[0], vsplit[0], dsplit[0], broadcast_to, swapaxes, moveaxis, rollaxis,
    permute_dims =
    broadcast_arrays[0] = only 1
    iadd = into kind bf16
"""
WIDEST = f"""
    atan2, hypot, copysign, nextafter = ints any; {_SINE}
    logaddexp, logaddexp2, heaviside = ints any; {_REAL_SINE}
"""
OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128"


def build() -> PromotionSystem:
    """Return CuPy's rules, those of ``cupy.result_type``."""
    ufuncs = numpy.build()
    everything = ufuncs.table()
    nodes = [numpy.coded(code) for code in DTYPES.split()]
    pairs = [(a, b) for a in nodes for b in nodes]
    cells = {(a, b): answer for a, b in pairs if (answer := everything[a, b])}
    return PromotionSystem(
        "cupy",
        numpy.knowing(Table(nodes, cells), _stays),
        classify=numpy.classify,
        settle=numpy.settle,  # NumPy itself settles
        functions={**parse_rules(FUNCTIONS), **special_rules(WIDEST_OF_EACH, WIDEST)},
        operable=OPERABLE,
        function_join=ufuncs.function_join,
        function_classify=_classify_of_function,
        refuse_int=_refuse_int,
        weak_arrays=False,
        version="14.2.0",
        source="cupy/__init__.py; measured on cupy.result_type",
        library=LIBRARY,
    )


def _stays(op: Operand) -> bool:
    # NumPy takes dtypes before scalars and arrays, which NumPy's own stay
    return op.form not in ("dtype", "type", "array") or op.library == numpy.LIBRARY.title


def _classify_of_function(op: Operand, operands: Sequence[Operand]) -> Classified:
    value, met = op.number, [x for x in operands if x is not op]
    if type(value) is int and value >= 2**63 and all(x.dtype.kind == "bool" for x in met):
        return Classified(op, by_name("uint64"), f"{op.describe()}, treated as uint64")
    return numpy.classify(op, operands)


def _refuse_int(value: int, d: DType, operands: Sequence[Operand], ints: str) -> str | None:
    """Refuse what does not fit the C type that it is converted to: that of the loop, or a wide one.

    What a rule says of ints: ``any`` if they join with integers and the loop is of floats,
    ``int64`` if that is so but for those beyond int64; ``64 bits`` if the loop of bfloat16 is a
    wider one, and ``float`` if both.
    """
    exact = d.kind in ("unsigned", "signed")
    if exact and ints in ("", "64 bits"):
        return fits(value, d)
    bits = 64
    if (d.name == "bfloat16" and ints not in ("64 bits", "float")) or (
        exact and ints == "int64" and not any(x.dtype.kind == "bool" for x in operands)
    ):
        bits = 63
    if -(2**63) <= value < 1 << bits:
        return None
    return f"{short(value)} does not fit {'64 bits' if bits == 64 else 'int64'}"

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

from ..common_steps import INT64, fits_64_bits
from ..dtypes import DType, by_name
from ..function_rules import parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, fits
from ..system import PromotionSystem
from . import numpy

LIBRARY = Library(
    "CuPy",
    ("cupy", "cupyx"),
    import_as=("cupy", "cp"),
    dtypes_in="numpy",
    array_class="cupy:ndarray",
    cast="{x}.astype({dtype}, copy=False)",
    casts_scalars=True,
)

OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128"
DTYPES = f"{OPERABLE} i* f* c*"

# The functions that are NumPy's, and those that answer otherwise.
AS_NUMPY = """
    add subtract multiply floor_divide remainder fmod float_power left_shift right_shift
    maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor gcd lcm
    logaddexp logaddexp2 heaviside
    negative positive conj square reciprocal invert abs real
    sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p
    sqrt rint cbrt deg2rad rad2deg fabs modf[0] modf[1] frexp[0] frexp[1] floor ceil trunc
    isfinite isinf isnan signbit bitwise_count
    all any sum prod nansum nanprod max min nanmax nanmin
    ravel squeeze transpose matrix_transpose diagonal expand_dims reshape array_split[0] split[0]
    hsplit[0] vsplit[0] dsplit[0] broadcast_to swapaxes moveaxis rollaxis permute_dims
    broadcast_arrays[0] iadd
"""
CHANGED = f"""
    true_divide = ints int64; bool integer: f64
    divmod[0], divmod[1] = ints 64 bits; b: i8; bf16: f32; complex: -
    power = b: i8
    equal, not_equal, less, less_equal, greater, greater_equal = ints any; *: b
    logical_and, logical_or = ints any; complex: -; *: b
    logical_xor = ints 64 bits; complex: -; *: b
    logical_not = complex: -; *: b
    where = ints 64 bits; bf16: f32
    clip = bf16: f32; complex: -
    sign = b: i8
    sinc, i0 = {numpy.SINE}
    radians, degrees = {numpy.SINE}; complex: -
    round = b: f16; bf16: f32
"""
WIDEST = f"atan2, hypot, copysign, nextafter = ints any; {numpy.SINE}"


def build() -> PromotionSystem:
    """Return CuPy's rules, those of ``cupy.result_type``."""
    ufuncs = numpy.build()
    table = ufuncs.table().only(map(numpy.coded, DTYPES.split()))
    return PromotionSystem(
        "cupy",
        numpy.Knowing(table, _stays).fold(),
        classify=numpy.classify,
        settle=numpy.settle,  # NumPy itself settles
        functions={
            **numpy.functions_named(AS_NUMPY),
            **parse_rules(CHANGED),
            **special_rules(numpy.WIDEST, WIDEST),
        },
        operable=OPERABLE,
        function_join=ufuncs.function_join,
        function_classify=_classify_of_function,
        refuse_int=_refuse_int,
        weak_arrays=False,
        version="14.2.0",
        source="cupy/__init__.py; measured on cupy.result_type",
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
    in_bfloat16 = d.name == "bfloat16" and ints not in ("64 bits", "float")
    beside_bool = any(x.dtype.kind == "bool" for x in operands)
    if in_bfloat16 or (exact and ints == "int64" and not beside_bool):
        return fits(value, INT64)
    return fits_64_bits(value)

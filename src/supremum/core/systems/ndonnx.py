"""ndonnx's rules: NumPy's table from the left, without bool beside float16; numbers come last.

ndonnx makes ONNX graphs in the way of the array API. ONNX's own operators take one dtype; ndonnx
casts to the dtype that this table gives. ``result_type`` joins arrays in the order given, so that
float16, bool and int8 are refused, and int8, bool and float16 are float32; then come Python
numbers. A float beside integers, and an int beside bools, take their default width. An int must fit
what it meets; ``result_type`` does not look at it. Division makes integers that come first float64:
``int8[] / float32[]`` is float64, and ``float32[] / int8[]`` float32. Most operators refuse arrays
of bool.

Source: ndonnx 0.23.0 with NumPy 2.4.6, measured on graphs of arrays without values; the table is
that of ``_typed_array/onnx.py``.
Not modelled: nullable dtypes, strings and times; complex numbers, which ndonnx does not have;
scalars of NumPy, which are arrays to operators, and to ``result_type`` an error or a number;
``iadd``, which is ``add``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..common_steps import Refusing, State, WithoutScalars, is_number
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import Call, Special, parse_rules, special_rules
from ..libraries import ASTYPE, Library
from ..operands import Operand
from ..steps import Classified, fits
from ..system import PromotionSystem
from ..table import Table

LIBRARY = Library(
    "ndonnx",
    ("ndonnx",),
    import_as=("ndonnx", "ndx"),
    dtypes_in="ndonnx",
    cast=ASTYPE,
)

TABLE = """
         b    u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  i*   f*
    b    b    u8   u16  u32  u64  i8   i16  i32  i64  -    f32  f64  i64  f64
    u8   u8   u8   u16  u32  u64  i16  i16  i32  i64  f32  f32  f64  u8   f64
    u16  u16  u16  u16  u32  u64  i32  i32  i32  i64  f32  f32  f64  u16  f64
    u32  u32  u32  u32  u32  u64  i64  i64  i64  i64  f64  f64  f64  u32  f64
    u64  u64  u64  u64  u64  u64  f64  f64  f64  f64  f64  f64  f64  u64  f64
    i8   i8   i16  i32  i64  f64  i8   i16  i32  i64  f32  f32  f64  i8   f64
    i16  i16  i16  i32  i64  f64  i16  i16  i32  i64  f32  f32  f64  i16  f64
    i32  i32  i32  i32  i64  f64  i32  i32  i32  i64  f64  f64  f64  i32  f64
    i64  i64  i64  i64  i64  f64  i64  i64  i64  i64  f64  f64  f64  i64  f64
    f16  -    f32  f32  f64  f64  f32  f32  f64  f64  f16  f32  f64  f16  f16
    f32  f32  f32  f32  f64  f64  f32  f32  f64  f64  f32  f32  f64  f32  f32
    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64
    i*   i64  u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  -    -
    f*   f64  f64  f64  f64  f64  f64  f64  f64  f64  f16  f32  f64  -    -
"""
FUNCTIONS = """
    add, subtract, multiply = b: -
    invert = float: -
    tensordot = takes integer float, *
    logical_and, logical_or, logical_xor, logical_not = integer float: -
    equal, not_equal = *: b
    where, concat, stack =
    broadcast_arrays[0], meshgrid[0] = only 1
    vecdot, clip = b: -
    searchsorted = b: -; *: i64

    negative, positive, sign, abs, square, floor, ceil, trunc, sqrt, diff, max, min, sort = b: -
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, expm1, log, log1p,
    log2, log10, reciprocal, mean, std, var = bool integer: -
    isnan, all, any = *: b
    isfinite, isinf = b: -; *: b
    sum, prod, cumulative_sum, cumulative_prod = b: -; signed: i64; unsigned: u64
    argmax, argmin, argsort = b: -; *: i64
    nonzero, count_nonzero = *: i64

    same, reshape, squeeze, expand_dims, tile, asarray, full =
    flip, roll, repeat, tril, triu, take, permute_dims, matrix_transpose, moveaxis,
    broadcast_to, unstack, zeros_like, ones_like, empty_like, full_like, unique, unique_all[0],
    unique_counts[0], unique_inverse[0] =
    unique_all[1], unique_all[2], unique_all[3], unique_counts[1], unique_inverse[1] = *: i64
    arange = b f16: -
    zeros, ones, empty, eye = *: f64
    linspace = *: f64
"""

WITHOUT_BOOLS = """
    floor_divide, remainder, power, maximum, minimum, matmul =
    less, less_equal, greater, greater_equal = *: b
"""
BITS = """
    bitwise_and, bitwise_or, bitwise_xor = float: -
    left_shift = bool float: -
"""

FLOAT64 = by_name("float64")
_table = Table.parse(TABLE, node=from_code)


def _step(state: Classified | State, item: Classified) -> State:
    return State(_table.join(state.node, item.node))


def _arrays_first(items: Sequence[Classified]) -> list[Classified]:
    return sorted(items, key=is_number)


def _without_bools(call: Call) -> DType:
    if any(d.name == "bool" for d in _arrays(call)):
        raise NoJoinError(f"{call.name} does not take arrays of bool")
    return call.becomes(call.joined)


def _divided(call: Call) -> DType:
    made = _without_bools(call)
    return FLOAT64 if _arrays(call)[0].kind in ("unsigned", "signed") else made


def _of_floats(call: Call) -> DType:
    if not any(d.kind == "float" for d in _arrays(call)):
        raise NoJoinError(f"{call.name} takes at least one array of floats")
    return _without_bools(call)


def _arrays(call: Call) -> list[DType]:
    return [x.node for x in call.classified if not x.operand.is_python]


def _shifted(call: Call) -> DType:
    base, exponent = (x.node for x in call.classified)
    if base.kind == "signed" and not base.weak and exponent.name == "uint64":
        return FLOAT64
    made, places = _without_bools(call), call.classified[1].operand.number
    if places is None or made.kind != "signed":
        return made
    if places < 0:
        return FLOAT64
    if why := fits(2 ** min(places, 64), made):  # which it divides by
        raise NoJoinError(why)
    return made


def _bitwise(call: Call) -> DType:
    if any(x.node.name == "bool" for x in call.classified) and any(map(_is_int, call.classified)):
        raise NoJoinError(f"{call.name} of bools does not take an int")
    return call.becomes(call.joined)


def _is_int(x: Classified) -> bool:
    return x.node.name == "int*"


_NO_BOOLS = "arrays of bool are refused"
_WITHOUT_BOOLS = Special(_NO_BOOLS, result=_without_bools)
_DIVIDE = Special(f"{_NO_BOOLS}; integers first become float64", result=_divided)
_FLOATS = Special(f"{_NO_BOOLS}, and integers without floats", result=_of_floats)
_SHIFT = Special(f"{_NO_BOOLS}; signed integers are divided by a power of two", result=_shifted)
_BITS = Special("bools beside a Python int are refused", result=_bitwise)


def build() -> PromotionSystem:
    """Return ndonnx' rules, those of ``ndonnx.result_type``."""
    return PromotionSystem(
        "ndonnx",
        Fold(_table.nodes, _step, order=_arrays_first),
        classify=WithoutScalars("ndonnx"),
        settle=Refusing("among Python numbers there must be an array or a dtype", is_number),
        functions={
            **parse_rules(FUNCTIONS),
            **special_rules(_WITHOUT_BOOLS, WITHOUT_BOOLS),
            **special_rules(_DIVIDE, "true_divide = ints any"),
            **special_rules(_SHIFT, "right_shift = float: -"),
            **special_rules(_FLOATS, "logaddexp ="),
            **special_rules(_BITS, BITS),
        },
        refuse_int=_refuse_int,
        version="0.23.0",
        source="measured on ndonnx.result_type; _typed_array/onnx.py",
    )


def _refuse_int(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    """Refuse what does not fit the array that a number becomes, but where that is a float."""
    return fits(value, d) if ints != "any" else None

"""DuckDB's rules: the least type that holds both, for alternatives; and a table for operators.

``UNION ALL`` joins its columns, and ``CASE``, ``coalesce`` and ``greatest`` what they choose from,
to the least type that holds both: TINYINT beside UTINYINT is SMALLINT. An integer beside FLOAT is
FLOAT, whatever its width. Operators choose among functions of one type instead, and TINYINT +
UTINYINT is BIGINT. BOOLEAN has no arithmetic; beside floats only ``UNION ALL``, ``=`` and ``AND``
take it. A number that is written out is INTEGER or BIGINT to ``UNION ALL``; to operators an int
takes the type of the integer beside it, if that holds it. A float is one with an exponent, such as
``1e0``, which is DOUBLE.

Source: DuckDB 2.0.1, measured on the types of queries' results.
Not modelled: HUGEINT, which is what UBIGINT beside a signed type gives, and so is refused, as are
sums of integers; DECIMAL, which a number with a point and without an exponent is; DATE, INTERVAL,
strings and lists; what ``query`` gives to pandas or NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..common_steps import INT32, INT64
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..function_rules import Call, Special, parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..steps import DEFAULT_WIDTHS, Classified, Settled, fits
from ..system import PromotionSystem
from ..table import Table

NAMES_OF_TYPES = (
    ("bool", "BOOLEAN"), ("uint8", "UTINYINT"), ("uint16", "USMALLINT"), ("uint32", "UINTEGER"),
    ("uint64", "UBIGINT"), ("int8", "TINYINT"), ("int16", "SMALLINT"), ("int32", "INTEGER"),
    ("int64", "BIGINT"), ("float32", "FLOAT"), ("float64", "DOUBLE"),
)  # fmt: skip
LIBRARY = Library(
    "DuckDB",
    ("duckdb",),
    import_as=("duckdb", "duckdb"),
    dtypes_in="duckdb.sqltypes",
    dtype_names=NAMES_OF_TYPES,
    refuses_overflow=True,
)

ARROWS = """
    b -> u8 -> u16 -> u32 -> u64 -> f32 -> f64
    b -> i8 -> i16 -> i32 -> i64 -> f32
    u8 -> i16; u16 -> i32; u32 -> i64
"""
OPERATORS = """
         b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64
    b    b    -    -    -    -    -    -    -    -    -    -
    u8   -    u8   u16  u32  u64  i64  i16  i32  i64  f32  f64
    u16  -    u16  u16  u32  u64  i64  i64  i32  i64  f32  f64
    u32  -    u32  u32  u32  u64  i64  i64  i64  i64  f32  f64
    u64  -    u64  u64  u64  u64  -    -    -    -    f32  f64
    i8   -    i64  i64  i64  -    i8   i16  i32  i64  f32  f64
    i16  -    i16  i64  i64  -    i16  i16  i32  i64  f32  f64
    i32  -    i32  i32  i64  -    i32  i32  i32  i64  f32  f64
    i64  -    i64  i64  i64  -    i64  i64  i64  i64  f32  f64
    f32  -    f32  f32  f32  f32  f32  f32  f32  f32  f32  f64
    f64  -    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64
"""
FUNCTIONS = """
    add, subtract, multiply, floor_divide, remainder = b: -
    bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift = bool float: -
    gcd, lcm = bool float u64: -; integer: i64
    concat = shared

    negative, positive, abs, trunc = b: -
    invert = b float: -
    logical_not = *: b
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, log, log2, log10,
    sqrt, cbrt, lgamma, radians, degrees, prod, mean, std, var = b: -; *: f64
    floor, ceil = b: -; integer: f64
    round = b u64: -; unsigned: i64
    sign = b: -; *: i8
    isfinite, isinf, isnan, signbit = b: -; *: b
    sum = bool integer: -; *: f64
    max, min, quantile =
    median = integer: f64
    all, any = integer float: -
"""


def _first(operands: list[Operand]) -> list[Operand]:
    return [x for x in operands if not x.is_python][:1] or operands[:1]


def _floats_or_first(operands: list[Operand]) -> list[Operand]:
    return [x for x in operands if x.dtype.kind == "float"] or _first(operands)


def _first_unless_mixed(operands: list[Operand]) -> list[Operand]:
    return operands if _mixes({x.dtype.kind for x in operands}) else _first(operands)


def _of_alternatives(call: Call) -> DType:
    if _mixes({x.node.kind for x in call.classified}):
        raise NoJoinError(f"{call.name} does not take BOOLEAN beside floats")
    return call.joined


def _mixes(kinds: set[str]) -> bool:
    return {"bool", "float"} <= kinds


_DIVIDE = Special("integers do not widen floats", select=_floats_or_first)
_ANY = Special("any types are taken", select=_first)
_ORDER = Special("BOOLEAN beside floats is refused", select=_first_unless_mixed)
_CHOOSE = Special("BOOLEAN beside floats is refused", result=_of_alternatives)
NUMBERS = "takes integer float, integer float"


def build() -> PromotionSystem:
    """Return DuckDB's rules, those of ``UNION ALL``."""
    return PromotionSystem.from_lattice(
        ARROWS,
        "duckdb",
        classify=_classify,
        settle=_settle,
        function_classify=_classify_of_function,
        functions={
            **parse_rules(FUNCTIONS),
            **special_rules(_DIVIDE, f"true_divide, fmod, nextafter = {NUMBERS}; integer: f64"),
            **special_rules(_ANY, f"power, atan2 = {NUMBERS}; *: f64"),
            **special_rules(_ANY, "equal, not_equal, logical_and, logical_or = *: b"),
            **special_rules(_ORDER, "less, less_equal, greater, greater_equal = *: b"),
            **special_rules(_CHOOSE, "where, maximum, minimum = shared"),
        },
        function_join=Table.parse(OPERATORS, node=from_code),
        weak_arrays=False,
        valued=True,
        version="2.0.1",
        source="measured on typeof of UNION ALL and of operators",
    )


def _classify(op: Operand, operands: Sequence[Operand] = ()) -> Classified:
    """Return what an operand is: a number that is written out is int32, int64 or float64."""
    node = by_name(DEFAULT_WIDTHS.get(op.dtype.name, op.dtype.name))
    if isinstance(op.number, int) and node is INT64:
        node = INT64 if fits(op.number, INT32) else INT32
        if fits(op.number, INT64) and not any(x.dtype.kind == "float" for x in operands):
            raise NoJoinError(f"{op.text} is HUGEINT, which is not among these dtypes")
    return Classified(op, node, op.describe())


def _classify_of_function(op: Operand, operands: Sequence[Operand] = ()) -> Classified:
    """Return what an operand of a function is: an int takes an integer type that holds it."""
    met = [x.dtype for x in operands if not x.is_python and x.dtype.kind in ("signed", "unsigned")]
    if op.dtype.name == "int*" and met and fits(op.number, met[0]) is None:
        return Classified(op, met[0], f"{op.describe()}, which takes the type of {met[0]}")
    return _classify(op, operands)


def _settle(node: DType, classified: Sequence[Classified]) -> Settled:
    """Return the result, which is not a float among integers."""
    kinds = {x.node.kind for x in classified}
    if node.kind == "float" and "float" not in kinds:
        raise NoJoinError("the result is HUGEINT, which is not among these dtypes")
    return Settled(node)

"""Arrow's rules, of which it has two: a lattice for arithmetic, and a table for joining tables.

Source: ``CommonNumeric`` in ``compute/kernels/codegen_internal.cc`` and ``MergeOptions`` in
``type.h``; measured on pyarrow 26.0.1. Arithmetic takes every float above every integer and int64
above uint64, makes int64 and float64 of Python's numbers, whatever they meet, and refuses bool and
float16. Joining tables is NumPy's table, except that uint64 with signed integers gives int64 and
bool meets bool alone; tables are joined from the left, and the order matters: uint8, int8, float16
give float32, and uint8, float16, int8 float16.
Not modelled: decimals, times and dictionaries; casts that fail on the values of an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ..common_steps import INT64, Advice, Refusing, has_no_dimensions
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..lattice import Lattice
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, by_dtype, fits
from ..system import PromotionSystem
from ..table import Table
from . import numpy

LIBRARY = Library(
    "Arrow",
    ("pyarrow",),
    import_as=("pyarrow", "pa"),
    prefixes=("pc",),
    read_as=(("halffloat", "float16"), ("float", "float32"), ("double", "float64")),
    dtype_attribute="type",
)

ARROWS = """
    u8 -> u16 -> u32 -> u64 -> i64
    i8 -> i16 -> i32 -> i64 -> f32 -> f64
    u8 -> i16; u16 -> i32
"""

# Functions take bool, and some take float16, if all operands are.
ALONE = "b f16"

FUNCTIONS = """
    add = shared
    subtract, multiply, maximum, minimum = b f16: -
    true_divide = ints divisor; b f16: -
    power = ints natural; b f16: -
    equal, not_equal, less, less_equal, greater, greater_equal = f16: -; *: b
    bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift = b float: -
    logical_and, logical_or, logical_xor, logical_not, any, all = integer float: -
    negative = b: -
    abs, round, cumulative_sum, cumulative_prod, diff = b f16: -
    sqrt, exp, log, log10, log2, log1p, sin, cos, tan, asin, acos, atan,
    sinh, cosh, tanh, asinh, acosh, atanh, floor, ceil = b f16: -; integer: f64
    sign = b: -; integer: i8
    isnan, isfinite, isinf = b: -; *: b
    sum, prod = f16: -; bool unsigned: u64; signed: i64; float: f64
    mean = f16: -; *: f64
    std, var, quantile = b f16: -; *: f64
    max, min = f16: -
    argsort = f16: -; *: u64
    remainder = b f16: -
    invert = integer float: -
    expm1, trunc = b f16: -; integer: f64
    isnull, notnull = *: b
    count = *: i64
    skew, kurtosis = b f16: -; *: f64
    rank = f16: -; *: u64
    first, last = f16: -
    same, unique, take, dropna, where, masked_select, array =
"""

JOINED = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64"

_SCALARS = {"int*": "int64", "float*": "float64"}
# A float array takes a Python int that its significand holds.
_LARGEST = {"float32": 2**24, "float64": 2**53}


class FitInts(NamedTuple):
    """The last step of arithmetic: a Python int must fit what it meets."""

    lattice: Lattice[DType]

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        for i, x in enumerate(classified):
            others = [other.node for other in classified[:i] or classified[1:2]]
            _fit(x.operand.number, self.lattice.join(*others) if others else None)
        return Settled(node)


def build(*, operation: Literal["add", "concat"] = "add") -> PromotionSystem:
    """Return Arrow's rules.

    Args:
        operation: ``"add"`` for ``pyarrow.compute.add``, ``"concat"`` for ``concat_tables`` with
            ``promote_options="permissive"``, and ``unify_schemas`` with the same.
    """
    about: dict[str, Any] = {
        "operable": JOINED, "label": "" if operation == "add" else operation,
        "version": "26.0.1", "refuse_int": _refuse_int,
        "advise": Advice((("b", "Arrow does not join bool with numbers"),)),
    }  # fmt: skip
    if operation == "concat":
        why = "tables are joined, and they have no scalars; make an array of it"
        return PromotionSystem(
            "pyarrow",
            _joined(),
            settle=Refusing(why, has_no_dimensions, any),
            ranked=True,
            source="type.h, MergeOptions",
            **about,
        )
    lattice: Lattice[DType] = Lattice(ARROWS, node=from_code)
    with_alone = lattice.with_arrows({from_code(code): () for code in ALONE.split()})
    return PromotionSystem(
        "pyarrow",
        lattice,
        classify=_classify,
        settle=FitInts(with_alone),
        functions=FUNCTIONS,
        function_join=with_alone,
        valued=True,
        source="compute/kernels/codegen_internal.cc",
        **about,
    )


def _joined() -> Table[DType]:
    numbers = numpy.own_table()
    nodes = [numpy.coded(code) for code in JOINED.split()]
    cells = {}
    for a in nodes:
        for b in nodes:
            if {a.kind, b.kind} == {"unsigned", "signed"} and 64 in (a.bits, b.bits):
                cells[a, b] = INT64
            elif (a.kind == "bool") == (b.kind == "bool"):
                cells[a, b] = numbers.join(a, b)
    return Table(nodes, cells)


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    node = op.weak_dtype
    if op.is_python and node.name in _SCALARS:
        wide = by_name(_SCALARS[node.name])
        return Classified(op, wide, f"Python {op.library}, which Arrow makes {wide}")
    return by_dtype(op, operands)


def _fit(value: Any, beside: DType | None) -> None:
    if not isinstance(value, int):
        return
    if fits(value, INT64):
        raise NoJoinError(f"{short(value)} does not fit int64, which Arrow makes of it")
    if beside and abs(value) > _LARGEST.get(beside.name, 2**63):
        raise NoJoinError(f"{short(value)} is beyond the integers up to which {beside} is exact")


def _refuse_int(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    by_zero = ints == "divisor" and value == 0 and d.kind in ("unsigned", "signed")
    return f"{d} cannot be divided by 0" if by_zero else None

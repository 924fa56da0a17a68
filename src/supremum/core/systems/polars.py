"""Polars' rules for numbers: NumPy's table, and literals that go by their value.

Source: ``utils/supertype.rs`` of polars-core; measured on Polars 2.1.0. The supertype of two dtypes
is NumPy's, but uint64 with a signed integer gives Int128, and so does Int128 with any integer.
Dtypes are joined from the left, and the order matters: UInt8, Int8, Float16 give Float32, and
UInt8, Float16, Int8 Float16.
In an expression, a Python int beside an integer column is the narrowest integer that holds it, an
unsigned one if neither is signed. Beside UInt64, a negative one makes both Int64; beyond 64 bits,
it makes nulls of the column's dtype. Beside a Boolean, or alone, it is Int32, Int64, UInt64 or
Int128. Literals at the front are added first. A Series takes a Python int that its dtype holds, or
none. Booleans add up to UInt32.
What is a float since a literal is one, as ``pl.col("bool") + 1.5``, an integer's logarithm, and its
power with such an exponent, are Float64 alone and give way to what they meet: they are weak.
Not modelled: rolling means of Float16 in expressions, which are Float64 alone and planned as
Float16; UInt128; decimals, times and strings; lists, arrays, structs; NumPy's scalars beside a
Series.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from ..common_steps import Advice, State
from ..dtypes import WEAK, DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Call, Special, parse_rules, special_rules, weak_but_of_floats
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, ToWidths, by_dtype, numbers_are_weak
from ..system import PromotionSystem
from ..table import Table
from . import numpy

_WORDS = ("UInt", "Int", "Float")
_NAMES = (
    ("Boolean", "bool"),
    *((f"{w}{n}", f"{w.lower()}{n}") for w in _WORDS for n in (8, 16, 32, 64, 128)),
)
LIBRARY = Library(
    "Polars",
    ("polars",),
    import_as=("polars", "pl"),
    dtype_names=tuple((ours, own) for own, ours in _NAMES),
    read_as=_NAMES,
    dtype_classes="polars.datatypes.classes",
    divides_by_one_less=True,
)

DTYPES = "b    u8   u16  u32  u64  i8   i16  i32  i64  i128 f16  f32  f64"

# What Python's numbers give with these. An int has no answer if its value decides.
MET = f"  {DTYPES} f*   i*"
LITERALS = {
    "f*": "f*   f64  f64  f64  f64  f64  f64  f64  f64  f64  f16  f32  f64  f*   f*",
    "i*": "-    -    -    -    -    -    -    -    -    -    f16  f32  f64  f*   i*",
}

# What a Python int may become, beside each kind of column: the first that holds it.
UNSIGNED = "u8 u16 u32 u64"
SIGNED = "i8 i16 i32 i64 u64"
ALONE = "i32 i64 u64 i128"

# What both operations have, and then what expressions have, and Series.
FUNCTIONS = """
    add = shared; b: u32
    subtract, multiply, remainder = shared; b: -
    negative = b unsigned i128: -
    invert = float: -
    abs, floor, ceil, round, sign = b: -
    isnan, isfinite = b: -; *: b
    diff = b: -; u8: i16; u16: i32; u32 u64: i64
    sqrt, cbrt, exp, log1p, mean, median, std, var = weak; bool integer: f64
    rolling_sum, sum = b: u32; u8 u16 i8 i16: i64
    rolling_max, rolling_min =
    sin, cos, tan, acos, asin, atan, sinh, cosh, tanh, acosh, asinh, atanh,
    deg2rad, radians, rad2deg, degrees, quantile = weak; b: -; integer: f64
    cumulative_sum, cumsum = weak; b: u32; u8 u16 i8 i16: i64
    prod, cumulative_prod = weak; bool u8 u16 u32 i8 i16 i32: i64
    max, min, sort, unique =
    argmax, argmin, argsort, nunique, null_count, count = *: u32
    isnull, notnull, duplicated, is_unique, is_first_distinct = *: b
    pct_change = weak; bool integer: f64
    skew, kurtosis = weak; *: f64
    clip = only 1; b: -
    same, first, last, flip, dropna, head, tail, shift, mode, cummax, cummin, masked_select =
"""
OF_EXPRESSIONS = """
    fill_null, append = shared; weak
    dot = shared; b: -; u8 u16 i8 i16: i64
    all, any, between = *: b
    true_divide = shared; weak; bool integer: f64
    equal, not_equal, less, less_equal, greater, greater_equal = shared; *: b
    bitwise_and, bitwise_or, bitwise_xor = float: -
"""
OF_SERIES = """
    true_divide =
    all, any = integer float: -; *: b
    between = b: -; *: b
"""
ROLLED = "rolling_mean, rolling_std, rolling_var = weak; bool integer f16: f64"
LOGARITHMS = "log, log10 = bool integer: f64"
COMPARED = "equal, not_equal, less, less_equal, greater, greater_equal = *: b"

_BOOL, _INT128 = by_name("bool"), by_name("int128")
# What is said of an operand of a sum, in which booleans are counted; dtypes alone are not summed.
TERM = frozenset(("term",))


class Sums(NamedTuple):
    """How Polars adds columns and literals, one after the other.

    A state has seen the sum of the literals at the front, which are added up before they join; or
    the first operand, if that is a column.
    """

    table: Table[DType]
    series: bool

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        total = _python_int(first.operand, series=self.series)
        return State(first.node, seen=first if total is None else total)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        value = _python_int(item.operand, series=self.series)
        if isinstance(state.seen, int):
            if value is not None:
                return State(state.node, seen=state.seen + value)
            total = _in_128_bits(state.seen, self.series)
            literal, column = _literal(total, item.node, series=self.series)
            why = "" if literal.weak else f"{short(state.seen)} is taken as {literal}"
            return self._met(literal, column, why)
        if value is not None:
            literal, column = _literal(value, state.node, series=self.series)
            return self._met(column, literal, f"{short(value)} is taken as {literal}")
        both = {state.node.name, item.node.name}
        if item.facts == TERM and state.seen is not None and both == {"bool"}:
            return State(by_name("uint32"), why="booleans are counted")
        return self._met(state.node, item.node)

    def _met(self, a: DType, b: DType, why: str = "") -> State:
        found = self.table[a, b]
        if found is None:
            raise NoJoinError(f"{a} and {b} have no supertype", (a, b))
        return State(found, why=why)


def _raised(call: Call) -> DType:
    """Return what a power gives: the base's dtype, or that of a float exponent of an integer."""
    base, exponent = call.classified
    if "bool" in (base.node.kind, exponent.node.kind):
        raise NoJoinError("powers do not take bool")
    node = base.node
    if node.weak:
        value: Any = base.operand.number
        if value is None:
            raise NoJoinError("a power of a number goes by its value, which is not known")
        node = by_name("float64") if node.name == "float*" else _first(ALONE, value) or node
    if node.kind == "float":
        return node
    if exponent.node.kind == "float":
        return by_name("float64") if exponent.node.weak else exponent.node
    value = exponent.operand.number
    if value is not None and not 0 <= value < 2**32:
        raise NoJoinError(f"{short(value)} is no exponent of an integer")
    return node


def _rolled(call: Call) -> DType:
    if call.joined.name == "float16":
        raise NoJoinError(
            f"{call.name} of Float16 is Float64, and is planned as Float16, which is not modelled; "
            "cast to Float32"
        )
    return call.becomes(call.joined)


def _is_weak_power(call: Call) -> bool:
    """Return whether a power gives way to floats: its base does, or the exponent of an integer."""
    base, exponent = (x.node for x in call.classified)
    decides = exponent if base.kind != "float" and exponent.kind == "float" else base
    return decides.weak


@cache
def _of_columns() -> Sums:
    return Sums(_supertypes("expression"), series=False)


def _as_columns(call: Call) -> DType:
    """Return what a function of Series gives that takes a number after it as an expression does."""
    sums = _of_columns()
    first, *others = call.classified
    if call.name == "floor_divide":
        _refuse_float_beside_bool(call)
        value, d = _python_int(first.operand, series=True), others[0].node
        is_open = value is None or d.kind == "float"
        if not is_open and _literal(value, d, series=True)[0].weak:
            raise NoJoinError(f"{short(value)} does not fit {d}")
    elif first.operand.is_python:
        raise NoJoinError(f"{call.name} is of a Series")
    state = sums.start(first)
    for item in others:
        state = sums.step(state, item)
    return call.becomes(_to_widths(state.node, call.classified).dtype)


def _compared(call: Call) -> DType:
    """Return what a comparison of Series gives, which takes ints that the other dtype holds."""
    _refuse_float_beside_bool(call)
    is_order = call.name not in ("equal", "not_equal")
    numbers = [x for x in call.classified if x.operand.is_python]
    if is_order and numbers and {x.node for x in call.classified} == {_BOOL}:
        raise NoJoinError(f"the order of {numbers[0].operand.text} and a Series is refused")
    for x, other in (call.classified, call.classified[::-1]):
        value, d = _python_int(x.operand, series=True), other.node
        is_open = value is None or d.weak or d is _INT128 or d.kind == "float"
        if is_open or (d is _BOOL and isinstance(value, bool)):
            continue
        if d is _BOOL or not d.min <= value <= d.max:
            raise NoJoinError(f"{short(value)} does not fit {d}")
    return call.becomes(call.joined)


def _of_bits(call: Call) -> DType:
    """Return what a bitwise operator of Series gives: the first one's dtype."""
    first, second = call.classified
    node, number = first.node, first.operand.number
    if type(number) is int:  # which becomes a Series
        node = _first("i64 u64 i128", number) or node
    takes_number = second.operand.is_python and node is not _BOOL
    if node is not second.node and not takes_number:
        raise NoJoinError(f"{call.name} takes Series of one dtype, and a number after one")
    return call.becomes(node)


def _floor_divided(call: Call) -> DType:
    _refuse_float_beside_bool(call)
    return call.becomes(call.joined)


def _refuse_float_beside_bool(call: Call) -> None:
    if {x.node.name for x in call.classified} == {"bool", "float*"}:
        raise NoJoinError("a Python float beside bool is refused")


class Quotients(NamedTuple):
    """How Series divide: what comes first is a float, of 64 bits unless it is one already."""

    table: Table[DType]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after the second operand."""
        is_float = state.node.kind == "float" and not state.node.weak
        node = state.node if is_float else by_name("float64")
        return State(self.table.join(node, item.node))


_COMPARISON = Special("ints must fit, and bool meets no float", result=_compared, by_value=True)
_FLOOR_DIVISION = Special("a Python float beside bool is refused", result=_floor_divided)
_OF_BITS = Special("Series of one dtype, or a number after one", result=_of_bits)
_LITERALS = Special("numbers are literals, as in expressions", result=_as_columns, by_value=True)
_POWER = Special(
    "the base decides, or a float exponent",
    result=_raised,
    keeps_weak=_is_weak_power,
    by_value=True,
)
_ROLLING = Special("Float16 is refused, of which a plan states another dtype", result=_rolled)
_LOGARITHM = Special("that of an integer is weak", keeps_weak=weak_but_of_floats)


def build(
    *, operation: Literal["expression", "series", "concat"] = "expression"
) -> PromotionSystem:
    """Return Polars' rules.

    Args:
        operation: ``"expression"`` for ``pl.col("x") + y``, ``"series"`` for Series and scalars,
            ``"concat"`` for ``pl.concat`` of frames with ``how="vertical_relaxed"``.
    """
    table = _supertypes(operation)
    sums = Sums(table, operation == "series")
    about: dict[str, Any] = {}
    if operation == "expression":
        bitwise = Sums(_without_mixed_bool(table), series=False)
        about["functions"] = {
            **parse_rules(FUNCTIONS + OF_EXPRESSIONS),
            **special_rules(_POWER, "power ="),
            **special_rules(_LOGARITHM, LOGARITHMS),
            **special_rules(_ROLLING, ROLLED),
            **special_rules(_FLOOR_DIVISION, "floor_divide = shared; b: -"),
        }
        about["function_join"] = Fold(table.nodes, bitwise.step, start=bitwise.start)
    elif operation == "series":
        quotients = Quotients(table)
        about["functions"] = {
            **parse_rules(FUNCTIONS + OF_SERIES),
            **special_rules(_POWER, "power ="),
            **parse_rules(f"{LOGARITHMS}\n{ROLLED}"),
            **special_rules(_COMPARISON, COMPARED),
            **special_rules(_LITERALS, "fill_null =\nfloor_divide = b: -"),
            **special_rules(_OF_BITS, "bitwise_and, bitwise_or, bitwise_xor = float: -"),
        }
        about["function_join"] = Fold(table.nodes, quotients.step, start=quotients.start)
    return PromotionSystem(
        "polars",
        table if operation == "concat" else Fold(table.nodes, sums.step, start=sums.start),
        classify=by_dtype if operation == "concat" else _classify,
        function_classify=numbers_are_weak,
        settle=Settle(operation),
        operable=DTYPES,
        valued=True,
        weak_arrays=operation == "expression",
        advise=Advice(
            (("i*", "the value of a Python int decides, and it is not known or does not fit"),)
        ),
        label=operation,
        version="2.1.0",
        source="polars-core/src/utils/supertype.rs; measured",
        **about,
    )


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    return numbers_are_weak(op, operands)._replace(facts=TERM)


class Settle(NamedTuple):
    """The last step: literals alone get a dtype that holds them, and some operands are refused."""

    operation: str

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        series = self.operation == "series"
        for x in classified:
            _refuse(x.operand, self.operation)
        if all(x.operand.is_python for x in classified):
            if series:
                raise NoJoinError("there must be a Series or a dtype among Python scalars")
            if len(classified) > 1 and classified[0].facts != TERM:
                raise NoJoinError("there must be a column among the operands of a function")
        if node is not WEAK["int"]:
            return _to_widths(node, classified)._replace(weak=not series and node.weak)
        ints = [_python_int(x.operand, series=series) for x in classified]
        total = _in_128_bits(sum(filter(None, ints)), series=False)
        found = _first(ALONE, total) if self.operation == "expression" else None
        if found is None or None in ints:
            raise NoJoinError("its value decides, and is not known or beyond 64 bits")
        return Settled(found, False, f"{total} is a literal alone, and becomes {found}.")


_to_widths = ToWidths()


def _supertypes(operation: str) -> Table[DType]:
    numbers = numpy.own_table()
    nodes = [from_code(code) for code in DTYPES.split()]
    others = [d for d in nodes if d is not _INT128]
    cells = {(a, b): numbers.join(a, b) for a in others for b in others}
    for (a, b), c in cells.items():
        if {a.kind, b.kind, c.kind} == {"unsigned", "signed", "float"}:
            cells[a, b] = _INT128
    for d in nodes:
        cells[_INT128, d] = cells[d, _INT128] = by_name("float64") if d.kind == "float" else _INT128
    if operation == "concat":
        return Table(nodes, cells)
    for weak, answers in LITERALS.items():
        for node, code in zip(MET.split(), answers.split(), strict=True):
            if code != "-":
                a, b = from_code(weak), from_code(node)
                cells[a, b] = cells[b, a] = from_code(code)
    if operation == "series":  # which is Float64, while an expression still looks for a width
        cells[WEAK["float"], _BOOL] = cells[_BOOL, WEAK["float"]] = by_name("float64")
    return Table(map(from_code, MET.split()), cells)


def _without_mixed_bool(table: Table[DType]) -> Table[DType]:
    """Return a table in which bool meets bool alone, as it does in bitwise functions."""
    pairs = [(a, b) for a in table.nodes for b in table.nodes if (a is _BOOL) == (b is _BOOL)]
    return Table(table.nodes, {pair: c for pair in pairs if (c := table[pair])})


def _in_128_bits(total: int, series: bool) -> int:
    """Return a sum of literals, which Polars adds in 128 bits."""
    return total if series else (total + 2**127) % 2**128 - 2**127


def _python_int(op: Operand, *, series: bool) -> Any:
    """Return the value of a Python int that has no dtype; a Series takes a bool for one too."""
    known = op.is_python and isinstance(op.value, int)
    return op.value if known and (series or op.dtype.kind != "bool") else None


def _literal(value: int, beside: DType, *, series: bool) -> tuple[DType, DType]:
    """Return what a Python int is, beside a dtype, and what that dtype becomes."""
    weak = WEAK["int"]
    if beside is _INT128:
        return weak if series else by_name("int64"), beside
    if beside.weak or beside.kind in ("float", "complex"):
        return weak, beside
    if series:
        holds = beside.kind != "bool" and beside.min <= value <= beside.max
        return (beside if holds else weak), beside
    if beside.kind == "bool":
        return _first(ALONE, value) or weak, beside
    unsigned = beside.kind == "unsigned" and value >= 0
    found = _first(UNSIGNED if unsigned else SIGNED, value) or beside
    if beside.name == "uint64" and found.kind == "signed":
        return by_name("int64"), by_name("int64")
    return found, beside


def _first(codes: str, value: int) -> DType | None:
    found = map(from_code, codes.split())
    return next((d for d in found if d.min <= value <= d.max), None)


def _refuse(op: Operand, operation: str) -> None:
    value = op.number
    if operation == "concat" and op.rank == 0:
        raise NoJoinError("frames are concatenated, and they have no scalars")
    if operation == "series" and op.form == "scalar":
        raise NoJoinError("NumPy's scalars beside a Series are not modelled; pass a Python number")
    largest = 2**1024 if operation == "series" else 2**127
    if isinstance(value, int) and not -largest <= value < largest:
        raise NoJoinError(f"no literal holds {short(value)}")

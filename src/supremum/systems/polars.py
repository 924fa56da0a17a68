"""Polars' rules for numbers: NumPy's table, and literals that go by their value.

Source: ``utils/supertype.rs`` of polars-core; measured on Polars 2.1.0. The supertype of two dtypes
is NumPy's, but uint64 with a signed integer gives Int128, which is no dtype of the catalogue: as a
result it is refused, and on the way to one it counts. Dtypes are joined from the left, and the
order matters: UInt8, Int8, Float16 give Float32, and UInt8, Float16, Int8 Float16.
In an expression, a Python int beside an integer column is the narrowest integer that holds it, an
unsigned one if neither is signed. Beside UInt64, a negative one makes both Int64; beyond 64 bits,
it makes nulls of the column's dtype. Beside a Boolean, or alone, it is Int32, Int64 or UInt64.
Literals at the front are added first. A Series takes a Python int that its dtype holds, or none.
Booleans add up to UInt32.
Not modelled: Int128 and UInt128 as operands; decimals, times and strings; lists, arrays, structs;
NumPy's scalars beside a Series.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from supremum.dtypes import WEAK, DType, by_name, from_code
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.operands import Operand
from supremum.steps import DEFAULT_WIDTHS, by_dtype, to_defaults
from supremum.system import PromotionSystem
from supremum.systems import numpy
from supremum.table import Table

DTYPES = "b    u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64"

# What Python's numbers give with these. An int has no answer where its value decides.
MET = f"  {DTYPES} f*   i*"
LITERALS = {
    "f*": "f*   f64  f64  f64  f64  f64  f64  f64  f64  f16  f32  f64  f*   f*",
    "i*": "-    -    -    -    -    -    -    -    -    f16  f32  f64  f*   i*",
}

# What a Python int may become, beside each kind of column: the first that holds it.
UNSIGNED = "u8 u16 u32 u64"
SIGNED = "i8 i16 i32 i64 u64"
ALONE = "i32 i64 u64"

_TO_FLOAT = {"unsigned", "signed", "float"}
INT128 = cast("DType", "Int128")


class Supertypes(Table[DType]):
    """The table of supertypes, with Int128 on the way from one dtype to another."""

    def met(self, a: DType, b: DType) -> DType | None:
        """Return what a dtype gives with the next one, or None where there is no answer."""
        if a is INT128:
            wide = by_name("float64") if b.kind == "float" else INT128
            return None if b is WEAK["int"] else wide
        signs = {a.kind, b.kind} == {"unsigned", "signed"} and not (a.weak or b.weak)
        return self[a, b] or (INT128 if signs else None)

    def so_far(self, nodes: Sequence[DType]) -> DType | None:
        """Return the join, which may be Int128, or None where there is no answer."""
        found: DType | None = nodes[0]
        for node in nodes[1:]:
            found = found and self.met(found, node)
        return found

    def steps(self, *nodes: DType) -> list[tuple[DType, DType, DType]]:
        """Return the pairs that are looked up, each with its answer."""
        first, *rest = nodes if len(nodes) > 1 else (*nodes, *nodes)
        steps: list[tuple[DType, DType, DType]] = []
        pair = (first, first)
        for node in rest:
            answer = self.met(first, node)
            pair = pair if first is INT128 else (first, node)  # the last before Int128
            if answer is None:
                raise NoJoinError(f"{first} and {node} have no supertype", pair)
            steps.append((first, node, answer))
            first = answer
        if first is INT128:
            raise NoJoinError(f"{pair[0]} and {pair[1]} give Int128", pair)
        return steps


def build(
    *, operation: Literal["expression", "series", "concat"] = "expression"
) -> PromotionSystem:
    """Return Polars' rules.

    Args:
        operation: ``"expression"`` for ``pl.col("x") + y``, ``"series"`` for Series and scalars,
            ``"concat"`` for ``pl.concat`` of frames with ``how="vertical_relaxed"``.
    """
    table = _supertypes(operation)
    defaults = to_defaults(DEFAULT_WIDTHS)

    def classify(operands: Sequence[Operand]) -> list[Taken]:
        return _in_sum(table, operands, series=operation == "series")

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        for op in (t.operand for t in taken):
            _refuse(op, operation)
        if operation == "series" and all(t.operand.form.startswith("Python") for t in taken):
            raise NoJoinError("there must be a Series or a dtype among Python scalars")
        if node is WEAK["int"]:
            raise NoJoinError("its value decides, and is not known or beyond 64 bits")
        return defaults(node, taken)

    return PromotionSystem(
        "polars",
        table,
        classify=by_dtype if operation == "concat" else classify,
        settle=settle,
        looks_at="number",
        advise=_advise,
        setting={"operation": operation},
        label=operation,
        version="2.1.0",
        source="polars-core/src/utils/supertype.rs; measured",
    )


def _supertypes(operation: str) -> Supertypes:
    numbers = numpy.own_table()
    nodes = [from_code(code) for code in DTYPES.split()]
    cells = {(a, b): numbers.join(a, b) for a in nodes for b in nodes}
    cells = {(a, b): c for (a, b), c in cells.items() if {a.kind, b.kind, c.kind} != _TO_FLOAT}
    if operation == "concat":
        return Supertypes(nodes, cells)
    for weak, answers in LITERALS.items():
        for node, code in zip(MET.split(), answers.split(), strict=True):
            if code != "-":
                a, b = from_code(weak), from_code(node)
                cells[a, b] = cells[b, a] = from_code(code)
    if operation == "series":  # which is Float64, where an expression still looks for a width
        weak_float, boolean = WEAK["float"], by_name("bool")
        cells[weak_float, boolean] = cells[boolean, weak_float] = by_name("float64")
    return Supertypes(map(from_code, MET.split()), cells)


def _in_sum(table: Supertypes, operands: Sequence[Operand], *, series: bool) -> list[Taken]:
    """Give the literals of a sum, which is made from the left, the dtypes of their values."""
    taken = by_dtype(operands)
    nodes = [t.node for t in taken]
    ints = [_python_int(op, series=series) for op in operands]
    front = next((i for i, value in enumerate(ints) if value is None), len(ints))
    if ints[:2] == [None, None] and {n.kind for n in nodes[:2]} == {"bool"}:
        nodes[:2] = [by_name("uint32")] * 2
    if front:
        column = nodes[front] if front < len(nodes) else by_name("bool")
        total = sum(ints[:front])
        if not series:
            total = (total + 2**127) % 2**128 - 2**127  # Polars adds literals in 128 bits
        literal, column = _literal(total, column, series=series)
        nodes[: front + 1] = [*[literal] * front, column][: len(nodes)]
    for i in range(front + 1, len(nodes)):
        before = table.so_far(nodes[:i])
        if ints[i] is not None and before:
            nodes[i], column = _literal(ints[i], before, series=series)
            nodes[:i] = nodes[:i] if column is before else [column] * i
    pairs = zip(taken, nodes, strict=True)
    return [t if t.node is n else Taken(t.operand, n, f"{t.why}, as {n}") for t, n in pairs]


def _python_int(op: Operand, *, series: bool) -> Any:
    """Return the value of a Python int that has no dtype; a Series takes a bool for one too."""
    known = op.form.startswith("Python") and isinstance(op.value, int)
    return op.value if known and (series or op.weak) else None


def _literal(value: int, beside: DType, *, series: bool) -> tuple[DType, DType]:
    """Return what a Python int is, beside a dtype, and what that dtype becomes."""
    weak = WEAK["int"]
    if beside is INT128:
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
    value: Any = op.value if op.form.startswith("Python") else None
    if operation == "concat" and op.rank == 0:
        raise NoJoinError("frames are concatenated, and they have no scalars")
    if operation == "series" and op.form == "scalar":
        raise NoJoinError("NumPy's scalars beside a Series are not modelled; pass a Python number")
    largest = 2**1024 if operation == "series" else 2**127
    if isinstance(value, int) and not -largest <= value < largest:
        raise NoJoinError(f"no literal holds {value}")


def _advise(nodes: Sequence[DType]) -> str | None:
    if WEAK["int"] in nodes:
        return "it is the value of a Python int that decides, and it is not known or does not fit"
    if {n.kind for n in nodes} == {"unsigned", "signed"}:
        return "they give Int128, which the catalogue does not have"
    return None

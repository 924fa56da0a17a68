"""pandas' rules for Series of NumPy's dtypes: NumPy's, but that scalars are Python's.

Source: measured on pandas 3.1.1 with NumPy 2.4.6; ``maybe_prepare_scalar_for_op`` in
``core/ops/array_ops.py`` and ``np_find_common_type`` in ``core/dtypes/cast.py``. A Series plus a
scalar is NumPy's operator; integers and floats of NumPy's, 0-d arrays too, count as Python's there,
and an integer that does not fit is refused. Three operands or more are added from the left.
``pd.concat`` takes all Series at once, as ``np.result_type`` does, but bool with numbers makes
objects, which is a refusal here.
Functions are operators and methods of Series; those of logic are NumPy's of a Series. Bitwise
operators have no rule: beside bool they give bool, whatever the integer.
Not modelled: integers divided by zeros in a Series, by ``//`` or ``%``, which pandas makes floats
for their infinities; extension dtypes, such as the masked Int64 and Float64 and those of Arrow;
dtypes of ml_dtypes, which a Series may have; objects, dates and categories.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ..dtypes import DType
from ..errors import NoJoinError, short
from ..fold import Fold
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, ToWidths, by_dtype
from ..system import PromotionSystem
from ..table import Table
from . import numpy

LIBRARY = Library("pandas", ("pandas",), dtypes_in="numpy")

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 g c64 c128 G"
SCALARS = "i* f* c*"


FUNCTIONS = """
    add = shared
    multiply, max, min, sort, unique, matmul, dot =
    subtract = b: -
    true_divide = ints any; b: -; integer: f64
    floor_divide = ints fit; b complex: -
    remainder = ints fit; b: i8; complex: -
    power = ints natural; b: -
    equal, not_equal = ints compared; *: b
    less, less_equal, greater, greater_equal = ints compared; *: b
    logical_and, logical_or, logical_xor = ints int64; *: b
    logical_not, isfinite, isnan, all, any = *: b
    negative, round =
    diff = b: -; i8 i16: f32; integer: f64
    invert = float complex: -
    abs = complex: part
    floor, ceil = complex: -
    sin, cos, tan, exp, log, sqrt = b u8 i8: f16; u16 i16: f32; integer: f64
    sum = bool signed: i64; unsigned: u64; f16: f64
    prod, cumulative_prod, cumulative_sum, cumsum = bool signed: i64; unsigned: u64
    mean = bool integer f16: f64; c64: c128
    median = bool integer: f64
    std, var = bool integer: f64; complex: part
    argmax, argmin, argsort = *: i64
"""
OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128"


class State(NamedTuple):
    """What some operands give so far, and the first one until another is met."""

    node: DType
    first: Classified | None = None


class Sums(NamedTuple):
    """How pandas adds Series and scalars, one after the other."""

    table: Table[DType]
    fit: bool = True

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, first)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand. An int must fit the sum."""
        node = self.table.join(state.node, item.node)
        for t in filter(None, (state.first, item)):
            value: Any = t.operand.value
            if self.fit and t.node.weak and isinstance(value, int):
                _fit(value, _to_widths(node, ()).dtype)
        return State(node)


_to_widths = ToWidths()


def build(*, operation: Literal["add", "concat"] = "add") -> PromotionSystem:
    """Return pandas' rules.

    Args:
        operation: ``"add"`` for ``x + y`` with Series and scalars, ``"concat"`` for ``pd.concat``.
    """
    concat = operation == "concat"
    everything = numpy.build().table()
    nodes = [numpy.coded(code) for code in (DTYPES if concat else f"{DTYPES} {SCALARS}").split()]
    cells = {(a, b): answer for a in nodes for b in nodes if (answer := everything[a, b])}
    if concat:
        cells = {pair: answer for pair, answer in cells.items() if not _mixes_bool(pair)}
    sums = Sums(Table(nodes, cells))
    added: Fold[DType] = Fold(nodes, sums.step, start=sums.start)
    others = Sums(sums.table, fit=False)
    return PromotionSystem(
        "pandas",
        numpy.knowing(sums.table, numpy.is_operand) if concat else added,
        classify=by_dtype if concat else _classify,
        settle=_settle_concat if concat else _settle_sum,
        function_join=None if concat else Fold(nodes, others.step, start=others.start),
        refuse_int=_refuse_int,
        functions="" if concat else FUNCTIONS,
        operable=OPERABLE,
        ranked=True,
        valued=True,
        advise=_advise if concat else None,
        setting={"operation": operation},
        label=operation,
        version="3.1.1",
        source=f"measured on {'pd.concat' if concat else 'x + y'} of NumPy-backed Series",
        library=LIBRARY,
    )


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    strong = not op.weak and not op.is_python
    if op.rank == 0 and strong and op.dtype.kind in ("unsigned", "signed", "float"):
        return Classified(op, op.weak_dtype, f"{op.describe()}, as Python's")
    return by_dtype(op, operands)


def _settle_concat(node: DType, taken: Sequence[Classified]) -> Settled:
    if any(t.operand.rank == 0 for t in taken):
        raise NoJoinError("pd.concat takes Series; make one of the scalar")
    return _settle_sum(node, taken)


def _settle_sum(node: DType, taken: Sequence[Classified]) -> Settled:
    if not any(t.operand.rank != 0 for t in taken):
        raise NoJoinError("there must be a Series or a dtype among scalars")
    return _to_widths(node, taken)


def _fit(value: int, width: DType) -> None:
    try:
        if width.kind in ("unsigned", "signed"):
            fits = bool(width.min <= value <= width.max)
        else:
            fits = width.name == "longdouble" or float(value) < math.inf
    except OverflowError:
        fits = False
    if not fits:
        raise NoJoinError(f"{short(value)} does not fit {width}")


def _refuse_int(value: int, d: DType, operands: Sequence[Operand], ints: str) -> str | None:
    if ints == "fit" and operands[-1].value == 0 and d.kind in ("unsigned", "signed"):
        return f"pandas makes float64 of {d} divided by 0"
    beside_bool = ints == "compared" and any(x.dtype.kind == "bool" for x in operands)
    if (ints == "int64" or beside_bool) and not -(2**63) <= value < 2**63:
        return f"{short(value)} does not fit int64, and becomes an object"
    try:
        if ints not in ("any", "compared", "int64"):
            _fit(value, d)
    except NoJoinError as error:
        return str(error)
    return None


def _mixes_bool(nodes: Sequence[DType]) -> bool:
    return {n.kind == "bool" for n in nodes} == {True, False}


def _advise(nodes: Sequence[DType]) -> str | None:
    return "pd.concat makes objects of bool with numbers" if _mixes_bool(nodes) else None

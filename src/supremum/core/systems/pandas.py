"""pandas' rules for Series of NumPy's dtypes: NumPy's, but that scalars are Python's.

Source: measured on pandas 3.1.1 with NumPy 2.4.6; ``maybe_prepare_scalar_for_op`` in
``core/ops/array_ops.py`` and ``np_find_common_type`` in ``core/dtypes/cast.py``. A Series plus a
scalar is NumPy's operator; integers and floats of NumPy's, 0-d arrays too, count as Python's there,
and an integer that does not fit is refused. Three operands or more are added from the left.
``pd.concat`` takes all Series at once, as ``np.result_type`` does, but bool with numbers makes
objects, which is a refusal here.
Not modelled: extension dtypes, such as the masked Int64 and Float64 and those of Arrow; dtypes of
ml_dtypes, which a Series may have; objects, dates and categories.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ..dtypes import DType
from ..errors import NoJoinError
from ..explanation import Settled, Taken
from ..fold import Fold
from ..libraries import Library
from ..operands import Operand, short
from ..settle import ToWidths, by_dtype
from ..system import PromotionSystem
from ..table import Table
from . import numpy

LIBRARY = Library("pandas", ("pandas",), dtypes_in="numpy")

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 g c64 c128 G"
SCALARS = "i* f* c*"


class State(NamedTuple):
    """What some operands give so far, and the first one until another is met."""

    node: DType
    first: Taken | None = None


class Sums(NamedTuple):
    """How pandas adds Series and scalars, one after the other."""

    table: Table[DType]

    def start(self, first: Taken) -> State:
        """Return the state after the first operand."""
        return State(first.node, first)

    def step(self, state: State, item: Taken) -> State:
        """Return the state after another operand. An int must fit the sum."""
        node = self.table.join(state.node, item.node)
        for t in filter(None, (state.first, item)):
            value: Any = t.operand.value
            if t.node.weak and isinstance(value, int):
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
    return PromotionSystem(
        "pandas",
        numpy.knowing(sums.table, numpy.is_operand) if concat else added,
        classify=by_dtype if concat else _classify,
        settle=_settle_concat if concat else _settle_sum,
        ranked=True,
        valued=True,
        advise=_advise if concat else None,
        setting={"operation": operation},
        label=operation,
        version="3.1.1",
        source=f"measured on {'pd.concat' if concat else 'x + y'} of NumPy-backed Series",
        library=LIBRARY,
    )


def _classify(op: Operand, operands: Sequence[Operand]) -> Taken:
    strong = not op.weak and not op.is_python
    if op.rank == 0 and strong and op.dtype.kind in ("unsigned", "signed", "float"):
        return Taken(op, op.weak_dtype, f"{op.describe()}, as Python's")
    return by_dtype(op, operands)


def _settle_concat(node: DType, taken: Sequence[Taken]) -> Settled:
    if any(t.operand.rank == 0 for t in taken):
        raise NoJoinError("pd.concat takes Series; make one of the scalar")
    return _settle_sum(node, taken)


def _settle_sum(node: DType, taken: Sequence[Taken]) -> Settled:
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


def _mixes_bool(nodes: Sequence[DType]) -> bool:
    return {n.kind == "bool" for n in nodes} == {True, False}


def _advise(nodes: Sequence[DType]) -> str | None:
    return "pd.concat makes objects of bool with numbers" if _mixes_bool(nodes) else None

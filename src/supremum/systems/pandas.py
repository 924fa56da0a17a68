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
from typing import Any, Literal

from supremum.dtypes import DType
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.operands import Operand
from supremum.steps import DEFAULT_WIDTHS, by_dtype, to_defaults
from supremum.system import PromotionSystem
from supremum.systems import numpy
from supremum.table import Table

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 g c64 c128 G"
SCALARS = "i* f* c*"


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
        order = [numpy.coded(code) for code in numpy.ORDER.split()]
    table = numpy.KnowingTable(nodes, cells, order) if concat else Table(nodes, cells)
    defaults = to_defaults(DEFAULT_WIDTHS)

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        if concat and any(t.operand.rank == 0 for t in taken):
            raise NoJoinError("pd.concat takes Series; make one of the scalar")
        if not any(t.operand.rank != 0 for t in taken):
            raise NoJoinError("there must be a Series or a dtype among scalars")
        for i, t in enumerate(taken):
            value: Any = t.operand.value
            if t.node.weak and isinstance(value, int):
                met = table.join(*(t.node for t in taken[: max(i + 1, 2)]))
                _fit(value, defaults(met, taken).dtype)
        return defaults(node, taken)

    return PromotionSystem(
        "pandas",
        table,
        classify=by_dtype if concat else _classify,
        settle=settle,
        looks_at="value",
        advise=_advise if concat else None,
        setting={"operation": operation},
        label=operation,
        version="3.1.1",
        source=f"measured on {'pd.concat' if concat else 'x + y'} of NumPy-backed Series",
    )


def _classify(operands: Sequence[Operand]) -> list[Taken]:
    taken = by_dtype(operands)
    for i, (op, _, why) in enumerate(taken):
        if op.rank == 0 and not op.weak and op.dtype.kind in ("unsigned", "signed", "float"):
            taken[i] = Taken(op, op.weak_dtype, f"{why}, as Python's")
    return taken


def _fit(value: int, width: DType) -> None:
    try:
        if width.kind in ("unsigned", "signed"):
            fits = bool(width.min <= value <= width.max)
        else:
            fits = width.name == "longdouble" or float(value) < math.inf
    except OverflowError:
        fits = False
    if not fits:
        raise NoJoinError(f"{value} does not fit {width}")


def _mixes_bool(nodes: Sequence[DType]) -> bool:
    return {n.kind == "bool" for n in nodes} == {True, False}


def _advise(nodes: Sequence[DType]) -> str | None:
    return "pd.concat makes objects of bool with numbers" if _mixes_bool(nodes) else None

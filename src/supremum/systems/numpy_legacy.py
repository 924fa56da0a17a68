"""NumPy's rules before version 2: value-based, where arrays meet scalars.

Source: NumPy 1.26.4, measured on ``np.result_type``; ``convert_datatype.c`` of it. The scalars are
Python's numbers, NumPy's scalars and 0-d arrays. Where the highest category of the scalars
(bool; integers; floats and complex) is no higher than that of the arrays, each scalar counts as the
smallest dtype that holds its value; otherwise by its own dtype. Pairs are joined from the left.
A 0-d operand without a value, such as the word ``float32[]``, is refused.
Not modelled: ml_dtypes; objects, which a Python int becomes that no integer holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import isfinite
from typing import Any

from supremum.dtypes import DType, by_name
from supremum.errors import NoJoinError
from supremum.explain import Taken
from supremum.operands import Operand
from supremum.steps import DEFAULT_WIDTHS
from supremum.system import PromotionSystem
from supremum.systems.numpy import own_table
from supremum.table import Table

_CATEGORY = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 2}

_UNSIGNED = {"bool", "unsigned"}

# A float passes for the first of these that has a larger bound, and a complex one if both parts do;
# the bounds are NumPy's own.
_BOUNDS = {"float16": 65000.0, "float32": 3.4e38, "float64": 1.7e308}
_COMPLEX = {"float16": "complex64", "float32": "complex64", "float64": "complex128"}


def build() -> PromotionSystem:
    """Return NumPy's rules as they were before version 2, those of ``np.result_type``."""
    table = own_table()
    return PromotionSystem(
        "numpy-legacy",
        table,
        classify=lambda operands: _classify(operands, table),
        looks_at="value",
        version="1.26.4",
        source="measured on np.result_type; convert_datatype.c",
    )


def _classify(operands: Sequence[Operand], table: Table[DType]) -> list[Taken]:
    # np.result_type takes arrays before dtypes where there are scalars, and after them otherwise
    valued = any(op.rank == 0 for op in operands)
    ordered = sorted(operands, key=lambda op: (op.form == "dtype") is valued)
    own = [_own(op) for op in ordered]
    heights = [(_CATEGORY[d.kind], op.rank == 0) for op, d in zip(ordered, own, strict=True)]
    arrays = [height for height, scalar in heights if not scalar]
    if not valued or not arrays or max(arrays) < max(height for height, _ in heights):
        return [Taken(op, d, op.describe()) for op, d in zip(ordered, own, strict=True)]
    taken = _by_value(ordered, own)
    # by value NumPy joins pairs from the left, and otherwise as it does today
    nodes = [t.node for t in taken]
    folded = reduce(table.join, nodes)
    if table.join(*nodes) is not folded:
        taken = [Taken(t.operand, folded, f"{t.why}, from the left") for t in taken]
    return taken


def _own(op: Operand) -> DType:
    if not op.dtype.weak:
        return op.dtype
    value: Any = op.value
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        if not 0 <= value < 2**64:
            raise NoJoinError("no integer holds it; NumPy makes it an object; pass a float")
        return by_name("uint64")
    return by_name(DEFAULT_WIDTHS[op.dtype.name])


def _by_value(ordered: Sequence[Operand], own: Sequence[DType]) -> list[Taken]:
    taken: list[Taken] = []
    all_small = True  # whether all scalars so far fit the signed dtype of their width too
    for op, d in zip(ordered, own, strict=True):
        least, small = _least(op, d) if op.rank == 0 else (d, False)
        so_far_unsigned = {t.node.kind for t in taken} <= _UNSIGNED
        if small and not so_far_unsigned:
            least = _signed(least)
        elif taken and all_small and so_far_unsigned and least.kind not in _UNSIGNED:
            widest = max((t.node for t in taken), key=lambda n: n.bits or 0)
            taken = [Taken(t.operand, _signed(widest), t.why) for t in taken]
        all_small = all_small and (small or op.form == "dtype")
        why = op.describe() if least is d else f"{op.describe()}, least dtype of its value"
        taken.append(Taken(op, least, why))
    return taken


def _signed(d: DType) -> DType:
    return by_name(d.name.removeprefix("u"))


def _least(op: Operand, own: DType) -> tuple[DType, bool]:
    """Return the least dtype that holds a scalar, and whether it fits that dtype made signed."""
    value: Any = op.value
    if value is None:
        raise NoJoinError(f"the value of {op.text} matters; pass the number itself")
    if own.kind == "bool":
        return own, False
    if isinstance(value, int):
        stem, size = ("int", -value - 1) if value < 0 else ("uint", value)
        bits = next(b for b in (8, 16, 32, 64) if size < 1 << (b - (value < 0)))
        return by_name(f"{stem}{bits}"), value >= 0 and value < 1 << (bits - 1)
    narrower = [name for name in _BOUNDS if (by_name(name).bits or 0) < (own.part.bits or 0)]
    for name in narrower:
        bound = _BOUNDS[name]
        if own.kind == "complex":
            if name != "float16" and abs(value.real) < bound and abs(value.imag) < bound:
                return by_name(_COMPLEX[name]), False
        elif abs(value) < bound or not isfinite(value):
            return by_name(name), False
    return own, False

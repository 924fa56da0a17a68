"""MLX's rules: a table, which is JAX's lattice with no weak answers, joined from the left.

What is weak in JAX is concrete at once here: uint64 with int8 is float32, and no float* that would
give way to a third operand. So the order of more than two operands counts: uint64, int8 and float16
are float32, and float16, uint64 and int8 are float16. There is no complex128, so that float64 with
complex64 is complex64. A Python number is weak beside an array, and an int must fit the integers
that it meets.

Source: MLX 0.32.4, measured on ``mx.result_type``, and with Python numbers, which that does not
take, on ``mx.add``, one after the other; the table is ``mlx/dtype.cpp``.
Not modelled: NumPy arrays, which take the dtype of the MLX array that they meet; GPUs, which have
no float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from supremum.dtypes import DType, by_name, from_code
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.lattice import Lattice
from supremum.operands import Operand
from supremum.system import PromotionSystem
from supremum.systems.jax import ARROWS
from supremum.table import Table

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 i* f* c*"

# What stands for these answers of JAX's.
AT_ONCE = {"i*": "i32", "f*": "f32", "c*": "c64", "c128": "c64"}


def build() -> PromotionSystem:
    """Return MLX's rules."""
    jax: Lattice[str] = Lattice(ARROWS)
    pairs = [(a, b) for a in DTYPES.split() for b in DTYPES.split()]
    joins = {pair: jax.join(*pair) for pair in pairs}
    cells = {pair: AT_ONCE.get(joined, joined) for pair, joined in joins.items()}
    table = Table(DTYPES.split(), cells).map(from_code)
    return PromotionSystem.from_table(
        table,
        "mlx",
        classify=_classify,
        settle=lambda node, taken: _settle(node, taken, table),
        looks_at="number",
        version="0.32.4",
        source="measured on mx.result_type and mx.add; mlx/dtype.cpp",
    )


def _is_number(op: Operand) -> bool:
    return op.form.startswith("Python")


def _start_bare(operands: Sequence[Operand]) -> bool:
    """Tell whether numbers meet each other first; one that meets no array becomes one."""
    return all(map(_is_number, operands[:2]))


def _large(value: Any, bits: int) -> bool:
    return isinstance(value, int) and not -(1 << bits - 1) <= value < 1 << bits - 1


def _classify(operands: Sequence[Operand]) -> list[Taken]:
    bare = _start_bare(operands)
    taken = []
    for i, op in enumerate(operands):
        node = op.weak_dtype if _is_number(op) or op.dtype.weak else op.dtype
        if bare and i < 2 and _large(op.number, 32):
            taken.append(Taken(op, by_name("int64"), f"{op.describe()}, too large for int32"))
        else:
            taken.append(Taken(op, node, op.describe()))
    return taken


def _settle(node: DType, taken: Sequence[Taken], table: Table[DType]) -> Settled:
    """Refuse ints that do not fit; each meets what those before it give."""
    bare = _start_bare([t.operand for t in taken])
    met = taken[min(1, len(taken) - 1)].node
    for i, (op, taken_as, _) in enumerate(taken):
        value = op.number
        if _large(value, 64):
            raise NoJoinError(f"{op.text} is out of the range of int64")
        narrow = met.kind in ("signed", "unsigned") and met.bits in (8, 16, 32)
        checked = isinstance(value, int) and narrow and not (bare and i < 2)
        if checked and not met.min <= value <= met.max:
            raise NoJoinError(f"{op.text} is out of the range of {met}")
        met = table.join(met, taken_as) if i else taken_as
    return Settled(node)

"""tinygrad's rules: JAX's lattice without complex, and four float8 in it that make it none.

float16 and bfloat16 are both least above two different float8. tinygrad takes, of all common upper
bounds, the one with the lowest priority number, and says nothing: that is float16. Where it happens
the table is marked, and the explanation says so. tinygrad does it for all operands at once, so that
their order does not matter. Pair by pair it would: float8_e4m3fn, float8_e5m2 and bfloat16 are
bfloat16, but the first two are float16, and that with bfloat16 is float32.

Source: ``tinygrad/dtype.py`` of tinygrad 0.14.0, measured on ``Tensor.__add__`` and, for more than
two operands, on ``least_upper_dtype``. Its ``weakint`` and ``weakfloat`` are int* and float* here:
a tensor may have them until it is stored with a default dtype, which is the answer given.
Not modelled: NumPy arrays, which tinygrad does not take beside a tensor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from supremum.dtypes import DType, from_code
from supremum.explain import Settled, Taken
from supremum.lattice import Lattice
from supremum.steps import to_defaults
from supremum.system import PromotionSystem
from supremum.table import Table

# A lattice, but for the tie, which is no dtype: tinygrad's own arrows lead past it.
ARROWS = """
    b -> i* -> i8, u8
    u8 -> u16 -> u32 -> u64 -> f*
    i8 -> i16 -> i32 -> i64 -> f*
    u8 -> i16; u16 -> i32; u32 -> i64
    f* -> float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz -> tie -> f16, bf16
    f16, bf16 -> f32 -> f64
"""
TIE, TAKEN, LEFT = "tie", "f16", "bf16"


class Priorities(Table[DType]):
    """A table that joins three and more as if at once: high ones first, which spares ties.

    Args:
        cells: the answers.
        tied: pairs whose answer is one of two least upper bounds.
        above: how many nodes lie above each.
    """

    def __init__(
        self,
        cells: Mapping[tuple[DType, DType], DType],
        tied: Sequence[tuple[DType, DType]],
        above: Mapping[DType, int],
    ) -> None:
        super().__init__(above, cells, tied)
        self._above = above

    def steps(self, *nodes: DType) -> list[tuple[DType, DType, DType]]:
        """Return the pairs that decide, each with its answer."""
        known = all(node in self for node in nodes)
        high = sorted(nodes, key=self._above.__getitem__) if known and len(nodes) > 2 else nodes
        return super().steps(*high)


def build(
    *,
    default_float: Literal["float32", "float16", "bfloat16", "float64"] = "float32",
    default_int: Literal["int32", "int64"] = "int32",
) -> PromotionSystem:
    """Return tinygrad's rules.

    Args:
        default_float: what a weak float is stored as (``DEFAULT_FLOAT``).
        default_int: what a weak int is stored as (``DEFAULT_INT``).
    """
    text: Lattice[str] = Lattice(ARROWS)
    coded: dict[str, Any] = {node: node if node == TIE else from_code(node) for node in text}
    order: Lattice[Any] = Lattice({coded[n]: [coded[m] for m in text.arrows[n]] for n in text})
    nodes = [node for node in order if node != TIE]
    joins = {(a, b): order.join(a, b) for a in nodes for b in nodes}
    tied = [pair for pair, joined in joins.items() if joined == TIE]
    cells = {**joins, **dict.fromkeys(tied, coded[TAKEN])}
    above = {node: len(order.up_set(node)) for node in nodes}
    to_width = to_defaults({"int*": default_int, "float*": default_float})

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        if order.join(*(t.node for t in taken)) != TIE:
            return to_width(node, taken)
        others = f"{coded[TAKEN]} and {coded[LEFT]} are both least above these"
        return Settled(node, False, f"A tie, broken silently: {others}, and tinygrad takes {node}.")

    return PromotionSystem(
        "tinygrad",
        Priorities(cells, tied, above),
        settle=settle,
        setting={"default_float": default_float, "default_int": default_int},
        label=f"default dtypes {default_float} and {default_int}",
        version="0.14.0",
        source="tinygrad/dtype.py",
    )

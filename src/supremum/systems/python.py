"""Python's own rules for ``int``, ``float`` and ``complex``.

Source: JEP 9407, "Stepping Back: Tables and Lattices". Python takes a bool for an int.
"""

from __future__ import annotations

from collections.abc import Sequence

from supremum.dtypes import WEAK
from supremum.explain import Taken
from supremum.operands import Operand
from supremum.system import PromotionSystem

ARROWS = "i* -> f* -> c*"


def build() -> PromotionSystem:
    """Return Python's rules; what comes out is one of Python's types, and stays weak."""
    return PromotionSystem.from_lattice(
        ARROWS,
        "python",
        classify=_classify,
        widths={},
        source="JEP 9407",
    )


def _classify(operands: Sequence[Operand]) -> list[Taken]:
    return [
        Taken(op, WEAK["int"], "Python bool, an int")
        if op.form == "Python scalar" and op.dtype.kind == "bool"
        else Taken(op, op.weak_dtype if op.weak else op.dtype, op.describe())
        for op in operands
    ]

"""Python's own rules for ``int``, ``float`` and ``complex``.

Source: JEP 9407, "Stepping Back: Tables and Lattices". Python takes a bool for an int.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dtypes import WEAK
from ..operands import Operand
from ..steps import Classified, by_dtype
from ..system import PromotionSystem

ARROWS = "i* -> f* -> c*"


def build() -> PromotionSystem:
    """Return Python's rules; the result is one of Python's types, and stays weak."""
    return PromotionSystem.from_lattice(
        ARROWS, "python", classify=_classify, widths={}, source="JEP 9407"
    )


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    if op.form == "Python scalar" and op.dtype.kind == "bool":
        return Classified(op, WEAK["int"], "Python bool, an int")
    return by_dtype(op, operands)

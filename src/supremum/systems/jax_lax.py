"""The rules of ``jax.lax``: operands have one dtype, and Python scalars their default one.

Source: measured on ``jax.lax.add``, JAX 0.10.2. Its arithmetic takes no bool.
"""

from __future__ import annotations

from collections.abc import Sequence

from supremum.dtypes import DType
from supremum.explain import Settled, Taken
from supremum.operands import Operand
from supremum.system import PromotionSystem
from supremum.systems.jax import NARROW_ARROWS, Widths, is_weak

DTYPES = "u8; u16; u32; u64; i8; i16; i32; i64; bf16; f16; f32; f64; c64; c128"

ARROWS = {
    True: "i* -> i64; f* -> f64; c* -> c128",
    False: "i* -> i32; f* -> f32; c* -> c64",
}


def build(*, x64: bool = True) -> PromotionSystem:
    """Return the rules of ``jax.lax``.

    Args:
        x64: whether 64-bit types are on (``jax_enable_x64``). JAX itself starts with them off.
    """
    widths = Widths(x64)
    narrow = NARROW_ARROWS.replace("i* ->", "").replace("f* ->", "")

    def classify(operands: Sequence[Operand]) -> list[Taken]:
        return [
            Taken(op, op.dtype if op.dtype.weak else widths.own(op), op.describe())
            for op in operands
        ]

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        if node.weak:
            result = widths.default(node)
            return Settled(result, True, f"{node} is weak, and its default width is {result}.")
        return Settled(node, all(is_weak(t.operand) for t in taken))

    return PromotionSystem.from_lattice(
        f"{DTYPES}\n{ARROWS[x64]}\n{narrow.replace(',', ';')}",
        "jax-lax",
        classify=classify,
        settle=settle,
        advise=_advise,
        setting={"x64": x64},
        label=f"x64 {'on' if x64 else 'off'}",
        version="0.10.2",
        source="measured on jax.lax.add",
    )


def _advise(_: Sequence[DType]) -> str | None:
    return "jax.lax does not promote: operands have one dtype, and jax.numpy promotes them"

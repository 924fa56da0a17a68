"""The rules of ``jax.lax``: operands have one dtype, and Python scalars their default one.

Source: measured on ``jax.lax.add``, JAX 0.10.2. Its arithmetic takes no bool.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..common_steps import Advice
from ..dtypes import DType
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled
from ..system import PromotionSystem
from .jax import NARROW_ARROWS, Widths

LIBRARY = Library("jax.lax", (), import_as=("jax.numpy", "jnp"), dtypes_in="numpy", compared=False)

DTYPES = "u8; u16; u32; u64; i8; i16; i32; i64; bf16; f16; f32; f64; c64; c128"

ARROWS = {
    True: "i* -> i64; f* -> f64; c* -> c128",
    False: "i* -> i32; f* -> f32; c* -> c64",
}


# It has no division of integers but one that cuts off, nor a mean.
FUNCTIONS = """
    add, multiply, prod, square, sum = b: -
    mean, sin, true_divide, inv = bool integer: -
    floor, nextafter, round = bool integer complex: -
    imag, real = bool integer float: -; complex: part
    isfinite = bool integer complex: -; *: b
    std = bool integer: -; complex: part
    abs = bool unsigned: -; complex: part
    floor_divide, remainder = bool complex: -
    power = bool integer: -
"""


_ONE_DTYPE = "jax.lax does not promote: its operands must have one dtype; jax.numpy promotes them"
ADVICE = Advice((("*", _ONE_DTYPE),))


class Classify(NamedTuple):
    """What an operand is to jax.lax: a Python number is weak, an array is its dtype."""

    widths: Widths

    def __call__(self, op: Operand, _: Sequence[Operand]) -> Classified:
        """Return what an operand is treated as."""
        return Classified(op, op.dtype if op.dtype.weak else self.widths.own(op), op.describe())


class SettleWeak(NamedTuple):
    """What becomes of a node: a weak one gets its default width."""

    widths: Widths

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        if node.weak:
            return self.widths.settled(node, str(node))
        return Settled(node, all(x.operand.weak for x in classified))


def build(*, x64: bool = True) -> PromotionSystem:
    """Return the rules of ``jax.lax``.

    Args:
        x64: whether 64-bit types are on (``jax_enable_x64``). JAX itself starts with them off.
    """
    widths = Widths(x64)
    narrow = NARROW_ARROWS.replace("i* ->", "").replace("f* ->", "")
    return PromotionSystem.from_lattice(
        f"{DTYPES}\n{ARROWS[x64]}\n{narrow.replace(',', ';')}",
        "jax-lax",
        classify=Classify(widths),
        settle=SettleWeak(widths),
        functions=FUNCTIONS,
        follow=True,
        defaults=widths.defaults,
        advise=ADVICE,
        label=f"x64 {'on' if x64 else 'off'}",
        version="0.10.2",
        releases=("0.10.2", "0.9.2", "0.8.3", "0.7.2", "0.7.1", "0.7.0", "0.6.2", "0.5.3"),
        source="measured on jax.lax.add",
    )

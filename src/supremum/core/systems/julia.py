"""Julia's rules: a chain, in which the larger type wins, and any float over any integer.

Among integers the larger type wins, and of two of one size the unsigned one. A float wins over any
integer, whatever its width: ``Int64`` with ``Float16`` is ``Float16``. ``Bool`` is below all, and a
complex type has the type of its parts. No number is weak: ``1`` is ``Int64``, and ``1.0``
``Float64``. Operators join their operands first, but for these: sums of ``Bool`` are ``Int64``;
integers divide to ``Float64``; a power of an integer exponent has the type of its base; and among a
signed and an unsigned integer the first decides the sign of ``÷``, and the second that of ``mod``.

Source: the Julia manual, "Conversion and Promotion", and the methods of ``promote_rule``, ``div``,
``mod``, ``^``, ``add_sum`` and ``mul_prod`` in ``base/int.jl``, ``float.jl``, ``bool.jl``,
``complex.jl``, ``div.jl``, ``intfuncs.jl`` and ``reduce.jl`` of Julia 1.5 and later. By its
documents: Julia was not asked.
Functions are those of elements, with a dot, as in ``x .+ y``, and ``//`` is ``÷`` or ``fld``.
Not modelled: 128 bits, ``BigInt`` and ``BigFloat``, ``BFloat16``, rationals and irrationals such as
``pi``; complex types of integers and of ``Float16``: ``1j`` is Julia's ``1.0im``; powers with a
negative exponent that is written out, which are floats.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..common_steps import INT64, Literals
from ..dtypes import DType, by_name
from ..function_rules import Call, Special, parse_rules, special_rules
from ..libraries import Library
from ..system import PromotionSystem

LIBRARY = Library("Julia", (), compared=False, confirmed=False)

ARROWS = """
    b -> i8 -> u8 -> i16 -> u16 -> i32 -> u32 -> i64 -> u64 -> f16 -> f32 -> f64 -> c128
    f32 -> c64 -> c128
"""
FUNCTIONS = """
    add, subtract, negative = b: i64
    multiply =
    true_divide = bool integer: f64
    bitwise_and, bitwise_or, bitwise_xor, invert = float complex: -
    left_shift, right_shift = only 1; takes bool integer, bool integer; b: i64
    equal, not_equal, isnan, isfinite, isinf = *: b
    less, less_equal, greater, greater_equal = complex: -; *: b
    maximum, minimum, max, min, floor, ceil, trunc = complex: -
    abs = complex: part
    sum = b i8 i16 i32: i64; u8 u16 u32: u64
    prod = i8 i16 i32: i64; u8 u16 u32: u64
"""
INTEGERS = ("signed", "unsigned")


@dataclass(frozen=True)
class _SignOf:
    """The joined dtype; of a signed and an unsigned integer, with the sign of one of them."""

    position: int

    def __call__(self, call: Call) -> DType:
        """Return the dtype of the result."""
        kinds = [x.node.kind for x in call.classified]
        made = call.becomes(call.joined)
        if not {*kinds}.issuperset(INTEGERS) or made.kind not in INTEGERS:
            return made
        stem = "uint" if kinds[self.position] == "unsigned" else "int"
        return by_name(f"{stem}{made.bits}")


def _power(call: Call) -> DType:
    base, exponent = (x.node for x in call.classified)
    return base if exponent.kind in ("bool", *INTEGERS) else call.joined


_EVERY = {
    **parse_rules(FUNCTIONS),
    **special_rules(
        Special("integers give one with the sign of the first", result=_SignOf(0)),
        "floor_divide = complex: -",
    ),
    **special_rules(
        Special("integers give one with the sign of the second", result=_SignOf(1)),
        "remainder = complex: -",
    ),
    **special_rules(
        Special("with an integer exponent, the type of the base", result=_power), "power ="
    ),
}


def build() -> PromotionSystem:
    """Return Julia's rules, those of ``promote_type``."""
    return PromotionSystem.from_lattice(
        ARROWS,
        "julia",
        classify=Literals("Julia", INT64),
        functions=_EVERY,
        weak_arrays=False,
        version="1.5",
        source="the Julia manual, Conversion and Promotion; base/int.jl, float.jl, bool.jl, div.jl",
    )

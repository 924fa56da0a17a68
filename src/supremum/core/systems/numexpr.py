"""NumExpr's rules: five types in a chain, and bool; a constant is an int or a double.

``numexpr.evaluate`` computes in int32, int64, float32, float64 and complex128, and stores what is
narrower as these: unsigned integers of 32 bits and more as int64, float16 as float32, complex64 as
complex128. An integer beside a float takes the float's dtype. A number that is written in the
expression counts: ``x * 2`` of float32 is float32, and ``x * 2.0`` float64. A variable of a number
is an array to it.

Source: NumExpr 2.14.2, measured on ``numexpr.evaluate``; ``numexpr/expressions.py`` and
``necompiler.py``.
Not modelled: numbers among themselves, which Python computes; ints beyond int64; strings; other
settings of ``optimization`` than its default.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..common_steps import INT32, INT64, State
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import Call, Special, parse_rules, special_rules
from ..lattice import Lattice
from ..libraries import Library
from ..operands import Operand
from ..steps import DEFAULT_WIDTHS, Classified, Settled, fits
from ..system import PromotionSystem

LIBRARY = Library("NumExpr", ("numexpr",), dtypes_in="numpy")

ARROWS = "b -> i32 -> i64 -> f32 -> f64 -> c128"
STORED = {
    "i32": "u8 u16 i8 i16 i32", "i64": "u32 u64 i64", "f32": "f16 f32", "c128": "c64 c128",
}  # fmt: skip

SINE = "bool: f32; integer: f64"
FUNCTIONS = f"""
    add, multiply, where =
    subtract, negative, sum, prod = b: -
    true_divide = bool integer: f64
    floor_divide = arrays first; bool complex: -
    remainder = bool complex: -
    bitwise_and, bitwise_or, bitwise_xor = arrays first; float complex: -
    invert = float complex: -
    left_shift, right_shift = bool float complex: -
    equal, not_equal, isnan, isfinite, isinf = *: b
    less, less_equal, greater, greater_equal, signbit = complex: -; *: b
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, log, log1p, log10,
    log2, exp, expm1, sqrt, abs = {SINE}
    floor, ceil, atan2, fmod = {SINE}; complex: -
    conj = integer: f64; bool float: c128
    real, imag = *: f64
    round, sign = bool float: f64
    trunc, hypot, copysign, nextafter, maximum, minimum = complex: -; *: f64
    max, min = bool i32 complex: -
"""

_chain: Lattice[DType] = Lattice(ARROWS, node=from_code)
_stored = {
    by_name("bool"): by_name("bool"), by_name("float64"): by_name("float64"),
    **{from_code(x): from_code(to) for to, codes in STORED.items() for x in codes.split()},
}  # fmt: skip


def _step(state: Classified | State, item: Classified) -> State:
    if state.node is item.node:
        return State(item.node)
    return State(_chain.join(_stored[state.node], _stored[item.node]))


def _settle(node: DType, _: Sequence[Classified]) -> Settled:
    """Return what a result is stored as."""
    stored = _stored[node]
    return Settled(stored, False, "" if stored is node else f"{node} is stored as {stored}.")


_MOST = 50  # up to this, a power with a whole or half exponent is made of products and roots


def _power(call: Call) -> DType:
    """Return what a power gives; an exponent that is written as a number decides."""
    base, exponent = (x.operand for x in call.classified)
    c: Any = exponent.number
    if c is None or base.number is not None:
        return call.becomes(call.joined)
    kept = _stored[call.classified[0].node]
    is_exact = kept.kind in ("bool", "signed")
    if isinstance(c, complex):
        raise NoJoinError("an exponent that is written as a number is an int or a float")
    if isinstance(c, int) and c < 0 and kept.kind == "signed":
        raise NoJoinError(f"integers have no power of {c}; write {float(c)}")
    if not (abs(c) <= _MOST and 2 * c == int(2 * c)):
        return call.joined
    if kept.kind == "bool" and (c == 0 or c != int(c)):
        raise NoJoinError(f"bools have no power of {c}; cast them first")
    return by_name("float64") if is_exact and (c < 0 or c != int(c)) else kept


_POWER = Special(
    "a whole or half exponent that is written as a number makes products and roots of the base",
    result=_power,
    by_value=True,
)


def build() -> PromotionSystem:
    """Return NumExpr's rules, those of an expression with ``+``."""
    return PromotionSystem(
        "numexpr",
        Fold(_stored, _step),
        classify=_classify,
        settle=_settle,
        functions={**parse_rules(FUNCTIONS), **special_rules(_POWER, "power = b: -")},
        weak_arrays=False,
        valued=True,
        version="2.14.2",
        source="measured on numexpr.evaluate; numexpr/expressions.py",
    )


def _classify(op: Operand, _: Sequence[Operand] = ()) -> Classified:
    """Return what an operand is: an int that is written out is int32 if it fits."""
    node = by_name(DEFAULT_WIDTHS.get(op.dtype.name, op.dtype.name))
    if isinstance(op.number, int) and node is INT64:
        node = INT64 if fits(op.number, INT32) else INT32
        if why := fits(op.number, INT64):
            raise NoJoinError(why)
    return Classified(op, node, op.describe())

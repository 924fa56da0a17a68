"""MATLAB's rules: single wins over double, and an integer class over a scalar double.

In arithmetic, single with double is single, and logical with either is that, or double by itself.
An integer class goes with itself and with a scalar double, and gives the integer class, also where
it divides. Everything else is refused: two integer classes, an integer with single or logical, and
an integer with a double that is not a scalar. Concatenation refuses none of these: the leftmost
integer wins. Numbers are double. A complex array has the class of its parts.

Source: MathWorks, "Integers", "Floating-Point Numbers", "Valid Combinations of Unlike Classes" and
"Combining Unlike Integer Types" of R2021a; and MATLAB's message, "Integers can only be combined
with integers of the same class, or scalar doubles". By its documents: MATLAB was not asked. GNU
Octave 7.3, which is another program, gives the same in every cell of concatenation, and in each
cell of ``+`` that is not refused here; of those it takes integers with single and logical, and with
arrays of double.
Not modelled: char, half, strings and tables; integers with complex numbers, which the documents do
not list, and which are refused; comparisons and functions that are not below.
"""

from __future__ import annotations

from typing import Any, Literal

from ..common_steps import Advice, Literals, State
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..fold import Fold
from ..libraries import Library
from ..steps import Classified
from ..system import PromotionSystem
from ..table import Table

LIBRARY = Library("MATLAB", (), compared=False, confirmed=False)

ARITHMETIC = """
         b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    b    b    -    -    -    -    -    -    -    -    f32  f64  c64  c128
    u8   -    u8   -    -    -    -    -    -    -    -    u8   -    -
    u16  -    -    u16  -    -    -    -    -    -    -    u16  -    -
    u32  -    -    -    u32  -    -    -    -    -    -    u32  -    -
    u64  -    -    -    -    u64  -    -    -    -    -    u64  -    -
    i8   -    -    -    -    -    i8   -    -    -    -    i8   -    -
    i16  -    -    -    -    -    -    i16  -    -    -    i16  -    -
    i32  -    -    -    -    -    -    -    i32  -    -    i32  -    -
    i64  -    -    -    -    -    -    -    -    i64  -    i64  -    -
    f32  f32  -    -    -    -    -    -    -    -    f32  f32  c64  c64
    f64  f64  u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    c64  c64  -    -    -    -    -    -    -    -    c64  c64  c64  c64
    c128 c128 -    -    -    -    -    -    -    -    c64  c128 c64  c128
"""
CONCATENATION = """
         b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    b    b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    u8   u8   u8   u8   u8   u8   u8   u8   u8   u8   u8   u8   -    -
    u16  u16  u16  u16  u16  u16  u16  u16  u16  u16  u16  u16  -    -
    u32  u32  u32  u32  u32  u32  u32  u32  u32  u32  u32  u32  -    -
    u64  u64  u64  u64  u64  u64  u64  u64  u64  u64  u64  u64  -    -
    i8   i8   i8   i8   i8   i8   i8   i8   i8   i8   i8   i8   -    -
    i16  i16  i16  i16  i16  i16  i16  i16  i16  i16  i16  i16  -    -
    i32  i32  i32  i32  i32  i32  i32  i32  i32  i32  i32  i32  -    -
    i64  i64  i64  i64  i64  i64  i64  i64  i64  i64  i64  i64  -    -
    f32  f32  u8   u16  u32  u64  i8   i16  i32  i64  f32  f32  c64  c64
    f64  f64  u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    c64  c64  -    -    -    -    -    -    -    -    c64  c64  c64  c64
    c128 c128 -    -    -    -    -    -    -    -    c64  c128 c64  c128
"""
FUNCTIONS = """
    add, subtract, multiply, true_divide, power, negative = b: f64
"""

_arithmetic, _concatenation = (
    Table.parse(text, node=from_code) for text in (ARITHMETIC, CONCATENATION)
)


def _start(first: Classified) -> State:
    return State(first.node, seen=first.operand.rank != 0)


def _step(state: State, item: Classified) -> State:
    """Return the state after another operand. A state has seen whether it has dimensions."""
    is_array = item.operand.rank != 0
    if _is_integer(state.node) != _is_integer(item.node):
        double_is_array = is_array if _is_integer(state.node) else state.seen
        if double_is_array and "float64" in (state.node.name, item.node.name):
            what = "an integer class goes with a double only if that is a scalar"
            raise NoJoinError(what, (state.node, item.node))
    return State(_arithmetic.join(state.node, item.node), seen=state.seen or is_array)


def _is_integer(d: DType) -> bool:
    return d.kind in ("signed", "unsigned")


_ADVICE = Advice(
    (("*", "MATLAB combines integers with integers of the same class, or scalar doubles"),)
)


def build(*, operation: Literal["arithmetic", "concatenation"] = "arithmetic") -> PromotionSystem:
    """Return MATLAB's rules.

    Args:
        operation: ``"arithmetic"`` for ``x + y``, ``"concatenation"`` for ``[x, y]``.
    """
    about: dict[str, Any] = {
        "classify": Literals("MATLAB", by_name("float64")), "weak_arrays": False,
        "version": "R2021a",
    }  # fmt: skip
    if operation == "concatenation":
        source = "MathWorks: Valid Combinations of Unlike Classes; Combining Unlike Integer Types"
        return PromotionSystem("matlab", _concatenation, label=operation, source=source, **about)
    return PromotionSystem(
        "matlab",
        Fold(_arithmetic.nodes, _step, start=_start),
        functions=FUNCTIONS,
        ranked=True,
        advise=_ADVICE,
        source="MathWorks: Integers; Floating-Point Numbers",
        **about,
    )

"""Numba's rules, inside functions that it compiles: a table for arrays, and one for scalars.

Arrays join as in NumPy, but an integer beside a float takes the float's dtype, whatever its own
width: ``int64[] * float32[]`` is float32, where NumPy gives float64. No scalar is weak. Python's
numbers have 64 bits and count as any other: ``float32[] * 3.0`` is float64, and ``int8[] + 1``
int64. Operators between scalars, Python's and NumPy's, make integers 64 bits wide, and join uint16
and integers of 32 bits or more with float32 to float64. A function such as ``np.maximum`` joins
scalars as arrays. What operators of arrays without dimensions give is a scalar.

Source: numba 0.68.1 with NumPy 2.4.6, measured on the types that it infers; the tables are
``ufunc_find_matching_loop`` of ``np/numpy_support.py``, which takes the first loop of NumPy's that
fits and skips those of float16, and ``core/typing/builtins.py``.
Not modelled: float16, whose arrays numba takes and does not compute with on a CPU; what a variable
becomes that has several types; ``math`` and ``cmath``; ``fastmath`` and GPUs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..common_steps import INT64, State, has_no_dimensions
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import Call, FunctionRule, Special, parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..steps import DEFAULT_WIDTHS, Classified, fits
from ..system import PromotionSystem
from ..table import Table
from . import numpy

LIBRARY = Library(
    "Numba", ("numba",), dtypes_in="numpy", cast="{x}.astype({dtype})", casts_scalars=True
)

ARRAYS = """
         b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    b    b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    u8   u8   u8   u16  u32  u64  i16  i16  i32  i64  f32  f64  c64  c128
    u16  u16  u16  u16  u32  u64  i32  i32  i32  i64  f32  f64  c64  c128
    u32  u32  u32  u32  u32  u64  i64  i64  i64  i64  f32  f64  c64  c128
    u64  u64  u64  u64  u64  u64  f64  f64  f64  f64  f32  f64  c64  c128
    i8   i8   i16  i32  i64  f64  i8   i16  i32  i64  f32  f64  c64  c128
    i16  i16  i16  i32  i64  f64  i16  i16  i32  i64  f32  f64  c64  c128
    i32  i32  i32  i32  i64  f64  i32  i32  i32  i64  f32  f64  c64  c128
    i64  i64  i64  i64  i64  f64  i64  i64  i64  i64  f32  f64  c64  c128
    f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c128
    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128
    c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128
    c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""
SCALARS = """
         b    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    b    i64  i64  i64  i64  i64  i64  i64  i64  i64  f32  f64  c64  c128
    u8   i64  u64  u64  u64  u64  i64  i64  i64  i64  f32  f64  c64  c128
    u16  i64  u64  u64  u64  u64  i64  i64  i64  i64  f64  f64  c128 c128
    u32  i64  u64  u64  u64  u64  i64  i64  i64  i64  f64  f64  c128 c128
    u64  i64  u64  u64  u64  u64  i64  i64  i64  i64  f64  f64  c128 c128
    i8   i64  i64  i64  i64  i64  i64  i64  i64  i64  f32  f64  c64  c128
    i16  i64  i64  i64  i64  i64  i64  i64  i64  i64  f32  f64  c64  c128
    i32  i64  i64  i64  i64  i64  i64  i64  i64  i64  f64  f64  c128 c128
    i64  i64  i64  i64  i64  i64  i64  i64  i64  i64  f64  f64  c128 c128
    f32  f32  f32  f64  f64  f64  f32  f32  f64  f64  f32  f64  c64  c128
    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128
    c64  c64  c64  c128 c128 c128 c64  c64  c128 c128 c64  c128 c64  c128
    c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""
DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 c64 c128"

SINE = "bool u8 u16 i8 i16: f32; integer: f64"
REAL_SINE = f"{SINE}; complex: -"
SUMS = "bool signed: i64; unsigned: u64"

# An operator is shared: between scalars it joins them as such, and a function joins them as arrays.
FUNCTIONS = f"""
    add, multiply = shared
    subtract = shared; b: i8
    floor_divide, remainder = shared; b: i8; complex: -
    equal, not_equal = shared; *: b

    maximum, minimum, fmax, fmin =
    fmod, divmod[0], divmod[1] = b: i8; complex: -
    gcd, lcm = b: i8; float complex: -
    float_power = bool integer float: f64; complex: c128
    logical_and, logical_or, logical_xor, logical_not, isfinite, isinf, isnan = *: b
    signbit, isneginf, isposinf = complex: -; *: b
    iscomplex, isreal = b: -; *: b
    square, conj, sign, reciprocal = b: i8
    abs = complex: part
    real, imag = b: -; complex: part
    floor, ceil, trunc = complex: -
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1,
    log, log2, log10, log1p, sqrt, rint = {SINE}
    cbrt, deg2rad, rad2deg, degrees, radians, fabs, spacing = {REAL_SINE}
    ldexp = only 1; takes *, bool signed u8 u16 u32; {REAL_SINE}

    sum, prod, nansum, nanprod, cumsum, cumprod = {SUMS}
    mean, average = bool integer: f64
    nanmean = bool integer float: f64; complex: c128
    std, var, nanstd, nanvar = *: f64
    median, nanmedian = complex: -; *: f64
    ptp = b: -; unsigned f32: f64; signed: i64; c64: c128
    max, min =
    any, all = *: b
    argmax, argmin = complex: -; *: i64
    argsort, flatnonzero = *: i64
    matmul, dot, vdot = alike; bool integer: -
    iadd = into kind
"""
OF_WIDEST = f"hypot, atan2, copysign, logaddexp, logaddexp2, nextafter = {REAL_SINE}"
DIVIDED = f"true_divide = shared; {SINE}"
POWER = "power = shared; b: i8"
SHIFTED = "left_shift, right_shift = shared; b: i8; float complex: -"
BITWISE = "bitwise_and, bitwise_or, bitwise_xor = shared; float complex: -"
ORDERED = "less, less_equal, greater, greater_equal = shared; *: b"
MADE_WIDE = """
    negative, positive = shared; b: i8
    invert = shared; float complex: -
"""

SCALAR = "scalar"
"""What is said of a number of Python's and of a scalar of NumPy's, which are no arrays."""

_arrays, _scalars = (Table.parse(text, node=from_code) for text in (ARRAYS, SCALARS))


class FromLeft(NamedTuple):
    """How operands join, from the left. A state has seen whether its result is a scalar.

    Attributes:
        of_scalars: what two scalars join to; all else joins as arrays do.
    """

    of_scalars: Table[DType]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=(SCALAR in first.facts, has_no_dimensions(first)))

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        is_scalar, has_none = state.seen
        has_none = has_none and has_no_dimensions(item)
        table = self.of_scalars if is_scalar and SCALAR in item.facts else _arrays
        return State(table.join(state.node, item.node), seen=(has_none, has_none))

    def fold(self) -> Fold[DType]:
        """Return the join."""
        return Fold(_arrays.nodes, self.step, start=self.start)


@dataclass(frozen=True)
class _ByForm:
    """What an operator gives: between scalars by one function, and else by another."""

    scalars: Callable[[Call], DType]
    arrays: Callable[[Call], DType]

    def __call__(self, call: Call) -> DType:
        """Return the dtype of the result."""
        are_scalars = all(SCALAR in x.facts for x in call.classified)
        return self.scalars(call) if are_scalars else self.arrays(call)


def _becomes(call: Call) -> DType:
    return call.becomes(call.joined)


def _power(call: Call) -> DType:
    base, exponent = (x.node for x in call.classified)
    is_single = base.name == "float32" and exponent.kind in ("signed", "unsigned")
    if is_single or (base.name, exponent.name) == ("bool", "int32"):
        return by_name("float32")
    return _becomes(call)


def _shifted(call: Call) -> DType:
    _becomes(call)  # which refuses floats, wherever they are
    first = call.classified[0].node
    return _scalars.join(first, first)


def _bitwise(call: Call) -> DType:
    return by_name("bool") if {x.node.kind for x in call.classified} == {"bool"} else _becomes(call)


def _ordered(call: Call) -> DType:
    if call.joined.kind == "complex":
        raise NoJoinError(f"{call.name} does not order complex scalars")
    return _becomes(call)


def _made_wide(call: Call) -> DType:
    made = _becomes(call)
    return made if made.kind == "bool" else _scalars.join(made, made)


def _between_scalars(
    says: str, scalars: Callable[[Call], DType], rules: str
) -> dict[str, FunctionRule]:
    """Return the rules of operators that do something else between scalars."""
    return special_rules(Special(says, result=_ByForm(scalars, _becomes)), rules)


_DIVIDE = Special(
    "of arrays of bools and integers, the widest of what becomes of each",
    result=_ByForm(_becomes, numpy.widest),
)
_EVERY = {
    **parse_rules(FUNCTIONS),
    **special_rules(numpy.WIDEST, OF_WIDEST),
    **special_rules(_DIVIDE, DIVIDED),
    **_between_scalars("float32 to an integer, as scalars, is float32", _power, POWER),
    **_between_scalars("scalars give what the first becomes", _shifted, SHIFTED),
    **_between_scalars("scalars of bool give bool", _bitwise, BITWISE),
    **_between_scalars("complex scalars are refused", _ordered, ORDERED),
    **_between_scalars("an integer that is a scalar becomes wide", _made_wide, MADE_WIDE),
}


def build() -> PromotionSystem:
    """Return Numba's rules, those of ``+`` in a function that it compiles."""
    return PromotionSystem(
        "numba",
        FromLeft(_scalars).fold(),
        classify=_classify,
        functions=_EVERY,
        function_join=FromLeft(_arrays).fold(),
        ranked=True,
        weak_arrays=False,
        version="0.68.1",
        source="measured on the types that Numba infers; np/numpy_support.py; typing/builtins.py",
    )


def _classify(op: Operand, _: Sequence[Operand] = ()) -> Classified:
    """Return what an operand is: Python's numbers have the width of a machine word."""
    if op.form in ("dtype", "array") and not op.dtype.weak:
        return Classified(op, op.dtype, op.describe())
    node = by_name(DEFAULT_WIDTHS.get(op.dtype.name, op.dtype.name))
    if isinstance(op.number, int) and fits(op.number, INT64):
        node = by_name("uint64")
        if why := fits(op.number, node):
            raise NoJoinError(why)
    why = op.describe() if node is op.dtype else f"Python {op.library}, which is {node} to Numba"
    return Classified(op, node, why, facts=frozenset((SCALAR,)))

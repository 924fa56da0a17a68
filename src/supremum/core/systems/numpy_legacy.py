"""NumPy's rules before version 2: value-based, where arrays meet scalars.

Source: NumPy 1.26.4, measured on ``np.result_type``; ``convert_datatype.c`` of it. The scalars are
Python's numbers, NumPy's scalars and 0-d arrays. If the highest category of the scalars
(bool; integers; floats and complex) is no higher than that of the arrays, each scalar counts as the
smallest dtype that holds its value; otherwise by its own dtype. Pairs are joined from the left.
A 0-d operand without a value, such as the word ``float32[]``, is refused, unless the other operand
takes in whatever it may be.
Functions: those of NumPy's that differ, and the others; each with every dtype and pair of dtypes,
and each ufunc with numbers of many values.
Not modelled: ml_dtypes; objects, which a Python int becomes that no integer holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

from ..common_steps import INT64, State
from ..dtypes import DType, by_name
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..steps import DEFAULT_WIDTHS, Classified, fits
from ..system import PromotionSystem
from ..table import Table
from . import numpy

LIBRARY = Library("NumPy 1", (), dtypes_in="numpy", squares_bools=True)

OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128"

# In the order in which ufuncs have their loops.
_LOOPS = "b i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 g c64 c128 G"
LOOPS = tuple(map(numpy.coded, _LOOPS.split()))

_CATEGORY = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 2}
_UNSIGNED = {"bool", "unsigned"}

# A float passes for the first of these that has a larger bound, and a complex one if both parts do;
# the bounds are NumPy's own.
_BOUNDS = {"float16": 65000.0, "float32": 3.4e38, "float64": 1.7e308}
_COMPLEX = {"float32": "complex64", "float64": "complex128"}

# What is said of operands: that scalars count by their value, and that this one fits the signed
# dtype of its width, too.
BY_VALUE, SMALL = "by value", "small"

_TABLE = numpy.own_table()

# What was not there yet.
_LATER = """
    bitwise_count vecdot matvec vecmat unstack permute_dims matrix_transpose svdvals vector_norm
    matrix_norm linalg.diagonal linalg.outer linalg.cross cumulative_sum cumulative_prod
    unique_all[0] unique_all[1] unique_all[2] unique_all[3] unique_counts[0] unique_counts[1]
    unique_inverse[0] unique_inverse[1]
"""

# What goes by the values of arrays, or by those of numbers otherwise than operators do.
_BY_VALUE = "ldexp polyval"

# The ufuncs below that are `shared` take what np.result_type says; the others take the first of
# their loops that all operands can be cast to.
_DOUBLE = "bool integer f16 f32: f64; c64: c128"
_CHANGED = f"""
    add, multiply, maximum, minimum, fmax, fmin = shared
    gcd, lcm = shared; bool float complex: -
    subtract = shared; b: -
    true_divide = shared; bool integer: f64
    float_power = shared; {_DOUBLE}
    equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or,
    logical_xor, isclose = shared; *: b
    clip = shared
    floor, ceil, trunc = {numpy.SINE}; complex: -
    quantile, percentile, nanquantile, nanpercentile = bool complex: -; integer float: f64
    bincount = u64 float complex: -; *: i64
    fft, ifft, fft2, ifft2, fftn, ifftn, rfft, rfft2, rfftn, ihfft = *: c128
    irfft, hfft, irfft2, irfftn = *: f64
    iadd = shared; into kind
"""
_LINES = f"""
    linspace = apart; bool integer: f64
    logspace = apart; {_DOUBLE}
    geomspace = shared; bool integer: f64
"""


_USUAL = {
    name: rule if name == "power" else rule._replace(ints="")
    for name, rule in numpy.FUNCTIONS.items()
    if name not in {*_LATER.split(), *_BY_VALUE.split()}
}
FUNCTIONS = {
    **_USUAL,
    **parse_rules(_CHANGED),
    **special_rules(numpy.BESIDE_FLOAT, _LINES),
}


class ByValue(NamedTuple):
    """How NumPy joins operands if scalars count by their value: from the left, arrays first.

    A state has seen whether the operands are all unsigned, and whether all are small scalars.
    """

    table: Table[DType]
    knowing: numpy.Knowing

    def order(self, items: Sequence[Classified]) -> Sequence[Classified]:
        """Return the operands in the order in which they are met."""
        # np.result_type takes arrays before dtypes if there are scalars, and after them otherwise
        valued = any(x.operand.rank == 0 for x in items)
        ordered = sorted(items, key=lambda x: (x.operand.form == "dtype") is valued)
        return ordered if BY_VALUE in ordered[0].facts else self.knowing.sort(ordered)

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        if BY_VALUE not in first.facts:
            return self.knowing.start(first)
        return State(first.node, seen=(first.node.kind in _UNSIGNED, _is_small(first)))

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        if BY_VALUE not in item.facts:
            return self.knowing.step(state, item)
        before, node = state.node, item.node
        unsigned, small = state.seen
        if SMALL in item.facts and not unsigned:
            node = _signed(node)
        elif small and unsigned and node.kind not in _UNSIGNED:
            before = _signed(before)
        pairs = ((state.node, before), (item.node, node))
        changed = [f"what is in {d} fits {made}" for d, made in pairs if d is not made]
        seen = unsigned and {before.kind, node.kind} <= _UNSIGNED, small and _is_small(item)
        return State(self.table.join(before, node), "".join(changed[:1]), seen)


class ByLoops(NamedTuple):
    """How ufuncs such as floor_divide join operands: by the first of their loops that fits all.

    A state has seen the loops that all operands so far can be cast to.
    """

    table: Table[DType]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return self.step(State(first.node, seen=self.table.nodes), first)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        ways = [item.node, *([_signed(item.node)] if SMALL in item.facts else [])]
        loops = [d for d in state.seen if any(self.table.join(way, d) is d for way in ways)]
        return State(loops[0], seen=loops)


def build() -> PromotionSystem:
    """Return NumPy's rules as they were before version 2, those of ``np.result_type``."""
    by_value = ByValue(_TABLE, numpy.Knowing(_TABLE, _never))
    loops = ByLoops(_TABLE.only(LOOPS))
    return PromotionSystem(
        "numpy-legacy",
        Fold(_TABLE.nodes, by_value.step, start=by_value.start, order=by_value.order),
        classify=_classify,
        functions=FUNCTIONS,
        operable=OPERABLE,
        function_join=Fold(_TABLE.nodes, loops.step, start=loops.start),
        weak_arrays=False,
        ranked=True,
        valued=True,
        version="1.26.4",
        source="measured on np.result_type; convert_datatype.c",
    )


def _never(_: Operand) -> bool:
    return False


def _is_small(x: Classified) -> bool:
    return SMALL in x.facts or x.operand.form == "dtype"


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    own = _own(op)
    heights = [(_CATEGORY[_own(x).kind], x.rank == 0) for x in operands]
    highest = dict.fromkeys((True, False), -1)
    for height, is_scalar in heights:
        highest[is_scalar] = max(highest[is_scalar], height)
    if not -1 < highest[True] <= highest[False]:
        return Classified(op, own, op.describe())
    facts = frozenset((BY_VALUE,))
    if op.rank != 0 or (op.value is None and _is_taken_in(own, operands)):
        return Classified(op, own, op.describe(), facts=facts)
    least = _least(op, own)
    value: Any = op.value
    is_small = isinstance(value, int) and least.kind == "unsigned" and value <= least.max // 2
    why = op.describe() if least is own else f"{op.describe()}, least dtype of its value"
    return Classified(op, least, why, facts=facts | {SMALL} if is_small else facts)


def _is_taken_in(own: DType, operands: Sequence[Operand]) -> bool:
    """Return whether another operand takes in a scalar of a dtype, whatever its value is."""
    others = [_own(x) for x in operands if x.rank != 0]
    return len(operands) == 2 and any(_TABLE.join(own, d) is d for d in others)


def _own(op: Operand) -> DType:
    if not op.dtype.weak:
        return op.dtype
    value: Any = op.value
    if isinstance(value, int) and fits(value, INT64):
        if not 0 <= value < 2**64:
            what = "it does not fit any integer, and NumPy makes it an object"
            raise NoJoinError(f"{what}; pass a float")
        return by_name("uint64")
    return by_name(DEFAULT_WIDTHS[op.dtype.name])


def _signed(d: DType) -> DType:
    return by_name(d.name.removeprefix("u"))


def _least(op: Operand, own: DType) -> DType:
    """Return the least dtype that holds a scalar."""
    value: Any = op.value
    if value is None:
        raise NoJoinError(f"the value of {op.text} matters; pass the number itself")
    if own.kind == "bool":
        return own
    if isinstance(value, int):
        stem, size = ("int", -value - 1) if value < 0 else ("uint", value)
        bits = next(b for b in (8, 16, 32, 64) if size < 1 << (b - (value < 0)))
        return by_name(f"{stem}{bits}")
    narrower = [name for name in _BOUNDS if (by_name(name).bits or 0) < (own.part.bits or 0)]
    if own.kind == "complex":
        parts = (abs(value.real), abs(value.imag))
        return _first([name for name in narrower if name in _COMPLEX], parts, own)
    return _first(narrower, (abs(value) if isfinite(value) else 0.0,), own)


def _first(names: Sequence[str], parts: Sequence[float], own: DType) -> DType:
    """Return the first of some floats, or its complex dtype, whose bound is above all parts."""
    found = next((name for name in names if all(x < _BOUNDS[name] for x in parts)), None)
    if found is None:
        return own
    return by_name(found if len(parts) == 1 else _COMPLEX[found])

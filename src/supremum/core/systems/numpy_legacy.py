"""NumPy's rules before version 2: value-based, where arrays meet scalars.

Source: NumPy 1.26.4, measured on ``np.result_type``; ``convert_datatype.c`` of it. The scalars are
Python's numbers, NumPy's scalars and 0-d arrays. If the highest category of the scalars
(bool; integers; floats and complex) is no higher than that of the arrays, each scalar counts as the
smallest dtype that holds its value; otherwise by its own dtype. Pairs are joined from the left.
A 0-d operand without a value, such as the word ``float32[]``, is refused.
Not modelled: ml_dtypes; objects, which a Python int becomes that no integer holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

from ..dtypes import DType, by_name
from ..errors import NoJoinError
from ..fold import Fold
from ..libraries import Library
from ..operands import Operand
from ..steps import DEFAULT_WIDTHS
from ..system import PromotionSystem
from ..table import Table
from . import numpy
from ._numpy_legacy_functions import FUNCTIONS

LIBRARY = Library("NumPy 1", (), dtypes_in="numpy")

OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128"

# In the order in which ufuncs have their loops.
_LOOPS = "b i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 g c64 c128 G"
LOOPS = tuple(numpy.coded(code) for code in _LOOPS.split())

_CATEGORY = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 2}

_UNSIGNED = {"bool", "unsigned"}

# A float passes for the first of these that has a larger bound, and a complex one if both parts do;
# the bounds are NumPy's own.
_BOUNDS = {"float16": 65000.0, "float32": 3.4e38, "float64": 1.7e308}
_COMPLEX = {"float16": "complex64", "float32": "complex64", "float64": "complex128"}


class Valued(NamedTuple):
    """A `Classified` operand, with what the value of a scalar says.

    `by_value` says whether scalars count by their value, and `small` whether this one fits the
    signed dtype of its width, too.
    """

    operand: Operand
    node: DType
    why: str
    by_value: bool
    small: bool

    @property
    def is_number(self) -> bool:
        """Whether it is a number, not an array."""
        return self.operand.is_python


class State(NamedTuple):
    """What some operands give so far, and whether they are all unsigned, and all small scalars."""

    node: DType
    unsigned: bool
    small: bool
    why: str = ""


class ByValue(NamedTuple):
    """How NumPy joins operands if scalars count by their value: from the left, arrays first."""

    table: Table[DType]
    knowing: numpy.Knowing

    def order(self, items: Sequence[Any]) -> Sequence[Any]:
        """Return the operands in the order in which they are met."""
        # np.result_type takes arrays before dtypes if there are scalars, and after them otherwise
        valued = any(t.operand.rank == 0 for t in items)
        ordered = sorted(items, key=lambda t: (t.operand.form == "dtype") is valued)
        return ordered if _is_by_value(ordered[0]) else self.knowing.sort(ordered)

    def start(self, first: Any) -> State | numpy.State:
        """Return the state after the first operand."""
        if not _is_by_value(first):
            return self.knowing.start(first)
        is_small = first.small or first.operand.form == "dtype"
        return State(first.node, first.node.kind in _UNSIGNED, is_small)

    def step(self, state: Any, item: Any) -> State | numpy.State:
        """Return the state after another operand."""
        if not isinstance(state, State):
            return self.knowing.step(state, item)
        before, node = state.node, item.node
        if item.small and not state.unsigned:
            node = _signed(node)
        elif state.small and state.unsigned and node.kind not in _UNSIGNED:
            before = _signed(before)
        unsigned = state.unsigned and {before.kind, node.kind} <= _UNSIGNED
        small = state.small and (item.small or item.operand.form == "dtype")
        changed = [
            f"{d} fits {s}" for d, s in ((state.node, before), (item.node, node)) if d is not s
        ]
        why = f"what is in {changed[0]}" if changed else ""
        return State(self.table.join(before, node), unsigned, small, why)


class Reached(NamedTuple):
    """The dtypes that some operands can all be cast to, in the order of a ufunc's loops."""

    loops: tuple[DType, ...]
    why: str = ""

    @property
    def node(self) -> DType:
        """The first of them, which a ufunc computes in."""
        return self.loops[0]


class ByLoops(NamedTuple):
    """How ufuncs such as floor_divide join operands: by the first of their loops that fits all."""

    table: Table[DType]

    def start(self, first: Any) -> Reached:
        """Return the state after the first operand."""
        return self.step(Reached(self.table.nodes), first)

    def step(self, state: Reached, item: Any) -> Reached:
        """Return the state after another operand."""
        ways = [item.node, *([_signed(item.node)] if item.small else [])]
        loops = tuple(d for d in state.loops if any(self.table.join(w, d) is d for w in ways))
        return Reached(loops)


def build() -> PromotionSystem:
    """Return NumPy's rules as they were before version 2, those of ``np.result_type``."""
    table = numpy.own_table()
    order = tuple(numpy.coded(code) for code in numpy.ORDER.split())
    by_value = ByValue(table, numpy.Knowing(table, order, _never))
    cells = {(a, b): table.join(a, b) for a in LOOPS for b in LOOPS}
    loops = ByLoops(Table(LOOPS, cells))
    return PromotionSystem(
        "numpy-legacy",
        Fold(table.nodes, by_value.step, start=by_value.start, order=by_value.order),
        classify=_classify,
        functions=FUNCTIONS,
        operable=OPERABLE,
        function_join=Fold(table.nodes, loops.step, start=loops.start),
        weak_arrays=False,
        ranked=True,
        valued=True,
        version="1.26.4",
        source="measured on np.result_type; convert_datatype.c",
        library=LIBRARY,
    )


def _never(_: Operand) -> bool:
    return False


def _is_by_value(item: Any) -> bool:
    return getattr(item, "by_value", False)


def _classify(op: Operand, operands: Sequence[Operand]) -> Valued:
    own = _own(op)
    heights = [(_CATEGORY[_own(x).kind], x.rank == 0) for x in operands]
    arrays = [height for height, scalar in heights if not scalar]
    by_value = (
        any(scalar for _, scalar in heights)
        and bool(arrays)
        and max(arrays) >= max(height for height, _ in heights)
    )
    if not by_value or op.rank != 0:
        return Valued(op, own, op.describe(), by_value, small=False)
    least, small = _least(op, own)
    why = op.describe() if least is own else f"{op.describe()}, least dtype of its value"
    return Valued(op, least, why, by_value, small)


def _own(op: Operand) -> DType:
    if not op.dtype.weak:
        return op.dtype
    value: Any = op.value
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        if not 0 <= value < 2**64:
            raise NoJoinError(
                "it does not fit any integer, and NumPy makes it an object; pass a float"
            )
        return by_name("uint64")
    return by_name(DEFAULT_WIDTHS[op.dtype.name])


def _signed(d: DType) -> DType:
    return by_name(d.name.removeprefix("u"))


def _least(op: Operand, own: DType) -> tuple[DType, bool]:
    """Return the least dtype that holds a scalar, and whether it fits that dtype made signed."""
    value: Any = op.value
    if value is None:
        raise NoJoinError(f"the value of {op.text} matters; pass the number itself")
    if own.kind == "bool":
        return own, False
    if isinstance(value, int):
        stem, size = ("int", -value - 1) if value < 0 else ("uint", value)
        bits = next(b for b in (8, 16, 32, 64) if size < 1 << (b - (value < 0)))
        return by_name(f"{stem}{bits}"), value >= 0 and value < 1 << (bits - 1)
    narrower = [name for name in _BOUNDS if (by_name(name).bits or 0) < (own.part.bits or 0)]
    for name in narrower:
        bound = _BOUNDS[name]
        if own.kind == "complex":
            if name != "float16" and abs(value.real) < bound and abs(value.imag) < bound:
                return by_name(_COMPLEX[name]), False
        elif abs(value) < bound or not isfinite(value):
            return by_name(name), False
    return own, False

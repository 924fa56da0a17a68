"""PaddlePaddle's rules: JAX's lattice, of which two tensors use little, and 0-d tensors all.

Source: ``phi/common/type_promotion.h`` of Paddle 3.3.1, whose table is JAX's lattice on these
dtypes, and ``eager_math_op_patch.cc`` for Python scalars; measured on ``x + y``, and on
``copysign`` if the CPU cannot add float16 or bfloat16. Two tensors with dimensions promote
among floats, and beside a complex one. If one has no dimensions, all dtypes do; but one of its
own kind keeps its dtype. Python bools take the tensor's dtype; Python floats make integers float32,
whatever the default dtype. Three operands or more are added from the left.
Not modelled: dtypes without arithmetic, which are uint16 (a name that Paddle takes for bfloat16),
uint32, uint64 and float8; Python integers beyond float64, which it refuses; arrays of NumPy; other
operators, of which ``//`` knows no 0-d tensors and ``/`` makes two integers float32.
"""

from __future__ import annotations

from typing import NamedTuple

from ..common_steps import Advice, Refusing, State, WithoutScalars, is_number
from ..dtypes import DType, by_name, from_code
from ..fold import Fold
from ..function_rules import Defaults
from ..lattice import Lattice
from ..libraries import ASTYPE, Library
from ..operands import Operand
from ..steps import Classified
from ..system import PromotionSystem
from ..table import Table
from .jax import ARROWS

_READ = (
    "uint8 uint16 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 bool"
)
LIBRARY = Library(
    "Paddle",
    ("paddle",),
    import_as=("paddle", "paddle"),
    read_as=tuple((name.upper(), name) for name in _READ.split()),
    cast=ASTYPE,
    divides_by_one_less=True,
)

DTYPES = "b    u8   i8   i16  i32  i64  f16  bf16 f32  f64  c64  c128"

# What Python scalars give with these, and with one another.
MET = f"  {DTYPES} i*   f*   c*"
SCALARS = {
    "i*": "i64  u8   i8   i16  i32  i64  f16  bf16 f32  f64  c64  c128 i*   f*   c*",
    "f*": "f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64  c64  c128 f*   f*   c*",
    "c*": "c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128 c*   c*   c*",
}

# What the CPU computes, add apart. Other functions of two operands have no rule: numbers take
# kernels of their own there, which have other dtypes than those of two tensors, and matmul takes
# float32 with integers, in that order alone.
FUNCTIONS = """
    add = shared
    negative =
    invert = float complex: -
    abs = b u8 i8 i16 f16 bf16: -; complex: part
    sqrt, sin, cos, tanh = b f16 bf16: -; integer: f32
    exp = b u8 i8 i16 bf16: -; integer: f32
    log = b u8 i8 i16: -; integer: f32
    sum = b i32: i64
    prod, square, round = b u8 i8 i16 f16 bf16: -
    mean = u8 i8 i16 f16 bf16: -
    max, min = b u8 i8 i16 f16 bf16 complex: -
    std = b u8 i8 i16 f16 bf16 complex: -; integer: f32
    argmax = b i8 f16 bf16 complex: -; *: i64
    argsort = b i8 complex: -; *: i64
    cumulative_sum, cumsum = b f16 bf16: -; integer: i64
    floor = b complex: -
    sign = b f16 bf16: -
    logical_not = u8 f16 bf16: -; *: b
    isnan, isfinite = b u8 i8 i16: -; *: b
"""

# What an operand is, or a sum: it is the last of these that is among its operands.
_FORMS = ("Python bool", "Python number", "0-d tensor", "tensor")


_PROMOTED = "among floats, with complex ones, or if one of them is 0-d"


class Sums(NamedTuple):
    """How Paddle adds operands, one after the other; a state has seen which of the forms it is.

    `table` has the answers for two tensors with dimensions, and for Python's numbers; `lattice`
    those if one has no dimensions.
    """

    table: Table[DType]
    lattice: Lattice[DType]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=_form(first.operand))

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        form, other = state.seen, _form(item.operand)
        wider = max(form, other, key=_FORMS.index)
        cast = self._cast(state.node, form, item.node, other)
        if cast is None:
            return State(self.table.join(state.node, item.node), seen=wider)
        why = f"the bool takes the dtype {cast}"
        if "0-d tensor" in (form, other):
            why = f"both are cast to {cast}, since one has no dimensions"
        return State(cast, why, wider)

    def _cast(self, a: DType, form: str, b: DType, other: str) -> DType | None:
        """Return what a sum and the next operand are cast to, or None if the table decides."""
        forms = {form, other}
        if a is b or forms == {"tensor"}:
            return None
        if "Python bool" in forms:
            return a if other == "Python bool" else b
        if "Python number" in forms:
            return None
        if len(forms) == 2 and _kind(a) == _kind(b):
            return a if form == "tensor" else b
        return self.lattice.join(a, b)


def build() -> PromotionSystem:
    """Return PaddlePaddle's rules, those of ``x + y`` outside of static graphs."""
    jax: Lattice[DType] = Lattice(ARROWS, node=from_code)
    lattice = jax.restricted_to(map(from_code, DTYPES.split()))
    pairs = [(a, b) for a in lattice for b in lattice if _by_themselves(a, b)]
    cells = {pair: lattice.join(*pair) for pair in pairs}
    for weak, answers in SCALARS.items():
        for node, answer in zip(MET.split(), answers.split(), strict=True):
            a, b = from_code(weak), from_code(node)
            cells[a, b] = cells[b, a] = from_code(answer)
    sums = Sums(Table(map(from_code, MET.split()), cells), lattice)
    return PromotionSystem(
        "paddle",
        Fold(sums.table.nodes, sums.step, start=sums.start),
        classify=WithoutScalars("Paddle"),
        settle=Refusing("there must be a tensor or a dtype among Python scalars", is_number),
        functions=FUNCTIONS,
        operable=DTYPES,
        ranked=True,
        defaults=Defaults(*map(by_name, ("int64", "float32", "complex64", "int64"))),
        advise=Advice((("*", f"two tensors promote {_PROMOTED}"),)),
        version="3.3.1",
        source="phi/common/type_promotion.h; measured on x + y",
    )


def _kind(d: DType) -> str:
    return "integer" if d.kind in ("unsigned", "signed") else d.kind


def _by_themselves(a: DType, b: DType) -> bool:
    """Return whether two tensors with dimensions promote."""
    return a is b or a.kind == b.kind == "float" or "complex" in (a.kind, b.kind)


def _form(op: Operand) -> str:
    if op.form == "Python scalar" and op.dtype.kind == "bool":
        return "Python bool"
    if op.is_python or op.weak:
        return "Python number"
    return "0-d tensor" if op.rank == 0 else "tensor"

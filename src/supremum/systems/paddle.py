"""PaddlePaddle's rules: JAX's lattice, of which two tensors use little, and 0-d tensors all.

Source: ``phi/common/type_promotion.h`` of Paddle 3.3.1, whose table is JAX's lattice on these
dtypes, and ``eager_math_op_patch.cc`` for Python scalars; measured on ``x + y``, and on
``copysign`` where the CPU cannot add float16 or bfloat16. Two tensors with dimensions promote
among floats, and beside a complex one. Where one has no dimensions, all dtypes do; but one of its
own kind keeps its dtype. Python bools take the tensor's dtype; Python floats make integers float32,
whatever the default dtype. Three operands or more are added from the left.
Not modelled: dtypes without arithmetic, which are uint16 (a name that Paddle takes for bfloat16),
uint32, uint64 and float8; Python integers beyond float64, which it refuses; arrays of NumPy; other
operators, of which ``//`` knows no 0-d tensors and ``/`` makes two integers float32.
"""

from __future__ import annotations

from collections.abc import Sequence

from supremum.dtypes import DType, from_code
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.lattice import Lattice
from supremum.operands import Operand
from supremum.steps import by_dtype
from supremum.system import PromotionSystem
from supremum.systems.jax import ARROWS
from supremum.table import Table

DTYPES = "b    u8   i8   i16  i32  i64  f16  bf16 f32  f64  c64  c128"

# What Python scalars give with these, and with one another.
MET = f"  {DTYPES} i*   f*   c*"
SCALARS = {
    "i*": "i64  u8   i8   i16  i32  i64  f16  bf16 f32  f64  c64  c128 i*   f*   c*",
    "f*": "f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64  c64  c128 f*   f*   c*",
    "c*": "c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128 c*   c*   c*",
}

# What an operand is, or a sum: it is the last of these that is among its operands.
_FORMS = ("Python bool", "Python number", "0-d tensor", "tensor")


def build() -> PromotionSystem:
    """Return PaddlePaddle's rules, those of ``x + y`` outside of static graphs."""
    jax: Lattice[str] = Lattice(ARROWS)
    lattice = jax.restricted_to(DTYPES.split())
    pairs = [(a, b) for a in lattice for b in lattice]
    promoted = {(from_code(a), from_code(b)): from_code(lattice.join(a, b)) for a, b in pairs}
    cells = {pair: answer for pair, answer in promoted.items() if _by_themselves(*pair)}
    for weak, answers in SCALARS.items():
        for node, answer in zip(MET.split(), answers.split(), strict=True):
            a, b = from_code(weak), from_code(node)
            cells[a, b] = cells[b, a] = from_code(answer)
    table = Table(map(from_code, MET.split()), cells)

    def met(a: DType, form: str, b: DType, other: str) -> DType | None:
        """Return what a sum and the next operand are both cast to, or None for the table's word."""
        forms = {form, other}
        if a is b or forms == {"tensor"}:
            return None
        if "Python bool" in forms:
            return a if other == "Python bool" else b
        if "Python number" in forms:
            return None
        if len(forms) == 2 and _kind(a) == _kind(b):
            return a if form == "tensor" else b
        return promoted[a, b]

    def classify(operands: Sequence[Operand]) -> list[Taken]:
        taken = by_dtype(operands)
        if not taken or not all(t.node in table for t in taken):
            return taken
        node, form = taken[0].node, _form(taken[0].operand)
        for i, (op, mine, _) in enumerate(taken[1:], 1):
            if both := met(node, form, mine, _form(op)):
                taken[: i + 1] = [_cast(t, both) for t in taken[: i + 1]]
            if (found := both or table[node, mine]) is None:
                break
            node, form = found, max(form, _form(op), key=_FORMS.index)
        return taken

    return PromotionSystem(
        "paddle",
        table,
        classify=classify,
        settle=_settle,
        looks_at="rank",
        advise=_advise,
        version="3.3.1",
        source="phi/common/type_promotion.h; measured on x + y",
    )


def _kind(d: DType) -> str:
    return "integer" if d.kind in ("unsigned", "signed") else d.kind


def _by_themselves(a: DType, b: DType) -> bool:
    """Tell whether two tensors with dimensions promote."""
    return a is b or a.kind == b.kind == "float" or "complex" in (a.kind, b.kind)


def _form(op: Operand) -> str:
    if op.form == "Python scalar" and op.dtype.kind == "bool":
        return "Python bool"
    if op.weak:
        return "Python number"
    return "0-d tensor" if op.rank == 0 else "tensor"


def _cast(t: Taken, node: DType) -> Taken:
    return t if t.node is node else Taken(t.operand, node, f"{t.why}, cast to {node}")


def _settle(node: DType, taken: Sequence[Taken]) -> Settled:
    if all(_form(t.operand).startswith("Python") for t in taken):
        raise NoJoinError("there must be a tensor or a dtype among Python scalars")
    if len({t.operand.dtype for t in taken}) > 1:
        for op in (t.operand for t in taken):
            if op.form == "array" and op.rank is None:
                raise NoJoinError(f"they look at dimensions, and those of {op.text} are not known")
    return Settled(node)


def _advise(_: Sequence[DType]) -> str:
    return "two tensors promote among floats and with complex ones, or where one of them is 0-d"

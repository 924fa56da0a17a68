"""JAX's rules: the lattice of its design document, with what JAX has added to it since.

Source: JEP 9407 for the lattice; ``jax/_src/dtypes.py`` of JAX 0.10.2 for narrow dtypes, strict
mode, and 64-bit types that are off. Confirmed against that release, every pair and triple.
Not modelled: extended dtypes such as PRNG keys, and ``jax_explicit_x64_dtypes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from supremum.dtypes import DType, by_name
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.operands import Operand
from supremum.system import PromotionSystem

ARROWS = """
    b -> i* -> i8, u8
    u8 -> u16 -> u32 -> u64 -> f*
    i8 -> i16 -> i32 -> i64 -> f*
    u8 -> i16; u16 -> i32; u32 -> i64
    f* -> f16, bf16, c*
    f16, bf16 -> f32 -> f64 -> c128
    f32, c* -> c64 -> c128
"""

STRICT_ARROWS = """
    b
    i* -> f* -> c* -> c64, c128
    i* -> u8, u16, u32, u64, i8, i16, i32, i64
    f* -> bf16, f16, f32, f64
"""

# Nothing is above a narrow type, so that no promotion to or from one is unintended.
NARROW_ARROWS = """
    i* -> u1, u2, u4, i1, i2, i4
    f* -> float4_e2m1fn, float6_e2m3fn, float6_e3m2fn
    f* -> float8_e3m4, float8_e4m3, float8_e4m3b11fnuz, float8_e4m3fn, float8_e4m3fnuz
    f* -> float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu
"""

# The one arrow that makes a 64-bit type out of narrower ones, and what stands for it with x64 off.
_WIDE_ARROW, _NARROW_ARROW = "u32 -> i64", "u32 -> i32"

# INT and UINT stand for the default widths.
OPERATORS = {
    "add": "",
    "subtract": "b: -",
    "multiply": "",
    "true_divide": "u64 i64: f64; bool integer: f32",
    "floor_divide": "b: i32; complex: -",
    "remainder": "b: i32; complex: -",
    "power": "b: i32",
    "matmul": "",
    "equal": "*: b",
    "less": "*: b",
    "bitwise_and": "float complex: -",
    "left_shift": "b: i32; float complex: -",
    "maximum": "",
    "where": "",
    "concat": "",
    "negative": "b: -",
    "invert": "float complex: -",
    "abs": "complex: part",
    "sin": "u64 i64: f64; bool integer: f32",
    "floor": "complex: -",
    "sum": "bool signed: INT; unsigned: UINT",
    "prod": "bool signed: INT; unsigned: UINT",
    "mean": "u64 i64: f64; bool integer: f32",
    "max": "",
    "argmax": "complex: -; *: INT",
    "iadd": "",
}
OPERABLE = (
    "b u8 u16 u32 u64 i8 i16 i32 i64 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu bf16 f16 f32 f64 "
    "c64 c128"
)

_NARROWED = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


class Widths:
    """The widths of JAX's dtypes, with 64-bit types on or off."""

    def __init__(self, x64: bool) -> None:
        self.x64 = x64

    def canonical(self, d: DType) -> DType:
        """Return the dtype that JAX takes this one for."""
        return d if self.x64 else by_name(_NARROWED.get(d.name, d.name))

    def default(self, d: DType) -> DType:
        """Return the dtype of a weak value of this kind."""
        wide = {"bool": "bool", "signed": "int64", "unsigned": "uint64", "float": "float64"}
        return self.canonical(by_name(wide.get(d.kind, "complex128")))

    def own(self, op: Operand) -> DType:
        """Return what ``jax.dtypes.dtype`` says of an operand. JAX's arrays keep their dtype."""
        if op.dtype.weak:
            return self.default(op.dtype)
        made_by_jax = op.library == "JAX" and op.form == "array"
        return op.dtype if made_by_jax else self.canonical(op.dtype)


def build(*, x64: bool = True, mode: Literal["standard", "strict"] = "standard") -> PromotionSystem:
    """Return JAX's rules.

    Args:
        x64: whether 64-bit types are on (``jax_enable_x64``). JAX itself starts with them off.
        mode: ``"strict"`` joins with Python scalars alone (``jax_numpy_dtype_promotion``).
    """
    strict = mode == "strict"
    widths = Widths(x64)
    integer, unsigned = ("i64", "u64") if x64 else ("i32", "u32")
    arrows = ARROWS if x64 else ARROWS.replace(_WIDE_ARROW, _NARROW_ARROW)

    def classify(operands: Sequence[Operand]) -> list[Taken]:
        # where all are weak, their own dtypes are joined; for Python scalars it is all the same
        by_width = all(map(is_weak, operands)) and (not strict or len(operands) == 1)
        by_width = by_width and any(
            widths.own(op) is not widths.default(op.weak_dtype) for op in operands
        )
        taken = []
        for op in operands:
            node = op.weak_dtype if is_weak(op) and not by_width else widths.own(op)
            narrowed = "" if node is op.dtype or node.weak else f", taken for {node}"
            taken.append(Taken(op, node, op.describe() + narrowed))
        return taken

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        operands = [t.operand for t in taken]
        if node.weak or all(map(is_weak, operands)):
            if node.kind in ("signed", "unsigned") and (node.bits or 8) < 8:
                raise NoJoinError(f"JAX fails on a weak {node}: there is no default width for it")
            result = widths.default(node)
            what = str(node) if node.weak else f"Every operand is weak, so {node}"
            why = f"{what} is weak, and its default width is {result}."
            return Settled(result, node.kind != "bool", why)
        narrow = widths.canonical(node)
        if narrow is node or len(set(map(widths.own, operands))) == 1:
            return Settled(node)
        return Settled(narrow, False, f"{node} becomes {narrow}: x64 is off.")

    return PromotionSystem.from_lattice(
        (STRICT_ARROWS if strict else arrows) + NARROW_ARROWS,
        "jax",
        classify=classify,
        settle=settle,
        operators={
            n: t.replace("UINT", unsigned).replace("INT", integer) for n, t in OPERATORS.items()
        },
        operable=OPERABLE,
        advise=lambda nodes: _advise(nodes, strict),
        setting={"x64": x64, "mode": mode},
        label=f"x64 {'on' if x64 else 'off'}{', strict' if strict else ''}",
        version="0.10.2",
        source="JEP 9407; jax/_src/dtypes.py",
    )


def is_weak(op: Operand) -> bool:
    """Tell whether JAX takes an operand for weak; not so objects of a subclass of int or float."""
    return op.weak and op.form != "Python subclass"


def _advise(nodes: Sequence[DType], strict: bool) -> str | None:
    narrow = [n for n in nodes if not n.weak and n.kind != "bool" and (n.bits or 0) < 8]
    if strict:
        return "strict mode joins a dtype with itself and with Python scalars of its kind alone"
    if any(n.kind == "float" and (n.bits or 0) <= 8 and not n.weak for n in nodes):
        return "floats of 8 bits and fewer join with bool, integers and Python scalars alone"
    if narrow:
        return "integers under 8 bits join with bool and Python's bool and int alone"
    return None

"""PyTorch's rules: a table, and three tiers of operands.

Source: PyTorch 2.13.0, measured on ``torch.result_type``; ``c10/core/ScalarType.cpp`` for the table
and ``ATen/native/TypeProperties.cpp`` for the tiers. Tensors with dimensions come first, then those
without, then Python numbers; within a tier the table joins. A lower tier counts only where it is of
a higher kind, and of a complex one only that it is complex. The table joins from left to right, so
uint16 with int8 with float32 is refused or not by their order.
``version="1.10"`` has the table of JAX's design document (2021): without uint16, uint32 and uint64,
complex32 or float8, where Python numbers alone stay as wide as Python's.
Not modelled: quantized and bit dtypes, and the C++ code's own copy in ``torch._prims_common``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from supremum.dtypes import DType, by_name, from_code
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.operands import Operand
from supremum.system import PromotionSystem
from supremum.table import Table

TABLE = """
          b    u8   u16  u32  u64  i8   i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    b     b    u8   -    -    -    i8   i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    u8    u8   u8   -    -    -    i16  i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    u16   -    -    u16  -    -    -    -    -    -    bf16 f16  f32  f64  -    -    -
    u32   -    -    -    u32  -    -    -    -    -    bf16 f16  f32  f64  -    -    -
    u64   -    -    -    -    u64  -    -    -    -    bf16 f16  f32  f64  -    -    -
    i8    i8   i16  -    -    -    i8   i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    i16   i16  i16  -    -    -    i16  i16  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    i32   i32  i32  -    -    -    i32  i32  i32  i64  bf16 f16  f32  f64  c32  c64  c128
    i64   i64  i64  -    -    -    i64  i64  i64  i64  bf16 f16  f32  f64  c32  c64  c128
    bf16  bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32  f32  f64  c64  c64  c128
    f16   f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f16  f32  f64  c32  c64  c128
    f32   f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c64  c128
    f64   f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128 c128
    c32   c32  c32  -    -    -    c32  c32  c32  c32  c64  c32  c64  c128 c32  c64  c128
    c64   c64  c64  -    -    -    c64  c64  c64  c64  c64  c64  c64  c128 c64  c64  c128
    c128  c128 c128 -    -    -    c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""

# These promote to nothing but themselves.
ALONE = """
    float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
"""

COMPLEX_OF = {"f16": "c32", "bf16": "c64", "f32": "c64", "f64": "c128"}

# What comes of integers in true division and its like, the default dtype, stands for DEFAULT.
OPERATORS = {
    "add": "u16 u32 u64: -",
    "subtract": "numbers; u16 u32 u64: -",
    "multiply": "",
    "true_divide": "bool integer: DEFAULT",
    "floor_divide": "bool complex u16 u32 u64: -",
    "remainder": "bool complex u16 u32 u64: -",
    "power": "bool u16 u32 u64: -",
    "matmul": "alike; bool u16 u32 u64: -",
    "equal": "*: b",
    "less": "complex u16 u32 u64: -; *: b",
    "bitwise_and": "float complex: -",
    "left_shift": "bool float complex u16 u32 u64: -",
    "maximum": "complex u16 u32 u64: -",
    "where": "",
    "concat": "",
    "negative": "bool u16 u32 u64: -",
    "invert": "float complex u16 u32 u64: -",
    "abs": "bool u16 u32 u64: -; complex: part",
    "sin": "bool integer: DEFAULT",
    "floor": "bool complex: -",
    "sum": "bool integer: i64",
    "prod": "bool integer: i64",
    "mean": "bool integer: -",
    "max": "complex u16 u32 u64: -",
    "argmax": "bool complex u16 u32 u64: -; *: i64",
    "iadd": "into category; u16 u32 u64: -",
}
OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"

_NEW = frozenset(("u16", "u32", "u64", "c32"))


class Tiers:
    """PyTorch's three tiers, with the dtypes that Python's numbers have by default."""

    def __init__(
        self, table: Table[DType], complex_of: dict[DType, DType], python: dict[str, DType]
    ) -> None:
        self.table = table
        self.complex_of = complex_of
        self.python = python

    def own(self, op: Operand) -> DType:
        """Return the dtype of an operand: of Python's numbers, the default of their kind."""
        return self.python[op.dtype.kind] if op.dtype.weak else op.dtype

    def combine(self, higher: DType | None, lower: DType | None) -> DType | None:
        """Return what the dtype of a tier becomes beside that of a lower one."""
        if higher is None or lower is None or higher.kind == "complex":
            return higher or lower
        if higher.kind == "float":
            return higher if lower.kind != "complex" else self._as_complex(higher)
        if higher.kind != "bool" and lower.kind == "complex":
            return lower
        if higher.kind == "bool" or lower.kind == "float":
            return self.table.join(higher, lower)
        return higher

    def _as_complex(self, d: DType) -> DType:
        if d not in self.complex_of:
            raise NoJoinError(f"no complex dtype has parts of {d}", (d,))
        return self.complex_of[d]

    def classify(self, operands: Sequence[Operand]) -> list[Taken]:
        """Take operands of a lower tier for what they come to beside the higher ones."""
        tiers: list[list[Operand]] = [[], [], []]
        for op in operands:
            tiers[_tier(op)].append(op)
        first, second, third = (
            self.table.join(*map(self.own, tier)) if tier else None for tier in tiers
        )
        self.combine(first, self.combine(second, third))  # refuses what PyTorch refuses
        taken: list[Taken] = []
        above: DType | None = None
        for tier, joined in zip(tiers, (first, second, third), strict=True):
            beside = self.combine(above, joined)
            for op in tier:
                what = op.describe() + (", 0-d" if op.form == "array" and op.rank == 0 else "")
                if above is None or beside is joined:
                    taken.append(Taken(op, self.own(op), what))
                else:
                    taken.append(Taken(op, beside or self.own(op), f"{what}, defers"))
            above = beside
        # the tiers have been joined each by itself; what is left of that are dtypes that the
        # last answer covers, so that it stands first
        last = cast("DType", above)
        covered = [
            t if self.table[last, t.node] is last else Taken(t.operand, last, f"{t.why}, gives way")
            for t in taken
        ]
        return sorted(covered, key=lambda t: t.node is not last)


def build(
    *,
    default_dtype: Literal["float32", "float64", "float16", "bfloat16"] = "float32",
    version: Literal["2.13", "1.10"] = "2.13",
) -> PromotionSystem:
    """Return PyTorch's rules, those of ``torch.result_type``.

    Args:
        default_dtype: that of Python's floats (``torch.set_default_dtype``).
        version: the release, or ``"1.10"`` for the table of JAX's design document.
    """
    old = version == "1.10"
    table = PromotionSystem.from_table(TABLE).table()
    nodes = [d for d in table.nodes if not (old and d.code in _NEW)]
    cells = {(a, b): c for a in nodes for b in nodes if (c := table[a, b])}
    complex_of = {from_code(real): from_code(c) for real, c in COMPLEX_OF.items()}
    if old:
        complex_of[by_name("float16")] = by_name("complex64")
        cells = {pair: by_name("complex64") if c.code == "c32" else c for pair, c in cells.items()}
    else:
        alone = [by_name(name) for name in ALONE.split()]
        nodes += alone
        cells |= {(d, d): d for d in alone}
    default = by_name(default_dtype)
    python = {"signed": by_name("int64"), "float": default, "complex": complex_of[default]}
    full = Table(nodes, cells)

    def settle(node: DType, taken: Sequence[Taken]) -> Settled:
        kinds = {t.operand.dtype.kind for t in taken if t.operand.dtype.weak}
        if old and len(kinds) == 1 and all(t.operand.dtype.weak for t in taken):
            wide = {"signed": "int64", "float": "float64", "complex": "complex128"}[kinds.pop()]
            return Settled(by_name(wide), False, "Python's numbers alone were as wide as Python's.")
        return Settled(node)

    tiers = Tiers(full, complex_of, python)
    return PromotionSystem(
        "torch",
        full,
        classify=tiers.classify,
        settle=settle,
        operators={}
        if old
        else {n: t.replace("DEFAULT", default_dtype) for n, t in OPERATORS.items()},
        operable=OPERABLE,
        looks_at="rank",
        advise=_advise,
        setting={"default_dtype": default_dtype, "version": version},
        label=f"default {default_dtype}{', 1.10' if old else ''}",
        version="1.10" if old else "2.13.0",
        source="JEP 9407" if old else "measured on torch.result_type; c10/core/ScalarType.cpp",
    )


def _tier(op: Operand) -> int:
    if op.dtype.weak or op.form.startswith("Python"):
        return 2
    return 1 if op.rank == 0 else 0


def _advise(nodes: Sequence[DType]) -> str | None:
    if any(n.code in ("u16", "u32", "u64") for n in nodes):
        return "uint16, uint32 and uint64 promote with real floats alone"
    if any(n.name.startswith("float8") for n in nodes):
        return "float8 dtypes promote with nothing"
    return None

"""PyTorch's rules: a table, and three tiers of operands.

Source: PyTorch 2.13.0, measured on ``torch.result_type``; ``c10/core/ScalarType.cpp`` for the table
and ``ATen/native/TypeProperties.cpp`` for the tiers. Tensors with dimensions come first, then those
without, then Python numbers; within a tier the table joins. A lower tier counts only if it is of a
higher kind, and of a complex one only that it is complex. The table joins from left to right, so
uint16 with int8 with float32 is refused or not by their order. NumPy's scalars are numbers too; its
bool and complex64, which are not derived from Python's, are read as floats.
``version="1.10"`` has the table of JAX's design document (2021): without uint16, uint32 and uint64,
complex32 or float8; there Python numbers alone stay as wide as Python's.
Not modelled: quantized and bit dtypes, and the C++ code's own copy in ``torch._prims_common``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Defaults
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, fits
from ..system import PromotionSystem
from ..table import Table
from ._torch_functions import TRANSFORMS, TRANSFORMS_OF_HALF, functions

LIBRARY = Library("PyTorch", ("torch",), import_as=("torch", "torch"), dtypes_in="torch")

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

OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"

_NEW = frozenset(("u16", "u32", "u64", "c32"))


class State(NamedTuple):
    """The dtypes of the tiers so far, and what they come to."""

    node: DType
    tiers: tuple[DType | None, DType | None, DType | None]
    why: str = ""


class Tiers(NamedTuple):
    """PyTorch's three tiers, with the dtypes that Python's numbers have by default."""

    table: Table[DType]
    complex_of: tuple[tuple[DType, DType], ...]
    python: tuple[tuple[str, DType], ...]

    def classify(self, op: Operand, _: Sequence[Operand]) -> Classified:
        """Return what an operand is to PyTorch: Python's numbers have the default dtype."""
        if isinstance(op.number, int) and not -(2**63) <= op.number < 2**64:
            raise NoJoinError(f"{op.text} does not fit 64 bits")
        if isinstance(op.number, int) and op.number >= 2**63:
            return Classified(op, by_name("uint64"), f"{op.describe()}, too large for int64")
        what = op.describe() + (", 0-d" if op.form == "array" and op.rank == 0 else "")
        kind = _kind_of_scalar(op) if op.form == "scalar" else op.dtype.kind
        is_scalar = op.form == "scalar"
        if _tier(op) == 2 and kind != "bool":
            node = dict(self.python)[kind.replace("unsigned", "signed")]
            return Classified(op, node, what, is_scalar)
        return Classified(op, op.dtype, what, is_scalar)

    def order(self, items: Sequence[Classified]) -> list[Classified]:
        """Return tensors with dimensions first, then those without, then Python's numbers."""
        return sorted(items, key=lambda t: _tier(t.operand))

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return self.step(State(first.node, (None, None, None)), first)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand: its tier joins, and then the tiers meet."""
        tier = _tier(item.operand)
        own = state.tiers[tier]
        joined = item.node if own is None else self.table.join(own, item.node)
        first, second, third = (joined if i == tier else d for i, d in enumerate(state.tiers))
        node = self.combine(first, self.combine(second, third)) or joined
        higher = any(d is not None for d in state.tiers[:tier])
        why = _deference(item, state.node, node) if higher else ""
        return State(node, (first, second, third), why)

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
        found = dict(self.complex_of).get(d)
        if found is None:
            raise NoJoinError(f"no complex dtype has parts of {d}", (d,))
        return found


class SettleAlone(NamedTuple):
    """What becomes of Python's numbers alone in 1.10: they were as wide as Python's."""

    def __call__(self, node: DType, taken: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        kinds = {t.operand.dtype.kind for t in taken if t.operand.dtype.weak}
        if len(kinds) == 1 and all(t.operand.dtype.weak for t in taken):
            wide = {"signed": "int64", "float": "float64", "complex": "complex128"}[kinds.pop()]
            return Settled(by_name(wide), False, "Python's numbers alone are as wide as Python's.")
        return Settled(node)


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
    table: Table[DType] = Table.parse(TABLE, node=from_code)
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
    transforms = TRANSFORMS_OF_HALF if default.bits == 16 else TRANSFORMS
    tiers = Tiers(Table(nodes, cells), tuple(complex_of.items()), tuple(python.items()))
    return PromotionSystem(
        "torch",
        Fold(nodes, tiers.step, start=tiers.start, order=tiers.order),
        classify=tiers.classify,
        settle=SettleAlone() if old else _settle,
        functions={} if old else functions(transforms),
        operable=OPERABLE,
        ranked=True,
        refuse_int=_refuse_int,
        defaults=Defaults(python["signed"], default, python["complex"], python["signed"]),
        advise=_advise,
        setting={"default_dtype": default_dtype, "version": version},
        label=f"default {default_dtype}{', 1.10' if old else ''}",
        version="1.10" if old else "2.13.0",
        source="JEP 9407" if old else "measured on torch.result_type; c10/core/ScalarType.cpp",
        library=LIBRARY,
    )


def _settle(node: DType, _: Sequence[Classified]) -> Settled:
    return Settled(node)


def _kind_of_scalar(op: Operand) -> str:
    """Return the kind of number that a scalar of NumPy is read as: all but some are floats."""
    is_read = op.dtype.kind in ("unsigned", "signed") or op.dtype.name == "complex128"
    return op.dtype.kind if is_read else "float"


def _tier(op: Operand) -> int:
    if op.dtype.weak or op.is_python or op.form == "scalar":  # NumPy's scalars are numbers to it
        return 2
    return 1 if op.rank == 0 else 0


def _refuse_int(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    if ints == "divisor" and value >= 2**63 and d.kind in ("unsigned", "signed") and d.bits != 64:
        return f"{short(value)} does not fit int64"
    if ints in ("bound", "exponent") and d.kind == "float" and abs(value) > d.max:
        return f"{short(value)} does not fit {d}"
    if d.kind == "unsigned" and value < 0:  # as C++ does, which converts it modulo
        value = -value
    return fits(value, d) if ints in ("fit", "bound", "exponent") else None


def _deference(item: Classified, before: DType, after: DType) -> str:
    """Return why an operand of a lower tier gives what it gives."""
    op = item.operand
    what = f"{op.text}, a number," if _tier(op) == 2 else f"{op.text}, without dimensions,"
    if after is before:
        return f"{what} defers to {before}"
    return f"{what} is of a higher kind than {before}"


def _advise(nodes: Sequence[DType]) -> str | None:
    if any(n.code in ("u16", "u32", "u64") for n in nodes):
        return "uint16, uint32 and uint64 promote only with real floats"
    if any(n.name.startswith("float8") for n in nodes):
        return "float8 dtypes do not promote"
    return None

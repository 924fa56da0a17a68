"""NumPy's rules since version 2 (NEP 50): a table, and Python scalars that are weak.

Source: NumPy 2.4.6 with ml_dtypes 0.6.0, measured on ``np.promote_types``; ``common_dtype.c`` and
``abstractdtypes.c`` for how more than two operands are promoted. That is no fold of pairs: the
operand whose dtype knows most of the others comes first, so that for NumPy's own dtypes the order
in which they are written does not matter, though the grouping does.
Not modelled: strings, dates, records and objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, cast

from supremum.dtypes import DType, by_name, from_code
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.operands import Operand
from supremum.steps import DEFAULT_WIDTHS, by_dtype, to_defaults
from supremum.system import PromotionSystem
from supremum.table import Table

TABLE = """
        b    u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  g    c64  c128 G
    b    b    u8   u16  u32  u64  i8   i16  i32  i64  f16  f32  f64  g    c64  c128 G
    u8   u8   u8   u16  u32  u64  i16  i16  i32  i64  f16  f32  f64  g    c64  c128 G
    u16  u16  u16  u16  u32  u64  i32  i32  i32  i64  f32  f32  f64  g    c64  c128 G
    u32  u32  u32  u32  u32  u64  i64  i64  i64  i64  f64  f64  f64  g    c128 c128 G
    u64  u64  u64  u64  u64  u64  f64  f64  f64  f64  f64  f64  f64  g    c128 c128 G
    i8   i8   i16  i32  i64  f64  i8   i16  i32  i64  f16  f32  f64  g    c64  c128 G
    i16  i16  i16  i32  i64  f64  i16  i16  i32  i64  f32  f32  f64  g    c64  c128 G
    i32  i32  i32  i32  i64  f64  i32  i32  i32  i64  f64  f64  f64  g    c128 c128 G
    i64  i64  i64  i64  i64  f64  i64  i64  i64  i64  f64  f64  f64  g    c128 c128 G
    f16  f16  f16  f32  f64  f64  f16  f32  f64  f64  f16  f32  f64  g    c64  c128 G
    f32  f32  f32  f32  f64  f64  f32  f32  f64  f64  f32  f32  f64  g    c64  c128 G
    f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  g    c128 c128 G
    g    g    g    g    g    g    g    g    g    g    g    g    g    g    G    G    G
    c64  c64  c64  c64  c128 c128 c64  c64  c128 c128 c64  c64  c128 G    c64  c128 G
    c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 G    c128 c128 G
    G    G    G    G    G    G    G    G    G    G    G    G    G    G    G    G    G
"""

# The dtypes of ml_dtypes give way to some dtypes, and absorb others: the rest they refuse.
_ALL = "b u1 u2 u4 u8 i1 i2 i4 i8"
_WIDE = "f32 f64 g c64 c128 G"
_F4 = "float4_e2m1fn"
_F6 = "float6_e2m3fn float6_e3m2fn"
_E4M3 = "float8_e4m3fn float8_e4m3fnuz"
_F8 = f"float8_e3m4 float8_e4m3 float8_e4m3b11fnuz {_E4M3} float8_e5m2fnuz"
_LONG = {"g": "longdouble", "G": "clongdouble"}
ABSORBS = {
    "u1": "b",
    "u2": "b u1",
    "u4": "b u1 u2",
    "i1": "b",
    "i2": "b i1",
    "i4": "b i1 i2",
    "float4_e2m1fn": _ALL,
    "float6_e3m2fn": f"{_ALL} {_F4}",
    "float6_e2m3fn": f"b u1 u2 u8 i1 i2 i8 {_F4} float6_e3m2fn",
    "float8_e5m2fnuz": f"{_ALL} {_F4} {_F6}",
    "float8_e4m3fnuz": f"{_ALL} {_F4} {_F6} float8_e5m2fnuz",
    "float8_e4m3fn": f"{_ALL} {_F4} {_F6} float8_e5m2fnuz float8_e4m3fnuz",
    "float8_e4m3b11fnuz": f"{_ALL} {_F4} {_F6} float8_e5m2fnuz {_E4M3}",
    "float8_e4m3": f"{_ALL} {_F4} {_F6} float8_e5m2fnuz {_E4M3} float8_e4m3b11fnuz",
    "float8_e3m4": f"{_ALL} {_F4} {_F6} float8_e5m2fnuz {_E4M3} float8_e4m3b11fnuz float8_e4m3",
    "float8_e5m2": "b u8 i8",
    "float8_e8m0fnu": "b u8 i8",
    "bf16": "b u8 i8",
    "c32": "b u8 i8",
    "bc32": "b u8 i8 c32",
}
GIVES_WAY = {
    **dict.fromkeys(("u1", "u2", "u4"), f"u8 u16 u32 u64 i8 i16 i32 i64 f16 {_WIDE}"),
    **dict.fromkeys(("i1", "i2", "i4"), f"i8 i16 i32 i64 f16 {_WIDE}"),
    **dict.fromkeys(("c32", "bc32"), "c64 c128 G"),
}
OTHERWISE = {
    ("float8_e5m2", "u16"): "f32",
    ("float8_e5m2", "i16"): "f32",
    ("float8_e5m2", "f16"): "f32",
    **{("float8_e5m2", wide): "f64" for wide in ("u32", "u64", "i32", "i64")},
}

# Who is asked first: each of these knows those before it. A Python scalar, though, knows the
# dtypes from outside NumPy, on the second line, which otherwise know all.
ORDER = """
    b i* i8 u8 i16 u16 i32 u32 i64 u64 f* c* f32 f64 g c64 c128 G f16
    bf16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz
    float8_e5m2 float8_e5m2fnuz float6_e2m3fn float6_e3m2fn float4_e2m1fn float8_e8m0fnu i1
    u1 i2 u2 i4 u4 bc32 c32
"""

# What a Python scalar gives with a lower kind of NumPy's, with a real dtype, and with a dtype from
# outside: there it stands for the first of these that the dtype has an answer for.
_COMPLEX_OF = {"f16": "c64", "f32": "c64", "f64": "c128", "g": "G"}
_STANDS_FOR = {"i*": "u8 i8 i64", "f*": "f16 f64", "c*": "c64 c128"}
_HEIGHT = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 3}


class KnowingTable(Table[DType]):
    """A table whose dtypes differ in how much they know of others.

    NumPy asks one dtype of a pair for the answer: the one that knows the other. More than two are
    sorted by that first, so that every other one meets the one that knows most.
    """

    def __init__(
        self,
        nodes: Iterable[DType],
        cells: Mapping[tuple[DType, DType], DType],
        order: Sequence[DType],
    ) -> None:
        super().__init__(nodes, cells)
        self._place = {d: i for i, d in enumerate(order)}
        self._outside = self._place[by_name("float16")] + 1

    def asked(self, a: DType, b: DType) -> DType | None:
        """Return the answer that `a` gives for itself and `b`, or None where it knows of none."""
        if a.weak != b.weak and max(self._place[a], self._place[b]) >= self._outside:
            return self[a, b] if a.weak else None
        return self[a, b] if self._place[a] >= self._place[b] else None

    def steps(self, *nodes: DType) -> list[tuple[DType, DType, DType]]:
        """Return the pairs that decide, each with its answer."""
        if len(nodes) < 3:
            return super().steps(*nodes)
        left: list[DType | None] = list(nodes)
        answer, partner = self._sort(left, len(left))
        main = cast("DType", left[0])
        steps = [(main, partner, answer)] if answer else []
        for node in left[2 if answer else 1 :]:
            if node is None:
                continue
            promoted = self.asked(main, node)
            if promoted is None:
                raise NoJoinError(f"{main} knows nothing of {node}", (main, node))
            steps.append((main, node, promoted))
            if answer not in (None, promoted):
                (step,) = super().steps(answer, promoted)
                steps.append(step)
                promoted = step[2]
            answer = promoted
        return steps

    def _sort(self, left: list[DType | None], length: int) -> tuple[DType | None, DType]:
        """Bring a dtype that knows the others to the front; strike out what changes nothing.

        Returns what the first two that are left give, or None, and the second of them.
        """
        half = length // 2
        answer = None
        for low in range(half):
            high = length - 1 - low
            a, b = cast("DType", left[low]), cast("DType", left[high])
            answer = self.asked(a, b)
            if answer is None:
                left[low], left[high] = b, a
            elif answer is a:
                left[high] = None
        return (answer, b) if length == 2 else self._sort(left, length - half)


OPERATORS = {
    "add": "",
    "subtract": "b: -",
    "multiply": "",
    "true_divide": "bool integer: f64",
    "floor_divide": "b: i8; complex: -",
    "remainder": "b: i8; complex: -",
    "power": "b: i8",
    "matmul": "bf16: f32",
    "equal": "*: b",
    "less": "*: b",
    "bitwise_and": "float complex: -",
    "left_shift": "b: i8; float complex: -",
    "maximum": "",
    "where": "shared",
    "concat": "shared",
    "negative": "b: -",
    "invert": "float complex: -",
    "abs": "complex: part",
    "sin": "b u8 i8: f16; u16 i16: f32; integer: f64",
    "floor": "complex: -",
    "sum": "bool signed: i64; unsigned: u64",
    "prod": "bool signed: i64; unsigned: u64",
    "mean": "bool integer: f64",
    "max": "",
    "argmax": "*: i64",
    "iadd": "into kind bf16",
}
OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"

# Where a ufunc finds a loop for bfloat16 and ``np.result_type`` has no answer, or another one.
UFUNC_BFLOAT16 = {"f32": "u16 i16 f16 f*", "f64": "u32 u64 i32 i64"}


def coded(code: str) -> DType:
    """Return the dtype of a code; ``g`` and ``G`` are NumPy's for long doubles."""
    return by_name(_LONG[code]) if code in _LONG else from_code(code)


def own_table() -> KnowingTable:
    """Return the table of NumPy's own dtypes."""
    table = Table.parse(TABLE).map(coded)
    cells = {(a, b): c for a in table.nodes for b in table.nodes if (c := table[a, b])}
    return KnowingTable(table.nodes, cells, [coded(code) for code in ORDER.split()])


Cells = dict[tuple[DType, DType], DType]


def _put(cells: Cells, a: str, b: str, answer: str) -> None:
    cells[coded(a), coded(b)] = cells[coded(b), coded(a)] = coded(answer)


def _cells() -> Cells:
    """Return the answers of ``np.promote_types``, and those with Python scalars."""
    own = Table.parse(TABLE)
    cells: Cells = {}
    for a, b in product(own.nodes, repeat=2):
        _put(cells, a, b, cast("str", own[a, b]))
    for narrow, absorbed in ABSORBS.items():
        _put(cells, narrow, narrow, narrow)
        for other in absorbed.split():
            _put(cells, narrow, other, narrow)
        for other in GIVES_WAY.get(narrow, _WIDE).split():
            _put(cells, narrow, other, other)
    for (narrow, other), answer in OTHERWISE.items():
        _put(cells, narrow, other, answer)
    for weak in _STANDS_FOR:
        _put_weak(cells, weak, own.nodes)
    return cells


def _put_weak(cells: Cells, weak: str, own: Iterable[str]) -> None:
    for lower in ("i*", "f*", "c*")[: "ifc".index(weak[0]) + 1]:
        _put(cells, weak, lower, weak)
    for node in own:
        deferred = _COMPLEX_OF.get(node, node) if weak == "c*" else node
        lower_kind = _HEIGHT[coded(node).kind] < _HEIGHT[coded(weak).kind]
        exact = coded(node).kind not in ("float", "complex")
        _put(cells, weak, node, _DEFAULT[weak] if lower_kind and exact else deferred)
    for narrow in ABSORBS:
        pairs = [(coded(narrow), coded(stand_in)) for stand_in in _STANDS_FOR[weak].split()]
        answer = next((cells[pair] for pair in pairs if pair in cells), None)
        if answer is not None:
            _put(cells, weak, narrow, answer.name)


def build() -> PromotionSystem:
    """Return NumPy's rules, those of ``np.result_type``; operators join as its ufuncs do."""
    cells = _cells()
    nodes = dict.fromkeys(a for a, _ in cells)
    order = [coded(code) for code in ORDER.split()]
    shared = KnowingTable(nodes, cells, order)
    for answer, others in UFUNC_BFLOAT16.items():
        for other in others.split():
            _put(cells, "bf16", other, answer)
    return PromotionSystem(
        "numpy",
        shared,
        classify=_classify,
        settle=settle,
        operators=OPERATORS,
        operable=OPERABLE,
        operator_join=KnowingTable(nodes, cells, order),
        version="2.4.6",
        source="measured on np.promote_types; NEP 50; common_dtype.c",
    )


def _classify(operands: Sequence[Operand]) -> list[Taken]:
    # np.result_type takes dtypes before arrays, whatever their order
    return sorted(by_dtype(operands), key=lambda t: t.operand.form != "dtype")


_DEFAULT = {"i*": "i64", "f*": "f64", "c*": "c128"}
_to_defaults = to_defaults(DEFAULT_WIDTHS)


def settle(node: DType, taken: Sequence[Taken]) -> Settled:
    """Give weak results their default width, and an int alone one that holds it."""
    value: Any = taken[0].operand.value
    if len(taken) == 1 and type(value) is int and not -(2**63) <= value < 2**63:
        if 0 <= value < 2**64:
            return Settled(by_name("uint64"), False, "It is too large for int64, and alone.")
        raise NoJoinError("it fits no integer; NumPy makes it an object; pass a float")
    return _to_defaults(node, taken)

"""NumPy's rules since version 2 (NEP 50): a table, and Python scalars that are weak.

Source: NumPy 2.4.6 with ml_dtypes 0.6.0, and the releases below, measured on ``np.promote_types``;
``common_dtype.c`` and ``abstractdtypes.c`` for how more than two operands are promoted. That is no
fold of pairs: the operand whose dtype knows most of the others comes first, so that for NumPy's own
dtypes the order in which they are written does not matter, though the grouping does.
Before 0.5.4 ml_dtypes' floats do not know its integers of under eight bits.
Not modelled: strings, dates, records and objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, cast

from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, ToWidths, by_dtype, fits
from ..system import PromotionSystem
from ..table import Table
from ._numpy_functions import FUNCTIONS

# Those of NumPy give the same answers, newest first; those of ml_dtypes do not.
RELEASES = ("2.5.5", "2.4.6", "2.3.5", "2.2.6", "2.1.3", "2.0.2")
MlDtypes = Literal["0.6.0", "0.5.4", "0.5.3", "0.5.1", "0.5.0", "0.4.1", "0.4.0"]
WITHOUT_NARROW_INTS = ("0.5.3", "0.5.1", "0.5.0", "0.4.1", "0.4.0")

LIBRARY = Library("NumPy", ("numpy",), import_as=("numpy", "np"), dtypes_in="numpy")

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
_INTS = ("u1", "u2", "u4", "i1", "i2", "i4")
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


class State(NamedTuple):
    """The dtype that is asked, and what it has given with the others so far."""

    node: DType
    main: DType
    has_met: bool = False


class Knowing(NamedTuple):
    """How NumPy promotes any number of dtypes, which differ in how much they know of others.

    It asks one dtype of a pair for the answer: the one that knows the other. The operands are
    sorted by that first, so that every other one meets the one that knows most. Before that come
    those that do not stay what they are: dtypes, whatever their order.
    """

    table: Table[DType]
    order: tuple[DType, ...]
    stays: Callable[[Operand], bool]

    def asked(self, a: DType, b: DType) -> DType | None:
        """Return the answer that `a` gives for itself and `b`, or None if it does not know."""
        place = self.order.index
        outside = place(by_name("float16")) + 1
        if a.weak != b.weak and max(place(a), place(b)) >= outside:
            return self.table[a, b] if a.weak else None
        return self.table[a, b] if place(a) >= place(b) else None

    def sort(self, items: Sequence[Classified]) -> list[Classified]:
        """Bring a dtype that knows the others to the front; leave out what changes nothing."""
        left: list[Classified | None] = [*sorted(items, key=lambda t: self.stays(t.operand))]
        length, partner, answer = len(left), None, None
        while length > 1:
            half = length // 2
            for low in range(half):
                high = length - 1 - low
                a, partner = cast("Classified", left[low]), cast("Classified", left[high])
                answer = self.asked(a.node, partner.node)
                if answer is None:
                    left[low], left[high] = partner, a
                elif answer is a.node:
                    left[high] = None
            length -= half
        rest = left[2:] if answer else left[1:]
        second = [partner] if answer else []
        return [t for t in (left[0], *second, *rest) if t is not None]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, first.node)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        answer = self.asked(state.main, item.node)
        if answer is None:
            pair = (state.main, item.node)
            raise NoJoinError(f"{pair[0]} and {pair[1]} have no common dtype in NumPy", pair)
        if state.has_met and answer is not state.node:
            answer = self.table.join(state.node, answer)
        return State(answer, state.main, has_met=True)

    def fold(self) -> Fold[DType]:
        """Return the join."""
        return Fold(self.table.nodes, self.step, start=self.start, order=self.sort)


OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"

# What ufuncs give for bfloat16 if ``np.result_type`` has no answer, or another one.
UFUNC_BFLOAT16 = {"f32": "u16 i16 f16 f*", "f64": "u32 u64 i32 i64"}


def coded(code: str) -> DType:
    """Return the dtype of a code; ``g`` and ``G`` are NumPy's for long doubles."""
    return by_name(_LONG[code]) if code in _LONG else from_code(code)


def own_table() -> Table[DType]:
    """Return the table of NumPy's own dtypes."""
    return Table.parse(TABLE, node=coded)


def knowing(table: Table[DType], stays: Callable[[Operand], bool]) -> Fold[DType]:
    """Return the join of any number of dtypes, as NumPy makes it.

    Args:
        table: the answers for pairs.
        stays: whether an operand comes after those for which it is False.
    """
    return Knowing(table, tuple(coded(code) for code in ORDER.split()), stays).fold()


Cells = dict[tuple[DType, DType], DType]


def _put(cells: Cells, a: str, b: str, answer: str) -> None:
    cells[coded(a), coded(b)] = cells[coded(b), coded(a)] = coded(answer)


def _cells(*, narrow_ints: bool = True) -> Cells:
    """Return the answers of ``np.promote_types``, and those with Python scalars.

    Args:
        narrow_ints: whether ml_dtypes' floats know its integers of under eight bits.
    """
    own: Table[str] = Table.parse(TABLE)
    cells: Cells = {}
    for a, b in product(own.nodes, repeat=2):
        _put(cells, a, b, cast("str", own[a, b]))
    for narrow, absorbed in ABSORBS.items():
        _put(cells, narrow, narrow, narrow)
        for other in absorbed.split():
            if narrow_ints or narrow in _INTS or other not in _INTS:
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


def build(*, ml_dtypes: MlDtypes = "0.6.0") -> PromotionSystem:
    """Return NumPy's rules, those of ``np.result_type``; functions join as its ufuncs do.

    Args:
        ml_dtypes: the release of ml_dtypes, which decides for its own dtypes.
    """
    cells = _cells(narrow_ints=ml_dtypes not in WITHOUT_NARROW_INTS)
    nodes = dict.fromkeys(a for a, _ in cells)
    shared = knowing(Table(nodes, cells), is_operand)
    for answer, others in UFUNC_BFLOAT16.items():
        for other in others.split():
            _put(cells, "bf16", other, answer)
    return PromotionSystem(
        "numpy",
        shared,
        classify=classify,
        settle=settle,
        functions=FUNCTIONS,
        operable=OPERABLE,
        function_join=knowing(Table(nodes, cells), is_operand),
        weak_arrays=False,
        refuse_int=_refuse_int,
        setting={"ml_dtypes": ml_dtypes},
        label="" if ml_dtypes == "0.6.0" else f"ml_dtypes {ml_dtypes}",
        version="2.4.6",
        releases=RELEASES,
        source="measured on np.promote_types; NEP 50; common_dtype.c",
        library=LIBRARY,
    )


def _refuse_int(value: int, d: DType, operands: Sequence[Operand], ints: str) -> str | None:
    if ints == "float":
        return None
    huge = not -(2**63) <= value < 2**63
    if ints == "64 bits":
        exact = d.kind in ("bool", "unsigned", "signed") or d.name == "bfloat16"
        return (
            f"{short(value)} does not fit 64 bits"
            if exact and not -(2**63) <= value < 2**64
            else None
        )
    beside_bool = ints == "compared" and any(x.dtype.kind == "bool" for x in operands)
    if huge and (ints == "int64" or d.name == "bfloat16" or beside_bool):
        return f"{short(value)} does not fit int64, and becomes an object"
    return fits(value, d) if ints in ("", "natural") else None


def is_operand(op: Operand) -> bool:
    """Tell whether an operand is not a dtype: np.result_type takes dtypes before them."""
    return op.form not in ("dtype", "type")


def classify(op: Operand, operands: Sequence[Operand] = ()) -> Classified:
    """Return what an operand is to NumPy: its dtype, but Python's classes are wide."""
    if op.form == "type" and op.dtype.weak:
        wide = coded(_DEFAULT[op.dtype.code or ""])
        return Classified(op, wide, f"Python's type, which NumPy treats as {wide}")
    return by_dtype(op, operands)


_DEFAULT = {"i*": "i64", "f*": "f64", "c*": "c128"}
_to_widths = ToWidths()


def settle(node: DType, taken: Sequence[Classified]) -> Settled:
    """Give weak results their default width, and an int alone one that holds it."""
    value: Any = taken[0].operand.value
    if len(taken) == 1 and type(value) is int and not -(2**63) <= value < 2**63:
        if 0 <= value < 2**64:
            return Settled(by_name("uint64"), False, "It is too large for int64, and alone.")
        raise NoJoinError("it does not fit any integer, and NumPy makes it an object; pass a float")
    return _to_widths(node, taken)

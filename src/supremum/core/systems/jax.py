"""JAX's rules: the lattice of its design document, with what JAX has added to it since.

Source: JEP 9407 for the lattice; ``jax/_src/dtypes.py`` of JAX 0.10.2 for narrow dtypes, strict
mode, and 64-bit types that are off. Confirmed against that release, every pair and triple.
Not modelled: extended dtypes such as PRNG keys, and ``jax_explicit_x64_dtypes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..dtype_names import by_name
from ..dtypes import CATALOGUE, DType
from ..errors import NoJoinError
from ..explanation import Settled, Taken
from ..libraries import Library
from ..operands import Operand
from ..promotion import fits
from ..rule_parts import Defaults
from ..system import PromotionSystem

LIBRARY = Library("JAX", ("jax", "jaxlib"), import_as=("jax.numpy", "jnp"), dtypes_in="numpy")

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

_TINY = " ".join(d.name for d in CATALOGUE.values() if d.kind == "float" and (d.bits or 16) < 16)

_SINE = "u64 i64: f64; bool integer: f32"
FUNCTIONS = f"""
    add, multiply, where, concat, iadd, diff, same, matmul, maximum, positive, conj =
    max, diagonal, eye = weak
    cross = weak; b: -
    ptp, kron, subtract, negative, round = b: -
    clip, floor = complex: -
    true_divide, sin, linspace, convolve, correlate, interp, cov, corrcoef = {_SINE}
    cholesky, det, matrix_rank, eig, eigh, qr, slogdet, svd, solve = {_SINE}
    eigvals = u64 i64: c128; bool integer: c64; f64: c128; float: c64
    eigvalsh, svdvals = {_SINE}; complex: part
    cbrt, fabs = {_SINE}; complex: -
    hypot = weak; {_SINE}; complex: -
    nextafter = {_SINE}; complex: -
    log2, log10, inv, pinv, mean = weak; {_SINE}
    median = weak; {_SINE}; complex: -
    floor_divide, remainder = b: i32; complex: -
    square = b: i32
    equal, less = weak signed float complex; *: b
    isfinite = weak float complex; *: b
    isnan = weak signed float complex; *: b
    isinf, logical_and, logical_not = *: b
    bitwise_and, invert = float complex: -
    left_shift = b: i32; float complex: -
    abs = complex: part
    sum, prod, trace, cumulative_sum = weak; bool signed: INT; unsigned: UINT
    cumulative_prod, cumsum, nancumsum, nancumprod = weak; b: INT
    std, norm, matrix_norm = weak; {_SINE}; complex: part
    norm_max = weak; complex: part
    vector_norm = weak; bool integer: FLOAT; complex: part
    angle = bool integer: FLOAT; complex: part
    norm_sum = weak; bool signed: INT; unsigned: UINT; complex: part
    argmax = weak; complex: -; *: INT
    searchsorted = *: i32
    unique = weak signed float
    copysign = {_SINE}; complex {_TINY}: -
    signbit = complex {_TINY}: -; *: b
    fft = u64 i64: c128; bool integer: c64; f64: c128; float: c64
    rfft = u64 i64: c128; bool integer: c64; f64: c128; f32: c64; float complex: -
    irfft = u64 i64: f64; bool integer: f32; c64: f32; c128: f64; f64: f64; float: f32
"""
# Powers, and functions that JAX builds from others, where strict mode shows.
POWERS = "power = whole; integral; weak float complex; b: i32"
STRICT_POWERS = f"""
    power = whole; weak float complex; b: i32
    trunc = default float; complex: -
    acosh = default complex; {_SINE}
"""
OPERABLE = (
    "b u8 u16 u32 u64 i8 i16 i32 i64 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu bf16 f16 f32 f64 "
    "c64 c128"
)

_NARROWED = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


class Widths(NamedTuple):
    """The widths of JAX's dtypes, with 64-bit types on or off."""

    x64: bool

    def canonical(self, d: DType) -> DType:
        """Return the dtype that JAX treats this one as."""
        return d if self.x64 else by_name(_NARROWED.get(d.name, d.name))

    def default(self, d: DType) -> DType:
        """Return the dtype of a weak value of this kind."""
        wide = {"bool": "bool", "signed": "int64", "unsigned": "uint64", "float": "float64"}
        return self.canonical(by_name(wide.get(d.kind, "complex128")))

    def own(self, op: Operand) -> DType:
        """Return what ``jax.dtypes.dtype`` says of an operand. JAX's arrays keep their dtype."""
        if op.dtype.weak:
            return self.default(op.dtype)
        made_by_jax = op.library == LIBRARY.title and op.form == "array"
        return op.dtype if made_by_jax else self.canonical(op.dtype)

    @property
    def defaults(self) -> Defaults:
        """The dtypes of what is made without one, and of indices."""
        names = ("int64", "float64", "complex128", "int64")
        return Defaults(*(self.canonical(by_name(name)) for name in names))


class Classify(NamedTuple):
    """What an operand is to JAX: a weak one is its weak dtype, unless all are weak.

    Functions read an object of a class derived from a Python number as that number; result_type
    reads it as NumPy does.
    """

    widths: Widths
    strict: bool
    of_functions: bool = False

    def __call__(self, op: Operand, operands: Sequence[Operand]) -> Taken:
        """Return what one of some operands is treated as."""
        if self.of_functions and any(x.form == "Python subclass" for x in operands):
            operands = [_as_number(x) for x in operands]
            return self(_as_number(op), operands)._replace(operand=op)
        # if all are weak, their own dtypes are joined; for Python scalars it is all the same
        by_width = all(x.weak for x in operands) and (not self.strict or len(operands) == 1)
        by_width = by_width and any(
            self.widths.own(x) is not self.widths.default(x.weak_dtype) for x in operands
        )
        node = op.weak_dtype if op.weak and not by_width else self.widths.own(op)
        narrowed = "" if node is op.dtype or node.weak else f", treated as {node}"
        return Taken(op, node, op.describe() + narrowed)


class SettleWeak(NamedTuple):
    """What becomes of a node: weak ones get their default width, 64 bits may be off."""

    widths: Widths

    def __call__(self, node: DType, taken: Sequence[Taken]) -> Settled:
        """Return what becomes of a node."""
        operands = [t.operand for t in taken]
        if node.weak or all(op.weak for op in operands):
            if node.kind in ("signed", "unsigned") and (node.bits or 8) < 8:
                raise NoJoinError(f"JAX fails on a weak {node}, which has no default width")
            result = self.widths.default(node)
            what = str(node) if node.weak else f"Every operand is weak, so {node}"
            why = f"{what} is weak, and its default width is {result}."
            return Settled(result, node.kind != "bool", why)
        narrow = self.widths.canonical(node)
        if narrow is node or len(set(map(self.widths.own, operands))) == 1:
            return Settled(node)
        return Settled(narrow, False, f"{node} becomes {narrow}, because x64 is off.")


class RefuseInt(NamedTuple):
    """Why a function does not take a Python int: it must fit the default integer."""

    default: DType

    def __call__(self, value: int, *_: object) -> str | None:
        """Return the reason, or None."""
        return fits(value, self.default)


def build(*, x64: bool = True, mode: Literal["standard", "strict"] = "standard") -> PromotionSystem:
    """Return JAX's rules.

    Args:
        x64: whether 64-bit types are on (``jax_enable_x64``). JAX itself starts with them off.
        mode: ``"strict"`` joins with Python scalars alone (``jax_numpy_dtype_promotion``).
    """
    strict = mode == "strict"
    widths = Widths(x64)
    arrows = ARROWS if x64 else ARROWS.replace(_WIDE_ARROW, _NARROW_ARROW)
    return PromotionSystem.from_lattice(
        (STRICT_ARROWS if strict else arrows) + NARROW_ARROWS,
        "jax",
        classify=Classify(widths, strict),
        function_classify=Classify(widths, strict, of_functions=True),
        settle=SettleWeak(widths),
        functions=f"{FUNCTIONS}\n{STRICT_POWERS if strict else POWERS}",
        operable=OPERABLE,
        defaults=widths.defaults,
        refuse_int=RefuseInt(widths.defaults.int),
        advise=_advise_strict if strict else _advise,
        setting={"x64": x64, "mode": mode},
        label=f"x64 {'on' if x64 else 'off'}{', strict' if strict else ''}",
        version="0.10.2",
        source="JEP 9407; jax/_src/dtypes.py",
        library=LIBRARY,
    )


def _as_number(op: Operand) -> Operand:
    is_derived = op.form == "Python subclass"
    return op._replace(dtype=op.weak_dtype, weak=True, form="Python scalar") if is_derived else op


def _advise_strict(_: Sequence[DType]) -> str:
    return "strict mode joins a dtype only with itself and with Python scalars of its kind"


def _advise(nodes: Sequence[DType]) -> str | None:
    if any(n.kind == "float" and (n.bits or 0) <= 8 and not n.weak for n in nodes):
        return "floats of 8 bits and fewer join only with bool, int8 or wider, and Python scalars"
    if any(not n.weak and n.kind != "bool" and (n.bits or 0) < 8 for n in nodes):
        return "integers under 8 bits join only with bool and Python's bool and int"
    return None

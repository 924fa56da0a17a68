"""JAX's rules: the lattice of its design document, with what JAX has added to it since.

Source: JEP 9407 for the lattice; ``jax/_src/dtypes.py`` of JAX 0.10.2 for narrow dtypes, strict
mode, and 64-bit types that are off. Confirmed against the releases below, every pair and triple.
Until 0.7.1 JAX joined 64-bit types as they are, and narrowed what came of that if they are off.
The rules of functions are those of 0.10.2 in every version.

With 64-bit types off, ``jax_explicit_x64_dtypes``, which is new in 0.8, says what becomes of those
that a program asks for all the same: by ``dtype=``, ``astype``, ``jnp.int64(x)``, or a dtype as an
operand; and what JAX's arrays of 64 bits join to beside others. They are narrowed with a warning,
refused, or kept, and 0.10.2 fails on those that it has kept in some functions. In all three NumPy's
arrays, Python's numbers and default dtypes are narrow, and uint32 joins int32 in int32.

Not modelled: extended dtypes such as PRNG keys; ``jnp.int64`` itself as an operand, which is
narrowed where ``np.int64`` is refused or kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

from ..common_steps import Advice, MustFit
from ..dtypes import CATALOGUE, DType, by_name, from_code
from ..errors import NoJoinError
from ..function_rules import (
    Call,
    Defaults,
    FunctionRule,
    Special,
    parse_rules,
    special_rules,
)
from ..hints import cast_first
from ..lattice import Lattice
from ..libraries import ASTYPE, Library
from ..operands import Operand
from ..steps import Classified, Settled
from ..system import PromotionSystem

# Those that were measured, newest first, and those that join 64-bit types before they narrow them.
Version = Literal[
    "0.10.2", "0.9.2", "0.8.3", "0.7.2", "0.7.1", "0.7.0", "0.6.2", "0.5.3", "0.4.35"
]  # fmt: skip
RELEASES: tuple[str, ...] = get_args(Version)
NARROWED_LAST = ("0.7.1", "0.7.0", "0.6.2", "0.5.3", "0.4.35")
WITHOUT_EXPLICIT = ("0.7.2", *NARROWED_LAST)

Explicit = Literal["warn", "error", "allow"]


def _as_set(module: Any) -> str:
    config = module.config
    x64 = bool(config.jax_enable_x64)
    explicit = None if x64 else getattr(config, "jax_explicit_x64_dtypes", None)  # since 0.8
    return _setting(x64, explicit)


@cache
def _setting(x64: bool, explicit: Any) -> str:
    """Return the rules with 64-bit types, or without and what becomes of them."""
    said = "" if explicit is None else f",explicit_x64={explicit.name.lower()}"
    return f"jax:x64={x64}{said}"


def _as_said() -> dict[str, Any]:
    said = os.environ.get("JAX_ENABLE_X64", "").lower()
    return {"x64": said in ("y", "yes", "t", "true", "on", "1")} if said else {}


def _at_hand(array: Any) -> Any:
    is_traced = type(array).__module__.startswith("jax.")  # a shape with a dtype holds no data
    if is_traced or not getattr(array, "is_fully_addressable", False):
        return None
    on_cpu = all(device.platform == "cpu" for device in array.devices())
    return sys.modules["numpy"].asarray(array) if on_cpu else None


LIBRARY = Library(
    "JAX",
    ("jax", "jaxlib"),
    import_as=("jax.numpy", "jnp"),
    dtypes_in="numpy",
    unmade=(("arange", "bool"),),
    indices_of=(("choose", "unsigned signed"),),
    unfit_ints=("made", "negative"),
    refuses_flat_axes=True,
    lacks_parameters=("a_min", "a_max", "softmax dtype", "log_softmax dtype"),
    array_class="jax:Array",
    cast=ASTYPE,
    names_own_dtype=True,
    multiplies_powers=True,
    updates="at",
    clamps_indices=True,
    index_lists=False,
    other_classes=(("PjitFunction", "compiled"), ("Tracer", "traced")),
    at_hand=_at_hand,
    devices=(("tpu", "x64=false"),),
    rules_as_set=_as_set,
    as_installed=(("x64", False),),
    as_said=_as_said,
)

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
_REAL_SINE = f"{_SINE}; complex: -"
_SUMS = "bool signed: INT; unsigned: UINT"
_REAL = "bool integer f16 f32 f64"
_TRANSFORMED = "u64 i64: c128; bool integer: c64; f64: c128; float: c64"
FUNCTIONS = f"""
    add, multiply, maximum, minimum, fmax, fmin, outer, linalg.outer, matrix_power, where =
    matmul, vecdot, dot, vdot, inner, tensordot, matvec, vecmat, einsum,
    multi_dot = default integer float complex
    polymul, polydiv[1] = {_SINE}
    polydiv[0] = weak; {_SINE}
    polyval, choose = weak
    subtract, kron, polyadd, polysub = b: -
    cross, linalg.cross = weak; b: -
    true_divide, float_power, atan2, convolve, correlate = {_SINE}
    nextafter = {_REAL_SINE}
    copysign = {_SINE}; complex {_TINY}: -
    floor_divide, remainder, fmod, divmod[0], divmod[1] = b: i32; complex: -
    left_shift, right_shift = b: i32; float complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    equal, not_equal, less, less_equal, greater, greater_equal = weak signed float complex; *: b
    logical_and, logical_or, logical_xor, isclose, isin = *: b
    select = b: -
    clip = complex: -

    positive, conj =
    negative, sign, round = b: -
    abs, real, imag = complex: part
    invert = float complex: -
    square = b: i32
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, atanh, exp, exp2, expm1, log,
    log1p, sqrt, reciprocal = {_SINE}
    log2, log10 = weak; {_SINE}
    cbrt, fabs, i0 = {_REAL_SINE}
    spacing, frexp[0] = weak; {_SINE}; complex {_TINY}: -
    frexp[1] = weak; complex {_TINY}: -; *: i32
    rint = weak float complex; bool integer: FLOAT
    floor, ceil = complex: -
    isfinite = weak float complex; *: b
    isnan = weak integer float complex; *: b
    isinf, logical_not, iscomplex, isreal, all, any = *: b
    isneginf, isposinf = complex: -; *: b
    signbit = complex {_TINY}: -; *: b
    bitwise_count = weak; float complex: -; *: u8

    sum, prod, nansum, nanprod, trace, cumulative_sum = weak; {_SUMS}
    cumulative_prod, cumsum, nancumsum, nancumprod = weak; b: INT
    mean, nanmean, average, trapezoid, cov, corrcoef, polyder = weak; {_SINE}
    gradient = default integer float complex; {_SINE}
    median, nanmedian, quantile, nanquantile, percentile,
    nanpercentile = default integer float; weak; {_REAL_SINE}
    std, var, nanstd, nanvar = weak; {_SINE}; complex: part
    max, min, nanmax, nanmin, maximum.reduce, minimum.reduce = weak
    ptp = weak; b: -
    logical_and.reduce, logical_or.reduce, logical_xor.reduce = *: b
    bitwise_and.reduce, bitwise_or.reduce, bitwise_xor.reduce = weak; float complex: -
    logaddexp.reduce = weak; {_SINE}
    nan_to_num = weak integer
    ediff1d = b: -
    argmax, argmin, nanargmax, nanargmin = weak; complex: -; *: INT
    argsort, count_nonzero = weak; *: INT
    lexsort = only 1; weak; *: INT
    argpartition = bool complex: -; *: i32
    searchsorted, digitize = weak; *: i32

    concat, stack, hstack, vstack, dstack, column_stack, block, append =
    union1d, intersect1d, setxor1d = weak integer float
    insert, meshgrid[0], broadcast_arrays[0] = only 1

    cholesky, det, eigh[1], qr[0], qr[1], svd[0], svd[2], solve = {_SINE}
    inv, pinv, slogdet[0], tensorinv, lstsq[0] = weak; {_SINE}
    eigvals, eig[0], eig[1] = {_TRANSFORMED}
    eigvalsh, eigh[0], svdvals, svd[1], cond, lstsq[3] = {_SINE}; complex: part
    slogdet[1], lstsq[1] = weak; {_SINE}; complex: part
    matrix_rank, lstsq[2] = weak; *: INT
    matrix_norm = weak; {_SINE}; complex: part
    norm_max = weak; complex: part
    norm_sum = weak; {_SUMS}; complex: part
    vander = weak; b: -
    histogram[0], histogram[1], histogram_bin_edges = weak; {_SINE}

    fft, ifft, fft2, ifft2, fftn, ifftn, sort_complex = weak; {_TRANSFORMED}
    rfft, rfft2, rfftn, ihfft = weak; u64 i64: c128; bool integer: c64; f64: c128; f32: c64;
    float complex: -
    irfft, irfft2, irfftn, hfft = weak; u64 i64: f64; bool integer: f32; c64: f32; c128: f64;
    f64: f64; float: f32

    same, ravel, reshape, squeeze, expand_dims, transpose, matrix_transpose, permute_dims,
    swapaxes, moveaxis, rollaxis, broadcast_to, atleast_1d, atleast_2d, atleast_3d, flip, fliplr,
    flipud, rot90, roll, repeat, tile, pad, resize, copy, sort, take, take_along_axis, compress,
    extract, trim_zeros, triu, tril, unstack, array_split[0], split[0], hsplit[0], vsplit[0],
    dsplit[0], fftshift, ifftshift, zeros_like, ones_like, empty_like, full, full_like, asarray,
    array =
    arange = default integer float; weak; bool complex: -
    diagonal, linalg.diagonal, diagflat = weak
    unique, unique_all[0], unique_counts[0], unique_inverse[0] = weak integer float
    unique_all[1], unique_all[2], unique_all[3], unique_counts[1], unique_inverse[1], nonzero,
    flatnonzero, argwhere = weak; *: INT
    bincount = weak; float complex: -; *: INT
    packbits = weak; float complex: -; *: u8
    unpackbits = weak; bool signed float complex u16 u32 u64: -

    zeros, ones, empty, eye, identity, fftfreq, rfftfreq, hanning, hamming, blackman, bartlett,
    kaiser = weak; *: FLOAT
    tri = *: f32
    indices[0], tril_indices[0], triu_indices[0], diag_indices[0] = weak; *: INT
    unravel_index = default integer; b: INT; complex: -
    linspace, logspace, geomspace = default integer float complex; weak; {_SINE}
    iadd =

    # jax.nn, jax.scipy.special and jax.lax
    sigmoid = bool integer: -
    gelu = weak; {_SINE}
    softmax = weak; b: -; {_SINE}
    logsumexp, logmeanexp = weak; {_SINE}
    one_hot = weak; b: -; *: FLOAT
    stop_gradient =
    erf, erfc, erfinv, lgamma, digamma, i0e, i1, i1e, zeta = {_REAL_SINE}
    xlogy, xlog1py = {_SINE}
    expi = weak; {_REAL_SINE}
    gammasgn = weak; complex {_TINY}: -; {_SINE}
    ndtr, ndtri, log_ndtr, spence = weak; bool integer complex bf16 f16 {_TINY}: -
"""
# What else becomes of 64-bit arrays that a program asked for while x64 is off: sums keep them, and
# JAX 0.10.2 fails on others; in strict mode there are more of these.
KEPT = """
    softmax, log_softmax = i64: -
    ndtr, log_ndtr = f64: -
    exp1, expi = u64 i64 f64: -
    gammasgn = u64 i64 f64: f32
    sum, prod, nansum, nanprod, trace, cumulative_sum, norm_sum = u64: u64; i64: i64
    vector_norm = u64 i64: f64
    log10, geomspace = u64 i64 f64 c128: -
    argmax, argmin, nanargmax, nanargmin, frexp[0], frexp[1] = u64 i64 f64: -
    min, nanmin, minimum.reduce, ptp, histogram_bin_edges = u64 i64: -
    max, nanmax, maximum.reduce, bincount = i64: -
    bitwise_and.reduce = u64: -
"""
STRICT_KEPT = """
    ndtri = f64: -
    gelu = u64 i64 f64 c128: -
    matrix_rank, pinv, nanstd, nanvar = u64 i64 f64 c128: -
    nanmax, nanmin, nanmean, nanprod, nansum = f64 c128: -
    spacing = u64 i64 f64: -
"""
_PRODUCTS = (
    "matmul", "vecdot", "dot", "vdot", "inner", "tensordot", "matvec", "vecmat", "einsum",
    "multi_dot",
)  # fmt: skip
# Powers, and functions that JAX builds from others, in which strict mode shows.
POWERS = f"""
    trunc = complex: -
    acosh = {_SINE}
    modf[0], modf[1] = {_REAL_SINE}
    unwrap = default integer float; weak; bool integer: FLOAT; complex: -
    logaddexp2.reduce = default float complex; weak; bool integer: FLOAT
    diff, delete =
    subtract.reduce = weak; b: -
    polyint = default integer; weak; bool: FLOAT; {_SINE}
    norm = weak; {_SINE}; complex: part
    vector_norm = weak; bool integer: FLOAT; complex: part
"""
# Functions with constants, which are weak if what they meet is a number or like one: a weak 0-d
# array of the default width. Those of heaviside meet its first operand; those of logaddexp are
# complex.
_CONSTANTS = f"""
    deg2rad, radians, rad2deg, degrees, sinc, logaddexp2 = {_SINE}
    hypot = {_REAL_SINE}
    gcd, lcm = bool float complex: -
"""
# Functions that jax.nn and jax.scipy.special build with Python's numbers, which show in weak
# arrays, in bools, and in strict mode. In the first of them, what becomes a default dtype is weak.
_MADE_WEAK = f"""
    relu6, elu, selu, celu, leaky_relu, hardsigmoid, hardswish,
    sparse_plus = default float complex; bool integer: FLOAT
    sparse_sigmoid = default float; bool integer: FLOAT; complex: -
    softsign = default integer; b: FLOAT; {_SINE}
    polygamma = default integer; b: FLOAT; {_REAL_SINE}
"""
_SOFTENED = f"""
    mish, softplus = default integer; b: FLOAT; {_SINE}
    logsigmoid = default integer; b: -; {_SINE}
"""
_OF_NUMBERS = f"""
    silu, glu = bool integer: -
    log_softmax = weak; b: -; {_SINE}
    log1mexp = b: -; {_SINE}
    squareplus = default integer; {_SINE}
    standardize = weak; {_REAL_SINE}
    erfcx = weak; {_SINE}
    entr, factorial = {_REAL_SINE}
    exp1 = weak; {_REAL_SINE}
    mvlgamma = default integer; weak; b: FLOAT; {_REAL_SINE}
    gamma = weak; {_TINY}: -; {_SINE}
"""
# In strict mode erfcx, entr and gamma are not modelled: weak arrays of one width they take, and
# those of another they do not.
_STRICT_OF_NUMBERS = f"""
    silu, glu = default float complex; bool integer: -
    log_softmax = weak; bool integer: -
    standardize = weak; bool integer complex: -
    factorial = default integer float; {_REAL_SINE}
    exp1 = default integer float; weak; {_REAL_SINE}
    polygamma = default integer float; b: -; {_REAL_SINE}
    mvlgamma = default integer float; weak; b: -; {_REAL_SINE}
"""
_STRICT_WEAK_INTEGERS = """
    relu6, elu, selu, celu, leaky_relu, hardsigmoid, hardswish, log1mexp, sparse_plus,
    squareplus = default integer float complex; bool integer: FLOAT
    sparse_sigmoid = default integer float; bool integer: FLOAT; complex: -
"""
_STRICT_WEAK_COMPLEX = f"softsign = default integer float complex; b: -; {_SINE}"
_STRICT_SOFTENED = f"""
    mish = default integer float complex; bool integer: FLOAT
    softplus, logsigmoid = default integer float complex; b: -; {_SINE}
"""
# Powers, where an int after the first operand does not join, whoever it is of.
POWER = "power = ints natural; weak float complex; b: i32"
_WIDE = "default integer float complex"
STRICT_POWERS = f"""
    trunc = default float; complex: -
    acosh = default complex; {_SINE}
    modf[0], modf[1] = default integer float; {_REAL_SINE}
    polyint = {_WIDE}; weak; b: -; {_SINE}
    norm = {_WIDE}; weak; {_SINE}; complex: part
    vector_norm = default float complex; weak; bool integer: FLOAT; complex: part
"""
OPERABLE = (
    "b u8 u16 u32 u64 i8 i16 i32 i64 float4_e2m1fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz "
    "float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu bf16 f16 f32 f64 "
    "c64 c128"
)

# Why there is no join: of narrow floats, of narrow integers, and in strict mode of anything.
_NARROW_JOINS = "join only with bool, int8 or wider, and Python scalars"
ADVICE = Advice((
    (_TINY, f"floats of 8 bits and fewer {_NARROW_JOINS}"),
    ("u1 u2 u4 i1 i2 i4", "integers under 8 bits join only with bool and Python's bool and int"),
))  # fmt: skip
STRICT_ADVICE = Advice(
    (("*", "strict mode joins a dtype only with itself and with Python scalars of its kind"),)
)

_NARROWED = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


class Widths(NamedTuple):
    """The widths of JAX's dtypes, with 64-bit types on or off.

    Attributes:
        x64: whether they are on.
        narrowed_last: whether dtypes are narrowed, if they are off, after they have joined.
        explicit: what becomes of those that are asked for by name, if they are off.
    """

    x64: bool
    narrowed_last: bool = False
    explicit: Explicit = "warn"

    def canonical(self, d: DType) -> DType:
        """Return the dtype that JAX treats this one as."""
        return d if self.x64 else by_name(_NARROWED.get(d.name, d.name))

    def requested(self, d: DType) -> DType:
        """Return the dtype that a program gets that asks for this one.

        Raises:
            NoJoinError: if it is refused.
        """
        narrow = self.canonical(d)
        if self.explicit == "allow" or narrow is d:
            return d
        if self.explicit == "error":
            raise NoJoinError(f"x64 is off, and JAX is set to refuse {d}; take {narrow}")
        return narrow

    def default(self, d: DType) -> DType:
        """Return the dtype of a weak value of this kind."""
        wide = {"bool": "bool", "signed": "int64", "unsigned": "uint64", "float": "float64"}
        return self.canonical(by_name(wide.get(d.kind, "complex128")))

    def settled(self, node: DType, what: str) -> Settled:
        """Return what becomes of a weak node, which the reason calls `what`."""
        result = self.default(node)
        why = f"{what} is weak, and its default width is {result}."
        return Settled(result, node.kind != "bool", why)

    def own(self, op: Operand) -> DType:
        """Return what ``jax.dtypes.dtype`` says of an operand. JAX's arrays keep their dtype."""
        if op.dtype.weak:
            return self.default(op.dtype)
        if op.form == "dtype":
            return op.dtype if self.narrowed_last else self.requested(op.dtype)
        made_by_jax = op.library == LIBRARY.title and op.form == "array"
        return op.dtype if made_by_jax or self.narrowed_last else self.canonical(op.dtype)

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

    def __call__(self, op: Operand, operands: Sequence[Operand]) -> Classified:
        """Return what one of some operands is treated as."""
        if self.of_functions:
            self._refuse_unlike(op)
        if self.of_functions and any(x.form == "Python subclass" for x in operands):
            operands = [_as_number(x) for x in operands]
            return self(_as_number(op), operands)._replace(operand=op)
        # if all are weak, their own dtypes are joined; for Python scalars it is alike
        by_width = all(x.weak for x in operands) and (not self.strict or len(operands) == 1)
        by_width = by_width and any(
            self.widths.own(x) is not self.widths.default(x.weak_dtype) for x in operands
        )
        node = op.weak_dtype if op.weak and not by_width else self.widths.own(op)
        narrowed = "" if node is op.dtype or node.weak else f", treated as {node}"
        return Classified(op, node, op.describe() + narrowed)

    def _refuse_unlike(self, op: Operand) -> None:
        """Refuse arrays that JAX's functions do not take, or not all of them alike."""
        if op.swapped:
            raise NoJoinError(
                f"JAX does not take {op.text} in the byte order of another machine; convert it "
                "first, with x.astype(x.dtype.newbyteorder('='))"
            )
        is_older = op.library == LIBRARY.title and op.form == "array"
        may_be_wide = self.widths.x64 or (self.widths.explicit == "allow" and not op.weak)
        if is_older and not may_be_wide and op.dtype.name in _NARROWED:
            verb = "refuse" if self.widths.explicit == "error" else "narrow"
            raise NoJoinError(
                f"{op.text} was made while x64 was on, and now some functions {verb} it and others "
                f"do not; cast to {_NARROWED[op.dtype.name]} first"
            )


class SettleWeak(NamedTuple):
    """What becomes of a node: weak ones get their default width, 64 bits may be off."""

    widths: Widths

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        operands = [x.operand for x in classified]
        if node.weak or all(op.weak for op in operands):
            if node.kind in ("signed", "unsigned") and (node.bits or 8) < 8:
                raise NoJoinError(f"JAX fails on a weak {node}, which has no default width")
            what = str(node) if node.weak else f"Every operand is weak, so {node}"
            if len(operands) > 1 and not node.weak:
                self.widths.requested(node)
            return self.widths.settled(node, what)
        is_kept = not self.widths.narrowed_last and len(set(map(self.widths.own, operands))) == 1
        narrow = node if is_kept else self.widths.requested(node)
        if narrow is node:
            return Settled(node)
        return Settled(narrow, False, f"{node} becomes {narrow}, because x64 is off.")


def _is_like_number(call: Call, *others: Classified) -> bool:
    """Return whether operands are weak, 0-d and of the default width, once joined."""
    is_default = call.becomes(call.joined) in call.defaults
    return call.settled.weak and is_default and all(x.operand.rank == 0 for x in others)


def _all_like_numbers(call: Call) -> bool:
    return _is_like_number(call, *call.classified)


def _first_like_number(call: Call) -> bool:
    return _is_like_number(call, call.classified[0])


def _like_numbers_if_complex(call: Call) -> bool | None:
    return _all_like_numbers(call) if call.joined.kind == "complex" else None


def _weak_if_default(call: Call) -> bool | None:
    """Return that what the rule gives a default dtype is weak."""
    return True if call.rule.becomes_default(call.joined) else None


def _softened(call: Call) -> bool | None:
    """Return whether a result of logaddexp with a Python number is weak."""
    is_made = call.rule.becomes_default(call.joined)
    return True if is_made else _like_numbers_if_complex(call)


_WHOLE = ("bool", "unsigned", "signed")


def _not_strong(call: Call, kinds: Sequence[str]) -> DType:
    """Return what becomes of a dtype, which of some kinds must be weak."""
    if call.joined.kind in kinds and not call.settled.weak:
        raise NoJoinError(
            f"{call.name} does not take {call.joined} in strict mode; cast to float32 first"
        )
    return call.becomes(call.joined)


def _of_weak_integers(call: Call) -> DType:
    return _not_strong(call, _WHOLE)


def _of_weak_complex(call: Call) -> DType:
    return _not_strong(call, ("complex",))


def _of_maximum(call: Call) -> DType:
    """Return what becomes of a dtype beside a Python number: weak integers are signed."""
    is_weak = call.settled.weak and call.joined.kind == "unsigned"
    return call.defaults.int if is_weak else call.becomes(call.joined)


def _of_one_dtype(call: Call) -> DType:
    """Return the dtype of arrays that have the same, whether they are weak or not."""
    is_wide = call.defaults.int.bits == 64
    own = {
        x.operand.dtype.name
        if is_wide or x.operand.library == LIBRARY.title
        else _NARROWED.get(x.operand.dtype.name, x.operand.dtype.name)
        for x in call.classified
    }
    if len(own) > 1:
        raise NoJoinError(f"{call.name} takes operands of one dtype{cast_first(call.joined)}")
    return by_name(own.pop())


def _interpolated(call: Call) -> DType:
    """Return what interp gives, whose places join before they become floats."""
    if len({x.operand.dtype.name for x in call.classified[:2]}) > 1:
        what = "interp of places of two dtypes depends on both"
        raise NoJoinError(f"{what}{cast_first(call.joined)}")
    return call.becomes(call.joined)


def _of_softened(call: Call) -> DType:
    return _of_weak_integers(call) if call.name == "mish" else call.becomes(call.joined)


def _by_dimensions(call: Call) -> DType:
    """Return what angle gives: floats keep their dtype, if they have dimensions."""
    rank = call.classified[0].operand.rank
    if call.joined.kind != "float" or rank:
        return call.becomes(call.joined)
    if rank is None:
        raise NoJoinError(
            "angle of a float is of the default width without dimensions, and keeps its dtype with "
            "some; take it of a complex number"
        )
    return call.defaults.float


def _weak_by_dimensions(call: Call) -> bool | None:
    is_float = call.joined.kind == "float"
    return call.settled.weak and bool(call.classified[0].operand.rank) if is_float else None


def _as_weak_as_vector(call: Call) -> bool | None:
    rank = call.classified[0].operand.rank
    if call.settled.weak and rank is None:
        raise NoJoinError("diag of a weak array of unknown rank may be weak or not")
    return False if rank == 2 else None


_OF_DEFAULT_WIDTH = "without dimensions and of the default width"
_SPECIALS = {
    **special_rules(
        Special(f"the result is weak beside weak operands {_OF_DEFAULT_WIDTH} alone",
                keeps_weak=_all_like_numbers), f"{_CONSTANTS}\n    logit = {_SINE}"),
    **special_rules(
        Special(f"the result is weak if the first operand joins to one {_OF_DEFAULT_WIDTH}",
                keeps_weak=_first_like_number), f"heaviside = {_REAL_SINE}"),
    **special_rules(
        Special(f"a complex result is weak beside weak operands {_OF_DEFAULT_WIDTH} alone",
                keeps_weak=_like_numbers_if_complex), f"logaddexp = {_SINE}"),
    **special_rules(
        Special("of arrays of one dtype", result=_of_one_dtype), "lax.select = arrays all"),
    **special_rules(
        Special("a float without dimensions takes the default width",
                result=_by_dimensions, keeps_weak=_weak_by_dimensions),
        "angle = weak complex; bool integer: FLOAT; complex: part"),
}  # fmt: skip
_STANDARD_OF_NUMBERS = {
    **parse_rules(_OF_NUMBERS),
    **special_rules(
        Special("not of places of two dtypes", result=_interpolated),
        f"interp = weak; apart; takes {_REAL}, {_REAL}, {_REAL} bf16 complex; {_SINE}"),
    **special_rules(
        Special("weak integers are signed, and what becomes a default dtype is weak",
                result=_of_maximum, keeps_weak=_weak_if_default),
        "relu, hardtanh = default integer; b: INT"),
    **special_rules(
        Special("what becomes a default dtype is weak", keeps_weak=_weak_if_default), _MADE_WEAK),
    **special_rules(
        Special("what becomes a default dtype is weak, and a complex result beside weak operands "
                f"{_OF_DEFAULT_WIDTH} alone", keeps_weak=_softened), _SOFTENED),
}  # fmt: skip
_IN_STRICT_MODE = {
    **parse_rules(_STRICT_OF_NUMBERS),
    **special_rules(
        Special("weak integers are signed", result=_of_maximum),
        "relu, hardtanh = default integer float complex; b: -"),
    **special_rules(
        Special("integers are weak", result=_of_weak_integers), _STRICT_WEAK_INTEGERS),
    **special_rules(
        Special("complex numbers are weak", result=_of_weak_complex), _STRICT_WEAK_COMPLEX),
    **special_rules(
        Special(f"a complex result is weak beside weak operands {_OF_DEFAULT_WIDTH} alone",
                result=_of_softened, keeps_weak=_like_numbers_if_complex), _STRICT_SOFTENED),
}  # fmt: skip
_DIAGONAL = special_rules(  # strict mode gives some the default width
    Special("the diagonal of a matrix is not weak", keeps_weak=_as_weak_as_vector), "diag ="
)


def _without_exponent(operands: list[Operand]) -> list[Operand]:
    return operands[:1] if operands[-1].is_whole else operands


def _joining_power(operands: list[Operand]) -> list[Operand]:
    base, exponent = operands
    is_weak_inexact = base.weak and base.dtype.kind in ("float", "complex")
    if not exponent.is_whole and is_weak_inexact and exponent.dtype.kind in ("unsigned", "signed"):
        return [base._replace(weak=exponent.weak)]
    return _without_exponent(operands)


def _weak_as_base(call: Call) -> bool | None:
    return call.settled.weak if len(call.classified) == 1 else None


_POWER = Special(
    "an int after the first operand does not join, nor do integers after a weakly typed float",
    select=_joining_power,
    keeps_weak=_weak_as_base,
)
_STRICT_POWER = Special(
    "an int after the first operand does not join",
    select=_without_exponent,
    keeps_weak=_weak_as_base,
)


def build(
    *,
    x64: bool = True,
    mode: Literal["standard", "strict"] = "standard",
    explicit_x64: Explicit = "warn",
    version: Version = "0.10.2",
) -> PromotionSystem:
    """Return JAX's rules.

    Args:
        x64: whether 64-bit types are on (``jax_enable_x64``). JAX itself starts with them off.
        mode: ``"strict"`` joins with Python scalars alone (``jax_numpy_dtype_promotion``).
        explicit_x64: whether 64-bit dtypes that are asked for are narrowed with a warning, are
            refused, or allowed, with 64-bit types off (``jax_explicit_x64_dtypes``). Releases
            before 0.8 do not have the option, and their rules ignore it.
        version: the release of JAX; it matters for ``result_type`` with 64-bit types off.
    """
    strict, last = mode == "strict", version in NARROWED_LAST
    has_choice = not x64 and version not in WITHOUT_EXPLICIT
    explicit: Explicit = explicit_x64 if has_choice else "warn"
    widths = Widths(x64, narrowed_last=last, explicit=explicit)
    differs = last and not x64 and not strict
    return PromotionSystem(
        "jax",
        _lattice(wide=x64 or last, strict=strict),
        classify=Classify(widths, strict),
        function_join=_lattice(wide=x64, strict=strict) if differs else None,
        function_classify=Classify(Widths(x64, explicit=explicit), strict, of_functions=True),
        settle=SettleWeak(widths),
        functions=_functions(strict=strict, allowed=explicit == "allow"),
        operable=OPERABLE,
        defaults=widths.defaults,
        refuse_int=MustFit(widths.defaults.int),
        advise=STRICT_ADVICE if strict else ADVICE,
        label=_label(x64=x64, explicit=explicit, strict=strict, version=version),
        version=version,
        releases=RELEASES if x64 else _alike(version, explicit),
        source="JEP 9407; jax/_src/dtypes.py",
    )


def _not_narrower(call: Call) -> DType:
    """Return what a product of arrays gives, which is no narrower than a weak operand of its kind.

    Raises:
        NoJoinError: if it is.
    """
    made = call.becomes(call.joined)
    is_multiplied = call.name == "inner" and any(x.operand.rank == 0 for x in call.classified)
    defaults = {"int*": call.defaults.int, "complex*": call.defaults.complex}
    for x in () if is_multiplied or call.settled.weak else call.classified:
        own = defaults.get(x.operand.dtype.name, x.operand.dtype)
        kinds = {own.kind, made.kind}
        is_alike = kinds <= {"unsigned", "signed"} or kinds == {"complex"}
        if x.operand.weak and is_alike and (own.bits or 0) > (made.bits or 0):
            raise NoJoinError(
                f"{call.name} of {x.operand.text}, which is weak and of {own}, does not give "
                f"{made}; cast to {made} first"
            )
    return made


_PRODUCT = Special("not of a weak operand that is wider", result=_not_narrower)


def _not_of_mixed_signs(call: Call) -> DType:
    if call.settled.weak and not any(x.operand.weak for x in call.classified):
        raise NoJoinError(
            f"JAX fails on a {call.name} of uint64 and signed integers while x64 is off; cast both "
            "to float32 first"
        )
    return _not_narrower(call)


def _functions(*, strict: bool, allowed: bool) -> dict[str, FunctionRule]:
    """Return the rules of functions; 64-bit arrays may be allowed while x64 is off."""
    found = {
        **parse_rules(f"{FUNCTIONS}\n{STRICT_POWERS if strict else POWERS}"),
        **special_rules(_STRICT_POWER if strict else _POWER, POWER),
        **_SPECIALS,
        **(_IN_STRICT_MODE if strict else {**_DIAGONAL, **_STANDARD_OF_NUMBERS}),
    }
    mixed = Special("not of uint64 and signed integers", result=_not_of_mixed_signs)
    special = mixed if allowed else _PRODUCT
    found.update({name: found[name]._replace(special=special) for name in _PRODUCTS})
    if not allowed:
        return found
    for text in (KEPT, STRICT_KEPT) if strict else (KEPT,):
        for name, rule in parse_rules(text).items():
            found[name] = found[name]._replace(cases=(*rule.cases, *found[name].cases))
    return found


def _alike(version: Version, explicit: Explicit) -> list[str]:
    """Return the releases with the same answers if x64 is off."""
    last = version in NARROWED_LAST
    others = () if explicit == "warn" else WITHOUT_EXPLICIT
    return [r for r in RELEASES if (r in NARROWED_LAST) == last and r not in others]


_EXPLICIT_WORDS = {"error": "refused", "allow": "allowed"}


def _label(*, x64: bool, explicit: Explicit, strict: bool, version: Version) -> str:
    """Return the options in words: whether 64-bit types are on, and what else is unusual."""
    words = ["x64 on" if x64 else "x64 off"]
    words += [f"explicit x64 {_EXPLICIT_WORDS[explicit]}"] if explicit != "warn" else []
    words += ["strict"] if strict else []
    words += [version] if version != RELEASES[0] else []
    return ", ".join(words)


def _lattice(*, wide: bool, strict: bool) -> Lattice[DType]:
    arrows = ARROWS if wide else ARROWS.replace(_WIDE_ARROW, _NARROW_ARROW)
    return Lattice((STRICT_ARROWS if strict else arrows) + NARROW_ARROWS, node=from_code)


def _as_number(op: Operand) -> Operand:
    is_derived = op.form == "Python subclass"
    return op._replace(dtype=op.weak_dtype, weak=True, form="Python scalar") if is_derived else op

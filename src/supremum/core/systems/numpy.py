"""NumPy's rules since version 2 (NEP 50): a table, and Python scalars that are weak.

Source: NumPy 2.4.6 with ml_dtypes 0.6.0, and the releases below, measured on ``np.promote_types``;
``common_dtype.c`` and ``abstractdtypes.c`` for how more than two operands are promoted. That is no
fold of pairs: the operand whose dtype knows most of the others comes first, so that for NumPy's own
dtypes the order in which they are written does not matter, though the grouping does.
Before 0.5.4 ml_dtypes' floats do not know its integers of under eight bits.
Functions: each with every dtype and pair of dtypes, measured on 2.4.6, and on 2.5.5, which
``version="2.5.5"`` stands for: there ``eigvals`` and ``eig`` of real arrays are complex,
and ``where`` refuses ints that do not fit. Before it they are those of matrices whose eigenvalues
are real, as NumPy looks at them. Older releases were measured without functions.
Not modelled: strings, dates, records and objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple, cast

from ..common_steps import INT64, State, fits_64_bits, fits_float
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Call, FunctionRule, Special, parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand, operand
from ..steps import DEFAULT_WIDTHS, Classified, Settled, ToWidths, by_dtype, fits
from ..system import PromotionSystem
from ..table import Table

# Those of NumPy give the same answers, newest first; those of ml_dtypes do not.
RELEASES = ("2.5.5", "2.4.6", "2.3.5", "2.2.6", "2.1.3", "2.0.2")
Version = Literal["2.4.6", "2.5.5"]
MlDtypes = Literal["0.6.0", "0.5.4", "0.5.3", "0.5.1", "0.5.0", "0.4.1", "0.4.0"]
WITHOUT_NARROW_INTS = ("0.5.3", "0.5.1", "0.5.0", "0.4.1", "0.4.0")


def _as_set(module: Any) -> str:
    return _of_release(str(module.__version__))


@cache
def _of_release(release: str) -> str:
    """Return the rules of a release: from 2.5 on some functions give something else."""
    major, minor = (int(number) for number in release.split(".")[:2])
    if major < 2:
        return "numpy-legacy"
    return "numpy:version=2.5.5" if (major, minor) >= (2, 5) else "numpy"


def _at_hand(array: Any) -> Any:
    """Return the values of a matrix, or of a file in memory; other classes may hide some."""
    numpy = sys.modules["numpy"]
    is_plain = type(array) in (numpy.matrix, numpy.memmap)
    return array.view(numpy.ndarray) if is_plain else None


LIBRARY = Library(
    "NumPy",
    ("numpy",),
    import_as=("numpy", "np"),
    wrappers=("scipy",),  # its sparse arrays
    weighs_means=True,
    dtypes_in="numpy",
    spellings=tuple({
        "byte": "int8", "short": "int16", "intc": "int32", "longlong": "int64", "ubyte": "uint8",
        "ushort": "uint16", "uintc": "uint32", "ulonglong": "uint64", "csingle": "complex64",
        "cdouble": "complex128",
    }.items()),
    unmade=(("random", "bool unsigned signed float16 longdouble complex"), ("arange", "bool")),
    indices_of=(("choose", "bool uint8 uint16 uint32 signed"),),
    unfit_ints=("made", "filled", "negative"),
    fills_real=True,
    array_class="numpy:ndarray",
    cast="{x}.astype({dtype}, copy=False)",
    at_hand=_at_hand,
    casts_scalars=True,
    takes_lists=True,
    squares_bools=True,
    float64_functions=("bincount", "cov", "corrcoef", "interp", "poly", "polyfit", "vander"),
    rules_as_set=_as_set,
    rules_by_release=True,
)  # fmt: skip

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


class Knowing(NamedTuple):
    """How NumPy promotes any number of dtypes, which differ in how much they know of others.

    It asks one dtype of a pair for the answer: the one that knows the other. The operands are
    sorted by that first, so that every other one meets the one that knows most. Before that come
    those that do not stay what they are: dtypes, whatever their order. A state has seen the dtype
    that is asked, and whether another one has met it.
    """

    table: Table[DType]
    stays: Callable[[Operand], bool]

    def asked(self, a: DType, b: DType) -> DType | None:
        """Return the answer that `a` gives for itself and `b`, or None if it does not know."""
        outside = _PLACES["float16"] + 1
        place, other = _PLACES[a.name], _PLACES[b.name]
        if a.weak != b.weak and max(place, other) >= outside:
            return self.table[a, b] if a.weak else None
        return self.table[a, b] if place >= other else None

    def sort(self, items: Sequence[Classified]) -> list[Classified]:
        """Bring a dtype that knows the others to the front; leave out what changes nothing."""
        left: list[Classified | None] = [*sorted(items, key=lambda x: self.stays(x.operand))]
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
        return [x for x in (left[0], *second, *rest) if x is not None]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=(first.node, False))

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        main, has_met = state.seen
        answer = self.asked(main, item.node)
        if answer is None:
            pair = (main, item.node)
            raise NoJoinError(f"{main} and {item.node} have no common dtype in NumPy", pair)
        if has_met and answer is not state.node:
            answer = self.table.join(state.node, answer)
        return State(answer, seen=(main, True))

    def fold(self) -> Fold[DType]:
        """Return the join."""
        return Fold(self.table.nodes, self.step, start=self.start, order=self.sort)


OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"

# What ufuncs give for bfloat16 if ``np.result_type`` has no answer, or another one.
UFUNC_BFLOAT16 = {"f32": "u16 i16 f16 f*", "f64": "u32 u64 i32 i64"}


@cache
def coded(code: str) -> DType:
    """Return the dtype of a code; ``g`` and ``G`` are NumPy's for long doubles."""
    return by_name(_LONG[code]) if code in _LONG else from_code(code)


_PLACES = {coded(code).name: place for place, code in enumerate(ORDER.split())}


@cache
def own_table() -> Table[DType]:
    """Return the table of NumPy's own dtypes."""
    return Table.parse(TABLE, node=coded)


SINE = "b u8 i8: f16; u16 i16: f32; integer: f64"
_REAL_SINE = f"{SINE}; complex: -"
_WIDENED = "bool integer bf16: f64"
_NO_BFLOAT16 = "bool integer f16 f32 f64 complex"
_SOLVED = f"{_WIDENED}; f16: -"
_SUMS = "bool signed: i64; unsigned: u64"
_HALF_TO_SINGLE = "bool integer: f64; bf16: f32"
_FUNCTIONS = f"""
    add, multiply, maximum, minimum, fmax, fmin, polyadd, outer, linalg.outer, kron, polyval =
    subtract, polysub = b: -
    true_divide = ints any; bool integer: f64
    floor_divide, remainder, fmod, divmod[0], divmod[1] = b: i8; complex: -
    power = ints natural; b: i8
    float_power = ints float; bool integer bf16 f16 f32: f64; c64: c128
    left_shift, right_shift = b: i8; float complex: -
    bitwise_and, bitwise_or, bitwise_xor = float complex: -
    gcd, lcm = bool float complex: -
    equal, not_equal, less, less_equal, greater, greater_equal = ints compared; *: b
    logical_and, logical_or, logical_xor = ints int64; *: b
    isclose = ints float; *: b
    isin = *: b
    where, choose = shared; ints 64 bits
    matmul, vecdot, matvec, vecmat, matrix_power = bf16: f32

    negative, positive, sign = b: -
    conj, square, reciprocal = b: i8
    invert = float complex: -
    abs, real, imag = complex: part
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1,
    log, log2, log10, log1p, sqrt, rint = {SINE}
    cbrt, deg2rad, rad2deg, fabs, spacing, modf[0], modf[1], frexp[0] = {_REAL_SINE}
    radians, degrees = bf16: f32; {_REAL_SINE}
    frexp[1] = complex: -; *: i32
    angle = bool: f64; {SINE}; complex: part
    sinc = {_HALF_TO_SINGLE}
    i0, unwrap = {_WIDENED}; complex: -
    floor, ceil, trunc = complex: -
    round = b: f16
    isfinite, isinf, isnan, iscomplex, isreal, logical_not, all, any = *: b
    signbit, isneginf, isposinf = complex: -; *: b
    bitwise_count = float complex: -; *: u8

    sum, prod, nansum, nanprod, trace, cumulative_sum, cumsum, nancumsum, cumulative_prod,
    nancumprod = {_SUMS}
    mean, nanmean, median, nanmedian, average, true_divide.reduce = bool integer: f64
    quantile, percentile, nanquantile, nanpercentile = bool complex: -; {_HALF_TO_SINGLE}
    std, var, nanstd, nanvar = bool integer: f64; complex: part
    max, min, nanmax, nanmin, maximum.reduce, minimum.reduce, fmax.reduce, fmin.reduce, diff =
    ptp, ediff1d, subtract.reduce = b: -
    floor_divide.reduce, remainder.reduce, fmod.reduce = b: i8; complex: -
    power.reduce = b: i8
    float_power.reduce = bool integer bf16 f16 f32: f64; c64: c128
    left_shift.reduce, right_shift.reduce = b: i8; float complex: -
    bitwise_and.reduce, bitwise_or.reduce, bitwise_xor.reduce = float complex: -
    gcd.reduce, lcm.reduce = bool float complex: -
    ldexp.reduce = bool i8 u8: f16; i16 u16: f32; i32 u32 i64: f64; u64 float complex: -
    ldexp.accumulate, isnat = *: -
    logical_and.reduce, logical_or.reduce, logical_xor.reduce = *: b
    equal.reduce, not_equal.reduce, less.reduce, less_equal.reduce, greater.reduce,
    greater_equal.reduce = integer float complex: -
    arctan2.reduce, copysign.reduce, hypot.reduce, logaddexp.reduce, logaddexp2.reduce,
    nextafter.reduce, heaviside.reduce = {_REAL_SINE}
    argmax, argmin, nanargmax, nanargmin, argsort, argpartition, nonzero, flatnonzero, argwhere,
    count_nonzero = *: i64
    lexsort, searchsorted = only 1; ints any; *: i64
    digitize = ints any; complex: -; *: i64
    bincount = float complex: -; *: i64
    gradient = only 1; ints any; b: -; integer bf16: f64
    trapezoid = {_HALF_TO_SINGLE}

    concat, stack, hstack, vstack, dstack, column_stack, block, append, convolve, correlate,
    tensordot, multi_dot, dot, vdot, inner, union1d, intersect1d, setxor1d, polymul = shared
    cross, linalg.cross = shared; b: -
    einsum = shared; bf16: -
    insert, setdiff1d, meshgrid[0], broadcast_arrays[0] = only 1

    inv, pinv, cholesky, det, eigvals, eig[0], eig[1], eigh[1], qr[0], qr[1], slogdet[0], svd[0],
    svd[2], tensorinv = {_SOLVED}
    eigvalsh, eigh[0], svdvals, svd[1], slogdet[1], cond = {_SOLVED}; complex: part
    matrix_rank = f16: -; *: i64
    solve, lstsq[0] = apart; {_SOLVED}
    lstsq[1], lstsq[3] = apart; {_SOLVED}; complex: part
    lstsq[2] = apart; f16: -; *: i32
    norm, vector_norm, matrix_norm = {_WIDENED}; complex: part
    cov, corrcoef, polyint = bool integer float: f64; complex: c128
    polyfit = takes *, bool integer bf16 f32 f64 complex; bool integer float: f64; complex: c128
    polydiv[0], polydiv[1] = apart; {_HALF_TO_SINGLE}
    polyder = bool u8 u16 u32 signed: i64; u64 float: f64; complex: c128
    vander = bf16: -; bool u8 u16 u32 signed: i64; u64 float: f64; complex: c128
    interp = only 3; takes bool integer float, bool integer float, *;
    bool integer float: f64; complex: c128
    histogram[0] = *: i64
    histogram[1], histogram_bin_edges = {_HALF_TO_SINGLE}
    histogramdd[0] = *: f64

    fft, ifft, fft2, ifft2, fftn, ifftn = bool integer f64: c128; float: c64
    rfft, rfft2, rfftn, ihfft = complex: -; bool integer f64: c128; float: c64
    irfft, hfft = {_WIDENED}; complex: part
    irfft2, irfftn = bool integer: f64; bf16 f16: f32; complex: part

    same, ravel, reshape, squeeze, expand_dims, transpose, matrix_transpose, permute_dims,
    swapaxes, moveaxis, rollaxis, broadcast_to, atleast_1d, atleast_2d, atleast_3d, flip, fliplr,
    flipud, rot90, roll, repeat, tile, pad, resize, copy, sort, partition, take,
    take_along_axis, compress, extract, delete, trim_zeros, diag, diagflat, diagonal,
    linalg.diagonal, triu, tril, unstack, array_split[0], split[0], hsplit[0], vsplit[0],
    dsplit[0], unique, unique_all[0], unique_counts[0], unique_inverse[0], fftshift, ifftshift,
    nan_to_num, zeros_like, ones_like, empty_like, full, full_like, asarray, array, asanyarray,
    ascontiguousarray, asfortranarray, asarray_chkfinite, require, choice =
    sort_complex = u8 u16 i8 i16: c64; bool integer float: c128
    unique_all[1], unique_all[2], unique_all[3], unique_counts[1], unique_inverse[1] = *: i64
    packbits = float complex: -; *: u8
    unpackbits = bool signed float complex u16 u32 u64: -

    zeros, ones, empty, eye, identity, tri, fftfreq, rfftfreq, hanning, hamming, blackman,
    bartlett, kaiser, rand, randn, random, standard_normal, standard_exponential, normal,
    uniform, exponential, laplace, gumbel, logistic, lognormal, rayleigh = *: f64
    indices[0], tril_indices[0], triu_indices[0], diag_indices[0], randint, integers,
    random.poisson = *: i64
    unravel_index = float complex: -; *: i64
    arange = bf16: -; bool signed u8 u16 u32: i64; complex: c128; *: f64
    geomspace = shared; ints 64 bits; takes *, {_NO_BFLOAT16}; bf16: -;
    bool integer float: f64; complex: c128
    iadd = into kind bf16
"""

_WIDEST = f"""
    atan2, copysign, hypot, logaddexp, logaddexp2, nextafter,
    heaviside = ints any; {_REAL_SINE}
"""


def widest(call: Call) -> DType:
    """Return the widest of what becomes of each operand that is no wider than what they share."""
    made = call.becomes(call.joined)
    if call.joined.kind not in ("bool", "unsigned", "signed"):
        return made
    own = [d for d in call.dtypes if (d.bits or 0) <= (call.joined.bits or 0)]
    return max(map(call.becomes, own), key=lambda d: d.bits or 0, default=made)


def _with_float(operands: list[Operand]) -> list[Operand]:
    return [*operands, operand(1.0)]


def _like_first(operands: list[Operand]) -> list[Operand]:
    """Return the operands of clip, of which the first is an array, and bfloat16 has no loop."""
    first, *bounds = operands
    if first.is_python:
        wide = by_name(DEFAULT_WIDTHS.get(first.dtype.name, first.dtype.name))
        holds = not isinstance(first.number, int) or not fits(first.number, INT64)
        first = first._replace(dtype=wide, weak=False, form="array", shape=()) if holds else first
    found = [first, *(first._replace(text=x.text) if _is_bool(x) else x for x in bounds)]
    if len(bounds) < 2:
        return found
    single = by_name("float32")
    return [x._replace(dtype=single) if x.dtype.name == "bfloat16" else x for x in found]


def _is_bool(x: Operand) -> bool:
    return x.form == "Python scalar" and x.dtype.kind == "bool"


def _clipped(call: Call) -> DType:
    """Return what clip gives: with one bound that of maximum, with none what positive has."""
    if len(call.classified) == 3:
        return call.becomes(call.joined)
    if len(call.classified) == 1 and call.joined.kind == "bool":
        raise NoJoinError("clip does not take bool without a bound")
    return call.joined


def _scaled(operands: list[Operand]) -> list[Operand]:
    """Return the operands of ldexp, of whose loops an int takes the first beside integers.

    Those of bfloat16 are for exponents that an int32 holds.
    """
    first, exponent = operands
    if first.dtype.name == "bfloat16":
        is_wide = exponent.dtype.name in ("uint32", "int64")
        return [first._replace(dtype=by_name("float32")) if is_wide else first, exponent]
    is_beside = exponent.dtype.kind in ("signed", "unsigned") and not exponent.dtype.weak
    if first.library != "int" or not is_beside:
        return operands
    return [first._replace(dtype=by_name("float16"), weak=False), exponent]


WIDEST = Special("of bools and integers, the widest of what becomes of each operand", result=widest)
BESIDE_FLOAT = Special("operands join with a Python float beside them", select=_with_float)
_CLIP = Special(
    "a number that comes first is an array, and Python's bools are of its dtype; bfloat16 is kept "
    "beside one bound, and float32 beside two, and bool needs one",
    select=_like_first,
    result=_clipped,
)

_LDEXP = Special(
    "a Python int before integers is a float16, and bfloat16 is float32 beside exponents that no "
    "int32 holds",
    select=_scaled,
)


def _ordered(call: Call) -> DType:
    """Return what permutation gives: an integer without dimensions is a count."""
    (counted,) = call.classified
    if counted.operand.rank != 0:
        return call.joined
    if call.joined.kind in ("float", "complex"):
        raise NoJoinError("permutation takes an array, or the number of elements")
    return by_name("float64" if call.joined.name == "uint64" else "int64")


_PERMUTATION = Special("of a number, as many indices", result=_ordered)
_SCALED = "only 1; takes *, bool signed u8 u16 u32; ints int64"

FUNCTIONS = {
    **parse_rules(_FUNCTIONS),
    **special_rules(WIDEST, _WIDEST),
    **special_rules(BESIDE_FLOAT, "linspace, logspace = shared"),
    **special_rules(_PERMUTATION, "permutation ="),
    **special_rules(_CLIP, "clip = ints any; bf16: f32"),
    **special_rules(_LDEXP, f"ldexp = {_SCALED}; {_REAL_SINE}"),
}
# Functions that give something else since 2.5.
_SINCE_2_5 = """
    where = shared
    eigvals, eig[0], eig[1] = bool integer bf16: c128; f16: -; f32: c64; f64: c128
"""


def functions_named(names: str) -> dict[str, FunctionRule]:
    """Return the rules of some functions, for libraries that have them of NumPy."""
    return {name: FUNCTIONS[name] for name in names.split()}


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


def build(*, ml_dtypes: MlDtypes = "0.6.0", version: Version = "2.4.6") -> PromotionSystem:
    """Return NumPy's rules, those of ``np.result_type``; functions join as its ufuncs do.

    Args:
        ml_dtypes: the release of ml_dtypes, which decides for its own dtypes.
        version: the release of NumPy; it matters for some functions.
    """
    newer = version == "2.5.5"
    cells = _cells(narrow_ints=ml_dtypes not in WITHOUT_NARROW_INTS)
    nodes = dict.fromkeys(a for a, _ in cells)
    shared = Knowing(Table(nodes, cells), is_operand).fold()
    for answer, others in UFUNC_BFLOAT16.items():
        for other in others.split():
            _put(cells, "bf16", other, answer)
    return PromotionSystem(
        "numpy",
        shared,
        classify=classify,
        settle=settle,
        functions={**FUNCTIONS, **parse_rules(_SINCE_2_5)} if newer else FUNCTIONS,
        operable=OPERABLE,
        function_join=Knowing(Table(nodes, cells), is_operand).fold(),
        weak_arrays=False,
        refuse_int=_refuse_int,
        label=", ".join(
            ["NumPy 2.5.5"] * newer + [f"ml_dtypes {ml_dtypes}"] * (ml_dtypes != "0.6.0")
        ),
        version=version,
        releases=RELEASES,
        source="measured on np.promote_types; NEP 50; common_dtype.c",
    )


def _refuse_int(value: int, d: DType, operands: Sequence[Operand], ints: str) -> str | None:
    becomes_float = d.kind in ("float", "complex") or ints in ("any", "float")
    if becomes_float and (why := fits_float(value)):
        return why
    if ints == "64 bits":
        exact = d.kind in ("bool", "unsigned", "signed") or d.name == "bfloat16"
        return fits_64_bits(value) if exact else None
    beside_bool = ints == "compared" and any(x.dtype.kind == "bool" for x in operands)
    becomes_object = ints == "int64" or beside_bool or (d.name == "bfloat16" and ints != "float")
    if becomes_object and fits(value, INT64):
        return f"{short(value)} does not fit int64, and becomes an object"
    return fits(value, d) if ints in ("", "natural") else None


def is_operand(op: Operand) -> bool:
    """Return whether an operand is not a dtype: np.result_type takes dtypes before them."""
    return op.form not in ("dtype", "type")


def classify(op: Operand, operands: Sequence[Operand] = ()) -> Classified:
    """Return what an operand is to NumPy: its dtype, but Python's classes are wide."""
    if op.form == "type" and op.dtype.weak:
        wide = coded(_DEFAULT[op.dtype.code or ""])
        return Classified(op, wide, f"Python's type, which NumPy treats as {wide}")
    return by_dtype(op, operands)


_DEFAULT = {"i*": "i64", "f*": "f64", "c*": "c128"}
_to_widths = ToWidths()


def settle(node: DType, classified: Sequence[Classified]) -> Settled:
    """Give weak results their default width, and an int alone one that holds it."""
    value: Any = classified[0].operand.value
    if len(classified) == 1 and type(value) is int and fits(value, INT64):
        if 0 <= value < 2**64:
            return Settled(by_name("uint64"), False, "It is too large for int64, and alone.")
        raise NoJoinError("it does not fit any integer, and NumPy makes it an object; pass a float")
    return _to_widths(node, classified)

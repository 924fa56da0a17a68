"""pandas' rules for Series of NumPy's dtypes: NumPy's, but that scalars are Python's.

Source: measured on pandas 3.1.1 with NumPy 2.4.6; ``maybe_prepare_scalar_for_op`` in
``core/ops/array_ops.py`` and ``np_find_common_type`` in ``core/dtypes/cast.py``. A Series plus a
scalar is NumPy's operator; integers and floats of NumPy's, 0-d arrays too, count as Python's there,
and an integer that does not fit is refused. Three operands or more are added from the left, and
Python adds numbers that come first, bools among them.
``pd.concat`` takes all Series at once, as ``np.result_type`` does, but bool with numbers makes
objects, which is a refusal here.
What a Series is reduced to is a scalar of NumPy, and scalars meet as they do in NumPy.
Functions are operators and methods of Series; those of logic are NumPy's of a Series. NumPy's other
functions take a Series as an array, which is what results. Rows that a Series lacks beside a longer
one are NaN, so that its integers are float64.
Not modelled: integers divided by zeros in a Series, by ``//`` or ``%``, which pandas makes floats
for their infinities; dtypes of Arrow and other extension dtypes. Nullable ones, such as Int64 and
Float64, promote as NumPy's of the same names do, and are read as those;
dtypes of ml_dtypes, which a Series may have; objects, dates and categories.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ..common_steps import INT64, Advice, Refusing, State, has_no_dimensions
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Call, Special, parse_rules, special_rules
from ..libraries import ASTYPE, Library
from ..operands import Operand, operand
from ..steps import Classified, ToWidths, by_dtype, fits
from ..system import PromotionSystem
from ..table import Table
from . import numpy


def _at_hand(series: Any) -> Any:
    """Return the values of a Series, in which those that are missing are zeros."""
    own = getattr(series.dtype, "numpy_dtype", None)
    if own is not None and own.kind != "O":
        return series.to_numpy(own, na_value=0)
    of_numpy = type(series.dtype).__module__.startswith("numpy")
    return series.to_numpy() if of_numpy else None


_INDEXERS = ("_LocIndexer", "_iLocIndexer", "_AtIndexer", "_iAtIndexer")

_NUMBERS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32",
            "Float64")  # fmt: skip
_OF_ARROW = {"bool": "bool_", "halffloat": "float16", "float": "float32", "double": "float64"}
_NULLABLE = {"boolean": "bool", **{name: name.lower() for name in _NUMBERS}}
_ALIKE = "{!r}, which promotes alike and knows no missing values"
_UNMODELLED = {
    **{name: _ALIKE.format(ours) for name, ours in _NULLABLE.items()},
    **{
        f"{name}[pyarrow]": f"'pa.{own}()', for Arrow's rules"
        for name, own in (*((name.lower(), name.lower()) for name in _NUMBERS), *_OF_ARROW.items())
    },
}

_AS_METHODS = """
    add subtract multiply true_divide floor_divide remainder divmod power matmul negative positive
    abs equal not_equal less less_equal greater greater_equal bitwise_and bitwise_or bitwise_xor
    isneginf isposinf round flip repeat squeeze argsort cumsum cumprod clip take sum prod mean std
    var max min argmax argmin any all
"""
LIBRARY = Library(
    "pandas",
    ("pandas",),
    prefixes=("pd",),
    read_as=tuple(_NULLABLE.items()),
    spellings=(("BooleanDtype", "bool"), *((f"{name}Dtype", name.lower()) for name in _NUMBERS)),
    unmodelled=tuple(_UNMODELLED.items()),
    dtypes_in="numpy",
    array_class="pandas:Series",
    cast=ASTYPE,
    dtypes_as_text=True,
    takes_lists=True,
    other_classes=tuple((name, "indexer") for name in _INDEXERS),
    at_hand=_at_hand,
    divides_by_one_less=True,
    matches_rows=True,
    as_methods=tuple(_AS_METHODS.split()),
    leaving=(("values", "same"), ("to_numpy", "same"), ("unique", "unique")),
)

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 g c64 c128 G"
SCALARS = "i* f* c*"


# The functions of NumPy, which answer for a Series as they do for an array.
OF_NUMPY = """
    maximum minimum fmax fmin fmod hypot atan2 copysign logaddexp logaddexp2 nextafter heaviside
    gcd lcm conj signbit square reciprocal isinf isneginf isposinf iscomplex isreal spacing
    acos acosh asin asinh atan atanh cosh sinh tanh expm1 exp2 log1p log2 log10 cbrt deg2rad
    rad2deg radians degrees sinc fabs i0 trunc rint sign real imag angle nan_to_num ediff1d
    gradient unwrap trapezoid ptp average nansum nanprod nanmean nanmedian nanmax nanmin nanstd
    nanvar nanargmax nanargmin percentile nanpercentile nanquantile nancumsum nancumprod
    nonzero count_nonzero argwhere flatnonzero argpartition searchsorted digitize histogram[0]
    histogram[1] histogram_bin_edges corrcoef polyfit polyval
    vdot inner outer kron cross convolve correlate einsum stack hstack vstack column_stack append
    union1d intersect1d setxor1d setdiff1d ravel squeeze copy flip roll repeat tile pad diag
    reshape expand_dims broadcast_to atleast_1d atleast_2d split[0] array_split[0] zeros_like
    ones_like empty_like full_like take delete partition zeros ones empty eye identity full
    linspace arange asarray array asanyarray ascontiguousarray
"""
FUNCTIONS = """
    add = shared
    multiply, max, min, sort, unique, matmul, dot =
    subtract = b: -
    true_divide = ints any; b: -; integer: f64
    equal, not_equal = ints compared; *: b
    less, less_equal, greater, greater_equal = ints compared; *: b
    logical_and, logical_or, logical_xor = ints int64; *: b
    logical_not, isfinite, isnan, all, any = *: b
    negative, round =
    diff = b: -; i8 i16: f32; integer: f64
    invert = float complex: -
    abs = complex: part
    floor, ceil = complex: -
    sin, cos, tan, exp, log, sqrt = b u8 i8: f16; u16 i16: f32; integer: f64
    sum = bool signed: i64; unsigned: u64; f16: f64
    prod, cumulative_prod, cumulative_sum, cumsum = bool signed: i64; unsigned: u64
    mean = bool integer f16: f64; c64: c128
    median = bool integer: f64
    quantile = bool complex: -; *: f64
    skew, kurtosis, sem = bool integer complex: f64
    count = *: i64
    shift, pct_change = b: -; integer: f64
    rank = complex: -; *: f64
    nlargest, nsmallest = f16 complex: -
    cummax, cummin, sort_values, sort_index, dropna, drop_duplicates, head, tail, fillna,
    same =
    isnull, notnull, duplicated, between = *: b
    isin = f16: -; *: b
    std, var = bool integer: f64; complex: part
    argmax, argmin, argsort = *: i64
"""
OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128"


class Sums(NamedTuple):
    """How pandas adds Series and scalars, one after the other.

    A state has seen the first operand, or the sum of the numbers so far, until another is met.
    """

    table: Table[DType]
    must_fit: bool = True

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=first)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand. An int must fit the sum."""
        if state.seen is not None and state.seen.operand.is_python and item.operand.is_python:
            total = _total(state.seen, item)
            return State(total.node, seen=total)
        node = self.table.join(state.node, item.node)
        for x in filter(None, (state.seen, item)):
            value: Any = x.operand.value
            is_int = self.must_fit and x.node.weak and isinstance(value, int)
            if is_int and (why := _unfit(value, _to_widths(node, ()).dtype)):
                raise NoJoinError(why)
        return State(node)


_to_widths = ToWidths()


def _total(a: Classified, b: Classified) -> Classified:
    """Return the sum of two numbers, which Python makes of them; bools are ints to it."""
    numbers = [x.operand.number for x in (a, b)]
    if None not in numbers:
        try:
            return by_dtype(operand(sum(numbers)))
        except OverflowError as error:
            raise NoJoinError(f"Python does not add them: {error}") from None
    kinds = [*map(from_code, SCALARS.split())]
    node = max((x.node for x in (a, b) if x.node in kinds), key=kinds.index, default=kinds[0])
    return Classified(b.operand._replace(dtype=node, weak=True, value=None), node, "a sum")


def _squared(call: Call) -> DType:
    """Return what a power gives: that of bools and the number 2 is what NumPy's square gives."""
    base, exponent = (x.operand for x in call.classified)
    is_array = base.dtype.kind == "bool" and base.form == "array"
    if is_array and exponent.number == 2 and exponent.dtype.kind in ("unsigned", "signed"):
        return by_name("int8")
    return call.becomes(call.joined)


_DIVISIONS = """
    floor_divide = ints fit; b complex: -
    remainder = ints fit; b: i8; complex: -
"""


def _divided(call: Call) -> DType:
    """Return what // and % give: where the number 0 divides, pandas fills in what is float64."""
    divisor = call.classified[-1].operand
    made = call.becomes(call.joined)
    if made.kind == "complex" or divisor.form not in ("Python scalar", "scalar"):
        return made
    is_filled = call.name == "floor_divide" or made.kind in ("unsigned", "signed")
    is_zero = divisor.value == 0 and (call.name == "floor_divide" or divisor.dtype.kind != "bool")
    return by_name("float64") if is_filled and is_zero else made


_DIVISION = Special("by the number 0 they give float64", result=_divided, by_value=True)
_POWER = Special("bools are squared as NumPy does", result=_squared, by_value=True)


def _masked(call: Call) -> DType:
    """Return what a bitwise operator gives, which is bool beside bools in a Series."""
    first, second = (x.operand for x in call.classified)
    if first.rank == second.rank == 0:  # scalars are NumPy's
        return call.becomes(call.joined)
    if first.dtype.kind == "bool" and not (first.is_python or second.is_python):
        return first.dtype
    is_met = not (first.is_python or second.is_python)  # a scalar is no number here
    joined = numpy.own_table().join(first.dtype, second.dtype) if is_met else call.joined
    made = call.becomes(joined)
    return by_name("bool") if any(d.kind == "bool" for d in call.dtypes) else made


_BITWISE = Special("beside bool they give bool, and scalars are NumPy's", result=_masked)


def build(*, operation: Literal["add", "concat"] = "add") -> PromotionSystem:
    """Return pandas' rules.

    Args:
        operation: ``"add"`` for ``x + y`` with Series and scalars, ``"concat"`` for ``pd.concat``.
    """
    about: dict[str, Any] = {
        "operable": OPERABLE, "ranked": True, "valued": True, "refuse_int": _refuse_int,
        "label": "" if operation == "add" else operation, "version": "3.1.1",
    }  # fmt: skip
    everything = numpy.build().table()
    if operation == "concat":
        table = everything.only(map(numpy.coded, DTYPES.split()))
        return PromotionSystem(
            "pandas",
            numpy.Knowing(_without_mixed_bool(table), numpy.is_operand).fold(),
            settle=Refusing(
                "pd.concat takes Series; make one of the scalar", has_no_dimensions, any
            ),
            advise=Advice((("b", "pd.concat makes objects of bool with numbers"),)),
            source="measured on pd.concat of NumPy-backed Series",
            **about,
        )
    table = everything.only(map(numpy.coded, f"{DTYPES} {SCALARS}".split()))
    sums, others = Sums(table), Sums(table, must_fit=False)
    return PromotionSystem(
        "pandas",
        Fold(table.nodes, sums.step, start=sums.start),
        classify=_classify,
        settle=Refusing("there must be a Series or a dtype among scalars", _is_from_elsewhere),
        function_join=Fold(table.nodes, others.step, start=others.start),
        functions={
            **numpy.functions_named(OF_NUMPY),
            **parse_rules(FUNCTIONS),
            **special_rules(_DIVISION, _DIVISIONS),
            **special_rules(_POWER, "power = ints natural; b: -"),
            **special_rules(_BITWISE, "bitwise_and, bitwise_or, bitwise_xor = float complex: -"),
        },
        source="measured on x + y of NumPy-backed Series",
        **about,
    )


def _without_mixed_bool(table: Table[DType]) -> Table[DType]:
    pairs = [(a, b) for a in table.nodes for b in table.nodes]
    alike = [(a, b) for a, b in pairs if (a.kind == "bool") == (b.kind == "bool")]
    return Table(table.nodes, {(a, b): table.join(a, b) for a, b in alike})


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    is_scalar = op.rank == 0 and not op.weak and not op.is_python
    is_number = is_scalar and op.dtype.kind in ("unsigned", "signed", "float")
    if is_number and any(x.rank != 0 for x in operands):
        return Classified(op, op.weak_dtype, f"{op.describe()}, as Python's")
    return by_dtype(op, operands)


def _is_from_elsewhere(x: Classified) -> bool:
    """Return whether an operand is a scalar that is not one of pandas, such as ``x.sum()`` is."""
    return x.operand.rank == 0 and x.operand.library != LIBRARY.title


def _unfit(value: int, width: DType) -> str | None:
    """Return why an int does not fit what it is converted to, which may be a float, or None."""
    if width.kind in ("unsigned", "signed"):
        return fits(value, width)
    try:
        is_finite = width.name == "longdouble" or float(value) < math.inf
    except OverflowError:
        is_finite = False
    return None if is_finite else f"{short(value)} does not fit {width}"


def _refuse_int(value: int, d: DType, operands: Sequence[Operand], ints: str) -> str | None:
    beside_bool = ints == "compared" and any(x.dtype.kind == "bool" for x in operands)
    if (ints == "int64" or beside_bool) and fits(value, INT64):
        return f"{short(value)} does not fit int64, and becomes an object"
    return _unfit(value, d) if ints not in ("any", "compared", "int64") else None

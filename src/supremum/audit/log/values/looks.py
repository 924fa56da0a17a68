"""Which operations have their values looked at, by which questions, and how often.

The first ones at a place are, and some of those that follow: each fourth and then each eighth
while they are small, else the 16th, the 32nd and so on. So it is once the place is settled, with
those that come up then.
"""

from __future__ import annotations

import linecache
import operator
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, Final

from ....core.dtypes import DType, by_name, dtype, names
from ....core.errors import SupremumError
from ....core.functions import Function, chain, facts_of
from ....core.operands import Operand
from ...model import dtypes
from ...model.locations import DTYPE_OF, Location, character
from ...model.rows import COPIES
from .. import calls, known_functions
from ..tracked_types import NDARRAY, is_array, kind_of
from . import again, intended, not_finite, questions, recompute, squares, steps, storage, totals
from .at_hand import MOST, as_numpy, ends, is_small, number, wide
from .recompute import Change

Examine = Callable[[Location, Any, Sequence[Any], int], Change | None]
"""Looks at a place, a result, the operands (of a call, its object and arguments), and how often
that came up; returns what became of the values, if it was not meant."""

_ROWS: Final = 4_096  # of a table, whose digits are looked at
_EACH: Final = 8  # the first of these are looked at
_EARLY, _EACH_EARLY = 32, 4  # until then each fourth is, as the end of a loop may be
_FEW: Final = 4_096  # elements that it takes no time to look at
_SMALL: Final = 64  # elements, of which hundreds of results can be looked at
_LARGE: Final = 1 << 18  # elements that take long
_FIRST: Final = 2  # of those that do
_ROUNDING: Final = ("float16", "bfloat16", "float32")  # one number is rounded on purpose
_IMAGE: Final = 1 << 15  # elements, whose range takes no time to look at
PATIENCE: Final = 256
"""How many small results of few bits are looked at: a loop goes beyond them now and then."""
LONG_PATIENCE: Final = 512
"""How many results of narrow integers are, whose range is looked at first."""
_PAIR: Final = 2  # operands
_PLACES: Final = 8  # at which a large array is looked at
_NUMBERS: Final = 64  # that are converted one at a time, and are held against each other


def is_due(looks: int, result: Any, settled: int = 0, *, patience: int = 0) -> bool:
    """Return whether an operation is to be looked at.

    Args:
        looks: how often it came up so far, with this one.
        result: what it gave.
        settled: how many of these were since its place is settled.
        patience: how many of its first results are looked at if they are small.

    >>> [n for n in range(1, 65) if is_due(n, 0)]
    [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64]
    >>> [n for n in range(1, 33) if is_due(64 + n, 0, settled=n)]
    [1, 2, 4, 8, 16, 24, 32]
    """
    size = getattr(result, "size", 1)
    if type(size) is not int:  # that of a tensor is a method
        size = prod(result.shape)
    if settled and size <= _FEW:
        return settled % _EACH == 0 or settled & (settled - 1) == 0
    if size <= _SMALL and looks <= min(patience, PATIENCE):
        return True
    if size <= _IMAGE and looks <= patience == LONG_PATIENCE:
        return True
    if looks <= (_FIRST if size > _LARGE else _EACH):
        return True
    often = _EACH_EARLY if looks <= _EARLY else _EACH
    return looks % often == 0 if size <= _FEW else looks & (looks - 1) == 0


def look(
    examine: Examine, place: Location, result: Any, operands: Sequence[Any], times: int
) -> Change | None:
    """Return what became of the values of an operation; the program does not notice it."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    hidden = {name for name, how in numpy.geterr().items() if how == "ignore"}
    try:
        with numpy.errstate(all="ignore"):
            change = examine(place, result, operands, times)
    except (TypeError, ValueError, RuntimeError, OverflowError):  # NumPy cannot do what others do
        return None
    if change is None or ("over" in hidden and change.kind in ("wraparound", "float-overflow")):
        return None
    is_missing = change.kind == "wraparound" and change.enough and change.enough.kind == "float"
    if is_missing and "invalid" in hidden:
        return None
    is_all = change.kind == "float-overflow" and _is_sentinel(place, result)
    d, given = dtype(result.dtype), _read(operands[0]) if operands else None
    is_meant = intended.is_meant(place, d, change.kind, given=given, is_all=is_all)
    return None if is_meant else change


def _is_sentinel(place: Location, result: Any) -> bool:
    """Return whether all numbers of an array that was converted, or filled, are infinite."""
    found, numpy = as_numpy(result), sys.modules["numpy"]
    is_made = known_functions.converts(place.name) or facts_of(place.name).has("filled")
    is_made = is_made and found is not None and found.size > 1
    return is_made and bool(numpy.isinf(found).all())


def has_no_place(value: Any, d: DType) -> bool:
    """Return whether an array of float64 has numbers that single precision takes for others.

    So it is with times in seconds, identifiers and coordinates, with what is written with more
    digits, as points in millimetres are, and with what varies by little of what it is.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return False
    with numpy.errstate(all="ignore"):
        return lost_in(value, d, strict=True) is not None or _has_more_digits(value, d)


def is_far_offset(value: Any, other: Any) -> bool:
    """Return whether float64 is far from zero beside what it is added to, as an origin is."""
    numpy, x, y = sys.modules.get("numpy"), as_numpy(value), as_numpy(other)
    if numpy is None or x is None or y is None or not x.size or not y.size:
        return False
    if x.dtype.kind != "f" or y.dtype.kind not in "fiu":
        return False
    parts = zip(_columns(x, _width(y)), _columns(y, _width(y)), strict=True)
    with numpy.errstate(all="ignore"):
        return any(questions.is_far_from_zero(one, beside=of) for one, of in parts)


def _width(x: Any) -> int:
    """Return how many columns an array has, each of which is looked at by itself; else 0."""
    return x.shape[1] if x.ndim == 2 and x.shape[1] <= questions.MOST_COLUMNS else 0


def _columns(x: Any, width: int) -> list[Any]:
    """Return the first numbers of each column, or for each those of all if it has no columns."""
    if width and x.ndim and x.shape[-1] == width:
        rows = x.reshape(-1, width)[:_ROWS]
        return [rows[:, n] for n in range(width)]
    return [x.reshape(-1)[:_ROWS]] * max(width, 1)


def _doubles(value: Any, d: DType) -> Any:
    """Return an array of float64 that meets, or goes into, single precision; else None."""
    x = as_numpy(value)
    is_double = x is not None and d.name == "float32" and x.ndim and x.dtype == "float64"
    return x if is_double and x.size else None


def lost_in(value: Any, d: DType, *, strict: bool = False) -> Change | None:
    """Return what becomes of float64 whose numbers single precision has no place for.

    Args:
        value: the numbers.
        d: the dtype that they go into; of others than single precision nothing is said.
        strict: as in `questions.conversion`.
    """
    x = _doubles(value, d)
    if x is None:
        return None
    some = x[: max(1, MOST // max(x[:1].size, 1))]
    with sys.modules["numpy"].errstate(all="ignore"):  # the program must not notice
        compared = recompute.of_cast(some, some.astype("float32"))
        change = questions.conversion(compared, d, strict=strict) if compared is not None else None
    return change if change is not None and change.kind == "precision-loss" else None


def _has_more_digits(value: Any, d: DType) -> bool:
    """Return whether the digits of numbers are more than single precision has, by columns."""
    x = _doubles(value, d)
    if x is None:
        return False
    return any(
        questions.has_more_digits(column) or questions.is_far_from_zero(column)
        for column in _columns(x, _width(x))
    )


# which questions there are, by what an operation is


def of_operator(place: Location, result: Any) -> Examine | None:
    """Return what looks at the values of an operator with two operands, or None."""
    d = _read(result)
    if d is None:
        return None
    if dtypes.family(d) == "integer":
        return _elements if _may_wrap(place.name) else None
    if place.name == "true_divide" and d is _FLOAT64:
        return _quotient
    if d.name not in questions.TOLERANCE:
        return None
    if place.name in ("add", "subtract"):
        look = totals.Total(d) if _is_own(place, 0) else _differences(place)
        return Step(look) if steps.adds_step(place) else look
    if place.name == "multiply":
        return _factors
    return _elements


def _differences(place: Location) -> Examine:
    """Return what looks at the values of a sum, or of a difference, that is no running total."""
    if place.name == "subtract" and squares.is_square(place, 1):
        return partial(_squares, squares.is_cut(place))
    return _offsets


class Step:
    """Looks at a step of a difference quotient, which is to change what it is added to.

    Args:
        look: what looks at the sum besides.
    """

    def __init__(self, look: Examine) -> None:
        self.numbers: int = getattr(look, "numbers", 0)
        self._look = look

    def __call__(
        self, place: Location, result: Any, operands: Sequence[Any], times: int
    ) -> Change | None:
        """Return what became of a sum; see `Examine`."""
        change = steps.vanished(operands[0], operands[1], result)
        return change or self._look(place, result, operands, times)


def of_comparison(place: Location, operands: Sequence[Operand]) -> Examine | None:
    """Return what looks at the values of a comparison with a number, or None.

    It has more digits than the floats that it is compared with, or than those had that they were.
    """
    if place.name not in ("equal", "not_equal") or len(operands) <= 1:
        return None
    if any(op.dtype.kind != "float" for op in operands):
        return None
    narrow, wide = sorted(operands, key=lambda op: dtypes.bits(op.dtype))
    if dtypes.bits(wide.dtype) > dtypes.bits(narrow.dtype) and all(map(dtypes.is_strong, operands)):
        return _equal if wide.form == "scalar" else None
    is_wide = [op.form == "array" and op.dtype is _FLOAT64 for op in operands]
    return _equal if sum(is_wide) == 1 else None


def of_sign(place: Location, result: Any) -> Examine | None:
    """Return what looks at the values of a sign, or None."""
    is_sign = place.form == "operator" and _may_wrap(place.name)
    d = _read(result) if is_sign else None
    counts = d is not None and (dtypes.family(d) == "integer" or d.name in questions.TOLERANCE)
    return _elements if counts else None


def of_store(place: Location, base: Any, value: Any, *, in_place: bool) -> Examine | None:
    """Return what looks at what is stored, or at the values of an operator in place; or None."""
    d = _read(base)
    if (not in_place or place.name in COPIES) and storage.may_be_wide(base, value):
        return storage.stores
    if not in_place:
        is_of_integers = d is not None and dtypes.family(d) == "integer"
        if is_of_integers and place.form == "store" and _is_inexact(value):
            return _cut
        if d is None or d.name != "float32" or _read(value) is not _FLOAT64:
            return None
        return _put if value.ndim else _moved if steps.moves_by_step(place) else None
    name = _in_place_name(place)
    if d is None or name not in _IN_PLACE or not {*place.keywords} <= _DATA | {"alpha", "weight"}:
        return None
    if dtypes.family(d) == "integer":
        return _at_places if name == "at" else _in_place
    if name == "at" or d.name not in questions.TOLERANCE:
        return None
    if name == "multiply":
        return totals.stalled
    return Step(totals.Total(d)) if steps.adds_step(place) else totals.Total(d)


def of_call(
    place: Location, result: Any, function: Any, *, converts: bool, several: bool
) -> Examine | None:
    """Return what looks at the values of a call, or None.

    Args:
        place: where it is.
        result: what it gave, or one of several results.
        function: what was called, or None.
        converts: whether all it does is to convert.
        several: whether there are several results.
    """
    d = _read(result)
    if d is None:
        return _phases if facts_of(place.name).name == "exp" else None
    if dtypes.family(d) == "integer" and again.may_be(function):
        return _again
    if several:
        return None
    if converts:
        return Conversions() if place.name != "view" else None  # which reads the same bits
    known = facts_of(place.name)
    is_integer = dtypes.family(d) == "integer"
    if known.has("filled"):
        return _filled
    if (known.counts or known.name in _SPREADS) and not is_integer:
        return _counted if known.counts else _spread
    if not is_integer and d.name not in questions.TOLERANCE:
        return _OF_FLOAT64.get(place.name)
    if (known.name in _BOUNDS or place.name in _GUARDED) and not is_integer:
        return _bounds
    if known.category == "elementwise":
        return None if is_integer and not known.may_wrap else _function
    wraps = known.averages or _may_wrap(place.name)
    sums = wraps if is_integer else questions.accumulates(place.name)
    return _sums if sums else None if is_integer else not_finite.look


def converts(place: Location, *, explicit: bool) -> bool:
    """Return whether all that a call does is to convert: what it is given, or its object."""
    name = place.name
    is_dtype = name in names() and len(name) > _SHORT  # as `np.uint8` is
    return name in _CONVERT or is_dtype or (explicit and known_functions.converts(name))


_NEARLY: Final = 0.5
_SHORT: Final = 3  # letters of what may be a function of the program
_BOUNDS: Final = ("clip", "clamp_min", "clamp_max", "maximum", "minimum")
_SPREADS: Final = ("linspace", "logspace", "geomspace")  # numbers that are all to be different
_GUARDED: Final = ("normalize", "cosine_similarity", "logit")  # by an eps, in the dtype at hand
_OF_ANGLES: Final[Mapping[str, Callable[[str, Any, DType], Change | None]]] = {
    **dict.fromkeys(("sin", "cos", "tan"), questions.angles),
    **dict.fromkeys(("acos", "asin"), questions.near_one),
}
_CONVERT: Final = frozenset(
    {"array", "asarray", "asanyarray", "tensor", "float", "half", "bfloat16", "int", "short",
     "type_as", *known_functions.FLOAT_CONSTRUCTORS}
)  # fmt: skip
_DATA: Final = frozenset({"", "a", "x", "input", "b", "other"})
_OPTIONS: Final = frozenset({"casting", "dtype", "out", DTYPE_OF})
_FLOAT32: Final = by_name("float32")
_FLOAT64: Final = by_name("float64")
_INT64: Final = by_name("int64")
_UNNAMED: Final = 2  # arguments that come before the dtype of an array that is filled


def _read(result: Any) -> DType | None:
    """Return the dtype of a result whose values count, or None."""
    try:
        d = dtype(result.dtype)
    except (AttributeError, SupremumError):
        return None
    return d if dtypes.family(d) and d.kind != "complex" else None


def _may_wrap(name: str) -> bool:
    return name in recompute.OF_UFUNCS or facts_of(name).may_wrap


def _in_place_name(place: Location) -> str:
    """Return which function a place puts into an array: that of ``x.add_(y)`` is `add`."""
    return facts_of(place.name.rstrip("_")).name or place.name


_IN_PLACE: Final = ("add", "subtract", "multiply", "lerp", "at")


def _is_own(place: Location, index: int) -> bool:
    """Return whether what is computed is assigned to one of its operands."""
    if place.form == "in place":
        return index == 0
    line = linecache.getline(place.file, place.line)
    before = line[: character(line, place.span[1])]
    own = re.escape(place.operand_text(index))
    return bool(own) and re.search(rf"(?:^|[:;])\s*{own}\s*=[\s(]*$", before) is not None


# how they are asked


def _asked(place: Location, result: Any, compared: recompute.Comparison | None) -> Change | None:
    """Return what became of the values of an operation, by what it is.

    Args:
        place: where it is.
        result: what came out.
        compared: the same beside what float64 gives.
    """
    d = _read(result)
    if compared is None or d is None:
        return None
    known = facts_of(place.name)
    if dtypes.family(d) == "integer":
        return questions.wraparound(compared, known)
    if known.category == "elementwise" or (known.reduces and "prod" in chain(known.name)):
        return questions.float_range(compared, d)
    return questions.accumulation(compared, place, d)


def _elements(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    if not _is_suspicious(place, result) or not _goes_beyond(place.name, result, operands):
        return None
    compared = (recompute.of_elements(place.name, operands, result, at) for at in _parts_of(result))
    return next(filter(None, (_asked(place, result, one) for one in compared)), None)


def _parts_of(result: Any) -> Sequence[int]:
    """Return the elements at whose places a result is looked at: some, if it is large.

    So it is with integers, which wrap around in some part of an image.
    """
    found = as_numpy(result)
    if found is None or is_small(found) or found.dtype.kind not in "iu":
        return (0,)
    return range(0, found.size, max(MOST, found.size // _PLACES))


def _squares(
    is_cut: bool, place: Location, result: Any, operands: Sequence[Any], times: int
) -> Change | None:
    """Look at floats that a mean square that is taken away leaves few digits."""
    change, arrays = None, _small(result, operands)
    if arrays is not None and arrays[2].size:
        change = questions.cancelled(*arrays, is_cut=is_cut)
    return change or _elements(place, result, operands, times)


def _offsets(place: Location, result: Any, operands: Sequence[Any], times: int) -> Change | None:
    """Look at floats that an offset leaves few digits, column by column."""
    change, arrays = None, _small(result, operands)
    if arrays is not None:
        *three, d = arrays
        columns = zip(*(_columns(x, _width(three[-1])) for x in three), strict=True)
        changes = (questions.offset(x, y, found, d) for x, y, found in columns)
        change = next(filter(None, changes), None)
    return change or _elements(place, result, operands, times)


def _small(result: Any, operands: Sequence[Any]) -> tuple[Any, Any, Any, DType] | None:
    """Return two operands and what came of them as arrays of NumPy, with its dtype, or None."""
    x, y, found, d = number(operands[0]), number(operands[1]), as_numpy(result), _read(result)
    if x is None or y is None or found is None or d is None or not is_small(x, y, found):
        return None
    asarray = sys.modules["numpy"].asarray
    return asarray(x), asarray(y), asarray(found), d


_ENDS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
}  # fmt: skip
"""Operators whose results are between those of the ends of their operands."""


def _goes_beyond(name: str, result: Any, operands: Sequence[Any]) -> bool:
    """Return whether integers may be beyond their dtype, by the ends of what they are made of."""
    found, known = as_numpy(result), _ENDS.get(name)
    if found is None or found.dtype.kind not in "iu" or known is None or found.size <= _SMALL:
        return True
    both = [(x, x) if type(x) is int else ends(x) for x in operands]
    if len(both) != _PAIR or both[0] is None or both[1] is None:
        return True
    info = sys.modules["numpy"].iinfo(found.dtype)
    of_ends = [known(a, b) for a in both[0] for b in both[1]]
    if info.min <= min(of_ends) and max(of_ends) <= info.max:
        return False
    one = as_numpy(operands[0])
    if name == "multiply" or found.dtype.kind != "u" or getattr(one, "dtype", 0) != found.dtype:
        return True
    return bool((found < one).any() if name == "add" else (found > one).any())


def _is_suspicious(place: Location, result: Any) -> bool:
    """Return whether floats may be out of range: some are not finite, or many are zero."""
    found, numpy = as_numpy(result), sys.modules["numpy"]
    if found is None or not found.size:
        return False
    if found.dtype.kind in "iub" or place.name == "matmul":
        return True
    some = found[: max(1, MOST // max(found[0].size, 1))] if found.ndim else found
    rest = int(numpy.count_nonzero(some))
    return 2 * rest <= some.size or not bool(numpy.isfinite(some).all())


def _factors(place: Location, result: Any, operands: Sequence[Any], times: int) -> Change | None:
    """Look at a product: whether a factor that is near one leaves what it decays as it is."""
    if any(_is_own(place, index) for index in (0, 1)):
        change = totals.stalled(place, result, operands)
    else:
        d = dtype(result.dtype)
        near = [i for i, x in enumerate(operands) if type(x) is float and _NEARLY < x < 1]
        found = (questions.bound(operands[i], d) for i in near)
        change = next((c._replace(against=i) for i, c in zip(near, found, strict=True) if c), None)
    return change or _elements(place, result, operands, times)


def _quotient(_place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at integers of 64 bits that are divided."""
    x = as_numpy(operands[0]) if getattr(operands[0], "ndim", 0) else None
    found = as_numpy(result) if x is not None and x.dtype.kind in "iu" else None
    return questions.quotient(x, found) if found is not None and x.dtype.itemsize == 8 else None  # type: ignore[union-attr]  # it is there


def _equal(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at floats that a number of more digits does not equal, which it was rounded to."""
    at = 0 if getattr(operands[0], "ndim", 0) == 0 else 1
    value, x, found = number(operands[at]), as_numpy(operands[1 - at]), as_numpy(result)
    if value is None or x is None or found is None or found.shape != x.shape:
        return None
    equal = found == (place.name == "equal")
    d = _FLOAT32 if x.dtype == "float64" else dtype(x.dtype)
    compared = questions.equality(value, x, equal, d)
    return compared and compared._replace(against=at)


def _of_list(_place: Location, _result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at integers of a list, which NumPy makes floats of if some have a sign, or are large."""
    numpy = sys.modules["numpy"]
    for listed in (x for x in operands[1:] if isinstance(x, (list, tuple))):
        made = numpy.array(listed)
        if made.dtype == "float64" and (found := questions.of_integers(listed, made, _FLOAT64)):
            return found
    return None


def _of_text(place: Location, result: Any, _operands: Sequence[Any], _: int) -> Change | None:
    """Look at integers that were read as floats, which have no place for all of their digits."""
    return questions.identifiers(as_numpy(result), place.name)


LISTED: Final = frozenset(
    {"append", "concatenate", "intersect1d", "setdiff1d", "sort", "stack", "union1d", "unique"}
)
"""Functions whose results have elements of what they are given, which may be lists."""

_READ: Final = ("loadtxt", "genfromtxt", "fromstring")  # numbers that are written out
_OF_FLOAT64: Final = {**dict.fromkeys(LISTED, _of_list), **dict.fromkeys(_READ, _of_text)}


def _put(_place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at floats that are stored in an array of fewer digits, which is to have more."""
    change = lost_in(operands[1], dtype(result.dtype))
    return change and change._replace(against=1, cause=0)


def _cut(_place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at floats that are stored in integers, of whose range they may be."""
    value, x = as_numpy(operands[1]), as_numpy(result)
    if value is None or x is None or getattr(getattr(x.base, "dtype", None), "names", None):
        return None  # a field of records is told of where it is stored
    compared = recompute.of_cast(value, value.astype(x.dtype))
    if compared is None:
        return None
    change = questions.wraparound(compared) or questions.nothing_left(compared)
    if change is None:
        return None
    numpy = sys.modules["numpy"]
    is_whole = bool((compared.operands[0] == numpy.rint(compared.operands[0])).all())
    enough = change.enough if is_whole else dtype(value.dtype)
    return change._replace(enough=enough, against=1, cause=0)


def _moved(_place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at a number that is moved by a step, and about to be stored in fewer digits."""
    _, value, index = operands
    x, parts = as_numpy(result), index if type(index) is tuple else (index,)
    if x is None or x.ndim != len(parts) or not all(type(part) is int for part in parts):
        return None
    if any(not -size <= part < size for part, size in zip(parts, x.shape, strict=True)):
        return None  # the program will be told
    before, after = x[index], x.dtype.type(value)
    return steps.vanished(before, value - before, after)


def _in_place(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    return _of_changed(_in_place_name(place), operands[1], result)


def _of_changed(name: str, value: Any, result: Any) -> Change | None:
    """Return what became of an array of integers that an operator changed in place."""
    if value is result:  # nothing says what it was
        return None
    if name == "multiply":
        compared = recompute.of_product_in_place(value, result)
    elif name in ("add", "subtract"):
        x, given = as_numpy(result), number(value)
        if x is None or given is None:
            return None
        numbers = x - given if name == "add" else x + given
        before = sys.modules["numpy"].asarray(numbers).astype(x.dtype, copy=False)
        compared = recompute.of_elements(name, (before, given), x)
    else:
        return None
    change = questions.wraparound(compared) if compared is not None else None
    return change and change._replace(against=1, cause=0)


def _at_places(_place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what ``np.add.at(into, index, values)`` made of an array."""
    _into, value, ufunc, index = operands
    name = getattr(ufunc, "__name__", "")
    if name not in ("add", "subtract"):
        return None
    compared = recompute.of_places(name, result, index, value)
    change = questions.wraparound(compared) if compared is not None else None
    return change and change._replace(against=1, cause=0)


def _function(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what a function of elements gave."""
    known = facts_of(place.name)
    if not {*place.keywords} <= _DATA | _OPTIONS:
        return None
    if not (is_array(operands[0]) or recompute.is_library(operands[0])):
        return None
    data = _operands_of(known, place, operands)
    out = calls.output(place, result, operands[0], tuple(operands[1:]))
    if len(data) < known.minimum_operands:
        return None
    if _is_overwritten(out, operands, result):
        is_of_two = len(data) > 1 and data[0] is result
        change = _of_changed(known.name, data[1], result) if is_of_two else None
        change = change and change._replace(cause=None)
    elif _is_suspicious(place, result):
        change = _asked(place, result, recompute.of_elements(known.name, data, result))
    else:
        change = _of_angles(place.name, data[0], result)
    # wider operands have no place in the output
    return change._replace(enough=None) if change is not None and out is not None else change


def _bounds(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at bounds that are near zero or one, and that a narrow dtype takes for it."""
    d = _read(result)
    numbers = [x for x in operands[1:] if type(x) is float]
    found = (questions.bound(x, d) for x in numbers) if d else ()
    return next(filter(None, found), None) or not_finite.look(place, result, operands)


def _of_angles(name: str, value: Any, result: Any) -> Change | None:
    """Return what became of the angles that a function is of, or gives; None if there are none."""
    ask, d = _OF_ANGLES.get(facts_of(name).name), _read(result)
    if ask is None or d is None or d is not _read(value):
        return None
    x = as_numpy(value)
    return ask(name, x, d) if x is not None else None


def _phases(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at the phases that an exponential of complex numbers is of."""
    known, found = facts_of(place.name), as_numpy(result)
    data = _operands_of(known, place, operands)
    x = as_numpy(data[0]) if len(data) == 1 else None
    if x is None or found is None or x.dtype.kind != "c" or x.dtype != found.dtype:
        return None
    change = questions.angles("exp of a phase", x.imag, dtype(x.imag.dtype))
    return change._replace(cause=None) if change is not None else None


def _operands_of(known: Function, place: Location, operands: Sequence[Any]) -> list[Any]:
    base, *arguments = operands
    words = zip(arguments, place.keywords, strict=True)
    data = [value for value, word in words if word in _DATA]
    return [*([base] if is_array(base) else []), *data][: known.operands]


def _filled(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what became of the number that an array was made of."""
    words = dict(zip(place.keywords, operands[1:], strict=True))
    value = words.get("fill_value", operands[2] if len(operands) > 2 else None)
    d, found = dtype(result.dtype), result[(slice(1),) * result.ndim]
    if dtypes.family(d) != "integer":
        return questions.beyond(value, d) or questions.of_integers([value], found, d)
    is_named = not {"dtype", DTYPE_OF}.isdisjoint(words) or place.keywords.count("") > _UNNAMED
    return questions.cut_off(value, found, is_named=is_named)


def _counted(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what became of integers that are counted in floats, as by ``arange``."""
    compared = recompute.of_range(place, operands[1:], result)
    return questions.conversion(compared, dtype(result.dtype)) if compared is not None else None


def _spread(_place: Location, result: Any, _operands: Sequence[Any], _: int) -> Change | None:
    """Look at numbers that are spread over a range, as by ``linspace``."""
    found = as_numpy(result)
    return questions.spread(found, dtype(result.dtype)) if found is not None else None


def _sums(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what a sum, a product or the like gave."""
    out = calls.output(place, result, operands[0], tuple(operands[1:]))
    is_ufunc = type(operands[0]) is sys.modules["numpy"].ufunc
    other_ufunc = is_ufunc and operands[0].__name__ != "add"
    is_float = dtypes.family(dtype(result.dtype)) == "inexact"
    if _is_overwritten(out, operands, result) or (is_float and other_ufunc):
        return None
    change = _asked(place, result, recompute.of_call(place, operands, result))
    return change._replace(enough=None) if change is not None and out is not None else change


def folded(operands: Sequence[Any], result: Any) -> Change | None:
    """Return what became of scalars that Python's `sum` took one by one, if NumPy warned there."""
    d = _read(result)
    is_sum = len(operands) > 1 and operands[0] is sum and as_numpy(operands[1]) is None
    if d is None or dtypes.family(d) != "integer" or not is_sum:
        return None
    remark = f"sum became {result} in {d}: NumPy warns of an overflow"
    return Change("wraparound", remark, _INT64 if dtypes.bits(d) < dtypes.bits(_INT64) else None)


def _again(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what a function gave that can be called again."""
    base, *arguments = operands
    function = calls.function_of(base, place.name)
    compared = again.of_function(function, place, arguments, result)
    change = questions.wraparound(compared) if compared is not None else None
    if compared is None or change is None:
        return None
    if again.has_fractions(compared):  # which wider integers would cut off
        change = change._replace(enough=by_name("float32"))
    values = calls.arrays(base, tuple(arguments), place)
    return change._replace(against=again.narrowed(values, result))


def _is_overwritten(out: int | None, operands: Sequence[Any], result: Any) -> bool:
    """Return whether a call put its result where its operands were, which are others now."""
    if out is None:
        return False
    others = [v for i, v in enumerate(operands) if i != out + 1 and is_array(v)]
    if type(result) is not sys.modules["numpy"].ndarray:
        return any(value is result for value in others)
    shares = sys.modules["numpy"].may_share_memory
    return any(shares(as_numpy(v), result) for v in others if as_numpy(v) is not None)


def _is_inexact(value: Any) -> bool:
    """Return whether a value is an array, or a scalar of a library, of real floats."""
    d = _read(value)
    return d is not None and d.kind == "float"


def _are_floats(value: Any) -> bool:
    """Return whether a value is a list of Python's floats."""
    return isinstance(value, (list, tuple)) and {*map(type, value[:MOST])} == {float}


class Conversions:
    """Looks at what becomes of what calls convert: their object, or their first argument.

    Numbers that are converted one at a time are held against those before them.

    Attributes:
        numbers: how many of those.
    """

    numbers: Final = _NUMBERS

    def __init__(self) -> None:
        self._numbers: dict[float, Any] = {}

    def __call__(
        self, place: Location, result: Any, operands: Sequence[Any], _: int
    ) -> Change | None:
        """Return what became of the values of a call."""
        base, d = operands[0], dtype(result.dtype)
        value = base if is_array(base) else operands[1] if len(operands) > 1 else None
        is_float = dtypes.family(d) == "inexact"
        if d.name != "float64" and _are_floats(value):
            value = sys.modules["numpy"].array(value).reshape(result.shape)
        elif type(value) is float and not is_float:
            return questions.cut_off(value, result, is_named=DTYPE_OF not in place.keywords)
        elif type(value) is int or isinstance(value, (list, tuple)):
            listed = value if isinstance(value, (list, tuple)) else [value]
            return questions.of_integers(listed, result, d) if is_float else None
        compared = recompute.of_cast(value, result)
        if compared is None:
            dropped = questions.parts_dropped(as_numpy(value), as_numpy(result))
            return dropped or storage.flags(place, value, result)
        if not is_float:
            is_named = DTYPE_OF not in place.keywords
            lost = questions.nothing_left(compared, is_named=is_named)
            lost = lost or (None if is_named else questions.little_left(compared))
            has_unsigned = kind_of(result) == NDARRAY
            wrapped = questions.cast_to_integers(compared, has_unsigned=has_unsigned)
            return lost or wrapped or questions.nearly_whole(compared)
        if compared.whole == 1 and compared.operands[0].dtype.kind == "f" and d.name in _ROUNDING:
            return self._of_several(compared, d)
        return questions.conversion(compared, d)

    def _of_several(self, compared: recompute.Comparison, d: DType) -> Change | None:
        """Return what became of the numbers that were converted at a place so far."""
        numpy = sys.modules["numpy"]
        if len(self._numbers) < _NUMBERS:
            self._numbers[float(compared.expected.item())] = compared.actual.reshape(1)
        if len(self._numbers) < questions.FEWEST_NEIGHBOURS:
            return questions.float_range(compared, d)
        numbers = sorted(self._numbers)
        x = numpy.array(numbers, compared.operands[0].dtype)
        found = numpy.concatenate([self._numbers[number] for number in numbers])
        several = compared._replace(
            actual=found, expected=wide(x), operands=[x], whole=len(x),
            text=lambda index: recompute.element(x, index),
        )  # fmt: skip
        return questions.conversion(several, d)

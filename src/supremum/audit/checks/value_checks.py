"""Which operations have their values looked at, by what, and how often.

The first ones at a place are, and some of those that follow: each eighth while they are small,
else the 16th, the 32nd and so on.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core.dtypes import DType, dtype
from ...core.errors import SupremumError
from ...core.functions import canonical
from ..model.locations import Location, character
from . import accumulation, calls, checks, intended, known_functions, survival, wraparound
from .exact_values import Change, as_numpy
from .tracked_types import is_array

Examine = Callable[[Location, Any, Sequence[Any], int], Change | None]
"""Looks at a place, a result, the operands (of a call, its object and arguments), and how often
that came up; returns what became of the values, if it was not meant."""

_EACH: Final = 8  # the first of these are looked at
_FEW: Final = 4_096  # elements that it takes no time to look at
_LARGE: Final = 1 << 18  # elements that take long
_FIRST: Final = 2  # of those that do


def is_due(looks: int, result: Any) -> bool:
    """Tell whether an operation is to be looked at.

    Args:
        looks: how often it came up so far, with this one.
        result: what it gave.

    >>> [n for n in range(1, 65) if is_due(n, 0)]
    [1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32, 40, 48, 56, 64]
    """
    size = getattr(result, "size", 1)
    size = size if type(size) is int else _FEW + 1  # that of a tensor is a method
    if looks <= (_FIRST if size > _LARGE else _EACH):
        return True
    return looks % _EACH == 0 if size <= _FEW else looks & (looks - 1) == 0


def look(
    examine: Examine, place: Location, result: Any, operands: Sequence[Any], times: int
) -> Change | None:
    """Return what became of the values of an operation; the program does not hear of it."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    hides_overflow = numpy.geterr()["over"] == "ignore"
    try:
        with numpy.errstate(all="ignore"):
            change = examine(place, result, operands, times)
    except (TypeError, ValueError, RuntimeError):  # NumPy cannot do what another library does
        return None
    if change is None or (change.kind == "wraparound" and hides_overflow):
        return None
    return change


def of_operator(place: Location, result: Any) -> Examine | None:
    """Return what looks at the values of an operator with two operands, or None."""
    d = _read(result)
    if d is None:
        return None
    if checks.family(d) == "integer":
        return _two if wraparound.may_wrap(place.name) else None
    adds = place.name in ("add", "subtract") and d.name in accumulation.TOLERANCE
    return accumulation.Total() if adds and _is_total(place) else None


def of_sign(place: Location, result: Any) -> Examine | None:
    """Return what looks at the values of a sign, or None."""
    is_sign = place.form == "operator" and wraparound.may_wrap(place.name)
    d = _read(result) if is_sign else None
    return _sign if d is not None and checks.family(d) == "integer" else None


def of_store(place: Location, base: Any) -> Examine | None:
    """Return what looks at the values of an operator in place, or None."""
    d = _read(base)
    if d is None or place.name not in ("add", "subtract", "multiply", "at"):
        return None
    if checks.family(d) == "integer":
        return _at if place.name == "at" else _in_place
    if place.name not in ("add", "subtract"):
        return None
    return accumulation.Total() if d.name in accumulation.TOLERANCE else None


def of_call(place: Location, result: Any, *, converts: bool) -> Examine | None:
    """Return what looks at the values of a call, or None.

    Args:
        place: where it is.
        result: what it gave.
        converts: whether all it does is to convert.
    """
    d = _read(result)
    if d is None:
        return None
    is_integer = checks.family(d) == "integer"
    if converts:
        return _cast_to_integer if is_integer else _cast_to_float
    if is_integer:
        return _integers if wraparound.may_wrap(canonical(place.name) or place.name) else None
    known = accumulation.accumulates(place.name) and d.name in accumulation.TOLERANCE
    return _floats if known else None


def converts(place: Location, *, explicit: bool) -> bool:
    """Tell whether all that a call does is to convert: what it is given, or its object."""
    return known_functions.converts(place.name) and (explicit or place.name in _CONVERT)


_CONVERT: Final = frozenset({"array", "asarray", "asanyarray", "float", "half", "int", "short"})


def _read(result: Any) -> DType | None:
    """Return the dtype of a result whose values count, or None."""
    try:
        d = dtype(result.dtype)
    except SupremumError:
        return None
    return d if checks.family(d) and d.kind != "complex" else None


def _is_total(place: Location) -> bool:
    """Tell whether a sum is assigned to what is added to."""
    if place.form == "in place":
        return True
    line = linecache.getline(place.file, place.line)
    before = line[: character(line, place.span[1])]
    total = re.escape(place.operand_text(0))
    return re.search(rf"(?:^|[:;])\s*{total}\s*=\s*\(?$", before) is not None


def _unless_meant(change: Change | None, place: Location, result: Any) -> Change | None:
    if change is None or intended.is_meant(place, dtype(result.dtype)):
        return None
    return change


def _two(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    change = wraparound.of_two(place.name, operands[0], operands[1], result)
    return _unless_meant(change, place, result)


def _sign(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    return _unless_meant(wraparound.of_one(place.name, operands[0], result), place, result)


def _in_place(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    change = _changed(place.name, operands[1], result)
    return _unless_meant(change, place, result)


def _changed(name: str, value: Any, result: Any) -> Change | None:
    """Return what became of an array of integers that an operator changed in place."""
    if value is result:  # nothing says what it was
        return None
    if name == "multiply":
        change = wraparound.of_product_in_place(value, result)
    elif name in ("add", "subtract"):
        before = result - value if name == "add" else result + value
        change = wraparound.of_two(name, before, value, result)
    else:
        return None
    return change and change._replace(against=1, cause=0)


def _at(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Look at what ``np.add.at(into, index, values)`` made of an array."""
    _into, value, function, index = operands
    name = getattr(function, "__name__", "")
    if name not in ("add", "subtract"):
        return None
    change = wraparound.of_at(name, result, index, value)
    change = change and change._replace(against=1, cause=0)
    return _unless_meant(change, place, result)


def _integers(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    name = canonical(place.name) or place.name
    data = operands if is_array(operands[0]) else operands[1:]
    if "where" in place.keywords:  # some elements are what they were
        return None
    out = calls.output(place, result, operands[0], tuple(operands[1:]))
    lost = _lost(place, operands, result)
    if name in ("abs", "negative", "square"):
        change = wraparound.of_one(name, data[0], result) if data and not lost else None
    elif name in _TWO and len(data) > 1:
        if lost:
            change = _changed(name, data[1], result) if data[0] is result else None
            change = change and change._replace(cause=None)
        else:
            stored = out is not None and "dtype" not in place.keywords
            change = wraparound.of_two(name, data[0], data[1], result, stored=stored)
    else:
        named = "dtype" in place.keywords and dtype(result.dtype).kind == "unsigned"
        change = wraparound.of_call(place, operands, result) if not (named or lost) else None
    if out is not None and change is not None:
        change = change._replace(enough=None)  # wider operands have no place in the output
    return _unless_meant(change, place, result)


_TWO: Final = ("add", "subtract", "multiply", "power", "left_shift", "floor_divide")


def _lost(place: Location, operands: Sequence[Any], result: Any) -> bool:
    """Tell whether a call put its result where its operands were, which are others now."""
    out = calls.output(place, result, operands[0], tuple(operands[1:]))
    if out is None:
        return False
    others = [v for i, v in enumerate(operands) if i != out + 1 and is_array(v)]
    if type(result) is not sys.modules["numpy"].ndarray:
        return any(value is result for value in others)
    shares = sys.modules["numpy"].may_share_memory
    return any(shares(as_numpy(v), result) for v in others if as_numpy(v) is not None)


def _floats(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    if _lost(place, operands, result):
        return None
    change = accumulation.of_call(place, operands, result)
    is_new = calls.output(place, result, operands[0], tuple(operands[1:])) is None
    return change if is_new else change and change._replace(enough=None)


def _cast_to_integer(
    place: Location, result: Any, operands: Sequence[Any], _: int
) -> Change | None:
    return _unless_meant(wraparound.of_cast(_converted(operands), result), place, result)


def _cast_to_float(_place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    return survival.of_cast(_converted(operands), result)


def _converted(operands: Sequence[Any]) -> Any:
    """Return what a call converts: its object, or its first argument."""
    if is_array(operands[0]):
        return operands[0]
    return operands[1] if len(operands) > 1 else None

"""Calls that store: which argument of ``np.copyto(into, values)`` goes into which.

They change an array that they are given, as ``into[...] = values`` does, and most give nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...core.functions import chain, function
from ..model.locations import Location
from .calls import NUMBERS, function_of
from .known_functions import is_known
from .tracked_types import is_array


class _Stored(NamedTuple):
    """An argument that is stored: its position without the array, and what it is called.

    A Python number counts as well, unless it is said not to.
    """

    position: int
    names: tuple[str, ...]
    numbers: bool = True


_ARRAY: Final = _Stored(0, ("dst", "a", "arr"))

# Functions, and methods of the same name, with what they store.
_STORE: Final = {
    "at": (_Stored(1, ()),),
    "copyto": (_Stored(0, ("src",)),),
    "fill": (_Stored(0, ("value",)),),
    "fill_diagonal": (_Stored(0, ("val",)),),
    "place": (_Stored(1, ("vals",)),),
    "put": (_Stored(1, ("v", "values")),),
    "put_along_axis": (_Stored(1, ("values",)),),
    "putmask": (_Stored(1, ("values",)),),
}

# Methods of PyTorch, beside those that compute in place.
_IN_PLACE: Final = {
    "addcdiv": (_Stored(0, ("tensor1",)), _Stored(1, ("tensor2",))),
    "addcmul": (_Stored(0, ("tensor1",)), _Stored(1, ("tensor2",))),
    "clamp": (_Stored(0, ("min",), numbers=False), _Stored(1, ("max",), numbers=False)),
    "clamp_max": (_Stored(0, ("max",), numbers=False),),
    "clamp_min": (_Stored(0, ("min",), numbers=False),),
    "clip": (_Stored(0, ("min",), numbers=False), _Stored(1, ("max",), numbers=False)),
    "copy": (_Stored(0, ("src", "other")),),
    "fill": (_Stored(0, ("value",)),),
    "fill_diagonal": (_Stored(0, ("fill_value",)),),
    "index_add": (_Stored(2, ("source",)),),
    "index_copy": (_Stored(2, ("source",)),),
    "index_fill": (_Stored(2, ("value",)),),
    "index_put": (_Stored(1, ("values",)),),
    "lerp": (_Stored(0, ("end",)),),
    "masked_fill": (_Stored(1, ("value",)),),
    "masked_scatter": (_Stored(1, ("source",)),),
    "put": (_Stored(1, ("source",)),),
    "scatter": (_Stored(2, ("src", "value")),),
    "scatter_add": (_Stored(2, ("src",)),),
}
_ONE: Final = (_Stored(0, ("other",)),)
_ONE_ARRAY: Final = (_Stored(0, ("other", "exponent"), numbers=False),)
# What takes numbers that have no place in its operand's dtype.
_TAKE_ANY_NUMBER: Final = {"power", "left_shift", "right_shift"}
# Functions that tell something about their operands, which is what they store.
_TELL: Final = {"equal", "less", "logical_and"}

HEARD: Final = frozenset({"autocast", "iterrows"})
"""Calls that count whatever they give."""


def may_store(name: str) -> bool:
    """Tell whether a function of this name may store one argument in another.

    >>> may_store("copyto"), may_store("mul_"), may_store("add"), may_store("__init__")
    (True, True, False, False)
    """
    return name in _STORE or (name[-1:] == "_" and name[-2:] != "__")


def stored(
    place: Location, result: Any, base: Any, arguments: Sequence[Any]
) -> tuple[tuple[int, int], ...]:
    """Return what a call stored where, as indices: 0 is its object, 1 its first argument.

    Args:
        place: where the call is.
        result: what it gave.
        base: the function's module or object, or the function.
        arguments: what it was given.
    """
    before = 0 if is_array(base) else 1  # how many arguments come before what is stored
    if len(arguments) <= before or not {"*", "**"}.isdisjoint(place.keywords):
        return ()
    array = _index_of(_ARRAY, 0, place.keywords) if before else 0
    into = base if array == 0 else arguments[array - 1] if array is not None else None
    if array is None or not is_array(into):
        return ()
    if result is None:
        told: Sequence[_Stored] = _STORE.get(place.name, ())
        is_method = not before or isinstance(base, type) or type(base).__name__ == "ufunc"
        if not is_method and not is_known(function_of(base, place.name), into):
            return ()
    elif result is into and place.name[-1:] == "_":
        told = _in_place(place.name[:-1])
    else:
        return ()
    found = []
    for one in told:
        index = _index_of(one, before, place.keywords)
        value = arguments[index - 1] if index is not None else None
        if index is not None and (is_array(value) or (one.numbers and type(value) in NUMBERS)):
            found.append((array, index))
    return tuple(found)


def _in_place(name: str) -> Sequence[_Stored]:
    """Return what a method that is named for a function stores in its object."""
    if name in _IN_PLACE:
        return _IN_PLACE[name]
    known = function(name)
    if known is None or known.category != "elementwise" or known.operands != 2:
        return ()
    if not _TELL.isdisjoint(chain(known.name)):
        return ()
    return _ONE_ARRAY if known.name in _TAKE_ANY_NUMBER else _ONE


def _index_of(one: _Stored, before: int, keywords: Sequence[str]) -> int | None:
    """Return which argument is meant, the first of which is 1, or None if it is not given."""
    for name in one.names:
        if name in keywords:
            return keywords.index(name) + 1
    index = before + one.position
    is_given = index < len(keywords) and not keywords[index]
    return index + 1 if is_given else None


def is_store(place: Location) -> bool:
    """Tell whether what happens at a place stores something."""
    is_call = place.form == "call" and may_store(place.name)
    return is_call or place.form in ("store", "in place")


def keeps_values(place: Location) -> bool:
    """Tell whether what a place stores is what it is given, and not computed of it."""
    is_call = place.form == "call" and place.name in _STORE and place.name != "at"
    return is_call or place.form == "store"


def selected(place: Location, into: Any, value: Any, arguments: Sequence[Any]) -> Any:
    """Return those of some values that are stored, where a mask says which, and it matters."""
    if place.name != "copyto" or "where" not in place.keywords:
        return value
    mask, numpy = arguments[place.keywords.index("where")], sys.modules["numpy"]
    if type(value) is not numpy.ndarray or type(mask) is not numpy.ndarray:
        return value
    by_value = into.dtype.kind in "iu" and value.dtype.kind in "iuf"
    return value[mask] if by_value and mask.dtype == bool and mask.shape == value.shape else value

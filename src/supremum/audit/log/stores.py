"""Calls that store: which argument of ``np.copyto(into, values)`` goes into which.

They change an array that they are given, as ``into[...] = values`` does, and most give nothing.
Methods whose names end with an underscore compute in place, and give their object.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from ...core.functions import Function, Stored, facts_of
from ..model.locations import Location
from .calls import NUMBERS, function_of
from .known_functions import is_known
from .tracked_types import is_array, is_ufunc

_ARRAY: Final = Stored(0, ("dst", "a", "arr"))

_HEARD: Final = frozenset({
    "DataLoader", "backward", "bfloat16", "double", "half", "iterrows", "register_buffer",
    "set_default_dtype", "step", "to",
})  # fmt: skip


def is_heard(name: str, keywords: Sequence[str]) -> bool:
    """Return whether a call counts whatever it gives, as that of a class does that takes a dtype.

    >>> is_heard("Linear", ["", "", "dtype"]), is_heard("zeros", ["", "dtype"])
    (True, False)
    """
    return name in _HEARD or (name[:1].isupper() and "dtype" in keywords)


def may_store(name: str) -> bool:
    """Return whether a function of this name may store one argument in another.

    >>> may_store("copyto"), may_store("mul_"), may_store("add"), may_store("__init__")
    (True, True, False, False)
    """
    return is_in_place(name) or facts_of(name).has("changes")


def is_in_place(name: str) -> bool:
    """Return whether a method of this name changes its object, as those of PyTorch do.

    >>> is_in_place("mul_"), is_in_place("__init__")
    (True, False)
    """
    return name[-1:] == "_" and name[-2:] != "__"


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
    known = _storing(place, result, base, into)
    if known is None:
        return ()
    indices = (_index_of(one, before, place.keywords) for one in known.stores)
    return tuple(
        (array, index) for index in indices if index and _is_stored(arguments[index - 1], known)
    )


def _storing(place: Location, result: Any, base: Any, into: Any) -> Function | None:
    """Return the function that stores something at a place, or None if none does."""
    if result is into and is_in_place(place.name):
        return facts_of(place.name[:-1])
    known = facts_of(place.name)
    if result is not None or not known.has("changes"):
        return None
    is_method = is_array(base) or isinstance(base, type) or is_ufunc(base)
    return known if is_method or is_known(function_of(base, place.name), into) else None


def _is_stored(value: Any, known: Function) -> bool:
    return is_array(value) or (type(value) in NUMBERS and not known.has("takes any number"))


def _index_of(one: Stored, before: int, keywords: Sequence[str]) -> int | None:
    """Return which argument is meant, the first of which is 1, or None if it is not given."""
    for name in one.names:
        if name in keywords:
            return keywords.index(name) + 1
    index = before + one.position
    is_given = index < len(keywords) and not keywords[index]
    return index + 1 if is_given else None


def is_store(place: Location) -> bool:
    """Return whether what happens at a place stores something."""
    is_call = place.form == "call" and may_store(place.name)
    return is_call or place.form in ("store", "in place")


def is_changed(place: Location, operand: int, argument: int) -> bool:
    """Return whether what happens at a place changes one of its operands, which has to stay it.

    Args:
        place: where it happens.
        operand: which of the operands it is: what is stored into comes first.
        argument: which argument of a call, the first of which is 1.
    """
    is_output = place.form == "call" and place.keywords[argument - 1 : argument] == ("out",)
    return is_output or (operand == 0 and is_store(place))


def keeps_values(place: Location) -> bool:
    """Return whether what a place stores is what it is given, and not computed of it."""
    known = facts_of(place.name)
    return place.form == "store" or (
        place.form == "call" and known.has("changes") and known.keeps_stored
    )


def selected(place: Location, into: Any, value: Any, arguments: Sequence[Any]) -> Any:
    """Return those of some values that are stored, where a mask says which, and it matters."""
    if "where" not in place.keywords:
        return value
    mask, numpy = arguments[place.keywords.index("where")], sys.modules["numpy"]
    if type(value) is not numpy.ndarray or type(mask) is not numpy.ndarray:
        return value
    by_value = into.dtype.kind in "iu" and value.dtype.kind in "iuf"
    return value[mask] if by_value and mask.dtype == bool and mask.shape == value.shape else value

"""Calls: which of a call's arguments are operands, and what the others say of dtypes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import ModuleType
from typing import Any, Final

from ...core.dtypes import names
from ...core.functions import NO_DATA, Function, facts_of
from ...core.libraries import library_of_module
from ..model.interruptions import is_interruption
from ..model.locations import DTYPE_OF, Location
from .known_functions import known_call
from .tracked_types import (
    FRAME,
    MAPPING,
    NDARRAY,
    NOTHING,
    SCALAR,
    SEQUENCE,
    TYPES,
    is_array,
    is_plain,
    kind_of,
    kind_of_type,
    learn,
)

NUMBERS: Final = (int, float, complex)
"""The types of Python's numbers that promote."""

_CODES = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 c8 c16 f d e F D float int"
_NAMES = frozenset((*names(), *_CODES.split()))

MOST_ELEMENTS: Final = 64
"""How many elements of a list or tuple of arrays are looked at."""

_DEEPEST: Final = 4  # lists in lists


_PLAIN: Final = (bool, int, float, complex, str, type(None))


def is_data(value: Any) -> bool:
    """Return whether an argument is data, and nothing that may be called or that holds others."""
    if type(value) in (list, tuple):
        return all(map(is_data, value))
    return type(value) in _PLAIN or is_array(value)


def arrays(base: Any, arguments: tuple[Any, ...], place: Location) -> Sequence[Any]:
    """Return the arrays that a call is about: its object, its arguments, and what lists hold.

    What decides between others is not among them, nor are the labels of what is reduced.
    """
    kind = TYPES.get(type(base))
    if kind is None:
        kind = learn(type(base))
    found = [base] if NOTHING < kind < FRAME else []
    most, takes_list, first, reduces = _takes(place.name)
    if takes_list and arguments and kind_of(arguments[0]) == SEQUENCE:
        arguments = arguments[:1]
    for argument, word in zip(arguments[first:], place.keywords[first:], strict=False):
        if word in NO_DATA:
            continue
        kind = TYPES.get(type(argument))
        if kind is None:
            kind = learn(type(argument))
        if reduces and found and not word and kind == NDARRAY and argument.dtype.kind in "iu":
            continue
        if NOTHING < kind < FRAME:
            found.append(argument)
        elif kind == SEQUENCE:
            found += filter(is_array, elements(argument))
        # of functions that compute as operators do, numbers are operands, too
        elif not word and type(argument) in NUMBERS and len(found) < most:
            found.append(argument)
    return found


def lists(base: Any, arguments: tuple[Any, ...], place: Location) -> list[Any]:
    """Return the lists and tuples that stand where a call takes arrays, of which NumPy makes some.

    Of a function that joins what a list holds, they are that list's lists and numbers.
    """
    known = facts_of(place.name)
    if known.takes_list:
        held = arguments[0] if arguments and type(arguments[0]) in (list, tuple) else ()
        found = [x for x in held[:MOST_ELEMENTS] if type(x) in (list, tuple, *NUMBERS)]
    else:
        most = max((known.operands or 0) - is_array(base), 0)
        given = zip(arguments[:most], place.keywords, strict=False)
        found = [x for x, word in given if not word and type(x) in (list, tuple)]
    return [x for x in found if not any(map(is_array, elements([x])))]


@lru_cache(maxsize=4_096)
def _takes(name: str) -> tuple[int, bool, int, bool]:
    """Return how many operands, numbers among them, a function takes, in a list, and from where.

    And whether it takes one, of which it makes a number.
    """
    known = facts_of(name)
    most = known.operands or MOST_ELEMENTS
    is_condition, reduces = known.category == "condition", known.reduces and known.operands == 1
    return most if known.combines else 0, known.takes_list, int(is_condition), reduces


def output(place: Location, result: Any, base: Any, arguments: tuple[Any, ...]) -> int | None:
    """Return which argument of a call its result goes into, or None for a new array."""
    if "out" in place.keywords:
        index = place.keywords.index("out")
        return index if arguments[index] is not None else None
    position = _position_of_output(known_call(place.name, base))
    if position is None or not is_array(result):
        return None
    position -= is_array(base)
    is_given = position < len(arguments) and not place.keywords[position]
    return position if is_given and arguments[position] is result else None


@lru_cache(maxsize=4_096)
def _position_of_output(known: Function) -> int | None:
    return known.output_position


def hands_on(
    place: Location, result: Any, base: Any, arguments: tuple[Any, ...], operands: Sequence[Any]
) -> bool:
    """Return whether a call returns one of its operands, or a part of one, that it did not fill."""
    if output(place, result, base, arguments) is not None:
        return False
    whole = result.base if TYPES.get(type(result)) == NDARRAY else None
    return any(
        value is result or (whole is not None and (value is whole or _base(value) is whole))
        for value in operands
    )


def _base(value: Any) -> Any:
    return value.base if TYPES.get(type(value)) == NDARRAY else None


def spans(
    place: Location, base: Any, arguments: tuple[Any, ...], operands: Sequence[Any]
) -> list[int]:
    """Return which of a call's spans each operand is written at: 0 is its object."""
    free = [*enumerate((base, *arguments))]
    for index, argument in enumerate(arguments):
        if kind_of(argument) == SEQUENCE:
            first = place.lists[index]
            free += [
                (first + i if first else index + 1, e) for i, e in enumerate(elements(argument))
            ]
    found = []
    for op in operands:
        at = next((i for i, pair in enumerate(free) if pair[1] is op), None)
        found.append(0 if at is None else free.pop(at)[0])
    return found


def arrays_in(values: Any) -> list[Any]:
    """Return the arrays among the `elements` of a list, tuple or dictionary."""
    level: Sequence[Any] = _first(values)
    for _ in range(_DEEPEST):  # for most it is seen by their types alone that there are none
        if not all(map(is_plain, set(map(type, map(type, level))))):
            break
        kinds = {t: kind_of_type(t) for t in set(map(type, level))}
        if not {SEQUENCE, MAPPING}.issuperset(filter(None, kinds.values())):
            break
        level = [e for value in level if kinds[type(value)] for e in _first(value)]
        if not level:
            return []
        if len(level) > MOST_ELEMENTS:
            break
    return [element for element in elements(values) if is_array(element)]


def _first(values: Any) -> list[Any] | tuple[Any, ...]:
    """Return the first elements of a list, tuple or dictionary as they are."""
    if type(values) is dict:
        return [*islice(values.values(), MOST_ELEMENTS)]
    get: Any = tuple.__getitem__ if isinstance(values, tuple) else list.__getitem__
    first: list[Any] | tuple[Any, ...] = get(values, slice(MOST_ELEMENTS))
    return first


def elements(values: Any) -> Sequence[Any]:
    """Return the first elements of a list or tuple, and of those in it, in order.

    Whatever its class makes of indices is not asked. One that holds itself is looked into once.
    """
    most = MOST_ELEMENTS
    found: list[Any] = []
    stack: list[Any] = [values]
    opened: set[int] = set()
    while stack and len(found) < most:
        value = stack.pop()
        if type(value) is not dict and kind_of(value) != SEQUENCE:
            found.append(value)
        elif id(value) not in opened and len(opened) < most:
            opened.add(id(value))
            stack += _first(value)[::-1]
    return found


def is_explicit(place: Location, result: Any, base: Any, arguments: tuple[Any, ...]) -> bool:
    """Return whether a call says which dtype it is to give."""
    function = function_of(base, place.name)
    if "dtype" in place.keywords or DTYPE_OF in place.keywords:
        return True
    named = (i for i, argument in enumerate(arguments) if _may_name_dtype(argument))
    if any(_takes_dtype(function, base, i) for i in named):
        return True
    return isinstance(function, type) and kind_of(result) == SCALAR


def function_of(base: Any, name: str) -> Any:
    """Return the function that was called, where finding it out runs no code of the program."""
    if isinstance(base, ModuleType):
        return vars(base).get(name)
    if isinstance(base, type) or type(base).__name__ in _FUNCTIONS:
        return base
    return next((vars(c)[name] for c in type(base).__mro__ if name in vars(c)), None)


_FUNCTIONS = {"function", "builtin_function_or_method", "ufunc", "_ArrayFunctionDispatcher"}
_HELD: Final = {*_FUNCTIONS, "PjitFunction"}  # of JAX, and of the program


def held(base: Any, name: str) -> Any:
    """Return the function that is called if a variable holds it, or an object; else None."""
    if any(name in vars(c) for c in type(base).__mro__):  # it is a method, such as ``add.reduce``
        return None
    is_itself = type(base).__name__ in _HELD
    function = base if is_itself else inspect.getattr_static(base, name, None)
    return function if type(function).__name__ in _HELD else None


def own_name(function: Any, name: str) -> str:
    """Return what a library calls its function if a call names it in another way; else the name.

    >>> import numpy as np
    >>> own_name(np.mean, "operator"), own_name(np.abs, "abs"), own_name(len, "operator")
    ('mean', 'abs', 'operator')
    """
    own = getattr(function, "__name__", name)
    if own == name:
        return name
    of = getattr(function, "__module__", None) or type(getattr(function, "__self__", 0)).__module__
    is_library = library_of_module(str(of).partition(".")[0]) is not None
    is_other = is_library and facts_of(own).name and facts_of(own) is not facts_of(name)
    return own if is_other else name


def parameters_of(function: Any) -> Mapping[str, inspect.Parameter] | None:
    """Return the parameters of a function by name, or None if it does not say."""
    kind = type(function).__name__
    of_module = isinstance(getattr(function, "__self__", None), ModuleType)
    lasts = kind == "method_descriptor" or (kind == "builtin_function_or_method" and of_module)
    return _lasting_parameters(function) if lasts else _parameters(function)


def _parameters(function: Any) -> Mapping[str, inspect.Parameter] | None:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError) as error:
        if is_interruption(error):
            raise
        return None


# Those of compiled functions are parsed from a text each time.
_lasting_parameters: Final = lru_cache(maxsize=4_096)(_parameters)


def _takes_dtype(function: Any, base: Any, index: int) -> bool:
    """Return whether the argument of some index is for a parameter that takes a dtype."""
    named = parameters_of(function)
    if named is None:
        return True  # it does not say
    parameters = list(named.values())
    is_method = not isinstance(base, (ModuleType, type)) and base is not function
    parameters = parameters[is_method and parameters[:1] != [] :]
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if index >= len(plain):
        return len(plain) < len(parameters)
    return "dtype" in plain[index].name or plain[index].name in ("type", "t")


def _may_name_dtype(argument: Any) -> bool:
    if isinstance(argument, str):
        return argument in _NAMES or (argument[:1] in "<>=" and argument[1:] in _NAMES)
    if isinstance(argument, type):
        stands_for_one = is_dtype_object(vars(argument).get("dtype", None))
        return stands_for_one or argument in (bool, *NUMBERS) or kind_of_type(argument) == SCALAR
    return is_dtype_object(argument)


def is_dtype_object(value: Any) -> bool:
    """Return whether a value is a dtype of some library, by what its class is called."""
    return type(value).__name__.lower().endswith("dtype")


def is_from_numbers(result: Any, arguments: tuple[Any, ...], values: Sequence[Any]) -> bool:
    """Return whether a scalar was made of Python's numbers alone."""
    data = [a for a in arguments if a is not None and not isinstance(a, (str, bool))]
    return (
        bool(data)
        and not any(map(is_array, values))
        and all(isinstance(a, NUMBERS) for a in data)
        and getattr(result, "ndim", 1) == 0
    )

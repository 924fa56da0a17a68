"""What Python makes of its own numbers, which libraries have no part in.

A number whose value is not known, such as ``x.item()``, is its type here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..dtypes import PYTHON_SCALARS
from ..operands import Operand

KINDS: Final[Mapping[str, type]] = {
    "bool": bool, "signed": int, "unsigned": int, "float": float, "complex": complex,
}  # fmt: skip
"""The type of the Python numbers of each kind."""

PARTS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "real": lambda x: x.real, "imag": lambda x: x.imag, "isreal": lambda x: x.imag == 0,
    "conjugate": lambda x: x.conjugate(),
}  # fmt: skip
"""What functions give of a Python number that libraries leave as it is."""

_MOST: Final = 4096  # bits
_SAMPLES: Final[Mapping[str, complex]] = {"bool": True, "int": 1, "float": 1.5, "complex": 1j}
_OWN: Final[Mapping[str, Callable[..., Any]]] = {
    "abs": abs, "round": round, "max": max, "min": min, "divmod": divmod,
    **{t.__name__: t for t in PYTHON_SCALARS}
}  # fmt: skip
_NOT_OF_FLOATS: Final = ("factorial", "comb", "perm", "prod")  # which may take for ever


def function_of(words: Sequence[str]) -> Callable[..., Any] | None:
    """Return the function of Python's, or of `math`, that a dotted name means, if it does."""
    if words[0] == "math" and len(words) == 2 and words[1] not in _NOT_OF_FLOATS:
        found = getattr(math, words[1], None)
        return found if callable(found) else None
    return _OWN.get(words[0]) if len(words) == 1 else None


def called(function: Callable[..., Any], operands: Sequence[Operand]) -> Any:
    """Return what a function of Python's gives, or None if it is for a library to say.

    Raises:
        ValueError: if there is no such number.
    """
    first = operands[0] if operands else None
    if all(x.number is not None for x in operands):
        return _computed(function, [x.number for x in operands])
    if first is not None and first.form != "dtype" and len(operands) == 1:
        if function in PYTHON_SCALARS and not first.rank:
            return function
        if function is round and first.form == "scalar":
            return int
    if function in (abs, round, max, min, divmod) and not all(
        x.form == "Python scalar" for x in operands
    ):
        return None
    raise ValueError("this takes one number, whose value is known")


def operation(special: str, operands: Sequence[Operand]) -> Any:
    """Return what an operator gives of Python's numbers.

    Args:
        special: the special method, such as ``__add__``.
        operands: one or two numbers.

    Raises:
        ValueError: if it cannot be computed, or is too large to be.

    >>> from supremum.core.operands import operand
    >>> operation("__pow__", [operand(2), operand(10)])
    1024
    """
    values = [*map(_value, operands)]
    if special in ("__pow__", "__lshift__"):
        if abs(values[-1]) > _MOST or abs(values[0]) > 2**_MOST:
            raise ValueError("the number is too large to compute")
        if operands[-1].value is None and type(values[-1]) is int:
            raise ValueError(f"the value of {operands[-1].text} decides about the type")
    found = _computed(getattr(operator, special), values)
    return type(found) if any(x.value is None for x in operands) else found


def part(get: Callable[[Any], Any], x: Operand) -> Any:
    """Return what a function gives of a Python number, or its type if the value is not known."""
    found = get(_value(x))
    return type(found) if x.value is None else found


def _value(x: Operand) -> Any:
    """Return the value of a Python number, or one of its type if that is not known."""
    return _SAMPLES[x.library] if x.value is None else x.value


def _computed(function: Callable[..., Any], values: Sequence[Any]) -> Any:
    try:
        found = function(*values)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise ValueError(f"Python cannot compute this: {error}") from None
    if type(found) not in PYTHON_SCALARS:
        raise ValueError("this does not give one number")
    return found

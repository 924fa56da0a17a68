"""Calling a function of the catalogue, as its call there says, or as a library's own does.

A library's functions are those of its ``roots()``: modules, and classes for methods. ``CALLS`` has
the calls, as in the catalogue, of those that it calls otherwise, and ``NAMES`` the names of those
that another one has the name of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from ..core.dtypes import DType, dtype
from ..core.errors import DTypeError
from ..core.functions import FUNCTIONS, OPERAND_SLOT, Function

LACKS = "?"
"""What stands, with the name of the dtype or function that a library lacks, for its answer."""


class LackingError(AttributeError):
    """A library does not have a dtype or a function, of this ``name``."""


WEAK = ", weak"
"""What the answer of a function ends with if its result is weak."""

METHODS: Final[Mapping[str, str]] = {
    "subtract": "sub", "multiply": "mul", "true_divide": "truediv", "floor_divide": "floordiv",
    "remainder": "mod", "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor",
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt",
    "greater_equal": "ge", "negative": "neg", "cumulative_sum": "cumsum",
    "cumulative_prod": "cumprod",
}  # fmt: skip
"""What methods and Python's ``operator`` call functions of the catalogue."""


def call_of(known: Function, own: Mapping[str, str]) -> str:
    """Return how a function is called, with `f` for it and `a[0]` for the first operand."""
    call = own.get(known.name, known.call).replace(",...", "")
    places = iter(range(9))
    result = re.search(r"\[(\d)\]$", known.name)
    written = re.sub(OPERAND_SLOT, lambda _: f"a[{next(places)}]", call)
    return f"f{written}{result[0] if result else ''}"


def ranks_of(known: Function, own: Mapping[str, str]) -> list[int]:
    """Return for each operand whether it is a vector, 1, or a matrix, 2."""
    found = re.findall(OPERAND_SLOT, own.get(known.name, known.call))
    return [2 if letter in "mn" else 1 for letter in found]


def find(roots: Sequence[Any], known: Function, names: Mapping[str, str]) -> Callable[..., Any]:
    """Return a function of a library, by any of its spellings.

    Raises:
        LackingError: if the library does not have it.
    """
    for spelling in (names.get(known.name, known.name), *known.spellings):
        path = spelling.partition("[")[0].split(".")
        for root in roots:
            found = root
            for name in path:
                found = getattr(found, name, None)
            if callable(found):
                return cast("Callable[..., Any]", found)
    raise LackingError(f"{roots[0].__name__} does not have {known.name}", name=known.name)


@cache
def _compiled(call: str) -> Callable[..., Any]:
    text = f"lambda f, a, c, i: {call}"
    return cast("Callable[..., Any]", eval(text))  # noqa: S307  # a call of the catalogue


def call(
    library: Any, name: str, operands: Sequence[Any], mask: Any = None, index: Any = None
) -> Any:
    """Return what a function of a library gives.

    Args:
        library: how the library is asked.
        name: the function, as the catalogue calls it.
        operands: live ones.
        mask: an array of conditions.
        index: an array of indices.
    """
    known, own = FUNCTIONS[name], getattr(library, "CALLS", {})
    called = find(library.roots(), known, getattr(library, "NAMES", {}))
    if known.category == "store":
        raise AttributeError("operators in place are called by the library itself")
    return _compiled(call_of(known, own))(called, operands, mask, index)


def own_dtype(namespace: Any, d: DType, name: str = "") -> Any:
    """Return the dtype object of a namespace whose dtypes are its attributes.

    Args:
        namespace: a module.
        d: the dtype.
        name: what it is called there, if that is not its name.

    Raises:
        DTypeError: if the namespace does not have it.
    """
    found = getattr(namespace, name or d.name, None)
    if found is None:
        raise DTypeError(f"{namespace!r} does not have the dtype {d}", d)
    return found


def dtype_of(result: Any) -> str:
    """Return the full name of the dtype of a result: of the first one's, if it is a list."""
    first = result[0] if isinstance(result, (list, tuple)) else result
    return dtype(first.dtype).name

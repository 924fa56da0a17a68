"""Calling a function of the catalogue, as its call there says, or as a library's own does."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from ..core.dtypes import DType
from ..core.errors import DTypeError
from ..core.functions import OPERAND_SLOT, Function

LACKS: Final = "?"
"""What stands, with the name of the dtype or function that a library lacks, for its answer."""

ALIKE: Final = "="
"""What stands before an answer of compiled code that eager code gives, too, and not the rules."""

WEAK: Final = ", weak"
"""What the answer of a function ends with if its result is weak."""

METHODS: Final[Mapping[str, str]] = {
    "subtract": "sub", "multiply": "mul", "true_divide": "truediv", "floor_divide": "floordiv",
    "remainder": "mod", "bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor",
    "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt",
    "greater_equal": "ge", "negative": "neg", "cumulative_sum": "cumsum",
    "cumulative_prod": "cumprod",
}  # fmt: skip
"""What methods and Python's ``operator`` call functions of the catalogue."""


class LackingError(AttributeError):
    """A library does not have a dtype or a function, of this ``name``."""


def ranks_of(call: str) -> list[int]:
    """Return for each operand of a call whether it is a vector, 1, or a matrix, 2.

    >>> ranks_of("(m,x,n[0])")
    [2, 1, 2]
    """
    return [2 if letter in "mn" else 1 for letter in re.findall(OPERAND_SLOT, call)]


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


def perform(
    call: str,
    name: str,
    called: Callable[..., Any],
    operands: Sequence[Any],
    selectors: Callable[[str], Any],
) -> Any:
    """Return what a function gives for some operands.

    >>> perform("(x,[y,1])", "f[1]", lambda *given: given, ["a", "b"], {}.get)
    ['b', 1]

    Args:
        call: how it is called, as the catalogue has it.
        name: its name there, which may end with the number of a result.
        called: the function.
        operands: live ones.
        selectors: returns the array of conditions, ``c``, or of indices, ``i``.
    """
    result = _Reading(operands, selectors).value(_tree(call), called)
    number = re.search(r"\[(\d)\]$", name)
    return result[int(number[1])] if number else result


@cache
def _tree(call: str) -> ast.Call:
    """Return the tree of a call, without the dots for more operands."""
    return cast("ast.Call", ast.parse(f"f{call.replace(',...', '')}", mode="eval").body)


class _Reading:
    """Reads the tree of a call: each letter of an operand is the next one.

    Args:
        operands: those that stand for letters, in their order.
        selectors: returns what ``c`` and ``i`` are.
    """

    def __init__(self, operands: Sequence[Any], selectors: Callable[[str], Any]) -> None:
        self._left: Iterator[Any] = iter(operands)
        self._selectors = selectors

    def value(self, node: ast.expr, called: Callable[..., Any] | None = None) -> Any:
        """Return what a part of the call is, with its operands in place."""
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(letter):
                return self._selectors(letter) if letter in "ci" else next(self._left)
            case ast.Tuple(parts) | ast.List(parts):
                values = map(self.value, parts)
                return list(values) if isinstance(node, ast.List) else tuple(values)
            case ast.UnaryOp(ast.USub(), inner):
                return -self.value(inner)
            case ast.BinOp(left, ast.Mult(), right):
                return self.value(left) * self.value(right)
            case ast.Subscript(whole, index):
                return operator.getitem(self.value(whole), self.value(index))
            case ast.Slice(lower, upper):
                return slice(lower and self.value(lower), upper and self.value(upper))
            case ast.Call(ast.Attribute(whole, method), given, keywords):
                return self._called(getattr(self.value(whole), method), given, keywords)
            case ast.Call(_, given, keywords) if called:
                return self._called(called, given, keywords)
        raise ValueError(f"{ast.unparse(node)} is not a part of a call")

    def _called(
        self, function: Callable[..., Any], given: list[ast.expr], keywords: list[ast.keyword]
    ) -> Any:
        values = list(map(self.value, given))
        return function(*values, **{k.arg: self.value(k.value) for k in keywords if k.arg})


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

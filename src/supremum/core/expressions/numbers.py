"""What Python makes of its own numbers, which libraries have no part in."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

CONSTANTS: Final[Mapping[str, float]] = {
    "pi": math.pi, "e": math.e, "euler_gamma": 0.5772156649015329, "inf": math.inf, "nan": math.nan,
}  # fmt: skip
"""The Python floats that array libraries have, by their names there."""

CONVERTED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "bool": bool, "signed": int, "unsigned": int, "float": float, "complex": complex,
}  # fmt: skip
"""What makes a Python number of each kind."""

_MOST: Final = 4096  # bits
_COMPUTED: Final[Mapping[type, Callable[..., Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: operator.pow, ast.MatMult: operator.matmul, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.inv,
}  # fmt: skip


def computed(kind: type, values: Sequence[Any]) -> Any:
    """Return what an operator gives of Python numbers.

    Args:
        kind: the operator, as `ast` has it.
        values: one or two numbers.

    Raises:
        ValueError: if it cannot be computed, or is too large to be.

    >>> computed(ast.Pow, [2, 10])
    1024
    """
    if kind in (ast.Pow, ast.LShift) and (abs(values[-1]) > _MOST or abs(values[0]) > 2**_MOST):
        raise ValueError("the number is too large to compute")
    try:
        return _COMPUTED[kind](*values)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise ValueError(f"Python cannot compute this: {error}") from None

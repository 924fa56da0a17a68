"""What stands for the parts of an expression while Python evaluates it.

Each operator, call, item and attribute asks its evaluation for the result, so that precedence,
chains and keywords are the language's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..operands import Operand
from .text import OPERATORS

_SPECIAL: Final = """add sub mul truediv floordiv mod pow matmul and or xor lshift rshift
    eq ne lt le gt ge neg pos invert"""
SPECIAL: Final = dict(
    zip((f"__{name}__" for name in _SPECIAL.split()), OPERATORS.values(), strict=True)
)
"""The function that each of Python's special methods stands for."""

MIRRORED: Final = {
    "__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__", "__le__": "__ge__",
    "__gt__": "__lt__", "__ge__": "__le__",
}  # fmt: skip
"""What Python asks an array for, if a number stands before it."""


class Traced:
    """A part of an expression.

    Args:
        evaluation: what is asked: an `Evaluation`.
    """

    def __init__(self, evaluation: Any) -> None:
        self.evaluation = evaluation

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("."):  # it is not in the text: a debugger looks for it
            raise AttributeError(name)
        return self.evaluation.attribute(self, name[1:])

    def __getitem__(self, index: Any) -> Any:
        return self.evaluation.item(self, index)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Return what a call gives."""
        return self.evaluation.call(self, args, kwargs)


def _asking(special: str) -> Callable[..., Any]:
    return lambda self, *others: self.evaluation.operation(special, self, *others)


for _name in SPECIAL:
    setattr(Traced, _name, _asking(_name))


class Value(Traced):
    """An array or a number; or the results of a function that has several, of which one is taken.

    Args:
        evaluation: what is asked.
        results: the operands.
        is_several: whether a function gave them.
        is_alike: whether the last one stands for any number of them.
    """

    def __init__(
        self, evaluation: Any, *results: Operand, is_several: bool = False, is_alike: bool = False
    ) -> None:
        super().__init__(evaluation)
        self.results = results
        self.is_several = is_several
        self.is_alike = is_alike


class Path(Traced):
    """A dotted name: a library, a namespace, a function, a dtype or a constant; or a method.

    Args:
        evaluation: what is asked.
        words: the words between the dots.
        of: the value whose method it is, if it is one.
    """

    def __init__(self, evaluation: Any, words: tuple[str, ...], of: Value | None = None) -> None:
        super().__init__(evaluation)
        self.words = words
        self.of = of

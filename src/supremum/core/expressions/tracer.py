"""What stands for the parts of an expression while Python evaluates it.

Each operator, call, item and attribute of a `Traced` object asks its evaluation for the result, so
that precedence, chains and keywords are the language's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from ..operands import Operand
from .text import OPERATORS

SPECIAL: Final[Mapping[str, str]] = dict(
    zip(
        (
            "__add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__ __and__ "
            "__or__ __xor__ __lshift__ __rshift__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ "
            "__neg__ __pos__ __invert__"
        ).split(),
        OPERATORS.values(),
        strict=True,
    )
)
"""The function that each of Python's special methods stands for."""

MIRRORED: Final[Mapping[str, str]] = {
    "__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__", "__le__": "__ge__",
    "__gt__": "__lt__", "__ge__": "__le__",
}  # fmt: skip
"""What Python asks an array for, if a number stands before it."""

_MOST: Final = 4096  # bits
# Numbers whose value is not known: they have the types of those that are.
_SAMPLES: Final[Mapping[str, complex]] = {"bool": True, "int": 1, "float": 1.5, "complex": 1j}


class Evaluator(Protocol):
    """What traced objects ask."""

    def operation(self, special: str, *parts: Any) -> Any:
        """Return what an operator gives."""

    def attribute(self, part: Any, name: str) -> Any:
        """Return an attribute."""

    def item(self, part: Any, index: Any) -> Any:
        """Return an item."""

    def call(self, part: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what a call gives."""


class Traced:
    """A part of an expression."""

    def __init__(self, evaluation: Evaluator) -> None:
        self.evaluation = evaluation

    def __getattr__(self, name: str) -> Any:
        return self.evaluation.attribute(self, name.removeprefix("."))

    def __getitem__(self, index: Any) -> Any:
        return self.evaluation.item(self, index)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.evaluation.call(self, args, kwargs)

    __hash__ = None  # type: ignore[assignment]  # what is equal is a question about dtypes


def _asking(special: str) -> Callable[..., Any]:
    return lambda self, *others: self.evaluation.operation(special, self, *others)


for _special in SPECIAL:
    setattr(Traced, _special, _asking(_special))


class Value(Traced):
    """An array or a number, or the several results of a function.

    Attributes:
        results: the operands: one, or several.
        is_several: whether a function gave them, so that one is to be taken.
        is_alike: whether the last one stands for any number of them.
    """

    def __init__(
        self,
        evaluation: Evaluator,
        *results: Operand,
        is_several: bool = False,
        is_alike: bool = False,
    ) -> None:
        super().__init__(evaluation)
        self.results = results
        self.is_several = is_several
        self.is_alike = is_alike


class Path(Traced):
    """A dotted name: a library, a namespace, a function, a dtype or a constant; or a method.

    Attributes:
        words: the words between the dots.
        of: the value whose method it is, or None.
    """

    def __init__(
        self, evaluation: Evaluator, words: tuple[str, ...], of: Value | None = None
    ) -> None:
        super().__init__(evaluation)
        self.words = words
        self.of = of


def computed(special: str, operands: tuple[Operand, ...]) -> Any:
    """Return what an operator gives of Python's numbers; a `type` if a value is not known.

    Args:
        special: the special method.
        operands: one or two numbers.

    Raises:
        ValueError: if it cannot be computed, or is too large to be.
    """
    values = [x.value if x.value is not None else _SAMPLES[x.library] for x in operands]
    is_known = all(x.value is not None for x in operands)
    if special in ("__pow__", "__lshift__"):
        if abs(values[-1]) > _MOST or abs(values[0]) > 2**_MOST:
            raise ValueError("the number is too large to compute")
        if special == "__pow__" and operands[-1].value is None and operands[-1].library == "int":
            raise ValueError(f"the power depends on the value of {operands[-1].text}")
    try:
        found = getattr(operator, special)(*values)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise ValueError(f"Python cannot compute this: {error}") from None
    return found if is_known else type(found)

"""The parts of an expression while Python evaluates it: arrays, dtypes, dotted names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..dtypes import DType
from ..operands import Operand
from ..system import PromotionSystem
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

    Each operator, call, item and attribute asks the evaluation for the result, so that precedence,
    chains and keywords are the language's own.
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

    def __bool__(self) -> bool:
        """Return whether it holds, which is tried both ways if it is not known."""
        return bool(self.evaluation.truth(self))

    def __index__(self) -> int:
        """Return the place that it is in a list."""
        return int(self.evaluation.place_of(self))


def _asking(special: str) -> Callable[..., Any]:
    return lambda self, *others: self.evaluation.operation(special, self, *others)


def _asking_back(special: str) -> Callable[..., Any]:
    return lambda self, other: self.evaluation.operation(special, other, self)


for _name in SPECIAL:
    setattr(Traced, _name, _asking(_name))
    if _name not in MIRRORED:  # a list before an array leaves the operator to it
        setattr(Traced, f"__r{_name[2:]}", _asking_back(_name))


class Value(Traced):
    """An array or a number; or the results of a function that has several, of which one is taken.

    Args:
        evaluation: the evaluation.
        results: the operands.
        is_several: whether a function gave them.
        is_alike: whether the last one stands for any number of them.
    """

    def __init__(
        self,
        evaluation: Any,
        *results: Operand,
        is_several: bool = False,
        is_alike: bool = False,
    ) -> None:
        super().__init__(evaluation)
        self.results = results
        self.is_several = is_several
        self.is_alike = is_alike


class Named(Value):
    """A dtype that an array or a function says, which has no operators."""


class Scalar(Value):
    """A scalar of NumPy that another library gives: NumPy decides, until it meets an array."""


class Limits(Traced):
    """The limits of a dtype, as ``np.finfo`` gives them.

    Args:
        evaluation: the evaluation.
        dtype: the dtype.
        rules: the rules of the library that says them.
    """

    def __init__(self, evaluation: Any, dtype: DType, rules: PromotionSystem) -> None:
        super().__init__(evaluation)
        self.dtype = dtype
        self.rules = rules


class Updated(Traced):
    """What makes an updated copy of an array, as ``x.at`` does.

    Args:
        evaluation: the evaluation.
        array: the array.
    """

    def __init__(self, evaluation: Any, array: Operand) -> None:
        super().__init__(evaluation)
        self.array = array


class Path(Traced):
    """A dotted name: a library, a namespace, a function, a dtype or a constant; or a method.

    Args:
        evaluation: the evaluation.
        words: the words between the dots.
        of: what has the method, if it is one.
    """

    def __init__(
        self, evaluation: Any, words: tuple[str, ...], of: Value | Updated | None = None
    ) -> None:
        super().__init__(evaluation)
        self.words = words
        self.of = of

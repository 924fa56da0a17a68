"""Expressions that go on and on with variables of the same dtypes, which are let go as a whole.

A formula is made of operators, items and NumPy's functions of elements alone: the types and dtypes
of its variables decide about all that is in it. If each of its operations is settled for those,
they are all that is compared; what is computed on the way is neither looked at nor followed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from types import ModuleType
from typing import Any, Final, NamedTuple

from .tracked_types import NDARRAY, SCALAR, is_ufunc, kind_of, kind_of_type

TRIES: Final = 4
"""How often it is asked whether a formula can be let go, before something new is known of it."""

_NUMBERS: Final = frozenset({bool, int, float})
_PLAIN: Final = frozenset({*_NUMBERS, str})
_SEQUENCES: Final = frozenset({list, tuple})

_OTHERS: Final = frozenset({complex, type(None), slice, ModuleType})
_NO_TYPE: Final = object()  # no value has it


class Step(NamedTuple):
    """An operation of a formula.

    Attributes:
        place: where it is, which knows what is settled there; its node, while code is rewritten.
        function: what is called there, by its name; ``""`` for what is no call.
        computes: whether it is an operator or a comparison, which makes numbers of numbers.
        operands: the variables that it is computed of.
        own: those of them that are operands themselves.
        is_of_constant: whether an operand is written out.
    """

    place: Any
    function: str
    computes: bool
    operands: tuple[int, ...]
    own: tuple[int, ...]
    is_of_constant: bool


class Variable:
    """What a variable of a formula has to be for the formula to be let go.

    Attributes:
        type: its type.
        dtype: its dtype; None for what is not an array.
        value: a number whose value counts beside an array, instead of them.
    """

    __slots__ = ("dtype", "type", "value")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Be no value."""
        self.type = self.value = _NO_TYPE
        self.dtype: Any = None

    def __reduce__(self) -> tuple[Callable[[], Variable], tuple[()]]:
        return Variable, ()


class Formula:
    """An expression, and how often it need not be looked at.

    Attributes:
        open: how often it is let go from now on, if its variables are what they were.
        is_plain: whether its variables were Python's own, and so was what it gave.
        plain: the type of that.
        last: its last operation, as it is settled.
    """

    __slots__ = (
        "_before", "_given", "_settled", "_shows_all", "_steps", "_tries", "_variables", "is_plain",
        "last", "open", "plain",
    )  # fmt: skip

    def __init__(
        self, steps: Sequence[Step], variables: Sequence[Variable], *, shows_all: bool
    ) -> None:
        self._steps, self._variables, self._shows_all = steps, variables, shows_all
        self._settled: Sequence[Any] = ()
        # the types of the variables the last time, what was settled for them, and its skips
        self._before: tuple[Any, ...] = ()
        self._given = self._tries = self.open = 0
        self.is_plain = False
        self.plain: type = type(None)
        self.last: Any = None  # of which it is not asked while it is plain
        for step in steps:
            step.place.formula = self
        if shows_all:
            self.ask()  # there is nothing to settle in one of numbers

    def __reduce__(self) -> tuple[Callable[..., Formula], tuple[Any, ...]]:
        return _formula, (self._steps, self._variables, self._shows_all)

    def ask(self) -> None:
        """Have it found out whether it can be let go, the next times that it comes up."""
        self.close()
        self.open, self._tries = 1, TRIES

    def close(self) -> None:
        """Let it be looked at from now on."""
        self.count()
        for settled in self._settled:
            settled.formula = None
        self._settled = self._before = ()
        self.open = self._given = 0
        self.is_plain, self.plain = False, type(None)
        for variable in self._variables:
            variable.forget()

    def count(self) -> None:
        """Count for each of its operations how often it was let go."""
        if self._settled:
            times, self._given = self._given - self.open, self.open
            for settled in self._settled:
                settled.skips -= times

    def end(self) -> None:
        """Count that it was let go once more, and have it looked at then."""
        self.open = 0
        self.ask()

    def opens(self, values: Sequence[Any]) -> bool:
        """Return whether the formula can be let go with some values of its variables.

        It can if all that is settled in it has let go of what was computed the last time, when they
        had the same types and dtypes.
        """
        before = self._before
        self.close()
        if not self._tries:
            return False
        self._tries -= 1
        self.open = 1  # it is asked again
        if self._shows_all and all(map(_is_plain, values)):
            self.is_plain, self.plain = True, float
            return True
        types = tuple(map(_type_of, values))
        if None in types:
            return False
        steps = [step for step in self._steps if not _is_of_numbers(step, values)]
        settled = [step.place.settled for step in steps]
        if before != (types, *((id(one), one.skips + 1) for one in settled)):
            if settled and all(one.skips > 0 for one in settled):
                self._before = (types, *((id(one), one.skips) for one in settled))
            return False
        times = min(one.skips for one in settled)
        if not times or not all(map(self._holds, steps, settled, repeat(values))):
            return False
        for variable, found in zip(self._variables, types, strict=True):
            if variable.value is _NO_TYPE:
                variable.type, variable.dtype = found  # type: ignore[misc]  # there is no None
        self._settled, self.last, self._tries = settled, settled[-1], TRIES
        self.open = self._given = times
        for one in settled:
            one.formula = self
        return True

    def seen(self, result: Any, values: Sequence[Any]) -> bool:
        """Return whether what was computed without a probe need not be computed once more.

        So it is if it is Python's own. An array, which came up where there were numbers before, is
        to be looked at; objects of a program might notice.
        """
        t = _type(result)
        if self.open and self.is_plain and t in _PLAIN:
            self.plain = t
            return True
        if self.open:
            self.close()
        known = {*_PLAIN, *_SEQUENCES}
        return not all(_type(value) in known or kind_of(value) for value in values)

    def _holds(self, step: Step, settled: Any, values: Sequence[Any]) -> bool:
        """Return whether types alone decide about an operation, and numbers that stay the same."""
        if step.function:
            function = getattr(values[step.own[0]], step.function, None)
            return is_ufunc(function) and getattr(function, "nin", 0) == len(settled.arguments)
        if settled.number is None or step.is_of_constant:
            return True
        for n in step.own:
            if values[n] is settled.number:
                self._variables[n].value = settled.number
                return True
        return False


def _type(value: Any) -> type:
    """Return the type of a value; that of all objects if its metaclass may have no hash."""
    t = type(value)
    return t if type(t) is type else object


def _type_of(value: Any) -> tuple[Any, Any] | None:
    """Return the type and dtype of a value, or None if they do not decide about an operation."""
    t = _type(value)
    if t in _NUMBERS or t in _OTHERS:
        return t, None
    kind = kind_of_type(t)
    return (t, value.dtype if kind == NDARRAY else None) if kind in (NDARRAY, SCALAR) else None


def _is_plain(value: Any) -> bool:
    """Return whether a value is Python's own, and not known to hold others."""
    t = _type(value)
    return t in _PLAIN or (t in _SEQUENCES and bool(value) and _type(value[0]) in _PLAIN)


def _is_of_numbers(step: Step, values: Sequence[Any]) -> bool:
    """Return whether an operation makes a number of Python's numbers."""
    return step.computes and all(_type(values[n]) in _NUMBERS for n in step.operands)


def _formula(steps: Sequence[Step], variables: Sequence[Variable], shows_all: bool) -> Formula:
    return Formula(steps, variables, shows_all=shows_all)

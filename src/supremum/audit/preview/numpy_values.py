"""What another release of NumPy makes of values: comparisons, results, and numbers it refuses.

NumPy computes the same in the same dtypes, whatever the release. So an operator is tried here on
operands that were converted to the dtype in which the other release would compute.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, by_name
from ...core.errors import PromotionError, SupremumError, short
from ...core.explanation import Explanation
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ...core.systems import numpy as numpy_2
from ...core.systems import numpy_legacy
from ..log.tracked_types import is_array

_MOST_VALUES: Final = 1_000_000  # of an operand that are tried
_MOST_NUMBERS: Final = 100_000  # of a list that are looked at
_LEAST_INT, _MOST_INT = -(2**63), 2**64
_INTEGERS = ("unsigned", "signed")
_EXACT = ("bool", *_INTEGERS)
_INT8: Final = by_name("int8")
_SQUARE: Final = 2
_QUICK_POWERS: Final = (-1, 0, 0.5, 1, _SQUARE)
_PYTHON_NUMBERS = (int, float, complex)


def as_operand(value: Any) -> Any:
    """Return what an operator takes part with: a list as the array that NumPy makes of it.

    None is what no rules know.
    """
    if is_array(value) or isinstance(value, _PYTHON_NUMBERS):
        return value
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    if isinstance(value, numpy.bool_):
        return value
    if type(value) in (list, tuple):
        made = numpy.asarray(value)
        return made if made.dtype.kind in "biufc" else None
    return None


class Arithmetic(NamedTuple):
    """How a release of NumPy computes.

    Attributes:
        rules: its rules.
        checks_numbers: whether it refuses Python numbers that an integer dtype has no place for,
            where they are converted or stored.
    """

    rules: PromotionSystem
    checks_numbers: bool

    @classmethod
    def of(cls, rules: PromotionSystem) -> Arithmetic | None:
        """Return how the library of some rules computes, or None for another than NumPy."""
        if rules.library is numpy_2.LIBRARY:
            return cls(rules, checks_numbers=True)
        return cls(rules, checks_numbers=False) if rules.library is numpy_legacy.LIBRARY else None

    def comparable(self, op: Operand) -> Operand:
        """Return an operand as comparisons take it: an int of any size compares with all."""
        value = op.number
        if type(value) is int and not _LEAST_INT <= value < _MOST_INT:
            return op._replace(value=_LEAST_INT if value < 0 else _MOST_INT - 1)
        return op

    def power(self, operands: Sequence[Operand]) -> DType | None:
        """Return what an array gives to a power that NumPy computes otherwise, or None.

        It squares, or in NumPy 1 takes the root, without regard to the dtype of the exponent.
        """
        base, exponent = operands
        value: Any = exponent.value
        if base.form != "array" or exponent.rank != 0:
            return None
        is_whole = exponent.dtype.kind in _EXACT or exponent.dtype.name == "int*"
        if base.dtype.kind == "bool":
            is_squared = not self.checks_numbers or (is_whole and exponent.is_python)
            return _INT8 if value == _SQUARE and is_squared else None
        if self.checks_numbers or base.rank != 0:
            return None
        powers = _QUICK_POWERS if base.dtype.kind in ("float", "complex") else (_SQUARE,)
        return base.dtype if value in powers and (is_whole or len(powers) > 1) else None

    def check_power(self, found: DType, exponent: Any) -> None:
        """Refuse integers to powers that are negative.

        Raises:
            PromotionError: if one is.
        """
        negative = found.kind in _INTEGERS and sys.modules["numpy"].any(exponent < 0)
        if negative:
            what = "an integer to a negative power is not an integer; use a float"
            raise PromotionError(what, (), self.rules.name, {})

    def differing(
        self,
        name: str,
        result: Any,
        values: Sequence[Any],
        operands: Sequence[Operand],
        found: Explanation,
    ) -> str:
        """Return what to say of a comparison that comes out otherwise, or ``""``."""
        loop = found.settled.dtype
        if all(x.dtype.kind in _EXACT or x.dtype.name == "int*" for x in operands):
            return ""  # integers are compared exactly, whatever their dtypes
        there = _computed(name, values, operands, loop)
        if there is None:
            return ""
        numpy = sys.modules["numpy"]
        changed = int(numpy.count_nonzero(numpy.not_equal(there, result)))
        if not changed:
            return ""
        way = f"by {self.rules.name} rules, which compare in {loop}"
        if numpy.ndim(result) == 0:
            return f"{bool(result)} here, {bool(there)} {way}"
        return f"{changed:,} of {there.size:,} comparisons come out otherwise {way}"

    def changes(
        self,
        name: str,
        result: Any,
        values: Sequence[Any],
        operands: Sequence[Operand],
        rules: PromotionSystem,
    ) -> str:
        """Return what becomes of the values of a result that gets another dtype, or ``""``."""
        try:
            loop = rules.explain(*operands, op=name).settled.dtype
        except SupremumError:
            return ""
        there = _computed(name, values, operands, loop) if len(values) == len(operands) else None
        numpy = sys.modules["numpy"]
        if there is None or there.shape != numpy.shape(result) or not there.size:
            return ""
        with numpy.errstate(all="ignore"):
            same = numpy.isclose(there, result, rtol=1e-3, atol=0, equal_nan=True)
            if there.dtype.kind in "iu" and result.dtype.kind in "iu":
                same = there == result
        changed = int(there.size - numpy.count_nonzero(same))
        if not changed:
            return ""
        if there.ndim == 0:
            return f": {result.item()!r} becomes {there.item()!r}"
        first = tuple(numpy.argwhere(~same)[0])
        example = f"{result[first].item()!r} becomes {there[first].item()!r}"
        return f": {example}, in {changed:,} of {there.size:,} elements"

    def refusal(self, value: Any, into: DType) -> str:
        """Return why a number, or one in a list, cannot be converted to a dtype, or ``""``."""
        if not self.checks_numbers or into.kind not in _INTEGERS:
            return ""
        for number in _numbers(value, _MOST_NUMBERS):
            if number != number or number in (float("inf"), float("-inf")):  # noqa: PLR0124  # NaN
                continue
            if not into.min <= int(number) <= into.max:
                return f"{short(number)} does not fit {into}"
        return ""


def _numbers(value: Any, most: int) -> Iterator[Any]:
    """Yield the Python numbers in a value, and in the lists and tuples in it."""
    stack = [value]
    while stack and most:
        most -= 1
        item = stack.pop()
        if type(item) in (int, float):
            yield item
        elif type(item) in (list, tuple):
            stack += item[:most]


def _computed(
    name: str, values: Sequence[Any], operands: Sequence[Operand], loop: DType
) -> Any | None:
    """Return what an operator gives in some dtype, or None if that is not tried."""
    numpy = sys.modules["numpy"]
    function = getattr(numpy, name, None)
    sizes = [numpy.size(v) for v in values]
    if not isinstance(function, numpy.ufunc) or max(sizes, default=0) > _MOST_VALUES:
        return None
    if function.nin != len(values) or function.nout != 1:
        return None
    try:
        with numpy.errstate(all="ignore"):
            given = [_as(v, op, loop) for v, op in zip(values, operands, strict=True)]
            return numpy.asarray(function(*given))
    except (TypeError, ValueError, OverflowError):
        return None


def _as(value: Any, op: Operand, loop: DType) -> Any:
    """Return an operand as it would be, converted to the dtype that is computed in."""
    numpy = sys.modules["numpy"]
    made = numpy.asarray(value)
    if not op.dtype.weak and made.dtype.kind in "biufc":
        made = made.astype(op.dtype.to("numpy"))
    return made.astype(loop.to("numpy"))

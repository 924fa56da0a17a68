"""Dtypes as findings see them: what an operation did to its operands, and the cause."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType
from ...core.functions import canonical
from ...core.operands import Operand

SINGLE: Final = 32
"""The bits of single precision."""

_FAMILIES = {"unsigned": "integer", "signed": "integer", "float": "inexact", "complex": "inexact"}


class Violation(NamedTuple):
    """One thing that an operation does.

    Attributes:
        kind: the kind of finding.
        cause: the operand whose origin is the cause, or None for the operation itself.
        against: the operand that fares badly.
        by_value: whether that depends on the values, where they can be looked at.
        of_range: whether only their range counts then, and not their digits.
    """

    kind: str
    cause: int | None
    against: int
    by_value: bool = False
    of_range: bool = False


@dataclass(frozen=True)
class Operation:
    """An operation, by the dtypes of its operands and its result.

    Attributes:
        operands: its operands.
        result: the dtype that came out.
        name: what it is called.
        is_ranked: whether operands without dimensions are meant to give way, by the rules.
        is_known: whether it computes as an operator does. Of other calls, some arguments may be
            indices, or tolerances.
        accumulates: whether it is known to add up, or to multiply, elements.
        is_of_operands: whether its result stands for its operands, as far as the call says.
    """

    operands: Sequence[Operand]
    result: DType
    name: str = ""
    is_ranked: bool = False
    is_known: bool = True
    accumulates: bool = False
    is_of_operands: bool = True

    @cached_property
    def data(self) -> dict[int, DType]:
        """The dtypes of the operands that are arrays or scalars of a width, without bools."""
        found = {i: op.dtype for i, op in enumerate(self.operands) if is_strong(op)}
        return {i: d for i, d in found.items() if family(d)}

    @cached_property
    def keeps_meaning(self) -> bool:
        """Whether its result stands for its operands, unlike that of ``isfinite`` or ``frexp``."""
        inexact = any(family(d) == "inexact" for d in self.data.values())
        says = self.result.kind == "bool" or (inexact and family(self.result) == "integer")
        return self.is_of_operands and not says

    @cached_property
    def widened(self) -> tuple[int | None, int] | None:
        """The operand that made another one of its family wider, if one did, and the other one."""
        data, result = self.data, self.result
        same = (
            i for i, d in data.items() if family(d) == family(result) and bits(d) < bits(result)
        )
        narrower = next(same, None)
        if narrower is None or not self.keeps_meaning:
            return None
        return next((i for i in source(self.operands, result) if i in data), None), narrower

    def converted(self) -> Iterator[tuple[int, DType]]:
        """Yield the operands that become what the result is, and were not asked to."""
        data = self.data
        if not (self.is_known and self.keeps_meaning) or self.widened:
            return
        if canonical(self.name) == "true_divide" and {*map(family, data.values())} == {"integer"}:
            return  # floats are what it is for
        floats = {d for d in data.values() if family(d) == "inexact"}
        if len(floats) == 1 and bits(self.result) < min(map(bits, floats)):
            return  # a region that casts its operands asked for it, for one
        for i, d in data.items():
            if not self.is_ranked or self.operands[i].rank != 0:
                yield i, d


def family(d: DType) -> str:
    """Return ``"integer"``, ``"inexact"`` or, for bool, ``""``."""
    return _FAMILIES.get(d.kind, "")


def bits(d: DType) -> int:
    """Return the width of one part of a dtype."""
    return d.part.bits or 0


def is_strong(operand: Operand) -> bool:
    """Return whether an operand has a dtype with a width, which no Python number was given."""
    return not operand.weak and not operand.is_python


def source(operands: Sequence[Operand], result: DType) -> list[int]:
    """Return the operands that have the result's width already; none where it is introduced."""
    strong = [i for i, op in enumerate(operands) if is_strong(op)]
    exact = [i for i in strong if operands[i].dtype is result]
    return exact or [
        i
        for i in strong
        if family(operands[i].dtype) == family(result) == "inexact"
        and bits(operands[i].dtype) == bits(result)
    ]


def survive(values: Any, d: DType, *, of_range: bool = False) -> bool:
    """Return whether a dtype has a place for each number of an array, or scalar, of NumPy.

    Floats have one for what is infinite, or missing.

    Args:
        values: the numbers.
        d: the dtype.
        of_range: whether only the range counts, and not the digits.
    """
    numpy = sys.modules["numpy"]
    parts = (values.real, values.imag) if values.dtype.kind == "c" else (values,)
    with numpy.errstate(all="ignore"):  # the program must not see what is tried here
        finite = [part[numpy.isfinite(part)] for part in parts]
        if family(d) == "integer" and finite[0].size < values.size:
            return False
        return all(_survive(part, d, of_range=of_range) for part in finite)


def _survive(values: Any, d: DType, *, of_range: bool) -> bool:
    if not values.size:
        return True
    low, high = values.min(), values.max()
    if family(d) == "integer":
        whole = values.dtype.kind in "iu" or bool((values // 1 == values).all())
        return bool(whole and d.min <= int(low) and int(high) <= d.max)
    part = d.part
    most = max(abs(int(low)), abs(int(high)))
    return bool(most <= part.max and (of_range or most <= 1 << (part.precision or 0)))


def holds(value: Any, d: DType, *, whole: bool = False) -> bool:
    """Return whether a dtype has a value that stands for a Python number.

    Rounding of a fraction is not a change; what overflows, becomes zero or loses an integer is.

    Args:
        value: the number.
        d: the dtype.
        whole: whether a float that is whole counts as an integer.

    >>> from supremum import dtype
    >>> holds(0.1, dtype("float32")), holds(1e-9, dtype("float16")), holds(300, dtype("uint8"))
    (True, False, False)
    """
    if d.weak or d.kind == "bool" or isinstance(value, bool):
        return True
    if isinstance(value, complex):
        return d.kind != "complex" or (holds(value.real, d.part) and holds(value.imag, d.part))
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124  # NaN
        return family(d) == "inexact"
    if family(d) == "integer":
        return bool(value == int(value) and d.min <= value <= d.max)
    if whole and isinstance(value, float) and value.is_integer() and abs(value) <= 1 << 53:
        value = int(value)
    return _has_value(d.part, value)


def _has_value(d: DType, value: float) -> bool:
    """Return whether a float has a place for a number that is finite."""
    if isinstance(value, int):
        width = abs(value).bit_length() - ((value & -value).bit_length() - 1 if value else 0)
        return bool(width <= (d.precision or 0) and abs(value) <= d.max)
    # what is below half of the least positive number rounds to zero
    least = float(d.smallest_normal) * 2.0 ** -(d.precision or 0)
    return bool(abs(value) <= d.max and (value == 0 or abs(value) >= least))

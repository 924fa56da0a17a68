"""What an operation did to its operands' dtypes: which kinds of finding, and who caused it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...core import losses
from ...core.dtypes import DType
from ...core.functions import canonical
from ...core.operands import Operand

_FAMILIES = {
    "unsigned": "integer",
    "signed": "integer",
    "float": "inexact",
    "complex": "inexact",
}


class Violation(NamedTuple):
    """One thing that an operation does.

    Attributes:
        kind: the kind of finding.
        blame: the operand whose origin is the cause, or None for the operation itself.
        against: the operand that fares badly.
        by_value: whether that depends on the values, where they can be looked at.
    """

    kind: str
    cause: int | None
    against: int
    by_value: bool = False


def family(d: DType) -> str:
    """Return ``"integer"``, ``"inexact"`` or, for bool, ``""``."""
    return _FAMILIES.get(d.kind, "")


def bits(d: DType) -> int:
    """Return the width of one part of a dtype."""
    return d.part.bits or 0


def is_strong(operand: Operand) -> bool:
    """Tell whether an operand has a dtype with a width, which no Python number was given."""
    return not operand.weak and not operand.is_python


def _data(operands: Sequence[Operand]) -> dict[int, DType]:
    """Return the dtypes of the operands that are arrays or scalars of a width, without bools."""
    found = {i: op.dtype for i, op in enumerate(operands) if is_strong(op)}
    return {i: d for i, d in found.items() if family(d)}


def source(operands: Sequence[Operand], result: DType) -> list[int]:
    """Return the operands that have the result's width already; none where it is made here."""
    strong = [i for i, op in enumerate(operands) if is_strong(op)]
    exact = [i for i in strong if operands[i].dtype is result]
    return exact or [
        i
        for i in strong
        if family(operands[i].dtype) == family(result) == "inexact"
        and bits(operands[i].dtype) == bits(result)
    ]


def operation(operands: Sequence[Operand], result: DType, name: str) -> list[Violation]:
    """Return the violations against an operator, or a function that computes as one does."""
    data = _data(operands)
    # `isfinite` and `frexp` tell something about floats: what they give stands for none of them
    inexact = any(family(d) == "inexact" for d in data.values())
    if result.kind == "bool" or (inexact and family(result) == "integer"):
        return []
    if widened := _widening(data, operands, result):
        return [widened]
    if canonical(name) == "true_divide" and {family(d) for d in data.values()} == {"integer"}:
        return []  # floats are what it is for
    violations = []
    floats = {d for d in data.values() if family(d) == "inexact"}
    # one dtype that becomes a narrower one was asked to: by `torch.autocast`, for one
    asked = len(floats) == 1 and bits(result) < min(map(bits, floats))
    for i, d in data.items():
        if asked:
            break
        # a 0-d tensor is meant to give way
        if operands[i].library == "PyTorch" and operands[i].rank == 0:
            continue
        if losses.overflows(d, result):
            violations.append(Violation("overflow-risk", None, i, by_value=True))
        if losses.loses_precision(d, result) and not losses.dropped(d, result):
            violations.append(Violation("precision-loss", None, i, by_value=family(d) == "integer"))
    # integers of either sign, which have no integer type in common
    kinds = {d.kind for d in data.values()}
    if kinds == {"signed", "unsigned"} and family(result) == "inexact":
        violations.append(Violation("mixed-kind", None, next(iter(data))))
    return violations


def call(
    operands: Sequence[Operand], result: DType, *, scalar: bool, accumulates: bool
) -> list[Violation]:
    """Return the violations against a call of which nothing else is known.

    Its arguments may be indices, or tolerances; so only floats that became wider count, and
    integers where the function is known to add them up.
    """
    data = _data(operands)
    if scalar or (family(result) == "integer" and not accumulates):
        return []
    found = _widening(data, operands, result)
    return [found] if found else []


def is_one_of_several(operands: Sequence[Operand], result: DType, others: Sequence[DType]) -> bool:
    """Tell whether one of several results of a call need not come from its narrower operands.

    It does not if an operand has its dtype already, or if another result has that of an operand:
    then this one is something else, such as the frequencies beside a spectrum.
    """
    known = {op.dtype for op in operands if is_strong(op)}
    return result in known or not known.isdisjoint(others)


def narrows(value: Operand, result: DType) -> bool:
    """Tell whether a conversion leaves less room than there was."""
    d = value.dtype
    return family(d) == family(result) == "inexact" and bits(d) > bits(result)


def store(value: Operand, into: DType) -> list[Violation]:
    """Return the violations against storing a value, operand 1, into an array, operand 0."""
    d = value.dtype
    if not is_strong(value):
        drops = d.kind == "float" and family(into) == "integer"
        return [Violation("narrowing-store", None, 1, by_value=True)] if drops else []
    if not family(d) or not family(into):
        return []
    if losses.dropped(d, into):
        return [Violation("narrowing-store", None, 1, by_value=d.kind == "float")]
    if losses.overflows(d, into) or losses.loses_precision(d, into):
        by_value = family(d) == "integer"
        # integers of any width are meant to be stored in any other, as long as they fit
        return [Violation("narrowing-store", None if by_value else 1, 1, by_value=by_value)]
    return []


def is_narrow(value: Operand, into: DType) -> bool:
    """Tell whether a float is stored in an array of wider ones."""
    d = value.dtype
    return is_strong(value) and family(d) == family(into) == "inexact" and bits(d) < bits(into)


def _widening(
    data: dict[int, DType], operands: Sequence[Operand], result: DType
) -> Violation | None:
    narrower = [
        i for i, d in data.items() if family(d) == family(result) and bits(d) < bits(result)
    ]
    if not narrower:
        return None
    wide = [i for i in source(operands, result) if i in data]
    kind = "larger-integer" if family(result) == "integer" else "widening"
    return Violation(kind, wide[0] if wide else None, narrower[0])


def survive(values: Any, d: DType, kind: str = "") -> bool:
    """Tell whether a dtype has a place for each finite number of an array, or scalar, of NumPy.

    Args:
        values: the numbers.
        d: the dtype.
        kind: the kind of finding that is in question: of an overflow, only the range counts.
    """
    numpy = sys.modules["numpy"]
    parts = (values.real, values.imag) if values.dtype.kind == "c" else (values,)
    with numpy.errstate(all="ignore"):  # the program must not hear of what is tried here
        return all(_survive(part[numpy.isfinite(part)], d, kind) for part in parts)


def _survive(values: Any, d: DType, kind: str) -> bool:
    if not values.size:
        return True
    low, high = values.min(), values.max()
    if family(d) == "integer":
        whole = values.dtype.kind in "iu" or bool((values // 1 == values).all())
        return bool(whole and d.min <= int(low) and int(high) <= d.max)
    part = d.part
    most = max(abs(int(low)), abs(int(high)))
    if kind == "overflow-risk":
        return bool(most <= part.max)
    return bool(most <= part.max and most <= 1 << (part.precision or 0))


def holds(value: Any, d: DType, *, whole: bool = False) -> bool:
    """Tell whether a dtype has a value that stands for a Python number.

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
    part = d.part
    if whole and isinstance(value, float) and value.is_integer() and abs(value) <= 1 << 53:
        value = int(value)
    if isinstance(value, int):
        width = abs(value).bit_length() - ((value & -value).bit_length() - 1 if value else 0)
        return bool(width <= (part.precision or 0) and abs(value) <= part.max)
    return bool(abs(value) <= part.max and (value == 0 or abs(value) >= _smallest(part)))


def _smallest(d: DType) -> float:
    """Return half of the least positive number: what is below rounds to zero."""
    return float(d.smallest_normal) * 2.0 ** -(d.precision or 0)

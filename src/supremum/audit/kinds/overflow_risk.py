"""Operands whose range is beyond that of the result."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import losses
from ..model.dtypes import Operation, Violation
from .kind import Kind, Wanted, first_effect, operands_give


def of_operation(operation: Operation) -> Iterator[Violation]:
    """Yield the operands whose range is larger than that of the result."""
    for i, d in operation.converted():
        if losses.overflows(d, operation.result):
            yield Violation("overflow-risk", None, i, by_value=True, of_range=True)


KIND = Kind(
    name="overflow-risk",
    order=50,
    severity="warning",
    meaning="an operand's range is beyond that of the result",
    remedy="cast to a dtype that holds both ranges before the operation",
    headline=first_effect,
    effect=operands_give,
    wants=Wanted.OTHER_OPERAND,
    is_of_operands=True,
    names_introduction=False,
    of_operation=of_operation,
)

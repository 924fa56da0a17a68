"""Results with fewer significand bits than an operand needs."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import losses
from ..model.dtypes import Operation, Violation, family
from .kind import Kind, Wanted, first_effect, operands_give


def of_operation(operation: Operation) -> Iterator[Violation]:
    """Yield the operands that have more significand bits than the result."""
    for i, d in operation.converted():
        if losses.loses_precision(d, operation.result) and not losses.dropped(d, operation.result):
            yield Violation("precision-loss", None, i, by_value=family(d) == "integer")


KIND = Kind(
    name="precision-loss",
    order=70,
    severity="warning",
    meaning="a result has fewer significand bits than an operand needs",
    remedy="cast to a dtype with enough significand bits before the operation",
    headline=first_effect,
    effect=operands_give,
    wants=Wanted.OTHER_OPERAND,
    changes_values=True,
    is_of_values=True,
    undoes_fix=True,
    is_of_operands=True,
    names_introduction=False,
    of_operation=of_operation,
)

"""Python numbers that became strong arrays, which decide dtypes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.functions import facts_of
from ..model.dtypes import Operation, Violation, is_strong
from .kind import Kind, Wanted


def effect(place: Any) -> str:
    """Return for which dtype it decides."""
    return f"it decides for {place.result}"


def of_operation(operation: Operation) -> Iterator[Violation]:
    """Yield a weakly typed array for which a strong scalar decides."""
    operands = operation.operands
    weak = [i for i, op in enumerate(operands) if op.weak and not op.is_python]
    strong = [i for i, op in enumerate(operands) if is_strong(op) and op.rank == 0]
    if weak and strong and not facts_of(operation.name).asks:
        yield Violation("weak-type-lost", strong[0], weak[0])


KIND = Kind(
    name="weak-type-lost",
    order=90,
    severity="warning",
    meaning="a Python number became a strong array, which decides dtypes",
    remedy="leave the number a Python number, or name the dtype of the array made from it",
    former_name="weak-lost",
    effect=effect,
    wants=Wanted.OTHER_OPERAND,
    costs_memory=True,
    leaves_weak=True,
    of_operation=of_operation,
)

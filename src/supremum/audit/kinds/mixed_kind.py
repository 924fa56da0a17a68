"""Integers that become floats, where they meet unsigned 64-bit ones or missing values."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.dtypes import Operation, Violation, family
from .kind import Kind, Wanted, first_effect, operands_give


def of_operation(operation: Operation) -> Iterator[Violation]:
    """Yield the first of integers of either sign, which have no integer type in common."""
    data = dict(operation.converted())
    both = {d.kind for d in data.values()} == {"signed", "unsigned"}
    if both and family(operation.result) == "inexact":
        yield Violation("mixed-kind", None, next(iter(data)))


KIND = Kind(
    name="mixed-kind",
    order=120,
    severity="note",
    meaning="integers become floats: they meet unsigned 64-bit ones, or rows without a value",
    remedy="cast the integers to the dtype that is meant, which may be a nullable one",
    headline=first_effect,
    effect=operands_give,
    wants=Wanted.OTHER_OPERAND,
    is_of_operands=True,
    is_intended=True,
    names_introduction=False,
    of_operation=of_operation,
)

"""Values that are stored where there is less room for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core import losses
from ...core.dtypes import DType
from ...core.operands import Operand
from ..model.dtypes import Violation, family, is_strong
from ..model.wording import plain_dtype, times
from .kind import Kind, Wanted, reaches


def headline(kind: Kind, finding: Any) -> str:
    """Return what is stored in what, if it is made where it is stored."""
    first = finding.places[0]
    if first.span != finding.span:
        return reaches(kind, finding)
    others = (mark for mark in first.operands if plain_dtype(mark) != finding.dtype)
    stored = next(others, first.operands[-1])
    return f"{plain_dtype(stored)} is stored in {finding.dtype}{times(first)}"


def effect(place: Any) -> str:
    """Return the dtype of the array that is stored into."""
    return f"it is stored in {plain_dtype(place.operands[0])}" if place.operands else ""


def of_store(value: Operand, into: DType) -> Iterator[Violation]:
    """Yield a value that an array has less room for."""
    d = value.dtype
    if not is_strong(value):
        if d.kind == "float" and family(into) == "integer":
            yield Violation("narrowing-store", None, 1, by_value=True)
    elif not family(d) or not family(into):
        return
    elif losses.dropped(d, into):
        yield Violation("narrowing-store", None, 1, by_value=d.kind == "float")
    elif losses.overflows(d, into) or losses.loses_precision(d, into):
        by_value = family(d) == "integer"
        # integers of any width are meant to be stored in any other, as long as they fit
        yield Violation("narrowing-store", None if by_value else 1, 1, by_value=by_value)


KIND = Kind(
    name="narrowing-store",
    order=30,
    severity="warning",
    meaning="a value is stored where there is less room for it",
    remedy="compute in the dtype of the array that it is stored in, or make that array wider",
    headline=headline,
    effect=effect,
    keeps_effect=True,
    wants=Wanted.STORED_INTO,
    costs_memory=True,
    is_of_operands=True,
    of_store=of_store,
)

"""What an operation, or a store, does to its operands' dtypes: asked of each kind of finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core import losses
from ...core.dtypes import DType
from ...core.operands import Operand
from ..model.dtypes import Operation, Violation, bits, family, is_strong


def of_operation(operation: Operation) -> list[Violation]:
    """Return the violations against an operator, or a call."""
    return [one for judge in _OF_OPERATION for one in judge(operation)]


def of_store(value: Operand, into: DType, *, computes: bool = False) -> list[Violation]:
    """Return the violations against storing a value, operand 1, into an array, operand 0.

    Args:
        value: the value.
        into: the dtype of the array.
        computes: whether what is stored is computed of both.
    """
    found = [one for judge in _OF_STORE for one in judge(value, into)]
    return [one for one in found if not (computes and one.kind == "widening-store")]


def with_output(
    found: Sequence[Violation], chosen: Sequence[bool], *, reduces: bool
) -> list[Violation]:
    """Return violations against a call, some of which its output is the cause of.

    Args:
        found: the violations.
        chosen: for each, whether the output that was given is its cause.
        reduces: whether the function makes one number of many, in the dtype that was chosen.
    """
    kept = []
    for one, is_chosen in zip(found, chosen, strict=True):
        if not (is_chosen and one.kind == "widening"):
            kept.append(one)
        elif not reduces:
            kept.append(one._replace(kind="widening-store"))
    return kept


def is_one_of_several(operation: Operation, others: Sequence[DType]) -> bool:
    """Return whether one of several results of a call need not come from its narrower operands.

    It does not if an operand has its dtype already, or if another result has that of an operand:
    then this one is something else, such as the frequencies beside a spectrum.
    """
    known = {op.dtype for op in operation.operands if is_strong(op)}
    return operation.result in known or not known.isdisjoint(others)


def narrows(value: Operand, result: DType) -> bool:
    """Return whether a conversion leaves less room than there was."""
    d = value.dtype
    return family(d) == family(result) == "inexact" and bits(d) > bits(result)


def _widening(operation: Operation) -> Iterator[Violation]:
    if operation.widened and family(operation.result) == "inexact":
        yield Violation("widening", *operation.widened)


def _larger_integer(operation: Operation) -> Iterator[Violation]:
    is_sure = operation.is_known or operation.accumulates
    if operation.widened and is_sure and family(operation.result) == "integer":
        yield Violation("larger-integer", *operation.widened)


def _overflow_risk(operation: Operation) -> Iterator[Violation]:
    for i, d in operation.converted():
        if losses.overflows(d, operation.result):
            yield Violation("overflow-risk", None, i, by_value=True, of_range=True)


def _precision_loss(operation: Operation) -> Iterator[Violation]:
    for i, d in operation.converted():
        if losses.loses_precision(d, operation.result) and not losses.dropped(d, operation.result):
            yield Violation("precision-loss", None, i, by_value=family(d) == "integer")


def _mixed_kind(operation: Operation) -> Iterator[Violation]:
    data = dict(operation.converted())
    both = {d.kind for d in data.values()} == {"signed", "unsigned"}
    if both and family(operation.result) == "inexact":  # they have no integer type in common
        yield Violation("mixed-kind", None, next(iter(data)))


def _weak_lost(operation: Operation) -> Iterator[Violation]:
    """Yield a violation where a strong scalar decides for a weakly typed array."""
    operands = operation.operands
    weak = [i for i, op in enumerate(operands) if op.weak and not op.is_python]
    strong = [i for i, op in enumerate(operands) if is_strong(op) and op.rank == 0]
    if weak and strong:
        yield Violation("weak-type-lost", strong[0], weak[0])


def _narrowing_store(value: Operand, into: DType) -> Iterator[Violation]:
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


def _widening_store(value: Operand, into: DType) -> Iterator[Violation]:
    d = value.dtype
    if is_strong(value) and family(d) == family(into) == "inexact" and bits(d) < bits(into):
        yield Violation("widening-store", 0, 1)


_OF_OPERATION = (
    _widening,
    _larger_integer,
    _overflow_risk,
    _precision_loss,
    _mixed_kind,
    _weak_lost,
)
_OF_STORE = (_narrowing_store, _widening_store)

"""What an operation, or a store, does to its operands' dtypes: asked of each kind of finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...core.dtypes import DType
from ...core.operands import Operand
from ..kinds import KNOWN
from ..kinds.kind import nothing
from ..model.dtypes import Operation, Violation, bits, family, is_strong

_OF_OPERATION: Final = tuple(
    kind.of_operation for kind in KNOWN.values() if kind.of_operation is not nothing
)


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
    asked = (kind for kind in KNOWN.values() if not (computes and kind.of_choice))
    return [one for kind in asked for one in kind.of_store(value, into)]


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
        kind = KNOWN[one.kind].of_output if is_chosen else ""
        if not kind or not reduces:
            kept.append(one._replace(kind=kind or one.kind))
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

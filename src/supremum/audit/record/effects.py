"""Which kind of effect a violation is, by the origin of what causes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..checks.operation_checks import OperationCheck
from ..checks.stores import keeps_values
from ..checks.values.questions import stored
from ..model.dtypes import Violation
from ..model.locations import LOCATIONS
from ..model.provenance import Origin

_MAKES_BUFFERS: Final = ("zeros", "empty", "ones", "full")
_ADDS: Final = ("add", "subtract")


def kind_of_effect(violation: Violation, origin: Origin, check: OperationCheck) -> str:
    """Return the kind of finding that a violation is, by where its cause comes from."""
    is_total = violation.kind == "widening" and _is_total(origin, check)
    return "wide-reduction" if is_total else violation.kind


def is_meant(violation: Violation, origin: Origin) -> bool:
    """Return whether narrow values go into an array that was not made to be filled with them."""
    return violation.kind == "widening-store" and not _is_buffer(origin)


def lost(violation: Violation, location: int, check: OperationCheck, values: Sequence[Any]) -> str:
    """Return what became of the values that are stored, if they do not survive, or ``""``."""
    by_value = violation.kind == "narrowing-store" and violation.by_value
    if not by_value or not keeps_values(LOCATIONS[location]) or violation.against != 1:
        return ""
    into, value = (values[place] for place in check.places)
    return stored(value, into)


def _is_buffer(origin: Origin) -> bool:
    """Return whether a dtype is that of an array that was made without one, to be filled."""
    made = LOCATIONS[origin.location].name in _MAKES_BUFFERS
    return made and origin.operand is None and not origin.explicit and not origin.is_filled


def _is_total(origin: Origin, check: OperationCheck) -> bool:
    """Return whether scalars are added to one whose dtype the program names."""
    of_scalars = all(op.form == "scalar" or op.is_python for op in check.operands)
    return origin.scalar and origin.explicit and of_scalars and check.operator in _ADDS

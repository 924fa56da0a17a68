"""What operations do, as it is recorded: effects and rows, from checks and the values at hand.

Nothing is looked up here, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ...core.dtypes import DType
from ..kinds import Wanted, find
from ..model.dtypes import SINGLE, Violation, bits, family, holds, is_strong
from ..model.locations import LOCATIONS, Span
from ..model.provenance import Effect, Origin
from ..model.rows import OPERAND, Row
from ..model.source_file import is_made_elsewhere
from . import stores
from .operation_checks import OperationCheck
from .tracked_types import NDARRAY, SCALAR
from .values import at_hand, looks, questions
from .values.recompute import Change

_ADDING: Final = ("add", "subtract")
_CASTS: Final = ("astype", "double", "float", "to", "type")

UNTYPED: Final = ("zeros", "empty", "ones", "full", "new_zeros", "new_empty", "new_ones")
"""Functions that make an array to be filled."""

_BLANK: Final = ("zeros", "empty", "new_zeros", "new_empty")

Values = Sequence[Any]
"""Those of the operands of a check, in their order."""


def violations(check: OperationCheck, values: Values) -> Iterator[Violation]:
    """Yield the violations against an operation, but for those that its values survive."""
    for one in check.violations:
        if not (one.by_value and check.harmless(one, values)) and not _is_needed(
            check, one, values
        ):
            yield one


def _is_needed(check: OperationCheck, one: Violation, values: Values) -> bool:
    """Return whether an operation widens a float since integers beside it need the digits.

    That is asked the first time, of integers that are at hand.
    """
    if one.cause is not None or not find(one.kind).widens:
        return False
    if check.is_needed is None:
        most = 1 << (check.operands[one.against].dtype.precision or 0)
        integers = (v for v, x in zip(values, check.operands, strict=False)
                    if family(x.dtype) == "integer")  # fmt: skip
        ends = [end for value in integers for end in at_hand.ends(value) or ()]
        check.is_needed = any(abs(end) > most for end in ends)
    return check.is_needed


def of_violation(
    check: OperationCheck,
    violation: Violation,
    kind: str,
    values: Values,
    introductions: Sequence[int | None] = (),
) -> Effect:
    """Return what a violation does.

    Args:
        check: what is known of the operation.
        violation: the violation.
        kind: what it is recorded as.
        values: the values at hand.
        introductions: where the dtypes of the operands were introduced, as far as it matters.
    """
    lost, common = _lost(check, violation, values), _common_integer(check, values)
    return check.effect(
        kind, violation.against, remark=lost, enough=common, introductions=introductions
    )


def of_numbers(check: OperationCheck, values: Values) -> Iterator[Effect]:
    """Yield what becomes of Python's numbers that the dtype of the others has no place for."""
    for index in check.numbers:
        value = values[index]
        if value is check.fits:
            continue
        if check.into is None or holds(value, check.into, whole=check.place.form == "store"):
            check.fits = value
        else:
            remark = f"{check.into} does not hold {value!r}"
            yield check.effect("value-changed", index, remark=remark)


def of_change(
    check: OperationCheck, change: Change, introductions: Sequence[int | None] = ()
) -> Effect:
    """Return what an operation did to its values."""
    return check.effect(
        change.kind, change.against, remark=change.remark, enough=change.enough,
        is_way=change.back, introductions=introductions,
    )  # fmt: skip


def row(
    check: OperationCheck, index: int, values: Values, origin: Origin, followed: Sequence[bool]
) -> Row:
    """Return the row of one operand.

    Args:
        check: what is known of the operation.
        index: the operand.
        values: those of all operands.
        origin: where its dtype was introduced.
        followed: which of them were computed with one that met something narrower before.
    """
    widened = [v.against for v in check.violations if v.cause == index and find(v.kind).widens]
    narrower = [check.operands[i].dtype for i in widened]
    beside = [values[i] for i in widened if check.operator in _ADDING]
    known = zip(values, check.operands, followed, strict=True)
    wide = [value for value, x, is_later in known if x.dtype is origin.dtype and not is_later]
    own = check.operands[index].library == origin.library
    others = (x for i, x in enumerate(check.operands) if i != index and not followed[i])
    goes_over = own and check.result is not None and check.kind not in (NDARRAY, SCALAR)
    return Row(
        check.location, check.spans[index], OPERAND,
        violates=bool(check.violations),
        follows=followed[index],
        is_first=id(values[index]) == origin.made,
        needs_digits=(
            any(looks.has_no_place(value, d) for d in narrower for value in wide)
            or any(looks.is_far_offset(value, other) for other in beside for value in wide)
        ),
        crosses=goes_over and check.facts["library"] != origin.library,
        is_beside=any(x.dtype is origin.dtype and is_strong(x) for x in others),
    )  # fmt: skip


def undoes_cast(check: OperationCheck, casts: Mapping[tuple[str, Span], Origin]) -> bool:
    """Return whether an operand was cast back to what it once was, beside a wider one.

    So it is in ``weight * hidden.to(dtype)``, where `hidden` was made float32 to compute with.

    Args:
        check: what is known of the operation.
        casts: where what was cast had its dtype from, by the file and span of the cast.
    """
    if not casts or check.operator is None:
        return False
    place = check.place
    against = [check.spans[v.against] for v in check.violations if find(v.kind).widens]
    spans = [place.spans[at] for at in against if at < len(place.spans)]
    found = (casts.get((place.file, span)) for span in spans if span is not None)
    return any(
        origin is not None
        and LOCATIONS[origin.location].name in _CASTS
        and origin.dtype is check.into
        for origin in found
    )


def is_use(check: OperationCheck, index: int, origin: Origin) -> bool:
    """Return whether an operand is made for more than this, and widens half precision here.

    What is made blank, with a dtype that nobody named, is not.
    """
    widened = next((v for v in check.violations if find(v.kind).widens), None)
    place, at = check.place, check.spans[index]
    if widened is None or widened.cause != index or at >= len(place.spans):
        return False
    narrow, wide = check.operands[widened.against], check.operands[index]
    return (
        origin.operand is None
        and not (is_untyped(origin) and LOCATIONS[origin.location].name in _BLANK)
        and not origin.from_numbers
        and not any(find(m.kind).widens for m in origin.effects.values())  # a mistake already
        and narrow.library == wide.library == origin.library
        and bits(narrow.dtype) < bits(wide.dtype) == SINGLE
        and is_made_elsewhere(place, LOCATIONS[origin.location])
    )


def is_untyped(origin: Origin | None) -> bool:
    """Return whether an array was made to be filled, with a dtype that nobody named."""
    if origin is None or origin.operand is not None or origin.explicit:
        return False
    return LOCATIONS[origin.location].name in UNTYPED


def _common_integer(check: OperationCheck, values: Values) -> DType | None:
    """Return the dtype of 64 bits that has a place for integers of either sign, as they are."""
    kinds = [x.dtype.kind for x in check.operands]
    is_pair = sorted(kinds) == ["signed", "unsigned"] and all(map(is_strong, check.operands))
    if not is_pair or check.into is None or family(check.into) != "inexact":
        return None
    ends = [at_hand.ends(value) for value in values]
    signed, unsigned = (kinds.index(kind) for kind in ("signed", "unsigned"))
    for index, other in ((unsigned, signed), (signed, unsigned)):
        d, known = check.operands[index].dtype, ends[other]
        if known is not None and all(holds(end, d) for end in known):
            return d
    return None


def _lost(check: OperationCheck, violation: Violation, values: Values) -> str:
    """Return what became of the values that are stored, if they do not survive, or ``""``."""
    is_stored = find(violation.kind).wants is Wanted.STORED_INTO and violation.against == 1
    counts = violation.by_value or (is_stored and check.operands[1].dtype.kind == "complex")
    if not (is_stored and counts and stores.keeps_values(check.place)):
        return ""
    into, value = values
    return questions.stored(value, into)

"""The kinds of finding, the most important first: what finds each, and what is said of it.

A new kind is a row here, with a function that finds it, and a page in ``docs/kinds``. A note of a
kind is a row as well, and a section on the page of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...core import losses
from ...core.dtypes import DType, is_name
from ...core.functions import chain, facts_of
from ...core.operands import Operand
from ..model import rows
from ..model.dtypes import SINGLE, Operation, Violation, bits, family, is_strong
from ..model.locations import LOCATIONS
from ..model.wording import introduced, is_inside, location_name, plain_dtype, times
from .kind import Kind, Wanted, becomes, first_effect, first_remark, operands_give, reaches

if TYPE_CHECKING:
    from ..model.provenance import Effect, Origin

_ADDS: Final = ("add", "subtract")
_MAKES_BUFFERS: Final = ("zeros", "empty", "ones", "full")


# what an operation does by its dtypes


def _widening(operation: Operation) -> Iterator[Violation]:
    """Yield the operand that is widened, if that is a float."""
    if operation.widened and family(operation.result) == "inexact":
        yield Violation("widening", *operation.widened)


def _larger_integer(operation: Operation) -> Iterator[Violation]:
    """Yield the operand that is widened, if it is an integer, and an element of the result.

    Bits of few that are mixed with those of many, as in a hash, need the room.
    """
    is_sure = operation.is_known or operation.accumulates
    mixes = (operation.name or "").startswith("bitwise_")
    if operation.widened and is_sure and not mixes and family(operation.result) == "integer":
        yield Violation("larger-integer", *operation.widened)


def _overflow_risk(operation: Operation) -> Iterator[Violation]:
    """Yield the operands whose range is larger than that of the result."""
    for i, d in operation.converted():
        if losses.overflows(d, operation.result):
            yield Violation("overflow-risk", None, i, by_value=True, of_range=True)


def _precision_loss(operation: Operation) -> Iterator[Violation]:
    """Yield the operands that have more significand bits than the result."""
    for i, d in operation.converted():
        if losses.loses_precision(d, operation.result) and not losses.dropped(d, operation.result):
            yield Violation("precision-loss", None, i, by_value=family(d) == "integer")


def _weak_type_lost(operation: Operation) -> Iterator[Violation]:
    """Yield a weakly typed array for which a strong scalar decides."""
    operands = operation.operands
    weak = [i for i, op in enumerate(operands) if op.weak and not op.is_python]
    scalars = [i for i, op in enumerate(operands) if is_strong(op) and op.rank == 0]
    strong = [i for i in scalars if operands[i].dtype is operation.result]  # a bool decides nothing
    if weak and strong and operation.is_known and not facts_of(operation.name).asks:
        yield Violation("weak-type-lost", strong[0], weak[0])


def _mixed_kind(operation: Operation) -> Iterator[Violation]:
    """Yield the first of integers of either sign, which have no integer type in common."""
    data = dict(operation.converted())
    both = {d.kind for d in data.values()} == {"signed", "unsigned"}
    if both and family(operation.result) == "inexact":
        yield Violation("mixed-kind", None, next(iter(data)))


# what storing a value in an array of some dtype does


def _narrowing_store(value: Operand, into: DType) -> Iterator[Violation]:
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


def _widening_store(value: Operand, into: DType) -> Iterator[Violation]:
    """Yield a float that is narrower than those of an array that was made for it.

    In NumPy, half precision is there to be kept, not to compute with.
    """
    d = value.dtype
    if value.library == "NumPy" and bits(d) < SINGLE:
        return
    if is_strong(value) and family(d) == family(into) == "inexact" and bits(d) < bits(into):
        yield Violation("widening-store", 0, 1)


# what is meant, and as what an effect counts


def _of_buffer(origin: Origin, _: Any) -> str:
    """Return the note of an array that was made without a dtype, to be filled; else none."""
    made = LOCATIONS[origin.location].name in _MAKES_BUFFERS
    is_buffer = made and origin.operand is None and not origin.explicit
    return "widening-store" if is_buffer and not rows.is_filled(origin.rows) else ""


def _unless_total(origin: Origin, check: Any) -> str:
    """Return the kind: none if scalars are added to one whose dtype the program names."""
    of_scalars = all(op.form == "scalar" or op.is_python for op in check.operands)
    is_total = origin.scalar and origin.explicit and of_scalars and check.operator in _ADDS
    return "" if is_total else "widening"


def _unless_measured(origin: Origin, effect: Effect) -> str:
    """Return the kind, if any, or a note for a total.

    It is none if the numbers need the digits, or all are cast back, or a total is at last, or the
    results are added to a state, or go into what is as wide; or if a width that is named is
    compared with, is that of a reference to which something is near, or goes into what is as wide:
    nothing comes of it that is wide.
    """
    if any(row.needs_digits for row in origin.rows) or rows.is_cast(origin.rows):
        return ""
    if rows.is_state(origin.rows, effect.rows) or _is_taken_in(origin, effect):
        return ""
    is_difference = effect.operator == "subtract" and rows.is_measured(effect.rows)
    is_reference = is_difference and origin.library == "NumPy"
    if origin.explicit and (effect.result is None or is_reference):
        return ""
    is_back = not origin.scalar and rows.is_cast(effect.rows)
    if origin.explicit and (is_back or rows.is_gathered(effect.rows)):
        return ""
    if not (origin.explicit and rows.is_total(origin.rows, scalar=origin.scalar)):
        return effect.kind
    return "" if rows.is_narrowed(origin.rows) else "wide-reduction"


def _is_taken_in(origin: Origin, effect: Effect) -> bool:
    """Return whether what comes of an operation, or what it is computed of, is to be wide."""
    if rows.is_taken_in(origin.rows, effect.rows):
        return True
    met = [row for row in origin.rows if row.violates and row.location == effect.location]
    follows = bool(met) and all(row.follows for row in met)
    effects = list(origin.effects.values())
    return follows and any(rows.is_taken_in(origin.rows, m.rows) for m in effects)


def _unless_room_is_made(origin: Origin, effect: Effect) -> str:
    """Return the name of the kind, or ``""`` if the program casts to have room for the result.

    Among scalars, whatever names the dtype of one does: they take no memory to speak of. Sums need
    the room that they are given.
    """
    made = facts_of(LOCATIONS[origin.location].name)
    if origin.operand is None and made.is_accumulating and made.category != "cumulative":
        return ""
    gives_places = made.category == "index" or (made.name and "argmax" in chain(made.name))
    if origin.operand is None and gives_places:
        return ""
    are_scalars = all(op.form == "scalar" or op.is_python for op in effect.operands)
    name = getattr(origin.function, "__name__", "")
    makes_room = facts_of(name).converts or facts_of(name).has("filled") or are_scalars
    return "" if origin.explicit and makes_room else effect.kind


def _unless_single(origin: Origin, effect: Effect) -> str:
    """Return the kind: none if what was cast to single precision goes back to half precision.

    Nor is it one if what is computed in a width is but kept in fewer bits, as the steps of a
    simulation are; or if NumPy makes it of integers, in the one width that it has for them.
    """
    into, stored = (op.dtype for op in effect.operands[:2])
    if origin.of_integers and not origin.explicit and bits(into) == SINGLE < bits(stored):
        return ""
    is_back = family(into) == "inexact" and bits(into) < bits(stored) == SINGLE
    name = LOCATIONS[origin.location].name
    is_made = origin.scalar or origin.from_numbers or origin.from_lists
    was_cast = not is_made and (facts_of(name).converts or is_name(name))
    return "" if (was_cast and is_back) or rows.stays(origin.rows) else effect.kind


def _if_of_numbers(origin: Origin, effect: Effect) -> str:
    """Return the kind if a strong scalar was made of Python numbers; else none."""
    return effect.kind if origin.from_numbers else ""


def _unless_filled(origin: Origin, effect: Effect) -> str:
    """Return the kind: none if something as wide is stored in it, too, or it is added up."""
    is_needed = rows.is_filled(origin.rows) or rows.is_added_up(origin.rows)
    return "" if is_needed else effect.kind


def _unless_computed(origin: Origin, effect: Effect) -> str:
    """Return the kind: none if anything is computed with an array that was made to be filled."""
    is_filled = effect.location != origin.location
    return "" if is_filled and rows.is_computed(origin.rows) else effect.kind


# what is said of it


def _where_stopped(_: Kind, finding: Any) -> str:
    """Return what the error says, and where the program stops if that is on another line."""
    first = finding.places[0]
    if is_inside(finding, first):
        return str(first.told)
    where = f"line {first.line}"
    if first.file != finding.file:
        where = location_name(first.file, first.line, seen_from=finding.file)
    return f"{introduced(finding)}, and stops {where}: {first.told}"


def _what_is_stored(kind: Kind, finding: Any) -> str:
    """Return what is stored in what, if it is made where it is stored."""
    first = finding.places[0]
    if first.span != finding.span:
        return reaches(kind, finding)
    into = plain_dtype(first.operands[0]) if len(first.operands) > 1 else finding.dtype
    return f"{plain_dtype(first.operands[-1])} is stored in {into}{times(first)}"


def _which_number(_: Kind, finding: Any) -> str:
    """Return which number changes, and how often."""
    first = finding.places[0]
    return f"{first.told}{times(first)}"


def _widens_to(place: Any) -> str:
    """Return which dtype comes out."""
    return f"it widens to {place.result}" if place.result else "it widens a comparison"


def _stored_in(place: Any) -> str:
    """Return the dtype of the array that is stored into."""
    return f"it is stored in {plain_dtype(place.operands[0])}" if place.operands else ""


def _decides_for(place: Any) -> str:
    """Return for which dtype it decides."""
    return f"it decides for {place.result}"


def _only_stored(place: Any) -> str:
    """Return the dtype of what is stored in it."""
    return f"only {plain_dtype(place.operands[-1])} is stored in it" if place.operands else ""


TABLE: Final = (
    Kind(
        name="forbidden",
        severity="warning",
        meaning="a dtype occurs that you have ruled out",
        remedy="make the value in another dtype, on the line that introduces it",
    ),
    Kind(
        name="stopped",
        severity="error",
        meaning="an operation on arrays was refused for their dtypes",
        remedy="cast the operand that was refused, or make it in another dtype",
        headline=_where_stopped,
        changes_values=True,
    ),
    Kind(
        name="meta-mismatch",
        severity="warning",
        meaning="a lazy array says one dtype, and computes another",
        remedy="name the dtype that the blocks have, in the call that says it",
        former_name="other-meta",
        headline=first_effect,
        wants=Wanted.RESULT,
        is_of_library=True,
        is_declared=True,
        names_introduction=False,
    ),
    Kind(
        name="widening",
        severity="warning",
        meaning="a result is wider than an operand of its kind",
        remedy="make the wider value in the narrower dtype, on the line that introduces it",
        effect=_widens_to,
        records=_unless_total,
        reported_as=_unless_measured,
        wants=Wanted.NARROW_OPERAND,
        widens=True,
        is_cast_back=True,
        costs_memory=True,
        of_operation=_widening,
        of_output="widening-store",
    ),
    Kind(
        name="narrowing-store",
        severity="warning",
        meaning="a value is stored where there is less room for it",
        remedy="compute in the dtype of the array that it is stored in, or make that array wider",
        headline=_what_is_stored,
        effect=_stored_in,
        keeps_effect=True,
        wants=Wanted.STORED_INTO,
        costs_memory=True,
        is_of_operands=True,
        reported_as=_unless_single,
        of_store=_narrowing_store,
    ),
    Kind(
        name="value-changed",
        severity="warning",
        meaning="a Python number becomes another value in the array's dtype",
        remedy="give the array a dtype that holds the number, or choose another number",
        headline=_which_number,
        changes_values=True,
        needs_larger=True,
        names_introduction=False,
    ),
    Kind(
        name="overflow-risk",
        severity="warning",
        meaning="an operand's range is beyond that of the result",
        remedy="cast to a dtype that holds both ranges before the operation",
        headline=first_effect,
        effect=operands_give,
        wants=Wanted.OTHER_OPERAND,
        is_of_operands=True,
        names_introduction=False,
        of_operation=_overflow_risk,
    ),
    Kind(
        name="wraparound",
        severity="warning",
        meaning="integers are beyond the range of the result, and wrap around",
        remedy="cast to a dtype that holds the result before the operation; clip, and cast back, "
        "if it has to be narrow",
        headline=first_remark,
        is_wrong=True,
        changes_values=True,
        is_of_values=True,
    ),
    Kind(
        name="precision-loss",
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
        of_operation=_precision_loss,
    ),
    Kind(
        name="float-overflow",
        severity="warning",
        meaning="a float result is beyond the range of its dtype, and becomes infinite or zero",
        remedy="compute in a dtype that holds the result, or scale the operands before",
        headline=first_remark,
        changes_values=True,
        is_of_values=True,
    ),
    Kind(
        name="accumulation",
        severity="warning",
        meaning="a sum overflows in few bits, stops growing, or loses digits",
        remedy="name a wider dtype to accumulate in",
        headline=first_remark,
        changes_values=True,
        is_of_values=True,
    ),
    Kind(
        name="weak-type-lost",
        severity="warning",
        meaning="a Python number became a strong array, which decides dtypes",
        remedy="leave the number a Python number, or name the dtype of the array made from it",
        former_name="weak-lost",
        effect=_decides_for,
        reported_as=_if_of_numbers,
        wants=Wanted.OTHER_OPERAND,
        costs_memory=True,
        leaves_weak=True,
        of_operation=_weak_type_lost,
    ),
    Kind(
        name="retracing",
        severity="warning",
        meaning="a function is compiled again for an argument of another dtype",
        remedy="give the argument of the first call the dtype that it has later",
        headline=first_remark,
        wants=Wanted.RESULT,
        is_of_library=True,
        names_introduction=False,
    ),
    Kind(
        name="port-mismatch",
        severity="warning",
        meaning="the rules of the target give another dtype or value, or none",
        remedy="name the dtype of the result, so that both rules give it",
        former_name="other-dtype",
        headline=first_remark,
        wants=Wanted.RESULT,
        is_of_target=True,
        is_cast_back=True,
        names_introduction=False,
    ),
    Kind(
        name="mixed-kind",
        severity="note",
        meaning="integers become floats: they meet unsigned 64-bit ones, or rows without a value",
        remedy="cast the integers to the dtype that is meant, which may be a nullable one",
        changes_values=True,
        headline=first_effect,
        effect=operands_give,
        wants=Wanted.OTHER_OPERAND,
        is_of_operands=True,
        is_intended=True,
        names_introduction=False,
        of_operation=_mixed_kind,
    ),
    Kind(
        name="larger-integer",
        severity="note",
        meaning="an integer result is wider than an operand",
        remedy="nothing, if the integers need the room; otherwise name the dtype of the larger "
        "operand",
        note_of="widening",
        effect=becomes,
        reported_as=_unless_room_is_made,
        wants=Wanted.NARROW_OPERAND,
        costs_memory=True,
        is_intended=True,
        of_operation=_larger_integer,
    ),
    Kind(
        name="widening-store",
        severity="note",
        meaning="an array is wider than all that is stored in it",
        remedy="make the array in the dtype of what is stored in it",
        note_of="widening",
        effect=_only_stored,
        records=_of_buffer,
        reported_as=_unless_filled,
        wants=Wanted.NARROW_OPERAND,
        costs_memory=True,
        of_store=_widening_store,
        of_choice=True,
    ),
    Kind(
        name="wide-storage",
        severity="note",
        meaning="floats hold nothing but whole numbers of one byte, or integers nothing but flags",
        remedy="keep the integers, and cast what is taken out",
        note_of="widening",
        headline=first_remark,
        reported_as=_unless_computed,
        wants=Wanted.UNKNOWN,
        names_introduction=False,
    ),
    Kind(
        name="wide-reduction",
        severity="note",
        meaning="a total has a wider dtype, as it is named, than what it adds",
        remedy="nothing, if the total needs the precision; otherwise name the dtype of what it "
        "adds",
        note_of="widening",
        former_name="wide-total",
        effect=becomes,
        wants=Wanted.NARROW_OPERAND,
        costs_memory=True,
        is_intended=True,
    ),
)
"""The kinds and their notes, the most important first."""

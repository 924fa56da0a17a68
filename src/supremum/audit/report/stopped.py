"""Why a program stopped, to be shown: the operation, its operands, and what to type instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..edits.alternatives import distinct
from ..edits.candidates import Change
from ..edits.stops import change_for, changes_for
from ..kinds import STOPPED, find
from ..log.recorder import Recorder
from ..model.locations import LOCATIONS, Location
from ..stops.stops import Stopped, Value, stopped
from . import text
from .findings import candidates_of, introduction
from .places import Mark, Place, located
from .report import Finding

_LONGEST = 300  # characters of an error's message


class Stop(NamedTuple):
    """An exception about dtypes, explained. Its text is what ``supremum why`` prints.

    Attributes:
        error: the name of the exception's class, and the line of its message that says most.
        finding: the line to change, with what to type, and the operation as its first place.
    """

    error: str
    finding: Finding

    def __str__(self) -> str:
        return text.described(self.finding)


def why(error: BaseException | None, recorder: Recorder | None) -> Stop | None:
    """Return why an exception was raised, or None if it is not about dtypes.

    Nothing of the program runs for it, and the exception stays as it is.

    Args:
        error: the exception.
        recorder: what knows where values come from, if anything does.
    """
    found = stopped(error, recorder)
    if found is None:
        return None
    try:
        return explained(found, recorder)
    except Exception:  # noqa: BLE001  # the program is at its end, which stays as it is
        return None


def explained(found: Stopped, recorder: Recorder | None, *, tries: bool = False) -> Stop:
    """Return an operation that was refused as a finding, with its candidates if they are tried."""
    change = change_for(found, recorder)
    others = distinct(changes_for(found, recorder), change.text) if tries else ()
    itself = Location(found.file, found.span, "", "")
    message = found.error if len(found.error) <= _LONGEST else f"{found.error[:_LONGEST]}…"
    place = Place(
        **located(itself),
        name=STOPPED,
        operands=tuple(_mark(value, change) for value in found.values),
        result=None,
        count=1,
        told=message,
    )
    cause = itself._replace(file=change.file, span=change.span)
    finding = Finding(
        names=(STOPPED,),
        **located(cause),
        dtype=change.dtype,
        elsewhere=False,
        count=1,
        bytes=0,
        suggestion=change.text,
        needs=change.needs,
        explanation="",
        places=(place,),
        candidates=candidates_of(others),
    )
    return Stop(message, finding)


def in_order(stops: Sequence[Finding], found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return all findings: stops come first, but for lost values of what a stop was given."""
    operands = [mark for stop in stops for place in stop.places[:1] for mark in place.operands]
    given = {(mark.born.file, mark.born.span) for mark in operands if mark.born is not None}
    lost = [f for f in found if find(f.kind).is_of_values and (f.file, f.span) in given]
    return (*lost, *stops, *(f for f in found if f not in lost))


def _mark(value: Value, change: Change) -> Mark:
    """Return an operand, with where it was introduced if that is neither here nor what is shown."""
    origin = value.origin
    where = LOCATIONS[origin.location] if origin is not None and origin.operand is None else None
    shown = where is None or where.span == value.span
    if where is not None and (where.file, where.line) == (change.file, change.span[0]):
        shown = True
    born = introduction(origin.location) if origin is not None and not shown else None
    return Mark(value.text, value.operand.text, value.span, born)

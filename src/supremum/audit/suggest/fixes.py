"""Suggested fixes: for each cause, the change of its code that keeps the dtype that was there.

A fix is a change of the syntax tree. It is left out if it is not known to be right: if it could
change integers, the meaning of bytes or a stream of random numbers, or fail on what was seen.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ...core.dtypes import DType
from ..kinds import find
from ..model.locations import LOCATIONS, span_of
from ..model.provenance import Effect, Origin
from .cause_spans import cause_span
from .fix_causes import Cause
from .fix_edits import source_tree
from .fix_values import of_values
from .library_fixes import is_of_table


class Fix(NamedTuple):
    """What to type instead of a cause.

    Attributes:
        text: the code that takes its place, or ``""`` if no change is known to be right.
        needs: the import statement that the file lacks for it, or ``""``.
    """

    text: str = ""
    needs: str = ""


# Notes: integers and totals are wide on purpose, and a dtype of either sign is the program's.
_MEANT: Final = ("larger-integer", "wide-reduction", "mixed-kind")


def suggest(origin: Origin, effect: Effect, want: DType) -> Fix:
    """Return what to type instead of the cause, if a change of it is known to be right.

    Args:
        origin: the cause.
        effect: what came of it first.
        want: the dtype that would have stayed.
    """
    place = LOCATIONS[origin.location]
    source = source_tree(place.file)
    node = source.find(cause_span(origin))
    written = origin.operand is None or place.spans[origin.operand] is not None
    if (
        node is None
        or (origin.several and not is_of_table(effect))
        or not written
        or effect.kind in _MEANT
    ):
        return Fix()
    cause = Cause(source, node, origin, effect, want)
    by_values = find(effect.kind).is_of_values and effect.told and not is_of_table(effect)
    edit = of_values(cause) if by_values else cause.edit()
    text = source.edited(node, edit) if edit is not None else ""
    return Fix(text, cause.needs) if text != source.text(span_of(node)) else Fix()

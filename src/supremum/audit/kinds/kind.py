"""A kind of finding: what it means, how bad it is, and what reports say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from ...core.dtypes import DType
from ...core.operands import Operand
from ..model.dtypes import Operation, Violation
from ..model.wording import introduced, plain_dtype, plural, size, times

if TYPE_CHECKING:
    from ..model.provenance import Effect, Origin


class Wanted(Enum):
    """Which dtype would have stayed if it were not for the cause."""

    NARROW_OPERAND = "that of the operand which became wider"
    OTHER_OPERAND = "that of the operands beside the one that fares badly, floats first"
    RESULT = "that of the result"
    STORED_INTO = "that of the array which is stored into"
    UNKNOWN = "it is not known"


def reaches(_: Kind, finding: Any) -> str:
    """Return where a dtype is introduced, how far it reaches, and what it costs."""
    reach = f"; it reaches {plural(finding.count, 'result')}" if finding.count > 1 else ""
    cost = f", {size(finding.bytes)} more than needed" if finding.bytes else ""
    return f"{introduced(finding)}{reach}{cost}"


def first_remark(_: Kind, finding: Any) -> str:
    """Return what was found at the first place."""
    return str(finding.places[0].told)


def first_effect(kind: Kind, finding: Any) -> str:
    """Return what came of it at the first place, and how often."""
    first = finding.places[0]
    return f"{kind.effect_at(first)}{times(first)}"


def kind_name(place: Any) -> str:
    """Return the name of the kind."""
    return str(place.kind)


def operands_give(place: Any) -> str:
    """Return which dtypes met, and what they gave."""
    operands = " with ".join(map(plain_dtype, place.operands))
    return f"{operands} gives {place.result}" if place.result else f"{operands} are compared"


def becomes(place: Any) -> str:
    """Return what became of the narrower operand."""
    return f"it becomes {place.result}"


def as_recorded(_: Origin, effect: Effect) -> str:
    """Return the name of the kind that an effect was recorded as."""
    return effect.kind


def nothing(*_: Any) -> Iterable[Violation]:
    """Return that nothing of the kind is known of an operation."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of finding: a row of `TABLE`.

    Attributes:
        name: its name, in reports and settings; that of its page in ``docs/kinds``.
        note_of: the kind that it is reported as, with its own name as a note; on the page of that.
        severity: ``"error"``, ``"warning"`` or ``"note"``.
        meaning: what has happened.
        remedy: what to do about it in general; a finding says what to type.
        former_name: a name that settings and comments may still have.
        headline: gives the sentence that a finding begins with.
        effect: gives what came of it at one place, if there is no remark.
        keeps_effect: whether a remark follows the effect, rather than stands in its place.
        records: gives the kind that it is recorded as, by its cause and the operation, or ``""``
            if it is not; by default the kind itself.
        reported_as: gives the kind that an effect is reported as, or ``""`` if it is not.
        wants: which dtype would have stayed.
        widens: whether an operand becomes wider, as a cast of another one would prevent.
        costs_memory: whether its results take more memory than they need.
        is_wrong: whether it makes values wrong at once, so that it is reported first.
        changes_values: whether the results are other than the program means, so that a fix may
            change what is printed.
        is_of_values: whether looking at values may find it.
        is_of_operands: whether the operation does it by itself, wherever its operands come from.
        is_of_library: whether only a library's own behaviour can be the cause.
        is_of_target: whether other rules than those of the library are the cause.
        is_declared: whether what a call declares is to change, not what it is given.
        needs_larger: whether a number needs an array of a larger dtype.
        leaves_weak: whether a number is to be left to Python.
        is_cast_back: whether a cast of the result resolves it.
        undoes_fix: whether a fix is undone after which there is more of it.
        is_intended: whether programs mostly mean it, so that nothing is suggested.
        names_introduction: whether it matters where the dtype was introduced; else what meets.
        of_operation: yields what an operation does by its dtypes, if that is of this kind.
        of_store: yields what storing a value in an array of some dtype does.
        of_output: the kind that it is if an output that was given chose the dtype, if another.
        of_choice: whether an array's dtype was chosen by whoever made it, not by what it is of.
    """

    name: str
    severity: str
    meaning: str
    remedy: str
    note_of: str = ""
    former_name: str = ""
    headline: Callable[[Kind, Any], str] = reaches
    effect: Callable[[Any], str] = kind_name
    keeps_effect: bool = False
    records: Callable[[Origin, Any], str] | None = None
    reported_as: Callable[[Origin, Effect], str] = as_recorded
    wants: Wanted = Wanted.UNKNOWN
    widens: bool = False
    costs_memory: bool = False
    is_wrong: bool = False
    changes_values: bool = False
    is_of_values: bool = False
    is_of_operands: bool = False
    is_of_library: bool = False
    is_of_target: bool = False
    is_declared: bool = False
    needs_larger: bool = False
    leaves_weak: bool = False
    is_cast_back: bool = False
    undoes_fix: bool = False
    is_intended: bool = False
    names_introduction: bool = True
    of_operation: Callable[[Operation], Iterable[Violation]] = nothing
    of_store: Callable[[Operand, DType], Iterable[Violation]] = nothing
    of_output: str = ""
    of_choice: bool = False

    @property
    def title(self) -> str:
        """Its name in a report: of a note, after that of its kind."""
        return f"{self.note_of} ({self.name})" if self.note_of else self.name

    def headline_of(self, finding: Any) -> str:
        """Return the sentence that a finding of this kind begins with."""
        return self.headline(self, finding)

    def recorded_as(self, origin: Origin, check: Any) -> str:
        """Return the kind that it is recorded as, or ``""`` if it is not.

        Args:
            origin: the cause.
            check: what is known of the operation.
        """
        return self.name if self.records is None else self.records(origin, check)

    def effect_at(self, place: Any) -> str:
        """Return what came of a cause at a place."""
        if not place.told:
            return self.effect(place)
        follows = self.keeps_effect and place.operands
        return f"{self.effect(place)}: {place.told}" if follows else str(place.told)

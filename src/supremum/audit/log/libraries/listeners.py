"""Listeners: each observes events for one purpose, such as what one library needs.

A follower observes every operation, once it is recorded: so does the preview of other rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from ....core.dtypes import DType
from ....core.operands import Operand
from ...model.locations import LOCATIONS, Location
from ...model.log import Log
from ...model.provenance import Effect, Origin
from ..operation_checks import OperationCheck
from ..tracked_types import Values
from .columns import Columns

FEW: Final = 8
"""How many events at one location most listeners look at."""


class Event(NamedTuple):
    """An operation that a probe reports.

    Attributes:
        location: the number of its location.
        result: what came out; None of what is about to be stored.
        base: the function's object or module, the function itself, or the whole of a part.
        arguments: those of a call; of what is about to be stored, its index and its value.
        looks: how many events of the location were looked at before.
    """

    location: int
    result: Any
    base: Any
    arguments: tuple[Any, ...] = ()
    looks: int = 0

    @property
    def place(self) -> Location:
        """The location itself."""
        return LOCATIONS[self.location]

    def argument(self, position: int, name: str) -> Any:
        """Return an argument of a call that is given by position or by name, or None."""
        words = self.place.keywords
        if name in words:
            return self.arguments[words.index(name)]
        is_given = position < len(words) and not words[position]
        return self.arguments[position] if is_given else None

    def span_of(self, value: Any) -> int | None:
        """Return which of the spans of the location a value is written at, if it is one."""
        if self.base is value:
            return 0
        lists = self.place.lists
        for index, argument in enumerate(self.arguments):
            if argument is value:
                return index + 1
            first = lists[index] if index < len(lists) else 0
            for at, element in enumerate(argument if first else ()):
                if element is value:
                    return first + at
        return None


class Findings(Protocol):
    """What a listener asks of a recorder, and has it write down."""

    values: Values[Origin]
    columns: Columns
    log: Log

    def origin(
        self, location: int, index: int | None, dtype: DType, facts: dict[str, Any]
    ) -> Origin:
        """Return the origin of a dtype at a location, which is new if there was none."""

    def is_ruled_out(self, dtype: str, library: str) -> bool:
        """Return whether a dtype, by its name, must not come up in arrays of a library."""

    def fail(self, location: int, error: Exception) -> None:
        """Record what went wrong at a location; what is the program's goes on to it."""

    def found(self, origin: Origin, effect: Effect) -> Effect | None:
        """Count what came of an origin; returns it as it is kept, or None if it is allowed."""

    def put_into(
        self, location: int, base: Any, value: Any, *, in_place: bool, settles: bool = True
    ) -> None:
        """Record what is put into an array; by an operator, or as it is."""

    def merge(self, origin: Origin, cause: Origin) -> None:
        """Record that all effects of an origin are those of another one."""


class Listener:
    """What a recorder tells of each event, and asks before it records one; each does nothing here.

    Args:
        findings: the recorder.

    Attributes:
        most_looks: how many events of one location it observes.
    """

    most_looks: float = FEW

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def called(self, event: Event) -> None:
        """Observe a call, before the recorder does."""

    def part(self, event: Event) -> None:
        """Observe a part that is taken of a value."""

    def stored(self, event: Event) -> None:
        """Observe what is about to be stored."""

    def end(self) -> None:
        """Look at what is only known afterwards."""

    def judged(self, event: Event, check: OperationCheck) -> None:
        """Amend what was decided of an operation, the first time that it comes up."""

    def made(self, result: Any, origin: Origin, dtype: DType) -> None:
        """Observe where an array has its dtype from that may be weakly typed."""

    def origin_of(
        self,
        value: Any,
        operand: Operand,
        introduce: Callable[[], Origin],  # noqa: ARG002  # for those who begin one
    ) -> Origin | None:
        """Return the origin of a value that is seen for the first time, or None for a new one.

        That of a column is the one origin that those of its name have had.
        """
        columns = self.findings.columns
        return columns.named(value.name, operand.dtype) if self.is_column(value) else None

    def is_column(self, value: Any) -> bool:  # noqa: ARG002  # for those who know some
        """Return whether a value is a column, or variable, that has a name."""
        return False


OPERATIONS: Final = ("operated", "taken", "called", "put", "changed", "stored")
"""The methods of a recorder that a follower has, too: each is called after that of the recorder."""


class Follower(Protocol):
    """Observes every operation, comparisons of scalars included, by the methods of `OPERATIONS`.

    Attributes:
        target: what the program's values would be.
    """

    target: Any

    def found(self) -> Any:
        """Return what it found, such that another process can read it."""

    def add(self, found: Any, number_of: Callable[[Location], int]) -> None:
        """Add what another process found."""

    def forget(self) -> None:
        """Start empty, in a forked process, whose parent has what was found before."""

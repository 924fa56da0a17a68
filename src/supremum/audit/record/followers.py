"""What is told of each operation after it is recorded, such as the preview of other rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..model.locations import Location


class Follower(Protocol):
    """Observes every operation, comparisons of scalars included, as probes report it.

    The first six methods are called as those of a `Recorder` are, after them.

    Attributes:
        target: what the program's values would be.
    """

    target: Any

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Observe an operator."""

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Observe a part of a value, or a sign before it."""

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Observe a call."""

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Observe a call that may have stored what it is given."""

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:
        """Observe an operator in place."""

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:
        """Observe what is about to be stored in part of a value."""

    def found(self) -> Any:
        """Return what it found, such that another process can read it."""

    def add(self, found: Any, number_of: Callable[[Location], int]) -> None:
        """Add what another process found."""

    def forget(self) -> None:
        """Start empty, in a forked process, whose parent has what was found before."""

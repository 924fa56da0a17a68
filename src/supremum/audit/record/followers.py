"""What is told of each operation after it is recorded, such as the preview of other rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from ..model.locations import Location

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

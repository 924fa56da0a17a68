"""What a recorder takes for granted of places that repeat, and when it no longer does."""

from __future__ import annotations

from collections.abc import Collection

from ..checks.operation_checks import OperationCheck
from ..model.locations import LOCATIONS
from .base import Settings
from .library_checks import LibraryRecorder
from .settled import Repeated


class GrantingRecorder(LibraryRecorder):
    """Keeps which operations are looked at now and then only.

    Attributes:
        settled: these operations, by place.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.settled = Repeated(self.values, self._effects_of, exact=self.settings.exact)

    def look_anew(self) -> None:
        """Take nothing for granted of what has been seen so far."""
        self.count_all()
        self._keep_dtypes()
        self.settled.clear()
        self._checks.clear()

    def alarm(self) -> None:
        """Look at the next operation whole, whatever was taken for granted."""
        self.count_all()
        self.settled.clear()
        self.is_alarmed = True

    def go_on_from(self, other: GrantingRecorder) -> None:
        """Know all that another recorder knows, and share with it what is found from now on."""
        other.look_anew()
        self.values, self.columns, self.origins = other.values, other.columns, other.origins
        self.problems, self.operations = other.problems, other.operations
        self.settled.clear()
        self.settled = Repeated(self.values, self._effects_of, exact=self.settings.exact)

    def forget_places(self, files: Collection[str]) -> None:
        """Forget what was found in some files, such as cells that are run again."""
        self.look_anew()
        for origin in self.origins.values():
            if LOCATIONS[origin.location].file in files:
                origin.effects.clear()
                origin.operations = origin.bytes = origin.copied = 0
            for key in [key for key in origin.effects if LOCATIONS[key[1]].file in files]:
                del origin.effects[key]

    def count_all(self) -> None:
        """Count the operations that were not looked at."""
        nobody = OperationCheck()
        self.look_back()
        for location in list(self.settled):
            self.operations += self.settled.let_go(location, nobody)

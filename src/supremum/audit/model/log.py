"""The log of a run: where dtypes are introduced, and what comes of each, counted.

The logs of processes and of tests add up, and what a test adds to a run is a difference. A run goes
on knowing its values: a float64 of an earlier test is still named as the cause in a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from .locations import LOCATIONS, Location
from .provenance import NEVER, Counts, Origin

Key = tuple[int, str, int | None]
"""Where a dtype is introduced: the location, its name, and the operand that has it."""


class Moment(NamedTuple):
    """How far a log has come.

    Attributes:
        operations: how many operations it has.
        origins: what each origin has come to.
    """

    operations: int
    origins: dict[Key, Counts]


BEGINNING: Final = Moment(0, {})


class Log:
    """What is counted while a program runs.

    Attributes:
        origins: where each dtype was introduced.
        operations: how many operations on arrays were observed.
        problems: the locations that could not be judged, with the errors.
    """

    def __init__(self) -> None:
        self.origins: dict[Key, Origin] = {}
        self.operations = 0
        self.problems: dict[int, str] = {}
        self._counted: dict[Key, Counts] = {}  # at the last moment that somebody asked for

    def forget_store(self, location: int | None) -> None:
        """Forget what a store among integers did that was refused; it was counted before."""
        if location is None or LOCATIONS[location].form != "store":
            return
        for origin in self.origins.values():
            for key, effect in list(origin.effects.items()):
                is_store = effect.kind in ("narrowing-store", "value-changed") and effect.count == 1
                is_cut = is_store and effect.operands[0].dtype.kind != "float"
                if is_cut and effect.location == location:
                    del origin.effects[key]

    def moment(self) -> Moment:
        """Return how far the log has come.

        Of what did not come further it has what the moment before has: a suite of thousands of
        tests asks after each of them, when nearly all origins are those of other tests.
        """
        known = self._counted
        new = {
            key: origin.counts()
            for key, origin in list(self.origins.items())
            if origin.counted != origin.operations or origin.effects
        }
        if new := {key: counts for key, counts in new.items() if known.get(key) != counts}:
            self._counted = known | new
        return Moment(self.operations, self._counted)

    def since(self, start: Moment) -> Log:
        """Return the log of what came after a moment, apart from this one."""
        part = Log()
        part.operations = self.operations - start.operations
        part.problems = dict(self.problems)
        now = self.moment().origins
        for key, counts in now.items() if now is not start.origins else ():
            before = start.origins.get(key)
            if counts is not before:
                part.origins[key] = self.origins[key].since(before or NEVER)
        return part

    def add(self, other: Log) -> None:
        """Add what another log has, which gives it up."""
        self.operations += other.operations
        for key, origin in other.origins.items():
            known = self.origins.get(key)
            if known is not None:
                known.add(origin)
            else:
                origin.index = len(self.origins)
                self.origins[key] = origin
        for place, error in other.problems.items():
            self.problems.setdefault(place, error)

    def places(self) -> dict[int, Location]:
        """Return the locations that it names by numbers, for a process that has other numbers."""
        return {number: LOCATIONS[number] for number in set(self._numbers())}

    def _numbers(self) -> Iterator[int]:
        yield from self.problems
        for origin in self.origins.values():
            yield from origin.numbers()

    def renumber(self, number_of: Callable[[int], int]) -> None:
        """Change the numbers of all locations.

        Args:
            number_of: gives the new number of a location for that which it has.
        """
        self._counted = {}
        self.problems = {number_of(place): error for place, error in self.problems.items()}
        for origin in self.origins.values():
            origin.renumber(number_of)
        self.origins = {(o.location, o.dtype.name, o.operand): o for o in self.origins.values()}

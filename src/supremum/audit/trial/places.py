"""The places at which a program introduces wide dtypes: which meet, and what they save."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name
from ..model.dtypes import bits, family
from .edits import Change, Position, apart
from .narrowed import Place

_SHARE: Final = 1_000
"""Which part of all wide arrays is not worth a change."""


class Flow(NamedTuple):
    """What comes of the arrays of some places.

    Attributes:
        size: the most bytes that it takes at a time.
        low: the least integer in it.
        high: the largest one.
    """

    size: int = 0
    low: float = 0
    high: float = 0

    def joined(self, other: Flow) -> Flow:
        """Return what comes of them in either of two runs."""
        return Flow(
            max(self.size, other.size), min(self.low, other.low), max(self.high, other.high)
        )


class Places:
    """The places that are worth a change, by numbers.

    Args:
        reports: what `births` found, for each input of the program.
        refused: returns for some files why they must not be changed.

    Attributes:
        found: the places.
        flows: for each set of places what comes of all of these.
        wide: why places stay wide, by their numbers.
        operations: how many operations on arrays there were.
        refused: why files must not be changed.
    """

    def __init__(
        self,
        reports: Sequence[Mapping[str, Any]],
        refused: Callable[[Sequence[str]], list[str]],
    ) -> None:
        self.found: list[Place] = []
        self.flows: dict[frozenset[int], Flow] = {}
        self.operations = sum(report["operations"] for report in reports)
        numbers: dict[tuple[Any, ...], int] = {}
        for report in reports:
            own = [self._number(Place.read(place), numbers) for place in report["births"]]
            for births, *held in report["flows"]:
                met = frozenset(own[n] for n in births)
                self.flows[met] = self.flows.get(met, Flow()).joined(Flow(*held))
        self.refused: list[str] = []
        self._total = sum(flow.size for flow in self.flows.values())
        self._large = self._worth()
        self.wide = self._unable(refused)

    def _number(self, place: Place, numbers: dict[tuple[Any, ...], int]) -> int:
        """Return the number of a place; if several inputs reach it, it is one."""
        number = numbers.setdefault((*place[:3], place.dtype), len(self.found))
        if number == len(self.found):
            self.found.append(place)
        else:
            self.found[number] = _for_both(self.found[number], place)
        return number

    def _worth(self) -> list[int]:
        """Return the numbers of the places of which arrays come that are worth a change."""
        sizes = [0] * len(self.found)
        for births, flow in self.flows.items():
            for number in births:
                sizes[number] += flow.size
        return [n for n, size in enumerate(sizes) if size * _SHARE >= self._total > 0]

    def _unable(self, refused: Callable[[Sequence[str]], list[str]]) -> dict[int, str]:
        """Return why places cannot be changed, by their numbers."""
        why = {}
        for number in self._large:
            place = self.found[number]
            self.refused += (reason := [] if place.why else refused([place.file]))
            if place.why or reason:
                why[number] = place.why or reason[0]
        able = [number for number in self._large if number not in why]
        # what is around another place has the last word on its dtype
        chosen = set(apart(sorted(self.changes(able), key=lambda c: (c.start, _negative(c.end)))))
        inside = (n for n in able if self.found[n].change not in chosen)
        return {**why, **dict.fromkeys(inside, "another place is part of it")}

    @property
    def candidates(self) -> list[int]:
        """The places that may be narrowed, as far as it is known."""
        return [number for number in self._large if number not in self.wide]

    def changes(self, chosen: Sequence[int]) -> list[Change]:
        """Return what is typed to narrow some places."""
        return [self.found[number].change for number in chosen]

    def groups(self) -> list[list[int]]:
        """Return the candidates that meet, group by group, those first that save most."""
        groups: list[frozenset[int]] = []
        for births in [*self.flows, *(frozenset([n]) for n in self.candidates)]:
            met = [group for group in groups if group & births]
            groups = [*(group for group in groups if not group & births), births.union(*met)]
        able = frozenset(self.candidates)
        found = [sorted(group & able, key=self._share) for group in groups if group & able]
        return sorted(found, key=lambda group: -self.saved(group))

    def saved(self, chosen: Sequence[int]) -> int:
        """Return the bytes that some places save together: of arrays that come from no other."""
        return sum(
            int(flow.size * (1 - max(map(self._ratio, births))))
            for births, flow in self.flows.items()
            if births <= {*chosen}
        )

    def saved_by(self, number: int, chosen: Sequence[int]) -> int:
        """Return the bytes that one place saves beside others."""
        return self.saved([*chosen, number]) - self.saved([n for n in chosen if n != number])

    def saves_nothing(self, number: int, chosen: Sequence[int]) -> bool:
        """Return whether what one place saves beside others is not worth a change."""
        return self.saved_by(number, chosen) * _SHARE < self._total

    def overflowing(self, chosen: Sequence[int]) -> int:
        """Return the integer that is too large for what comes of some places together, or 0."""
        for births, flow in self.flows.items():
            if births <= {*chosen} and len(births) > 1:
                largest = max((by_name(self.found[n].wanted) for n in births), key=bits)
                if (
                    family(largest) == "integer"
                    and not largest.min <= flow.low <= flow.high <= largest.max
                ):
                    return int(max(flow.high, -flow.low))
        return 0

    def _share(self, number: int) -> int:
        """Return what a place saves in its group by itself, as a number to sort by."""
        return -sum(flow.size for births, flow in self.flows.items() if births == {number})

    def _ratio(self, number: int) -> float:
        place = self.found[number]
        return bits(by_name(place.wanted)) / bits(by_name(place.dtype))


def _negative(position: Position) -> Position:
    return -position[0], -position[1]


def _for_both(one: Place, other: Place) -> Place:
    """Return a place that two inputs reach, with the dtype that is enough for both."""
    if not one.wanted or not other.wanted:
        return other if one.wanted else one
    return max(one, other, key=lambda place: bits(by_name(place.wanted)))

"""What a search finds: lattices, each with what it costs and the arrows that it adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.display import displayed
from ..core.dtypes import DType
from ..core.errors import RulesError
from ..core.lattice import Lattice
from ..core.system import PromotionSystem
from .asking import Spec
from .costs import Arrow, has_tie


@displayed
@dataclass(frozen=True)
class Design:
    """One lattice that a search found.

    Attributes:
        dtypes: its dtypes.
        order: each pair of a dtype and one above it.
        costs: how many pairs have each cost.
        given: the arrows that were asked for, with all that follow from them.
    """

    dtypes: tuple[DType, ...]
    order: frozenset[Arrow]
    costs: Mapping[str, int]
    given: frozenset[Arrow] = frozenset()

    @cached_property
    def lattice(self) -> Lattice[DType]:
        """The lattice, with the fewest arrows."""
        arrows = {a: [b for b in self.dtypes if (a, b) in self.order] for a in self.dtypes}
        return Lattice(arrows).reduction()

    @cached_property
    def added(self) -> tuple[Arrow, ...]:
        """The arrows of the lattice that nobody asked for, and that no others imply."""
        above: dict[DType, list[DType]] = {a: [] for a in self.dtypes}
        for a, b in self.order:
            above[a].append(b)
        place = {d: i for i, d in enumerate(self.dtypes)}
        added = [
            (a, b)
            for a, b in self.order - self.given
            if not any((c, b) in self.order for c in above[a])
        ]
        return tuple(sorted(added, key=lambda arrow: (place[arrow[0]], place[arrow[1]])))

    @property
    def added_text(self) -> str:
        """Those arrows as text."""
        return shown_arrows(self.added)

    def system(self, name: str = "design") -> PromotionSystem:
        """Return rules that join on the lattice.

        Raises:
            RulesError: if it has ties, which are no dtypes.
        """
        if has_tie(self.dtypes):
            raise RulesError("rules join on a lattice of dtypes alone, and this one has ties", name)
        return PromotionSystem.from_lattice(self.lattice, name)

    def to_dict(self) -> dict[str, Any]:
        """Return the lattice as arrow text, its costs, and what it adds."""
        return {
            "costs": dict(self.costs),
            "adds": [f"{a} -> {b}" for a, b in self.added],
            "arrows": self.lattice.as_text(),
        }

    def __str__(self) -> str:
        return f"{shown_costs(self.costs)}\n{shown_arrows(self.added)}"


def ended(*, interrupted: bool) -> str:
    """Return when a search ended that was not done, in words."""
    return "until Ctrl-C" if interrupted else "in the time"


def shown_costs(costs: Mapping[str, int]) -> str:
    """Return costs as a line.

    >>> shown_costs({"undefined": 0, "precision loss": 18})
    'undefined 0, precision loss 18'
    """
    return ", ".join(f"{name} {count}" for name, count in costs.items())


def shown_arrows(arrows: tuple[Arrow, ...]) -> str:
    """Return arrows as a line, those from one dtype together."""
    above: dict[DType, list[str]] = {}
    for a, b in arrows:
        above.setdefault(a, []).append(b.name)
    lines = [f"{a} -> {', '.join(ups)}" for a, ups in above.items()]
    return f"adds {'; '.join(lines)}" if lines else "adds nothing"


@displayed
@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        spec: what was asked.
        designs: the best lattices that were found, which tie: those that add the fewest arrows
            first. None if the time was over before one was found.
        proven: whether it is proven that no lattice is better.
        complete: whether these are all that are as good.
        bounds: for each cost in the order of the search, or for the weighted sum, what it cannot
            be less than.
        seconds: how long it took.
        interrupted: whether Ctrl-C ended the search.
    """

    spec: Spec
    designs: tuple[Design, ...]
    proven: bool
    complete: bool
    bounds: Mapping[str, int]
    seconds: float
    interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain lists and texts, as ``--format json`` prints it."""
        return {
            "name": self.spec.name,
            "proven": self.proven,
            "complete": self.complete,
            "bounds": dict(self.bounds),
            "designs": [design.to_dict() for design in self.designs],
        }

    @property
    def verdict(self) -> str:
        """What is known of the designs, in words."""
        if not self.designs:
            when = ended(interrupted=self.interrupted)
            return f"nothing was found {when}; it is not proven that there is no lattice"
        if not self.proven:
            limits = f"none has less than {shown_costs(self.bounds)}"
            so_far = "the best until Ctrl-C" if self.interrupted else "the best so far"
            return f"{so_far}, not proven to be the best: {limits}"
        count = len(self.designs)
        if not self.complete:
            listed = f"{count} of those that tie {'is' if count == 1 else 'are'} listed"
            return f"proven to be the best; {listed}, there are more"
        return "proven to be the best, " + (
            f"and so are all {count} that are listed" if count > 1 else "and the only one"
        )

    def __str__(self) -> str:
        lines = [f"{self.spec.name}: {self.verdict}"]
        if self.designs:
            lines += ["", f"  {shown_costs(self.designs[0].costs)}", ""]
        for number, design in enumerate(self.designs, 1):
            lines.append(f"  {number}  {design.added_text}")
        return "\n".join(lines)

"""What a pair of dtypes may cost: the criteria as the core counts them, and what escapes these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from ..core.analysis.criteria import COUNTED
from ..core.dtypes import DType
from ..core.errors import NoJoinError
from ..core.lattice import Lattice

Arrow = tuple[DType, DType]
"""A dtype, and one above it."""

Count = Callable[[Arrow, DType | None], int]
"""Returns how much a pair with its join, or None, counts."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A node of a lattice that is no dtype: below several dtypes, of which rules answer one.

    Attributes:
        bounds: the dtypes right above it.
        answer: the one that is answered.
    """

    bounds: tuple[DType, ...]
    answer: DType

    @property
    def name(self) -> str:
        """What it is called in arrow text."""
        return "|".join(d.name for d in self.bounds)

    def __str__(self) -> str:
        return self.name


def has_tie(nodes: Iterable[Any]) -> bool:
    """Return whether one of some nodes is no dtype, but a tie."""
    return any(isinstance(node, Tie) for node in nodes)


def answered(join: DType | Tie | None) -> DType | None:
    """Return the dtype that a join is answered as."""
    return join.answer if isinstance(join, Tie) else join


UNDEFINED: Final = "undefined"
LOST_BITS: Final = "lost bits"


def _of_join(name: str) -> Count:
    return lambda pair, join: join is not None and COUNTED[name]((*pair, join))


def _complex_from_real(pair: Arrow, join: DType | None) -> bool:
    """Return whether a pair becomes complex, of which no dtype is."""
    return join is not None and join.kind == "complex" and "complex" not in {d.kind for d in pair}


def _lost_width(pair: Arrow, join: DType | None) -> bool:
    """Return whether a width is lost to a weak dtype which has a place for the same component.

    The width of an integer may be lost to weak floats, as in JAX's lattice: it says nothing of
    the width of a float.
    """
    if join is None or not join.weak:
        return False
    keeps = ("float", "complex") if join.kind != "signed" else ("unsigned", "signed")
    return any(not d.weak and d.kind in keeps for d in pair)


def _lost_bits(pair: Arrow, join: DType | None) -> int:
    """Return how many significand bits the dtype of a pair that loses most of them loses."""
    kept = join.precision if join is not None else None
    return 0 if kept is None else max(0, *((d.precision or 0) - kept for d in pair))


COSTS: Final[Mapping[str, Count]] = {
    UNDEFINED: lambda _, join: join is None,
    **{name: _of_join(name) for name in COUNTED},
    "complex from real": _complex_from_real,
    "lost width": _lost_width,
    LOST_BITS: _lost_bits,
}
"""What is counted, by name: pairs of dtypes, and of the last the bits that they lose.

Weak dtypes have no width, and the range of a complex dtype is that of its parts. So the criteria
alone are met best by sending int64 to complex*, and float32 to it too: the two after them see that.
"""

USUAL: Final = (UNDEFINED, "overflow", "precision loss", "wider result")
"""The costs that every design says it has, between which it has to choose."""

LOOPHOLES: Final = ("complex from real", "lost width")
"""The costs that a design never has, if nothing else is said."""


def costs_of(lattice: Lattice[DType]) -> dict[str, int]:
    """Return what a lattice costs, asking for the join of each pair.

    >>> import supremum
    >>> found = costs_of(supremum.system("jep9407-option1").lattice)
    >>> found["undefined"], found["precision loss"], found["wider result"]
    (25, 0, 25)
    """
    found = dict.fromkeys(COSTS, 0)
    for pair in combinations(lattice.nodes, 2):
        try:
            join: DType | None = lattice.join(*pair)
        except NoJoinError:
            join = None
        for name, counts in COSTS.items():
            found[name] += counts(pair, join)
    return found

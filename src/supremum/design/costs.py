"""What a pair of dtypes may cost: the criteria as the core counts them, and what escapes these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Final

from ..core.analysis.criteria import COUNTED
from ..core.dtypes import DType
from ..core.errors import NoJoinError
from ..core.lattice import Lattice

Arrow = tuple[DType, DType]
"""A dtype, and one above it."""

Count = Callable[[Arrow, DType | None], bool]
"""Tells whether a pair with its join, or None, counts."""

UNDEFINED: Final = "undefined"


def _of_join(name: str) -> Count:
    return lambda pair, join: join is not None and COUNTED[name]((*pair, join))


def _complex_from_real(pair: Arrow, join: DType | None) -> bool:
    """Tell whether a pair becomes complex, of which no dtype is."""
    return join is not None and join.kind == "complex" and "complex" not in {d.kind for d in pair}


def _lost_width(pair: Arrow, join: DType | None) -> bool:
    """Tell whether a width is lost to a weak dtype which has a place for the same component.

    The width of an integer may be lost to weak floats, as in JAX's lattice: it says nothing of
    the width of a float.
    """
    if join is None or not join.weak:
        return False
    keeps = ("float", "complex") if join.kind != "signed" else ("unsigned", "signed")
    return any(not d.weak and d.kind in keeps for d in pair)


COSTS: Final[Mapping[str, Count]] = {
    UNDEFINED: lambda _, join: join is None,
    **{name: _of_join(name) for name in COUNTED},
    "complex from real": _complex_from_real,
    "lost width": _lost_width,
}
"""What is counted, by name.

Weak dtypes have no width, and the range of a complex dtype is that of its parts. So the criteria
alone are met best by sending int64 to complex*, and float32 to it too: the last two see that.
"""

FRONT: Final = (UNDEFINED, "overflow", "precision loss", "wider result")
"""The costs between which a design has to choose."""

LOOPHOLES: Final = ("complex from real", "lost width")
"""The costs that a design never has, if nothing else is said."""


def costs_of(lattice: Lattice[DType]) -> dict[str, int]:
    """Return how many pairs of a lattice have each cost, asking for the join of each pair.

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

"""The parts of function rules: groups of dtypes, stores, and default dtypes."""

from __future__ import annotations

from typing import NamedTuple

from .dtype_names import by_name
from .dtypes import DType
from .functions import canonical, written


class Defaults(NamedTuple):
    """The dtypes of what rules make without one, and the dtype of indices and counts."""

    int: DType
    float: DType
    complex: DType
    index: DType  # type: ignore[assignment]  # a dtype, as nobody searches these for items

    def of(self, symbol: str) -> DType:
        """Return the dtype that a symbol of a rule stands for."""
        if symbol == "UINT":
            return by_name(f"uint{self.int.bits}")
        found: DType = getattr(self, symbol.lower())
        return found


class Case(NamedTuple):
    """A group of dtypes, and what becomes of them: a dtype, or a word of the language."""

    members: frozenset[str]
    result: DType | str

    def has(self, d: DType) -> bool:
        """Tell whether a dtype is in the group."""
        return d.kind in self.members or d.name in self.members


class Store(NamedTuple):
    """Where a result goes: what the first operand takes, and which dtypes take everything."""

    takes: str
    all_in: tuple[DType, ...] = ()


def changed(name: str, joined: DType, result: DType) -> str:
    """Return a sentence that says what a function made of the joined dtype, or ``""``."""
    if result is joined:
        return ""
    formula = written(canonical(name) or name)
    how = f" ({formula})" if formula else ""
    return f"{name}{how} converts {joined} to {result}."

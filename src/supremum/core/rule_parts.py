"""The parts of function rules: groups of dtypes, stores, default dtypes, and how refusals end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .dtype_names import by_name
from .dtypes import DType
from .functions import canonical, written

# What to cast to if a kind is refused, in this order.
_INSTEAD = {
    "bool": ("int32", "float32"),
    "unsigned": ("int32", "int64", "float32", "float64"),
    "signed": ("int32", "int64", "float32", "float64"),
    "float": ("float32", "float64", "int32", "int64", "bool"),
    "complex": ("complex64", "complex128"),
}


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


def way_out(refused: DType, known: Sequence[DType], takes: Callable[[DType], bool]) -> str:
    """Return what to type if a dtype is refused, after a semicolon.

    Args:
        refused: the dtype.
        known: the dtypes of the rules.
        takes: whether another dtype is taken.
    """
    usual = [by_name(name) for name in _INSTEAD.get(refused.kind, ())]
    kinds = {d.kind for d in usual}
    others = [d for d in known if d.kind in kinds and not d.weak]
    found = [d for d in usual if d in known or not known] + others
    narrower = (refused.bits or 0).__gt__
    for d in sorted(found, key=lambda d: (d.kind == "bool", narrower(d.bits or 0))):
        if takes(d):
            return cast_first(d)
    return "; take its real part first" if refused.kind == "complex" else ""


def cast_first(d: DType) -> str:
    """Return what to type if another dtype is refused, after a semicolon."""
    return f"; cast to {d} first, for example with x.astype('{d}')"


def changed(name: str, joined: DType, result: DType) -> str:
    """Return a sentence that says what a function made of the joined dtype, or ``""``."""
    if result is joined:
        return ""
    formula = written(canonical(name) or name)
    how = f" ({formula})" if formula else ""
    return f"{name}{how} converts {joined} to {result}."

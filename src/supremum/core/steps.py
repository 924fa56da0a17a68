"""The values that pass through a promotion: Operand -> Classified -> Joined -> Settled -> Applied.

Here are also the usual first and last step: operands as their dtypes, and a width for weak results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from .dtypes import DType, by_name
from .errors import DTypeError, RulesError, short
from .fold import Fold
from .lattice import Lattice
from .operands import Operand
from .table import Table

Join = Lattice[DType] | Table[DType] | Fold[DType]
"""How rules join dtypes: by a lattice, by a table, or step by step."""


class Classified(NamedTuple):
    """What an operand is to some rules.

    Attributes:
        operand: the operand.
        node: the node that the rules treat it as.
        why: why, in a few words.
        as_number: whether the rules read a scalar of another library as a Python number.
        facts: what else the join must know of it, in words of the rules.
    """

    operand: Operand
    node: DType
    why: str
    as_number: bool = False
    facts: frozenset[str] = frozenset()

    @property
    def is_number(self) -> bool:
        """Whether it is a number to these rules, not an array."""
        return self.as_number or self.operand.is_python


class Settled(NamedTuple):
    """What became of a joined node: the result, whether it stays weak, and why (or ``""``)."""

    dtype: DType
    weak: bool = False
    why: str = ""


class Applied(NamedTuple):
    """What a function made of the joined dtype.

    Attributes:
        name: the function.
        dtype: its result.
        why: a sentence if that is not the joined dtype, else ``""``.
        weak: whether the result is weak.
    """

    name: str
    dtype: DType
    why: str
    weak: bool = False


Classify = Callable[[Operand, Sequence[Operand]], Classified]
"""The first step: what one operand is to these rules, beside all of them."""

Settle = Callable[[DType, Sequence[Classified]], Settled]
"""The last step: what becomes of a node that is not the dtype of an array, or is too wide.

It raises `NoJoinError` with a reason if there is no answer."""

DEFAULT_WIDTHS: Final[Mapping[str, str]] = MappingProxyType(
    {"int*": "int64", "float*": "float64", "complex*": "complex128"}
)
"""The dtype that a weak result settles to, unless rules say otherwise."""


def by_dtype(op: Operand, _: Sequence[Operand] = ()) -> Classified:
    """Treat an operand as its dtype, a weak one as the weak dtype of its kind."""
    return Classified(op, op.weak_dtype if op.weak else op.dtype, op.describe())


def numbers_are_weak(op: Operand, operands: Sequence[Operand] = ()) -> Classified:
    """Treat an operand as its dtype, and objects of classes derived from numbers as numbers."""
    if op.is_python and op.dtype.kind != "bool":
        return Classified(op, op.weak_dtype, op.describe())
    return by_dtype(op, operands)


class ToWidths:
    """A last step that gives weak results a width.

    Args:
        widths: a dtype for each weak one; those left out stay weak.

    Raises:
        RulesError: if it gives a width to a dtype that has one, or a weak dtype as a width.
    """

    def __init__(self, widths: Mapping[str, str] = DEFAULT_WIDTHS) -> None:
        self.widths = tuple(sorted(widths.items()))
        try:
            self._widths = {by_name(weak): by_name(width) for weak, width in self.widths}
        except DTypeError as error:
            raise RulesError(f"widths: {error}", widths) from error
        for weak, width in self._widths.items():
            if not weak.weak:
                raise RulesError(
                    f"widths: {weak} has a width already; name int*, float* or complex*", weak.name
                )
            if width.weak:
                raise RulesError(f"widths: {width} is weak; name a dtype with a width", width.name)

    def __call__(self, node: DType, _: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        if node not in self._widths:
            return Settled(node, node.weak)
        width = self._widths[node]
        why = f"{node} is weak: without a dtype that gives it a width, it becomes {width}."
        return Settled(width, True, why)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToWidths) and self.widths == other.widths

    def __hash__(self) -> int:
        return hash(self.widths)

    def __repr__(self) -> str:
        return f"ToWidths({dict(self.widths)!r})"


def fits(value: int | None, d: DType) -> str | None:
    """Return why an int does not fit an integer dtype, or None; one that is not known fits."""
    if d.kind not in ("signed", "unsigned") or d.weak or value is None:
        return None
    if d.min <= value <= d.max:
        return None
    return f"{short(value)} does not fit {d}, which goes from {d.min} to {d.max}"

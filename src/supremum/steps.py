"""The choices that rules have for the first and the last step of a promotion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from supremum.dtypes import DType, by_name
from supremum.explain import Settled, Taken
from supremum.operands import Operand

Classify = Callable[[Sequence[Operand]], Sequence[Taken]]
"""The first step: what each operand is to these rules. It sees all of them at once."""

Settle = Callable[[DType, Sequence[Taken]], Settled]
"""The last step: what becomes of a node that is no dtype of an array, or is too wide.

It raises `NoJoinError` with a reason where there is no answer after all."""

DEFAULT_WIDTHS: Mapping[str, str] = {"int*": "int64", "float*": "float64", "complex*": "complex128"}
"""The dtype that a weak result settles to, where rules do not say otherwise."""


def by_dtype(operands: Sequence[Operand]) -> list[Taken]:
    """Take each operand for its dtype, weak ones for the weak dtype of their kind."""
    return [Taken(op, op.weak_dtype if op.weak else op.dtype, op.describe()) for op in operands]


def to_defaults(widths: Mapping[str, str]) -> Settle:
    """Return a settling step that gives weak results a width.

    Args:
        widths: a dtype for each weak one; those left out stay weak.
    """
    given = {by_name(weak): by_name(width) for weak, width in widths.items()}

    return partial(_to_width, given)


def _to_width(given: Mapping[DType, DType], node: DType, _: Sequence[Taken]) -> Settled:
    if node not in given:
        return Settled(node, node.weak)
    why = f"{node} is weak: with nothing to give it a width it becomes {given[node]}."
    return Settled(given[node], True, why)

"""Which of Python's numbers count by their type alone, measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from math import inf
from typing import Any, Final

from ..core.operands import operand
from ..core.system import PromotionSystem
from .asking import answer, ask
from .description import Answer, Description

_EXPONENTS = (7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 127, 128, 1023, 1024, 2000)
_INTS: Final = sorted({0} | {s * 2**n + d for n in _EXPONENTS for s in (-1, 1) for d in (-1, 0, 1)})
_FLOATS: Final = sorted(
    x for bound in (0.0, 448.0, 65504.0, 3.4028234e38, 1.7e308, inf) for x in (-bound, bound)
)


def with_ranges(rules: PromotionSystem, description: Description) -> Description:
    """Return a description with the bounds within which ints and floats count by their type.

    They are tried at the bounds of the usual formats, alone and beside each dtype.
    """
    ints = _range(rules, description.dtypes, 1, _INTS, None)
    return replace(
        description, ints=ints, floats=_range(rules, description.dtypes, 1.5, _FLOATS, None)
    )


def function_ints(
    rules: PromotionSystem, dtypes: Sequence[str], op: str, more: int
) -> tuple[int, int] | None:
    """Return the bounds of ints in a function, beside a number of dtypes that are alike."""
    return _range(rules, dtypes, 1, _INTS, (op, more))


def _range(
    rules: PromotionSystem,
    dtypes: Sequence[str],
    usual: Any,
    values: Sequence[Any],
    function: tuple[str, int] | None,
) -> tuple[Any, Any] | None:
    op, more = function or (None, 1)
    taken = [operand(d) for d in dtypes if ask(rules, [d]) is not None]
    beside = [*([] if op else [()]), *((d,) * more for d in taken)]
    usually = [_answers(rules, usual, others, op) for others in beside]

    def is_usual(value: Any) -> bool:
        return all(
            _answers(rules, value, others, op) == answers
            for others, answers in zip(beside, usually, strict=True)
        )

    below = [value for value in reversed(values) if value < usual]
    above = [value for value in values if value > usual]
    low, high = ([*takewhile(is_usual, (usual, *side))][-1] for side in (below, above))
    return None if (low, high) == (values[0], values[-1]) else (low, high)


def _answers(
    rules: PromotionSystem, value: Any, others: tuple[Any, ...], op: str | None
) -> list[Answer]:
    """Return what a system gives for a number, before other operands and after them."""
    orders = ((value, *others), (*others, value)) if others else ((value,),)
    return [answer(rules, operands, op) for operands in orders]

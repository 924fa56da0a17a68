"""Powers in expressions, where an operator or a value decides what the rules of `power` do not."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..function_rules import FunctionRule
from ..operands import SCALAR_LIBRARY, Operand
from .names import title_of

if TYPE_CHECKING:
    from ..system import PromotionSystem
    from .evaluate import Evaluation


_WHOLE: Final = ("bool", "unsigned", "signed")


def exponents(
    evaluation: Evaluation, node: ast.expr, operands: Sequence[Operand], rules: PromotionSystem
) -> Sequence[Operand]:
    """Return the operands of a power: an exponent that is known is a number to some rules."""
    rule = rules.rule("power")
    base, last = operands[0], operands[-1]
    if rule is None or not _leaves_exponents_out(rule) or last.form != "array" or last.rank != 0:
        return operands
    is_kept = base.dtype.kind not in _WHOLE and not base.weak  # either way
    if is_kept or last.dtype.kind not in _WHOLE:
        return operands
    if last.value is None:
        what = f"whether {last.text} is known or traced decides about the power; write the number"
        raise evaluation.source.error(what, node)
    return [*operands[:-1], last._replace(form="scalar")]


def _leaves_exponents_out(rule: FunctionRule) -> bool:
    """Return whether the rule of powers has some exponents not join."""
    return rule.special is not None and rule.special.select is not None


def is_squared(operands: Sequence[Operand], rules: PromotionSystem) -> bool:
    """Tell whether an operator squares bools, which NumPy's does where power does not."""
    base, exponent = operands
    is_square = exponent.number == 2 and exponent.dtype.kind == "signed"
    is_theirs = title_of(rules).startswith(SCALAR_LIBRARY)
    return is_square and base.dtype.kind == "bool" and is_theirs

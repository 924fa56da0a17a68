"""The question why: of operands, or of an expression."""

from __future__ import annotations

from typing import Any, overload

from .deciding import rules_given, rules_of_block, rules_of_operands
from .evaluation.expression import explain_expression
from .evaluation.record import ExpressionExplanation
from .evaluation.text import expression_of
from .explanation import Explanation
from .system import PromotionSystem


@overload
def explain(
    text: str, /, *, system: str | PromotionSystem | None = None, op: None = None, **given: Any
) -> Explanation | ExpressionExplanation: ...
@overload
def explain(
    *operands: Any, system: str | PromotionSystem | None = None, op: str | None = None
) -> Explanation: ...
def explain(
    *operands: Any, system: str | PromotionSystem | None = None, op: str | None = None, **given: Any
) -> Any:
    """Return why these operands give the dtype that they give; printing it shows the steps.

    Args:
        operands: arrays and scalars of any library, Python numbers, and dtypes; or one string, an
            expression such as ``"np.mean(x) * 2 + float32[3]"``.
        system: the rules, or their name; by default those of the library that operands are of, or
            whose functions an expression calls, or else the usual ones; see `result_type`.
        op: a function, as in `result_type`.
        given: the operands that an expression has names for.

    Returns:
        An `Explanation`, or an `ExpressionExplanation` of an expression.

    >>> explain("int16", 1).result
    supremum.dtype('int16')
    >>> explain("a * b + 1.0", a="int16[3]", b=2).result
    supremum.dtype('float64')
    """
    text = expression_of(operands, op, given)
    if text is not None:
        rules = rules_of_block() if system is None else rules_given(system)
        return explain_expression(text, rules, given)
    rules = rules_of_operands(operands) if system is None else rules_given(system)
    return rules.explain(*operands, op=op)

"""The questions that users ask of dtypes and operands, under rules that they name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from .cache import Cache, remember_promotions, remember_results
from .dtypes import DType, dtype
from .system import PromotionSystem
from .systems import DEFAULT, named
from .systems import system as rules_of
from .table import Table

_cache = Cache()  # of the default rules, which look at dtypes alone
Ask = TypeVar("Ask", bound=Callable[..., DType])


def _rules(system: str | PromotionSystem) -> PromotionSystem:
    return named(system) if type(system) is str else rules_of(system)


def _remembered(remember: Callable[[Callable[..., DType], Cache], Any]) -> Callable[[Ask], Ask]:
    """Return a decorator of a question, whose answers are remembered unless rules are named."""
    return lambda ask: wraps(ask)(remember(ask, _cache))  # type: ignore[return-value]  # as it is


@_remembered(remember_promotions)
def promote_types(*dtypes: Any, system: str | PromotionSystem = DEFAULT) -> DType:
    """Return the dtype that these dtypes promote to: their join.

    Args:
        dtypes: one dtype or more, in any form that `supremum.dtype` takes. Weak ones (``int*``, or
            Python's ``int``) may be among them, and a weak answer stays weak. They are joined all
            at once; a lattice joins them in no order.
        system: the rules, or their name.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not a dtype.

    >>> promote_types("int32", "float16")
    supremum.dtype('float16')
    >>> promote_types("int32", "float16", system="jep9407-option2")
    supremum.dtype('float32')
    """
    return _rules(system).promote_types(*dtypes)


@_remembered(remember_results)
def result_type(
    *operands: Any, system: str | PromotionSystem = DEFAULT, op: str | None = None
) -> DType:
    """Return the dtype that an operation on these operands gives.

    Args:
        operands: arrays and scalars of any library, of any shape; Python numbers; and what
            `promote_types` takes.
        system: the rules, or their name.
        op: the function, such as ``"true_divide"``; without one, what operands share.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not an operand.
        RulesError: if the rules do not have the function.

    >>> result_type("int16", 1)
    supremum.dtype('int16')
    >>> result_type("int32", "int32", op="true_divide")
    supremum.dtype('float32')
    """
    return _rules(system).result_type(*operands, op=op)


def table(rules: str | PromotionSystem = DEFAULT, *dtypes: Any) -> Table[DType]:
    """Return what every ordered pair of dtypes promotes to.

    Args:
        rules: rules or their name.
        dtypes: the dtypes to keep; by default all that the rules have.

    Raises:
        RulesError: for unknown rules.
        DTypeError: for something that is not a dtype.

    >>> table("numpy", "int8", "uint8")["int8", "uint8"]
    supremum.dtype('int16')
    """
    whole = _rules(rules).table()
    return whole.only(map(dtype, dtypes)) if dtypes else whole

"""Rules for a block: which ones are in force if nobody says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from ..core.system import PromotionSystem
from ..core.systems import system
from .decide import Decider

IN_FORCE: ContextVar[Decider | None] = ContextVar("supremum.rules", default=None)


@cache
def decider(rules: PromotionSystem) -> Decider:
    """Return what decides under some rules; there is one for all rules that are equal."""
    return Decider(rules)


@contextmanager
def rules(rules: str | PromotionSystem, **options: Any) -> Iterator[PromotionSystem]:
    """Let other rules decide in a ``with`` block, for arrays of any namespace.

    Args:
        rules: the name of a set of rules, or rules of your own.
        options: those of the rules, as `supremum.system` takes them.

    Raises:
        RulesError: for unknown rules or options.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> x = xp.ones(3, dtype=xp.int32)
    >>> with supremum.rules("numpy"):
    ...     y = x + xp.ones(3, dtype=xp.float32)
    >>> (x + xp.ones(3, dtype=xp.float32)).dtype.name, y.dtype.name
    ('float32', 'float64')
    """
    chosen = system(rules, **options)
    token = IN_FORCE.set(decider(chosen))
    try:
        yield chosen
    finally:
        IN_FORCE.reset(token)

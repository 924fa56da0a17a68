"""Rules for a block: which ones are in force where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from uuid import uuid4

from supremum.arrays.decide import Decider
from supremum.system import PromotionSystem
from supremum.systems import system

IN_FORCE: ContextVar[Decider | None] = ContextVar("supremum.rules", default=None)


_shipped: dict[tuple[Any, ...], PromotionSystem] = {}


@cache
def decider(rules: PromotionSystem) -> Decider:
    """Return what decides by some rules; there is one for each."""
    return Decider(rules)


def as_rules(rules: str | PromotionSystem, options: dict[str, Any]) -> PromotionSystem:
    """Return rules by their name and options, or as they are.

    The array API's are those of the standard of 2025.12, unless a version is given.
    """
    if rules == "array-api":
        options = {"version": "2025.12", **options}
    found = system(rules, **options)
    if found.made_by is None:
        return found
    # those that ship are the same whether options are written out or not
    return _shipped.setdefault((found.name, *found.setting.items()), found)


_named: dict[str, PromotionSystem] = {}


def name_of(rules: PromotionSystem) -> str:
    """Return a name for rules of one's own, by which all processes know them as the same.

    Those that ship with Supremum need none: ``""``.
    """
    if rules.made_by is not None:
        return ""
    for name, known in _named.items():
        if known is rules:
            return name
    name = uuid4().hex
    _named[name] = rules
    return name


def of_name(name: str, rules: PromotionSystem) -> PromotionSystem:
    """Return the rules that this process knows by a name of `name_of`, or else these."""
    return _named.setdefault(name, rules) if name else rules


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
    chosen = as_rules(rules, options)
    token = IN_FORCE.set(decider(chosen))
    try:
        yield chosen
    finally:
        IN_FORCE.reset(token)

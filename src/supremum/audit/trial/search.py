"""Delta debugging: as many of some changes as are right together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def largest(
    groups: Sequence[Sequence[Item]], is_right: Callable[[Sequence[Item]], bool]
) -> list[Item]:
    """Return as many items as are right together: no other one can be added to them.

    All are tried at once, then group by group, then the halves of groups that are wrong. That no
    item can be added holds as long as what is wrong does not become right by more of it.

    Args:
        groups: the items, those first that belong together, those last that are likely wrong.
        is_right: tries some of them.

    >>> largest([[1, 2], [3, 4]], lambda some: 3 not in some)
    [1, 2, 4]
    """
    every = [item for group in groups for item in group]
    if not every or is_right(every):
        return every
    accepted: list[Item] = []
    waiting = [list(group) for group in groups] if len(groups) > 1 else _halves(every)
    while waiting:
        part = waiting.pop(0)
        if is_right([*accepted, *part]):
            accepted += part
        elif len(part) > 1:
            waiting[:0] = _halves(part)
    return accepted


def _halves(items: Sequence[Item]) -> list[list[Item]]:
    half = (len(items) + 1) // 2
    return [part for part in (list(items[:half]), list(items[half:])) if part and half < len(items)]

"""Why a system refuses operands, as reasons that some dtypes have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Final

from ..core.errors import PromotionError
from ..core.system import PromotionSystem

_MOST: Final = 6
"""How many reasons are written."""

Pair = frozenset[str]
Reasons = Mapping[Pair, str]


def reasons(rules: PromotionSystem, dtypes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the reasons for refusals, each with groups of dtypes, in the order of their check.

    A reason holds if every group has one of the operands, and no earlier one does. Reasons that
    name the very operands are left out, and so is what groups do not tell apart.
    """
    left = _of_pairs(rules, dtypes)
    found: dict[str, tuple[str, ...]] = {}
    while left and len(found) < _MOST:
        commonest = [why for why, _ in Counter(left.values()).most_common() if why]
        grouped = ((why, groups) for why in commonest if (groups := _groups(left, why)) is not None)
        why, groups = next(grouped, ("", None))
        if groups is None:
            break
        found[why] = tuple(" ".join(d for d in dtypes if d in group) for group in groups)
        left = {pair: own for pair, own in left.items() if own != why}
    return found


def _of_pairs(rules: PromotionSystem, dtypes: Sequence[str]) -> dict[Pair, str]:
    """Return the reason for each pair that is refused; nothing if it names one of the pair."""
    found = {}
    for a, b in combinations_with_replacement(dtypes, 2):
        try:
            rules.promote_types(a, b)
        except PromotionError as error:
            why = str(error).partition(" rules")[2].partition(": ")[2].partition(";")[0]
            for both in (f"{a} and {b} ", f"{b} and {a} "):
                if why.startswith(both):
                    why = f"they {why.removeprefix(both)}"
            found[frozenset({a, b})] = why
    return found


def _groups(left: Reasons, why: str) -> list[set[str]] | None:
    """Return groups of dtypes that tell the pairs of one reason from all others, if some do."""
    own = [pair for pair, other in left.items() if other == why]
    if len(own) == len(left):
        return []
    others = {d for pair, other in left.items() if other != why for d in pair}
    alone = {d for pair in own for d in pair} - others
    if all(pair & alone for pair in own):
        return [alone]
    return _rectangle(left, why, own)


def _rectangle(left: Reasons, why: str, own: Sequence[Pair]) -> list[set[str]] | None:
    """Return two groups of which every pair has this reason, and which have all such pairs."""
    first = min(own[0])
    others = {d for pair in own if first in pair for d in pair - {first}}
    some = {d for pair in own for d in pair} - others
    crossed = {frozenset({a, b}) for a in some for b in others}
    if not set(own) <= crossed or any(left.get(pair, why) != why for pair in crossed):
        return None
    return [some, others]

"""Rules of functions, as what each makes of the dtype that its operands come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from ..core.errors import RulesError
from ..core.functions import FUNCTIONS, canonical
from ..core.system import PromotionSystem
from .asking import ask, told
from .description import Answer, Description
from .ranges import function_ints
from .running import Module

_MOST = 2
"""How many operands are compared: of more, each joins as the second does."""


def with_functions(
    rules: PromotionSystem, description: Description, names: Sequence[str]
) -> Description:
    """Return a description that has the rules of some functions, too.

    Raises:
        RulesError: for a function that the rules do not have, or whose answer depends on more than
            the dtype that its operands come to.
    """
    bounds = []
    for name in dict.fromkeys(names):
        counts = arities(rules, name)
        becomes: dict[str, Answer] = {}
        for d in description.dtypes:
            joined = description.settled.get(d, d)
            if joined == d:
                becomes[d] = ask(rules, [d] * counts[0], name)
        changed = {d: made for d, made in becomes.items() if made != d}
        description = replace(description, functions={**description.functions, name: changed})
        _compare(rules, description, name, counts)
        if counts[-1] > 1:
            more = max(counts[0] - 1, 1)
            bounds.append(function_ints(rules, description.dtypes, name, more))
    tight = [b for b in (*bounds, description.ints) if b is not None]
    low_high = (max(b[0] for b in tight), min(b[1] for b in tight)) if tight and names else None
    bounded = None if low_high == description.ints else low_high
    return replace(description, function_ints=bounded)


def arities(rules: PromotionSystem, name: str) -> range:
    """Return the numbers of operands that a function takes, as far as they are compared.

    Raises:
        RulesError: for a function that the rules do not have, or that takes no operands.
    """
    if rules.rule(name) is None:
        rules.result_type(rules.dtypes[0], op=name)  # says why not
    known = FUNCTIONS[canonical(name) or name]
    if known.operands == 0:
        raise RulesError(f"{name} takes no operands, so there is nothing to export of it", name)
    least = max(known.minimum_operands, 1)
    return range(least, max(least, min(known.operands or _MOST, _MOST)) + 1)


def _compare(rules: PromotionSystem, description: Description, name: str, counts: range) -> None:
    module = Module(description)
    for count in counts:
        for words in product(description.words, repeat=count):
            if all(word.endswith("()") for word in words) or any(w.endswith("[]") for w in words):
                continue
            own, read = ask(rules, words, name), module.result_type(words, name)
            if own != read:
                what = f"{name} of {rules.title} rules depends on more than the join"
                raise RulesError(f"{what}: {told(words, own, read)}", name)

"""What a function may do with a dtype: the word for each, and what it means."""

from __future__ import annotations

from typing import Final

VERDICTS: Final = {
    "crash": "the process ended in the call",
    "time limit": "there was no answer in time",
    "wrong": "values differ from those of the wide dtype by more than its own precision explains",
    "refuses": "an exception, where there is none with the wide dtype",
    "widens": "a result is wider",
    "keeps": "no result is wider",
    "no arrays": "its result has no floats in arrays",
    "fails": "the example fails with the wide dtype, too",
    "not called": "no call of it is known",
    "takes no arrays": "its examples hand over no arrays",
}
"""The verdicts, those that matter most first."""

CALLED: Final = frozenset(list(VERDICTS)[:7])
"""The verdicts of functions that were called with arrays of the dtype."""

TO_FAIL_ON: Final = (*list(VERDICTS)[:5],)
"""The verdicts that a function is to be looked at for."""


def worst(one: str, other: str) -> str:
    """Return the verdict of two that matters more: the first if they are the same.

    >>> worst("keeps", "widens")
    'widens'
    """
    order = list(VERDICTS)
    return min(one, other, key=order.index)

"""Asking a system about words, which stand for its operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core.errors import PromotionError, listed
from ..core.operands import Operand, operand, parse
from ..core.system import PromotionSystem
from .description import NUMBERS, Answer

Difference = tuple[tuple[str, ...], Answer, Answer]
"""Some words, with what a system gives for them, and what a reading of it does."""


def read_word(word: str) -> Operand:
    """Return the operand that a word stands for."""
    number = word.removesuffix("()")
    return operand(NUMBERS[number]) if number in NUMBERS and number != word else parse(word)


def ask(rules: PromotionSystem, words: Iterable[str], op: str | None = None) -> Answer:
    """Return what a system gives for some words, or None if it refuses."""
    return answer(rules, map(read_word, words), op)


def answer(rules: PromotionSystem, operands: Iterable[Any], op: str | None = None) -> Answer:
    """Return what a system gives for some operands, or None if it refuses."""
    try:
        return rules.result_type(*operands, op=op).name
    except PromotionError:
        return None


def ask_types(rules: PromotionSystem, a: str, b: str) -> Answer:
    """Return what a system promotes two dtypes to, or None if it refuses."""
    try:
        return rules.promote_types(a, b).name
    except PromotionError:
        return None


def told(words: Sequence[str], own: Answer, read: Answer) -> str:
    """Return a clause on what a system gives for some words, and what a reading of it does."""
    saying = f"{listed([*words])} {'give' if len(words) > 1 else 'gives'} {own or 'no dtype'}"
    return f"{saying}, where their dtypes alone give {read or 'none'}"

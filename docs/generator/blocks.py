"""The generated parts that a page can ask for, by name, each the function that returns it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., str | None])

BLOCKS: dict[str, Callable[..., str | None]] = {}
"""What stands in a comment, without its last word if the function takes one."""


def block(name: str) -> Callable[[F], F]:
    """Register a function as what ``<!-- NAME -->``, or ``<!-- NAME ARGUMENT -->``, asks for."""

    def register(function: F) -> F:
        BLOCKS[name] = function
        return function

    return register


def content(words: str) -> str | None:
    """Return what a comment asks for, or None if it cannot be made with what is installed.

    Raises `KeyError` if no block has this name.
    """
    if words in BLOCKS:
        return BLOCKS[words]()
    name, _, argument = words.rpartition(" ")
    return BLOCKS[name](argument)


def code(names: Iterable[str]) -> str:
    """Return names as code."""
    return ", ".join(f"`{name}`" for name in names)


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as a Markdown table."""
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)

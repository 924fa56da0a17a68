"""Loops of JAX: which part of what one hands on an error is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, Final

from ..model.locations import Location, Span

LOOPS: Final = {"scan": (1, "init"), "while_loop": (2, "init_val"), "fori_loop": (3, "init_val")}
"""The loops of JAX, with the argument that is what they hand on first."""

COUNTS: Final = "fori_loop"
"""The loop that hands on a counter, too, before what it was given."""

LIBRARY: Final = "JAX"
"""What they compute with."""


def handed_on(
    read: Callable[[Span], Any], place: Location, part: str
) -> tuple[Any, str, Span | None]:
    """Return a part of the carry that a loop was given; its text, and its span.

    Args:
        read: returns the value of what is written at a span.
        place: the call of the loop.
        part: the part, such as ``carry[1]``.

    Raises:
        LookupError: if it cannot be read.
    """
    position, keyword = LOOPS.get(place.name, (0, ""))
    named = place.keywords
    index = named.index(keyword) + 1 if keyword in named else position + 1
    if not keyword or index > len(named) or (keyword not in named and any(named[:index])):
        raise LookupError(place.name)
    span, text = place.spans[index], place.operand_text(index)
    if span is None:
        raise LookupError(text)
    value = read(span)
    path: list[Any] = [ast.literal_eval(key) for key in re.findall(r"\[(\d+|'[^']*')\]", part)]
    if place.name == "fori_loop":  # which hands its counter on, too
        path = path[1:]
    first = place.lists[index - 1]
    for depth, key in enumerate(path):
        if first and depth == 0 and type(key) is int:
            at = first + key
            span = place.spans[at] if at < len(place.spans) else None
            text = place.operand_text(at)
        else:
            span, text = None, f"{text}[{key!r}]"
        value = _item(value, key)
    return value, text, span


def _item(value: Any, key: Any) -> Any:
    """Return an element of a tuple, list or dictionary, whatever its class makes of it."""
    if isinstance(value, dict):
        return dict.__getitem__(value, key)
    if type(key) is int and isinstance(value, tuple):
        return tuple.__getitem__(value, key)
    if type(key) is int and isinstance(value, list):
        return list.__getitem__(value, key)
    raise LookupError(key)

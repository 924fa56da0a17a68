"""Loops of JAX: which part of what one hands on an error is about."""

from __future__ import annotations

import ast
import re
from typing import Any, Final

from ..model.locations import Location, Span
from .frames import UNKNOWN, Operands

LOOPS: Final = {"scan": (1, "init"), "while_loop": (2, "init_val"), "fori_loop": (3, "init_val")}
"""The loops of JAX, with the argument that is what they hand on first."""


def handed_on(frame: Operands, place: Location, part: str) -> tuple[Any, str, Span | None]:
    """Return a part of the carry that a loop was given, or `UNKNOWN`; its text, and its span.

    Args:
        frame: reads what the frame of the loop had.
        place: the call of the loop.
        part: the part, such as ``carry[1]``.
    """
    position, keyword = LOOPS.get(place.name, (0, ""))
    named = place.keywords
    index = named.index(keyword) + 1 if keyword in named else position + 1
    if not keyword or index > len(named) or (keyword not in named and any(named[:index])):
        return UNKNOWN, "", None
    span, text = place.spans[index], place.operand_text(index)
    value = frame.value(span) if span is not None else UNKNOWN
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
        return dict.get(value, key, UNKNOWN)
    if type(key) is int and isinstance(value, tuple) and key < len(value):
        return tuple.__getitem__(value, key)
    if type(key) is int and isinstance(value, list) and key < len(value):
        return list.__getitem__(value, key)
    return UNKNOWN

"""Loops and conditions of JAX: what they hand on, and what the functions inside of them return."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ...model.locations import Location, Span
from ...model.source_file import SourceFile, name_of, returned_by, written

LOOPS: Final = {"scan": (1, "init"), "while_loop": (2, "init_val"), "fori_loop": (3, "init_val")}
"""The loops of JAX, with the argument that is what they hand on first."""

ARRAYS: Final[Mapping[str, Sequence[int | str]]] = {
    "scan": (1, 2, "init", "xs"), "fori_loop": (3, "init_val"),
}  # fmt: skip
"""The loops whose steps are counted, with the arguments that are arrays of any values."""

COUNTS: Final = "fori_loop"
"""The loop that hands on a counter, too, before what it was given."""

INSIDE: Final[Mapping[str, Mapping[str, int]]] = {
    "scan": {"f": 0}, "while_loop": {"body_fun": 1}, "fori_loop": {"body_fun": 2},
    "cond": {"true_fun": 1, "false_fun": 2},
}  # fmt: skip
"""The parameters that take the functions whose results an error compares, with their positions."""

_WITH_OUTPUTS: Final = "scan"
"""The loop whose function returns what it hands on and something else."""

_KEY: Final = re.compile(r"\[(\d+|'[^']*')\]|\.(\w+)")

Find = Callable[[SourceFile, ast.expr, Sequence[Any]], ast.expr | None]

FLAG: Final = "jax_enable_x64"
LIBRARY: Final = "JAX"
"""What they compute with."""


def path_of(name: str, part: str) -> list[int | str]:
    """Return the keys that lead to a part of what a loop hands on.

    >>> path_of("scan", "carry[1]['mean'].count"), path_of("fori_loop", "loop_carry[1]")
    ([1, 'mean', 'count'], [])
    """
    path = [ast.literal_eval(index) if index else name for index, name in _KEY.findall(part)]
    return path[1:] if name == COUNTS else path


def returned(
    source: SourceFile, call: ast.Call, part: str, find: Find = written
) -> Iterator[ast.expr]:
    """Yield what the functions return that a loop or a condition was given, where it is written.

    Args:
        source: the file that the call is in.
        call: the call.
        part: the part of it that matters, as the error names it.
        find: returns where a part of an expression is written: by default where it is made.
    """
    name = name_of(call)
    path = path_of(name, part)
    if name == _WITH_OUTPUTS:
        path = [0, *path]
    for parameter, position in INSIDE.get(name, {}).items():
        given = {k.arg: k.value for k in call.keywords}
        function = given.get(parameter, call.args[position] if position < len(call.args) else None)
        result = function.body if isinstance(function, ast.Lambda) else None
        if isinstance(function, ast.Name):
            result = returned_by(source.defined(ast.FunctionDef, function.id))
        found = find(source, result, path) if result is not None else None
        if found is None:
            return
        yield found


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
    value, path = read(span), path_of(place.name, part)
    first = place.lists[index - 1]
    for depth, key in enumerate(path):
        if first and depth == 0 and type(key) is int:
            at = first + key
            span = place.spans[at] if at < len(place.spans) else None
            text = place.operand_text(at)
        else:
            is_field = isinstance(value, tuple) and key in getattr(type(value), "_fields", ())
            span, text = None, f"{text}.{key}" if is_field else f"{text}[{key!r}]"
        value = _item(value, key)
    return value, text, span


def _item(value: Any, key: Any) -> Any:
    """Return an element of a tuple, list or dictionary, whatever its class makes of it."""
    if isinstance(value, dict):
        return dict.__getitem__(value, key)
    fields = getattr(type(value), "_fields", ()) if isinstance(value, tuple) else ()
    key = fields.index(key) if key in fields else key
    if type(key) is int and isinstance(value, tuple):
        return tuple.__getitem__(value, key)
    if type(key) is int and isinstance(value, list):
        return list.__getitem__(value, key)
    raise LookupError(key)

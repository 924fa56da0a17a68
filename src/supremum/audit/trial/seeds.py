"""Which line of a program draws random numbers without a seed."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_UNSEEDED: Final = frozenset({"default_rng", "RandomState", "Generator", "SeedSequence", "Random"})
"""What makes a generator, which is another one each time if it is given nothing."""

_SEEDING: Final = frozenset({"seed", "manual_seed", "set_seed", "seed_all"})
"""What seeds the generators that modules share."""


def unseeded(files: Iterable[Path]) -> str:
    """Return the first line that draws without a seed, as ``file:line: text``, or ``""``.

    >>> unseeded([])
    ''
    """
    for file in files:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        calls = [n for n in ast.walk(ast.parse("\n".join(lines))) if isinstance(n, ast.Call)]
        seeded = any(_names(call)[-1] in _SEEDING for call in calls)
        for call in sorted(calls, key=lambda call: call.lineno):
            *owners, name = _names(call)
            makes = name in _UNSEEDED and not call.args and not call.keywords
            shared = not seeded and owners[-1:] == ["random"] and name not in _UNSEEDED
            if makes or shared or (not seeded and owners == ["torch"] and name.startswith("rand")):
                return f"{file.name}:{call.lineno}: {lines[call.lineno - 1].strip()}"
    return ""


def _names(call: ast.Call) -> list[str]:
    """Return the parts of the name of what is called, the last one first if it is alone."""
    found: list[str] = []
    node: ast.expr = call.func
    while isinstance(node, ast.Attribute):
        found.insert(0, node.attr)
        node = node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *found] or [""]

"""Which line of a program draws random numbers without a seed."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_UNSEEDED: Final = frozenset({"default_rng", "RandomState", "Generator", "SeedSequence", "Random"})
"""What makes a generator, which is another one each time if it is given nothing."""

_EVERY: Final = frozenset({"set_seed", "seed_all", "seed_everything"})
_SEEDING: Final = {
    "np.random.seed(0)": {"seed", *_EVERY},
    "random.seed(0)": {"seed", *_EVERY},
    "torch.manual_seed(0)": {"manual_seed", *_EVERY},
}
"""What to type for the generators that modules share, and what seeds these."""


def unseeded(files: Iterable[Path]) -> list[str]:
    """Return the first lines that draw without a seed, each with what to type.

    >>> unseeded([])
    []
    """
    found: dict[str, str] = {}
    for file in files:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        calls = [n for n in ast.walk(ast.parse("\n".join(lines))) if isinstance(n, ast.Call)]
        called = {_names(call)[-1] for call in calls}
        for call in sorted(calls, key=lambda call: call.lineno):
            seed = _seed_of(call)
            if seed and called.isdisjoint(_SEEDING.get(seed, ())):
                where = f"{file.name}:{call.lineno}: {lines[call.lineno - 1].strip()}"
                how = f"type {seed} before it" if seed in _SEEDING else seed
                found.setdefault(seed, f"{where} has no seed; {how}")
    return [*found.values()]


def _seed_of(call: ast.Call) -> str:
    """Return what would seed the generator that a call draws from, or ``""`` if it draws none."""
    *owners, name = _names(call)
    if name in _UNSEEDED:
        return "" if call.args or call.keywords else "give it one"
    is_layer = owners[-1:] == ["nn"] and name[:1].isupper()  # whose weights are drawn
    if is_layer or (owners == ["torch"] and name.startswith("rand")):
        return "torch.manual_seed(0)"
    if owners == ["random"]:
        return "random.seed(0)"
    return "np.random.seed(0)" if owners[-1:] == ["random"] else ""


def _names(call: ast.Call) -> list[str]:
    """Return the parts of the name of what is called, the last one first if it is alone."""
    found: list[str] = []
    node: ast.expr = call.func
    while isinstance(node, ast.Attribute):
        found.insert(0, node.attr)
        node = node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *found] or [""]

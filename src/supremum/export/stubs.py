"""The types of an exported Python module: a stub by which type checkers know every answer."""

from __future__ import annotations

from collections.abc import Sequence

from .description import Description
from .running import Module
from .templating import quoted, rendered
from .words import filled


def stubs(description: Description) -> str:
    """Return the types of the Python module, by which type checkers know every pair's answer."""
    module = Module(description)
    groups: dict[tuple[str, str], list[str]] = {}
    for a in description.dtypes:
        for b in description.dtypes:
            answer = module.promote_types(a, b)
            if answer is not None:
                groups.setdefault((a, answer), []).append(b)
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (a, answer), others in groups.items():
        alike.setdefault((tuple(others), answer), []).append(a)
    overloads = [
        (_literal(firsts), _literal(others), answer) for (others, answer), firsts in alike.items()
    ]
    return rendered("stubs.pyi.j2", description, "stubs", overloads=overloads)


def _literal(names: Sequence[str]) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    if len(listed) < 70:
        return f"Literal[{listed}]"
    return f"Literal[\n{filled(quoted(names), 8, 86)}\n    ]"

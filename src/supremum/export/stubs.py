"""The types of an exported Python module: a stub by which type checkers know every answer."""

from __future__ import annotations

from textwrap import indent, wrap

from .description import Description, promoted
from .words import about, command, licence


def stubs(description: Description) -> str:
    """Return the stub, with an overload of `promote_types` for each group of pairs alike."""
    groups: dict[tuple[str, str], list[str]] = {}
    for a in description.dtypes:
        for b in description.dtypes:
            answer = promoted(description, a, b)
            if answer is not None:
                groups.setdefault((a, answer), []).append(b)
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (a, answer), others in groups.items():
        alike.setdefault((tuple(others), answer), []).append(a)
    overloads = [
        f"@overload\ndef promote_types(\n    a: {_literal(firsts)},\n    b: {_literal(others)},\n"
        f') -> Literal["{answer}"]: ...\n'
        for (others, answer), firsts in alike.items()
    ]
    said = [*about(description), "Written by:", f"    {command(description, 'stubs')}", licence()]
    head = "\n".join(f"# {line}" for line in said)
    op = ', op: str = ""' if description.functions else ""
    return f"""{head}

from typing import Literal, overload

class PromotionError(TypeError):
    operands: tuple[object, ...]
    def __init__(self, why: str, *operands: object) -> None: ...

{"".join(overloads)}@overload
def promote_types(a: str, b: str, c: str, *more: str) -> str: ...

def result_type(*operands: str | complex{op}) -> str: ...
"""


def _literal(names: list[str] | tuple[str, ...]) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    if len(listed) < 70:
        return f"Literal[{listed}]"
    lines = "\n".join(wrap(listed + ",", 78, break_on_hyphens=False))
    return f"Literal[\n{indent(lines, '        ')}\n    ]"

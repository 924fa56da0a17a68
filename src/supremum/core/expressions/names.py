"""What the names in an expression stand for: libraries, functions of theirs, and operands."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ..dtypes import is_name
from ..errors import RulesError
from ..libraries import libraries
from .text import is_expression, read

if TYPE_CHECKING:
    from ..system import PromotionSystem


def expression_of(operands: Sequence[Any], op: str | None, given: Mapping[str, Any]) -> str | None:
    """Return the expression that something asks about, or None if it asks about operands.

    Raises:
        RulesError: if operands have names, and there is no expression that uses them.
    """
    text = operands[0] if len(operands) == 1 and isinstance(operands[0], str) else None
    if given and (text is None or op is not None):
        name = next(iter(given))
        what = f"{name}= names an operand of an expression, as in explain('{name} + 1', {name}=...)"
        raise RulesError(what, given)
    return text if text is not None and op is None and (given or is_expression(text)) else None


def free_names(text: str) -> tuple[str, ...]:
    """Return the names in an expression that stand for operands, as they come.

    >>> free_names("np.mean(x) * 2 + y")
    ('x', 'y')
    """
    source = read(text)
    called = {id(n.func) for n in ast.walk(source.tree) if isinstance(n, ast.Call)}
    found = [
        n.id
        for n in ast.walk(source.tree)
        if isinstance(n, ast.Name) and id(n) not in called and n.id not in source.operands
    ]
    known = prefixes()
    return tuple(sorted({n for n in found if n not in known and not is_name(n)}))


def title_of(rules: PromotionSystem) -> str:
    """Return the title of the library whose rules these are, or ``""``."""
    return rules.library.title if rules.library else ""


@cache
def prefixes() -> Mapping[str, str]:
    """Return the names of rules by how programs call the module of their library."""
    found = {}
    for name, library in libraries().items():
        module, alias = library.import_as
        if module.partition(".")[0] in library.modules:
            found[module.partition(".")[0]] = found[alias] = name
    return {**found, "xp": ""}

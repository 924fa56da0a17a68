"""The variable by which a width that is meant leaves for narrower values: where it is assigned.

In ``self.w = x - np.floor(x)``, of which each use meets float32, the one assignment is to change,
rather than the uses one after the other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..model.locations import LOCATIONS, span_of
from ..model.names import Names
from ..model.provenance import Effect, Origin
from ..model.source_file import SourceFile, assigned, attributed, source_file
from . import meant, safety

Variable = ast.Name | ast.Attribute


def assignment(origin: Origin, effect: Effect) -> ast.expr | None:
    """Return what is assigned to the variable that an operation, and others like it, leak by.

    Args:
        origin: where the width comes from.
        effect: the operation.
    """
    source = source_file(LOCATIONS[effect.location].file)
    variable = _variable(source, effect, origin)
    if variable is None:
        return None
    text = ast.unparse(variable)
    met = [_variable(source, other, origin) for other in meant.leaks(origin)]
    uses = [x for x in met if x is not None and ast.unparse(x) == text]
    read = [n for n in _alike(source, variable) if isinstance(n.ctx, ast.Load)]
    if len(uses) < max(2, len(read) / 2):  # of the others, some meet what has leaked
        return None
    if isinstance(variable, ast.Attribute):
        made = attributed(source, variable)
    else:
        function = next(iter(source.functions(variable)), None)
        made = assigned(source, function, variable.id)
    # what is computed of a value that is meant is to change, not the value itself
    return None if made is None or _introduces(made, origin) else made


def _introduces(node: ast.expr, origin: Origin) -> bool:
    """Return whether an expression is, or has in it, what makes the values of an origin."""
    parts = (n for n in ast.walk(node) if isinstance(n, ast.expr))
    return any(span_of(n) == LOCATIONS[origin.location].span for n in parts)


def _variable(source: SourceFile, effect: Effect, origin: Origin) -> Variable | None:
    """Return the one variable that the wide operand of an operation is made of, or None."""
    place, wide = LOCATIONS[effect.location], [*meant.wide_operands(effect, origin)]
    at = effect.spans[wide[0]] if len(wide) == 1 else len(place.spans)
    if at >= len(place.spans) or source_file(place.file) is not source:
        return None
    node = source.expression(place.spans[at])
    names = Names(source, node) if node is not None else None
    found = [n for n in safety.leaves(node) if not names.is_plain(n)] if names else []  # type: ignore[arg-type]  # it is there
    return found[0] if len(found) == 1 and isinstance(found[0], Variable) else None


def _alike(source: SourceFile, variable: Variable) -> Iterator[Variable]:
    """Yield where the file, or the function if it is a name of it, writes a variable."""
    nodes: Sequence[ast.AST] = [*ast.walk(source.tree)]
    if isinstance(variable, ast.Name):
        nodes = source.names(next(iter(source.functions(variable)), None), variable.id)
    text = ast.unparse(variable)
    same_kind = (n for n in nodes if isinstance(n, type(variable)))
    return (n for n in same_kind if ast.unparse(n) == text)

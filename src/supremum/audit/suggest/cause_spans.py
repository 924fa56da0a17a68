"""Where a cause is written: what a finding names, and what a fix changes."""

from __future__ import annotations

import ast

from ..model.locations import LOCATIONS, Span, span_of
from ..model.provenance import Origin
from .fix_edits import source_tree
from .fix_names import CASTS, Names, dtype_argument, name_of
from .number_births import number_birth


def cause_span(origin: Origin) -> Span:
    """Return where a cause is written: with the cast to the same dtype that is made of it at once.

    The cast in ``np.ones(8).astype(float)`` gives float64 whatever it is of.
    """
    place = LOCATIONS[origin.location]
    if (number := number_birth(origin)) is not None:
        return number
    span = place.span if origin.operand is None else place.spans[origin.operand] or place.span
    source = source_tree(place.file)
    node: ast.AST | None = source.find(span)
    names = Names(source, node) if isinstance(node, ast.expr) else None
    while isinstance(node, ast.expr) and names is not None:
        span = span_of(node)
        attribute = source.parents.get(node)
        node = source.parents.get(attribute) if isinstance(attribute, ast.Attribute) else None
        cast = node if isinstance(node, ast.Call) and node.func is attribute else None
        if cast is None or name_of(cast) not in CASTS:
            break
        argument = dtype_argument(cast, None, names, origin.dtype)
        if argument is None or names.dtype_named(argument) is not origin.dtype:
            break
    return span

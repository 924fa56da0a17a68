"""Columns of pandas' tables, as a program writes what it stores in them."""

from __future__ import annotations

import ast
from typing import Final

from ..log.libraries.columns import INDEXERS
from ..model.locations import span_of
from ..model.source_file import SourceFile, name_of

_BY_PLACE: Final = ("iloc", "iat")


def column(source: SourceFile, target: ast.expr) -> str:
    """Return the column, or the Series, that a statement stores in; ``""`` if it is not written.

    Args:
        source: the file.
        target: what is assigned to, such as ``df.loc[rows, "a"]`` or ``s[s > 1]``.
    """
    if not isinstance(target, ast.Subscript):
        return ""
    owner, index = target.value, target.slice
    if isinstance(owner, ast.Attribute) and owner.attr in INDEXERS:
        if not isinstance(index, ast.Tuple):
            return source.text(span_of(owner.value))  # of a Series
        if len(index.elts) != 2:
            return ""
        key = _key(source, index.elts[1], by_place=owner.attr in _BY_PLACE)
        return f"{source.text(span_of(owner.value))}[{key}]" if key else ""
    return source.text(span_of(owner)) if isinstance(owner, (ast.Name, ast.Attribute)) else ""


def _key(source: SourceFile, node: ast.expr, *, by_place: bool) -> str:
    """Return what a column is called, or ``""`` if it may be several."""
    if by_place:  # as in df.columns.get_loc("a")
        given = node.args if isinstance(node, ast.Call) and name_of(node) == "get_loc" else []
        return source.text(span_of(given[0])) if len(given) == 1 else ""
    is_one = isinstance(node, (ast.Constant, ast.Name, ast.Attribute))
    return source.text(span_of(node)) if is_one else ""

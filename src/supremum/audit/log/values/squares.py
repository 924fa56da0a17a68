"""Squares where they are written: what a variance takes away from a mean of squares."""

from __future__ import annotations

import ast

from ...model.locations import Location
from ...model.source_file import assigned, name_of, source_file

_SQUARES = ("square", "pow", "power")


def is_square(place: Location, operand: int) -> bool:
    """Return whether an operand is written as a square, a part of one, or a name for one."""
    source = source_file(place.file)
    node = source.expression(place.spans[operand]) if operand < len(place.spans) else None
    if isinstance(node, ast.Name):
        node = assigned(source, source.function_at(place.span), node.id)
    return node is not None and any(map(_is_square, ast.walk(node)))


def _is_square(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return name_of(node) in _SQUARES
    if not isinstance(node, ast.BinOp):
        return False
    is_second = isinstance(node.right, ast.Constant) and node.right.value == 2
    is_power = isinstance(node.op, ast.Pow) and is_second
    is_own = isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right)
    return is_power or is_own

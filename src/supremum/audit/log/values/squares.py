"""Squares where they are written: what a variance, or a distance, takes away from squares."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...model.locations import Location
from ...model.source_file import assigned, name_of, source_file

_SQUARES = ("square", "pow", "power")
_PRODUCTS = ("bmm", "dot", "einsum", "inner", "matmul", "mm", "tensordot")
_CUTS = ("clamp", "clamp_min", "clip", "fmax", "maximum", "relu")


def is_square(place: Location, operand: int) -> bool:
    """Return whether an operand is a square as it is written, or twice a product; or named so."""
    source = source_file(place.file)
    node = source.expression(place.spans[operand]) if operand < len(place.spans) else None
    if isinstance(node, ast.Name):
        node = assigned(source, source.function_at(place.span), node.id)
    return node is not None and _is_square(node)


def is_cut(place: Location) -> bool:
    """Return whether what comes out is cut at once where it would be negative."""
    source = source_file(place.file)
    around = source.around(place.span)
    if isinstance(around, ast.Attribute):
        around = source.parents.get(around)
    return isinstance(around, ast.Call) and name_of(around) in _CUTS


def _is_square(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):  # which gives it more axes
        return _is_square(node.value)
    if isinstance(node, ast.Call):
        return name_of(node) in _SQUARES
    if not isinstance(node, ast.BinOp):
        return False
    left, right = node.left, node.right
    if isinstance(node.op, ast.Pow):
        return _is_two(right)
    if isinstance(node.op, ast.MatMult):  # of twice an array
        return isinstance(left, ast.BinOp) and any(map(_is_two, (left.left, left.right)))
    if isinstance(node.op, ast.Div):
        return _is_square(left)
    is_own = ast.dump(left) == ast.dump(right)
    is_scaled = any(map(_is_square, (left, right)))
    return isinstance(node.op, ast.Mult) and (is_own or is_scaled or _is_twice((left, right)))


def _is_twice(factors: Sequence[ast.expr]) -> bool:
    """Return whether one of two factors is two, and the other a product of matrices."""
    return any(map(_is_two, factors)) and any(map(_is_product, factors))


def _is_two(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 2


def _is_product(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return name_of(node) in _PRODUCTS
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)

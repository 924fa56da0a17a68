"""Steps where they are written: what a number is moved by, and a difference divided by."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from ....core.dtypes import by_name, dtype
from ...model.locations import Location, span_of
from ...model.source_file import Function, SourceFile, source_file
from .at_hand import is_small, number, rounded, wide
from .recompute import Change

_NAMES = (ast.Attribute, ast.Name)
_SUMS = (ast.Add, ast.Sub)
_FLOAT64 = by_name("float64")


def adds_step(place: Location) -> bool:
    """Return whether what is added is a step of a difference quotient, as it is written.

    Something in the same function is divided by it, or by a multiple of it: what keeps a divisor
    away from zero is added to one.
    """
    source = source_file(place.file)
    node = source.expression(place.spans[1]) if len(place.spans) > 1 else None
    return node is not None and _is_step(source, node)


def moves_by_step(place: Location) -> bool:
    """Return whether a statement moves what it stores into by a step."""
    source = source_file(place.file)
    statement = source.statement(place.span)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, _SUMS):
        return _is_step(source, statement.value)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.BinOp):
        return False
    before, step = statement.value.left, statement.value.right
    is_own = ast.unparse(before) == ast.unparse(statement.targets[0])
    return is_own and isinstance(statement.value.op, _SUMS) and _is_step(source, step)


def _is_step(source: SourceFile, node: ast.expr) -> bool:
    steps = {ast.dump(node), *(ast.dump(n) for n in _factors(node) if isinstance(n, _NAMES))}
    if steps.isdisjoint(_divisors(source)):  # most files divide by nothing that they add
        return False
    return not steps.isdisjoint(_divisors_in(source, source.function_at(span_of(node))))


@lru_cache(maxsize=16)
def _divisors(source: SourceFile) -> frozenset[str]:
    """Return what a file divides by, as it is written: the factors of each divisor."""
    return _written(ast.walk(source.tree))


@lru_cache(maxsize=64)
def _divisors_in(source: SourceFile, function: Function | None) -> frozenset[str]:
    """Return what a function, or the module itself, divides by."""
    return _written(source.own(function))


def _written(nodes: Iterable[ast.AST]) -> frozenset[str]:
    divisors = (n.right for n in nodes if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div))
    return frozenset(ast.dump(factor) for by in divisors for factor in _factors(by))


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _factors(node.operand)
    else:
        yield node


def vanished(before: Any, step: Any, after: Any) -> Change | None:
    """Return what became of a step that is too small for what it is added to.

    Args:
        before: what it is added to; in place, that is what comes out.
        step: the step.
        after: what came out.

    >>> import numpy as np
    >>> x = np.float32([1, 2])
    >>> vanished(x, 1e-8, x + np.float32(1e-8)).remark
    '1 and a step of 1e-08 are 1 in float32, as before'
    """
    numpy = sys.modules["numpy"]
    values = [number(value) for value in (before, step, after)]
    if any(value is None for value in values) or not is_small(*values):
        return None
    d = dtype(after.dtype)
    x, h, found = numpy.broadcast_arrays(*map(wide, values))
    if before is after:
        found = rounded(x + h, d)
    moves = numpy.isfinite(x) & (h != 0)
    if not moves.any() or (found != x)[moves].any():
        return None
    at = int(numpy.argmax(numpy.ravel(moves)))
    one, other = (f"{numpy.ravel(values)[at]:.9g}" for values in (x, h))
    remark = f"{one} and a step of {other} are {one} in {d}, as before"
    return Change("precision-loss", remark, _FLOAT64, against=1, cause=0)

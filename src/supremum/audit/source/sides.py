"""Which side of an operation to change: where a dtype is made, where it crosses over, or its use.

Two values meet that should have one dtype. The rule, which is that of most maintainers:

- What a function makes for its own use is changed where it is made; so is a buffer that nobody
  gave a dtype, such as ``self.keys = torch.zeros(n)``, if all it is for is to be filled.
- A value of single precision that was made elsewhere may have to be so: a table of sines, a
  parameter, what a model gives. Half precision is asked for where it is used, so it is cast there.
- float64 is seldom wanted outside of NumPy, where it is usual: it is cast where a value goes over
  to another library.
- What is stored is cast to the dtype of what it goes into, which others have a share in.
- An array that was handed in is not changed in place: the statement makes a new one, if only the
  function itself goes on with it.
- What a loop hands on is changed where its first value is written, part by part.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ..model.locations import Location, Span, span_of
from .syntax import Syntax, syntax_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_OF_ARRAYS: Final = ("T", "mT", "H", "mH", "real", "imag", "data", "grad", "at", "values")
_MOST_STEPS: Final = 20  # of assignments that are followed

KEPT: Final = "kept"
"""It is an attribute of an object, or a global variable that a function reads."""

HANDED: Final = "handed"
"""A caller hands it in, or a function that is called."""

UNTYPED: Final = ("zeros", "empty", "ones", "full", "new_zeros", "new_empty", "new_ones")
"""Functions that make an array to be filled."""


def function_at(file: str, span: Span) -> Function | None:
    """Return the innermost function that a place is in, or None."""
    found: Function | None = None
    for node in ast.walk(syntax_of(file).tree):
        if isinstance(node, _FUNCTIONS):
            first, start, last, end = span_of(node)
            if (first, start) <= span[:2] and span[2:] <= (last, end):
                found = node  # those inside come later
    return found


def are_together(place: Location, other: Location) -> bool:
    """Tell whether two places are in one function, or both in that of no function."""
    if place.file != other.file:
        return False
    return function_at(place.file, place.span) is function_at(other.file, other.span)


def is_made_elsewhere(place: Location, span: Span | None, birth: Location) -> bool:
    """Tell whether an operand was made for more than the place that uses it.

    Args:
        place: the operation.
        span: where the operand is written, or None.
        birth: where its dtype was born.
    """
    if span is None or are_together(place, birth):
        return False
    how = way_of(place.file, span)
    # what a script makes, and hands to a function, is its input
    is_input = function_at(birth.file, birth.span) is None
    return how == KEPT or (how == HANDED and not is_input)


def way_of(file: str, span: Span) -> str:
    """Return by which way a value came to where it is written; ``""`` if it is made there."""
    syntax = syntax_of(file)
    node = syntax.find(span)
    if not isinstance(node, ast.expr):
        return ""
    return _way(syntax, node, function_at(file, span), _MOST_STEPS)


def _way(syntax: Syntax, node: ast.expr, function: Function | None, steps: int) -> str:
    """Return by which way the value of an expression came."""
    if steps == 0:
        return ""
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return _way(syntax, node.value, function, steps - 1)
    if isinstance(node, ast.Attribute):
        of_array = node.attr in _OF_ARRAYS
        return _way(syntax, node.value, function, steps - 1) if of_array else KEPT
    if isinstance(node, (ast.UnaryOp, ast.BinOp)):
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        ways = [_way(syntax, part, function, steps - 1) for part in parts]
        return next(filter(None, ways), "")
    if isinstance(node, ast.Call):
        of = node.func.value if isinstance(node.func, ast.Attribute) else None
        way = _way(syntax, of, function, steps - 1) if isinstance(of, ast.Subscript) else ""
        if isinstance(of, (ast.Name, ast.Attribute, ast.Call)) and not _is_module(syntax, of):
            way = _way(syntax, of, function, steps - 1)
        return way or HANDED
    if not isinstance(node, ast.Name):
        return ""
    if function is None:
        value = assigned(syntax, None, node.id)
        return _way(syntax, value, None, steps - 1) if value is not None else ""
    if node.id in _parameters(function):
        return HANDED
    if not _binds(syntax, function, node.id):
        return KEPT
    value = assigned(syntax, function, node.id)
    return _way(syntax, value, function, steps - 1) if value is not None else HANDED


def _is_module(syntax: Syntax, node: ast.expr) -> bool:
    """Tell whether an expression names a module, or what is in it."""
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    imports = (n for n in ast.walk(syntax.tree) if isinstance(n, (ast.Import, ast.ImportFrom)))
    names = {(a.asname or a.name).partition(".")[0] for n in imports for a in n.names}
    return node.id in names


def _parameters(function: Function) -> set[str]:
    return {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}


def _own(syntax: Syntax, function: Function | None) -> Iterator[ast.AST]:
    """Yield the nodes of a function, or of a module, that are in no other function."""
    for node in ast.walk(function or syntax.tree):
        around = (n for n in syntax.above(node) if isinstance(n, _FUNCTIONS))
        if next(around, None) is function:
            yield node


def _binds(syntax: Syntax, function: Function | None, name: str) -> bool:
    names = (n for n in _own(syntax, function) if isinstance(n, ast.Name) and n.id == name)
    return any(isinstance(n.ctx, ast.Store) for n in names)


def assigned(syntax: Syntax, function: Function | None, name: str) -> ast.expr | None:
    """Return the one expression that a function, or a module, assigns to a name; else None.

    Of one that computes the new value from the old one, it is what it had before.
    """
    found: list[ast.expr | None] = []
    for node in _own(syntax, function):
        if not (isinstance(node, ast.Name) and node.id == name):
            continue
        if not isinstance(node.ctx, ast.Store):
            continue
        value = _value_for(syntax, node)
        if value is None or not any(
            isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)
        ):
            found.append(value)
    return found[0] if len(found) == 1 else None


def _value_for(syntax: Syntax, target: ast.Name) -> ast.expr | None:
    """Return what a statement assigns to a name, also as one of several; None if it is not told."""
    statement = syntax.parents.get(target)
    if isinstance(statement, ast.Tuple):
        index = statement.elts.index(target)
        around = syntax.parents.get(statement)
        value = around.value if isinstance(around, ast.Assign) else None
        if isinstance(value, ast.Tuple) and len(value.elts) == len(statement.elts):
            return value.elts[index]
        return value
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return statement.value
    return None


def is_read_after(file: str, span: Span, name: str) -> bool:
    """Tell whether a function goes on with a variable after a statement."""
    syntax, function = syntax_of(file), function_at(file, span)
    names = (n for n in _own(syntax, function) if isinstance(n, ast.Name) and n.id == name)
    return any(span_of(n)[:2] >= span[2:] and isinstance(n.ctx, ast.Load) for n in names)

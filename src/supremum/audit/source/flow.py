"""Where a value comes from, and where it goes: names, attributes, parameters, parts and results."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ...core.functions import function as catalogued
from ..model.locations import Location, Span, span_of
from .source_file import Function, SourceFile, are_together, name_of, parameters, source_file

_OF_ARRAYS: Final = ("T", "mT", "H", "mH", "real", "imag", "data", "grad", "at", "values")
_MOST_STEPS: Final = 20  # of assignments that are followed

KEPT: Final = "kept"
"""It is an attribute of an object, or a global variable that a function reads."""

HANDED: Final = "handed"
"""A caller hands it in, or a function that is called."""


def is_made_elsewhere(place: Location, span: Span | None, introduced: Location) -> bool:
    """Return whether an operand was made for more than the place that uses it.

    Args:
        place: the operation.
        span: where the operand is written, or None.
        introduced: where its dtype was introduced.
    """
    if span is None or are_together(place, introduced):
        return False
    how = way_of(place.file, span)
    # what a script makes, and hands to a function, is its input
    is_input = source_file(introduced.file).function_at(introduced.span) is None
    return how == KEPT or (how == HANDED and not is_input)


def way_of(file: str, span: Span) -> str:
    """Return by which way a value came to where it is written; ``""`` if it is made there."""
    source = source_file(file)
    node = source.expression(span)
    return way(source, node, source.function_at(span)) if node is not None else ""


def way(
    source: SourceFile, node: ast.expr, function: Function | None, steps: int = _MOST_STEPS
) -> str:
    """Return by which way the value of an expression came."""
    if steps == 0:
        return ""
    if isinstance(node, ast.Attribute) and node.attr not in _OF_ARRAYS:
        return KEPT
    if isinstance(node, (ast.Subscript, ast.Starred, ast.Attribute)):
        return way(source, node.value, function, steps - 1)
    if isinstance(node, ast.Name):
        return _way_of_name(source, node, function, steps)
    parts: list[ast.expr] = []
    if isinstance(node, (ast.UnaryOp, ast.BinOp)):
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        of = node.func.value
        known = isinstance(of, (ast.Subscript, ast.Name, ast.Attribute, ast.Call))
        parts = [of] if known and not _is_module(source, of) else []
    found = next(filter(None, (way(source, n, function, steps - 1) for n in parts)), "")
    return found or (HANDED if isinstance(node, ast.Call) else "")


def _way_of_name(source: SourceFile, node: ast.Name, function: Function | None, steps: int) -> str:
    if function is not None and node.id in parameters(function):
        return HANDED
    stores = any(isinstance(n.ctx, ast.Store) for n in source.names(function, node.id))
    if function is not None and not stores:
        return KEPT
    value = assigned(source, function, node.id)
    unknown = "" if function is None else HANDED
    return way(source, value, function, steps - 1) if value is not None else unknown


def _is_module(source: SourceFile, node: ast.expr) -> bool:
    """Return whether an expression names a module, or what is in it."""
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    imports = (n for n in ast.walk(source.tree) if isinstance(n, (ast.Import, ast.ImportFrom)))
    return node.id in {(a.asname or a.name).partition(".")[0] for n in imports for a in n.names}


def assigned(source: SourceFile, function: Function | None, name: str) -> ast.expr | None:
    """Return the one expression that a function, or the module, assigns to a name; else None.

    Of one that computes the new value from the old one, it is what it had before.
    """
    found: list[ast.expr | None] = []
    for node in source.names(function, name):
        if not isinstance(node.ctx, ast.Store):
            continue
        value = _value_for(source, node)
        within = ast.walk(value) if value is not None else ()
        if not any(isinstance(n, ast.Name) and n.id == name for n in within):
            found.append(value)
    return found[0] if len(found) == 1 else None


def _value_for(source: SourceFile, target: ast.Name) -> ast.expr | None:
    """Return what a statement assigns to a name, also as one of several; None if not known."""
    statement = source.parents.get(target)
    if isinstance(statement, ast.Tuple):
        around = source.parents.get(statement)
        value = around.value if isinstance(around, ast.Assign) else None
        if isinstance(value, ast.Tuple) and len(value.elts) == len(statement.elts):
            return value.elts[statement.elts.index(target)]
        return value
    known = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.NamedExpr))
    return statement.value if known else None  # type: ignore[union-attr]  # it is one of them


def is_read_after(file: str, span: Span, name: str) -> bool:
    """Return whether a function goes on with a variable after a statement."""
    source = source_file(file)
    names = source.names(source.function_at(span), name)
    return any(span_of(n)[:2] >= span[2:] and isinstance(n.ctx, ast.Load) for n in names)


# what an expression stands for, and a part of it


def origins(
    source: SourceFile, node: ast.expr, parts: Sequence[Any]
) -> Iterator[tuple[ast.expr, Sequence[Any]]]:
    """Yield the expressions that have the value of a part of another one, back to the first.

    Each comes with the keys, indices or names of fields that lead from it to the part.
    """
    found: ast.expr | None = node
    for _ in range(_MOST_STEPS):
        if found is None:
            return
        yield found, parts
        inner = _part(source, found, parts[0]) if parts else None
        parts = parts[1:] if inner is not None else parts
        found = inner if inner is not None else _before(source, found)


def written(source: SourceFile, node: ast.expr, parts: Sequence[Any]) -> ast.expr | None:
    """Return the expression that a part of another one is written as, or None if it is not found.

    It is the first one that is more than a name, if there is one.
    """
    found = [one for one, rest in origins(source, node, parts) if not rest]
    last = found[-1] if found else None
    return next((one for one in found if not isinstance(one, ast.Name)), last)


def _part(source: SourceFile, node: ast.expr, key: Any) -> ast.expr | None:
    """Return what has some key, index or name in an expression that makes a container."""
    if isinstance(node, ast.Dict):
        keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
        return node.values[keys.index(key)] if key in keys else None
    given: Sequence[ast.expr] = ()
    if isinstance(node, (ast.Tuple, ast.List)):
        given = node.elts
    elif isinstance(node, ast.Call):
        named = {k.arg: k.value for k in node.keywords}
        if key in named:
            return named[key]
        fields = _fields(source, name_of(node))
        given = node.args if fields else ()
        key = fields.index(key) if key in fields else key
    plain = isinstance(key, int) and not any(isinstance(e, ast.Starred) for e in given)
    return given[key] if plain and key < len(given) else None


def _fields(source: SourceFile, name: str) -> list[str]:
    """Return the fields of a class of the file, such as a `NamedTuple` or dataclass."""
    made = source.defined(ast.ClassDef, name)
    targets = (n.target for n in getattr(made, "body", ()) if isinstance(n, ast.AnnAssign))
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _before(source: SourceFile, node: ast.expr) -> ast.expr | None:
    """Return the expression whose value another one has, if only one can be meant."""
    if isinstance(node, ast.Name):
        for scope in (*source.functions(node), None):
            value = assigned(source, scope, node.id) or _default(scope, node.id)
            if value is not None:
                return value
    if isinstance(node, ast.Attribute):
        owner = next((n for n in source.above(node) if isinstance(n, ast.ClassDef)), None)
        for part in ast.walk(owner) if owner is not None else ():
            if isinstance(part, ast.Assign) and any(
                isinstance(t, ast.Attribute) and t.attr == node.attr for t in part.targets
            ):
                return part.value
    if isinstance(node, ast.Call):
        return returned(source.defined(ast.FunctionDef, name_of(node)))
    return None


def returned(function: ast.AST | None) -> ast.expr | None:
    """Return the one expression that a function returns, or None."""
    nodes = ast.walk(function) if function is not None else ()
    found = [n for n in nodes if isinstance(n, ast.Return)]
    return found[0].value if len(found) == 1 else None


def _default(function: Function | None, name: str) -> ast.expr | None:
    """Return the default of a function's parameter."""
    if function is None:
        return None
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return next((value for parameter, value in pairs if parameter.arg == name), None)


# where a value goes


class Use(NamedTuple):
    """A place that uses a value.

    Attributes:
        node: the expression or statement that does.
        value: the value, as it is written there.
    """

    node: ast.AST
    value: ast.AST


def uses(source: SourceFile, node: ast.expr, steps: int = _MOST_STEPS) -> Iterator[Use]:
    """Yield what uses the value of an expression, through variables, attributes and functions.

    Parts of it, its negative, its shape changed, and its product or sum with a number that is
    written out are the value still.
    """
    parent = source.parents.get(node)
    if steps == 0 or parent is None:
        return
    stands = _same_value(source, parent, node)
    if stands is None:
        yield Use(parent, node)
        return
    for same in stands:
        yield from uses(source, same, steps - 1)


def _same_value(source: SourceFile, parent: ast.AST, node: ast.expr) -> list[ast.expr] | None:
    """Return the expressions that have the value of one, by what it is in; None if it is used."""
    if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and parent.value is node:
        return _stands_for(source, parent)
    if isinstance(parent, ast.Return):
        return _calls_of(source, next(iter(source.functions(parent)), None))
    call = source.parents.get(parent) if isinstance(parent, ast.Attribute) else parent
    if isinstance(call, ast.Call) and (call.func is parent or node in call.args):
        return _given_to(source, call, node)
    return [parent] if _is_same(parent, node) else None  # type: ignore[list-item]  # an expression


def _calls_of(source: SourceFile, function: ast.AST | None) -> list[ast.expr]:
    """Return what calls a function: by its name, or the objects of its class if they are called."""
    name, around = getattr(function, "name", ""), source.parents.get(function)  # type: ignore[arg-type]  # no node is a key as well
    calls = [n for n in ast.walk(source.tree) if isinstance(n, ast.Call)]
    found: list[ast.expr] = [call for call in calls if name and name_of(call) == name]
    if name in _CALLED and isinstance(around, ast.ClassDef):
        found += [call for call in calls if _makes_what_is_called(source, call) == around.name]
    return found


_CALLED: Final = ("__call__", "forward")
"""The methods that are called with their object: ``layer(x)`` of PyTorch calls `forward`."""


def _makes_what_is_called(source: SourceFile, call: ast.Call) -> str:
    """Return the name of what makes the object that a call calls, or ``""``."""
    made = [made for made, _ in origins(source, call.func, ()) if isinstance(made, ast.Call)]
    return name_of(made[-1]) if made else ""


def _stands_for(
    source: SourceFile, statement: ast.Assign | ast.AnnAssign | ast.NamedExpr
) -> list[ast.expr]:
    """Return where what is assigned is read, with the expression that assigns it, if one does."""
    several = isinstance(statement, ast.Assign)
    targets = statement.targets if several else [statement.target]  # type: ignore[union-attr]  # as it was asked
    reads = [n for target in targets for n in _reads(source, target)]
    return [*reads, statement] if isinstance(statement, ast.NamedExpr) else reads


def _given_to(source: SourceFile, call: ast.Call, node: ast.expr) -> list[ast.expr] | None:
    """Return where a value is read that a call is given, or the call if it changes the shape."""
    if (given := _parameter(source, call, node)) is not None:
        return _reads_of(source, *given)
    known = catalogued(name_of(call))
    return [call] if known is not None and known.category in _SHAPES else None


_SHAPES: Final = ("shape", "sequence")
"""The categories of functions that give the values that they are given."""


def _is_same(parent: ast.AST, node: ast.expr) -> bool:
    if isinstance(parent, ast.BinOp):
        other = parent.right if parent.left is node else parent.left
        return isinstance(other, ast.Constant)
    of_array = isinstance(parent, ast.Attribute) and parent.attr in _OF_ARRAYS
    part = isinstance(parent, ast.Subscript) and parent.value is node
    return of_array or part or isinstance(parent, (ast.UnaryOp, ast.Starred))


def reached(source: SourceFile, node: ast.expr) -> set[Span]:
    """Return the spans of all expressions that an expression's value goes into, as far as known."""
    found: set[Span] = set()
    todo = [node]
    while todo:
        for use in uses(source, todo.pop()):
            if isinstance(use.node, ast.expr) and span_of(use.node) not in found:
                found.add(span_of(use.node))
                todo.append(use.node)
    return found


def _reads(source: SourceFile, target: ast.expr) -> list[ast.expr]:
    """Return where the value of a variable or attribute is read, or changed in place."""
    if isinstance(target, ast.Name):
        return _reads_of(source, next(iter(source.functions(target)), None), target.id)
    if not isinstance(target, ast.Attribute):
        return []
    nodes = (n for n in ast.walk(source.tree) if isinstance(n, ast.Attribute))
    return [n for n in nodes if n.attr == target.attr and _is_read(source, n)]


def _reads_of(source: SourceFile, function: Function | None, name: str) -> list[ast.expr]:
    nodes = (n for n in ast.walk(function or source.tree) if isinstance(n, ast.Name))
    return [n for n in nodes if n.id == name and _is_read(source, n)]


def _is_read(source: SourceFile, node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load) or isinstance(source.parents.get(node), ast.AugAssign)


def _parameter(
    source: SourceFile, call: ast.Call, node: ast.expr
) -> tuple[ast.FunctionDef, str] | None:
    """Return the function of the file that is called, and what it calls an argument."""
    function = source.defined(ast.FunctionDef, name_of(call))
    if not isinstance(function, ast.FunctionDef) or node not in call.args:
        return None
    named = parameters(function)
    named = named[named[:1] == ["self"] and isinstance(call.func, ast.Attribute) :]
    index = call.args.index(node)
    return (function, named[index]) if index < len(named) else None

"""What an expression stands for: names, attributes, parameters, parts and results."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..model.locations import Span, span_of
from .source_file import Function, SourceFile, name_of, source_file

_MOST_STEPS: Final = 20  # of assignments that are followed


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


def handed_over(source: SourceFile, node: ast.expr, parts: Sequence[Any]) -> ast.expr | None:
    """Return a part of an expression as it stands there, if that is written out, or None."""
    return next((one for one, rest in origins(source, node, parts) if not rest), None)


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
    """Return the fields of a class of the file, such as a `NamedTuple`, dataclass or namedtuple."""
    made = source.defined(ast.ClassDef, name)
    if made is None:
        return _listed_fields(assigned(source, None, name))
    targets = (n.target for n in getattr(made, "body", ()) if isinstance(n, ast.AnnAssign))
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _listed_fields(made: ast.expr | None) -> list[str]:
    """Return the fields that a call of `collections.namedtuple` lists."""
    if not isinstance(made, ast.Call) or name_of(made) != "namedtuple" or len(made.args) < 2:
        return []
    listed = made.args[1]
    texts = listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else [listed]
    return " ".join(str(getattr(n, "value", "")) for n in texts).replace(",", " ").split()


def _before(source: SourceFile, node: ast.expr) -> ast.expr | None:
    """Return the expression whose value another one has, if only one can be meant."""
    if isinstance(node, ast.Name):
        for scope in (*source.functions(node), None):
            value = assigned(source, scope, node.id) or _default(scope, node.id)
            if value is not None:
                return value
    if isinstance(node, ast.Attribute):
        return next(_attributed(source, node), None)
    if isinstance(node, ast.Call):
        return returned(source.defined(ast.FunctionDef, name_of(node)))
    return None


def attributed(source: SourceFile, node: ast.Attribute) -> ast.expr | None:
    """Return the one expression that a class assigns to an attribute of its objects, or None."""
    found = [*_attributed(source, node)]
    return found[0] if len(found) == 1 else None


def _attributed(source: SourceFile, node: ast.Attribute) -> Iterator[ast.expr]:
    owner = next((n for n in source.above(node) if isinstance(n, ast.ClassDef)), None)
    for part in ast.walk(owner) if owner is not None else ():
        if isinstance(part, ast.Assign) and any(
            isinstance(t, ast.Attribute) and t.attr == node.attr for t in part.targets
        ):
            yield part.value


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

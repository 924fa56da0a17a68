"""Where a Python number was written that reached a call under a name, or inside of something."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..model.locations import LOCATIONS, Span, span_of
from ..model.provenance import Origin
from .fix_edits import SourceTree, source_tree
from .fix_names import name_of

_MOST_STEPS: Final = 8  # from name to name
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def number_birth(origin: Origin) -> Span | None:
    """Return where the number is written that a call was given, or None if that is not known.

    Args:
        origin: where the number was first seen: one of the arguments of a call.
    """
    if origin.operand is None or not origin.from_numbers:
        return None
    effects = origin.of(["retracing"])
    place = LOCATIONS[origin.location]
    span = place.spans[origin.operand] if origin.operand < len(place.spans) else None
    if not effects or span is None:
        return None
    source = source_tree(place.file)
    node = source.find(span)
    found = _written(source, node, effects[0].parts) if isinstance(node, ast.expr) else None
    return span_of(found) if found is not None else None


def _written(source: SourceTree, node: ast.expr, parts: Sequence[Any]) -> ast.expr | None:
    """Return the number that a part of an expression stands for, as far as the source says so."""
    for _ in range(_MOST_STEPS):
        if not parts and _is_number(node):
            return node
        inner = _part(source, node, parts[0]) if parts else None
        if inner is not None:
            node, parts = inner, parts[1:]
            continue
        before = _assigned(source, node)
        if before is None:
            return None
        node = before
    return None


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.Call):
        named = isinstance(node.func, ast.Name) and node.func.id in ("float", "int")
        return named and len(node.args) == 1
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _part(source: SourceTree, node: ast.expr, part: Any) -> ast.expr | None:
    """Return what has some key, index or name in an expression that makes a container."""
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(part, int):
        plain = not any(isinstance(e, ast.Starred) for e in node.elts)
        return node.elts[part] if plain and part < len(node.elts) else None
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == part:
                return value
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == part:
                return keyword.value
        fields = _fields(source, name_of(node))
        index = fields.index(part) if part in fields else part
        plain = not any(isinstance(a, ast.Starred) for a in node.args)
        if isinstance(index, int) and fields and plain and index < len(node.args):
            return node.args[index]
    return None


def _fields(source: SourceTree, name: str) -> list[str]:
    """Return the fields of a class of the file, such as a `NamedTuple` or dataclass."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            return [
                n.target.id
                for n in node.body
                if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
            ]
    return []


def _assigned(source: SourceTree, node: ast.expr) -> ast.expr | None:
    """Return the expression whose value something has, if only one can be meant."""
    if isinstance(node, ast.Name):
        for scope in (*source.functions(node), source.tree):
            found = [*_values(source, scope, node.id)]
            first = [v for v in found if span_of(v)[0] <= span_of(node)[0]]
            if first:
                return first[0]  # what it begins as
            if default := _default(scope, node.id):
                return default
    if isinstance(node, ast.Attribute):
        owner: ast.AST | None = node
        while owner is not None and not isinstance(owner, ast.ClassDef):
            owner = source.parents.get(owner)
        for part in ast.walk(owner) if owner is not None else ():
            if isinstance(part, ast.Assign) and any(
                isinstance(t, ast.Attribute) and t.attr == node.attr for t in part.targets
            ):
                return part.value
    if isinstance(node, ast.Call):
        for function in ast.walk(source.tree):
            if isinstance(function, _FUNCTIONS) and function.name == name_of(node):
                given = [n for n in ast.walk(function) if isinstance(n, ast.Return) and n.value]
                return given[0].value if len(given) == 1 else None
    return None


def _values(source: SourceTree, scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield what is assigned to a name in a scope, in the order of the source."""
    for node in ast.walk(scope):
        if not isinstance(node, ast.Name) or node.id != name or isinstance(node.ctx, ast.Load):
            continue
        around = [*source.functions(node), source.tree]
        parent = source.parents.get(node)
        if around[0] is not scope:
            continue
        if isinstance(parent, (ast.Assign, ast.AnnAssign)) and parent.value is not None:
            yield parent.value
        elif isinstance(parent, ast.Tuple):
            pair = source.parents.get(parent)
            is_pair = isinstance(pair, ast.Assign) and isinstance(pair.value, ast.Tuple)
            if is_pair and len(pair.value.elts) == len(parent.elts):  # type: ignore[union-attr]  # as it was asked
                yield pair.value.elts[parent.elts.index(node)]  # type: ignore[union-attr]  # the same


def _default(scope: ast.AST, name: str) -> ast.expr | None:
    """Return the default of a function's parameter."""
    given = getattr(scope, "args", None)
    if not isinstance(given, ast.arguments):
        return None
    plain = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return next((value for parameter, value in pairs if parameter.arg == name), None)

"""Syntax trees in the small: what rewritten code is made of, and what the program's code is."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from ..model.locations import Span, span_of

PLACE: Final = "\0supremum place"
"""What a constant that stands for the number of a place begins with."""

# nodes that say nothing of where they are can be shared, as Python's own parser does
_LOAD, _STORE, _IS, _OR, _AND = ast.Load(), ast.Store(), ast.Is(), ast.Or(), ast.And()

_SPAN = ("lineno", "col_offset", "end_lineno", "end_col_offset")

# the types of what most nodes have besides other nodes, and of nodes without a place
_SILENT = {str, int, type(None), type(_LOAD), type(_STORE), type(_IS), type(_OR), type(_AND)}

Tree = TypeVar("Tree", bound=ast.AST)


def constant(name: str) -> str:
    """Return the text that stands for a function or a type in the tree."""
    return f"\0supremum {name}"


def place(number: int) -> ast.Constant:
    """Return what stands for the number of a place, which is not known before the code is used."""
    return ast.Constant((PLACE, number))  # type: ignore[arg-type]  # the compiler takes tuples


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the call of a probe, or of another function that rewritten code refers to."""
    return ast.Call(ast.Constant(constant(name)), list(arguments), [])


def kept_in(where: ast.Name, number: ast.expr, value: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Return what keeps a value in a dictionary and hands it on, and what gives it up."""
    kept = ast.Call(ast.Attribute(where, "setdefault", _LOAD), [number, value], [])
    return kept, ast.Call(ast.Attribute(where, "pop", _LOAD), [number, ast.Constant(None)], [])


def load(name: str) -> ast.Name:
    """Return an expression that reads a variable."""
    return ast.Name(name, _LOAD)


def store(name: str, value: ast.expr) -> ast.NamedExpr:
    """Return an expression that binds a variable."""
    return ast.NamedExpr(ast.Name(name, _STORE), value)


def bound(name: str, value: ast.expr) -> ast.expr:
    """Return an expression that binds a variable; what does so on the way need not do it again."""
    match value:
        case ast.IfExp(_, ast.Name(read), rest) if read == name:
            value.orelse = at(value, store(name, rest))
        case ast.BoolOp(ast.Or(), [*_, ast.BoolOp(ast.And(), [*_, ast.Name(read)]), probe]) if (
            read == name
        ):
            value.values[-1] = at(value, store(name, probe))
        case _:
            return store(name, value)
    return value


def let_go(variables: Iterable[str | None]) -> list[ast.expr]:
    """Return what binds variables to None, and gives that; in a list, which is empty for none."""
    nothing: ast.expr = ast.Constant(None)
    for name in variables:
        if name is not None:
            nothing = store(name, nothing)
    return [nothing] if isinstance(nothing, ast.NamedExpr) else []


def has_text(value: ast.expr) -> ast.expr:
    """Return a test of whether a value is a text."""
    return ast.Compare(call("TYPE", value), [_IS], [ast.Constant(constant("STR"))])


def is_plain(value: ast.expr, location: ast.Constant, node: ast.expr | ast.stmt) -> ast.expr:
    """Return a test of whether a value has the type that the probe of a place need not see."""
    return ast.Compare(call("TYPE", value), [_IS], [_plain_of(location, node)])


def gave_text(location: ast.Constant, node: ast.expr | ast.stmt) -> ast.expr:
    """Return a test of whether a place gave a text when it came up last."""
    return ast.Compare(_plain_of(location, node), [_IS], [ast.Constant(constant("STR"))])


def _plain_of(location: ast.Constant, node: ast.expr | ast.stmt) -> ast.Attribute:
    plain = ast.Attribute(location, "plain", _LOAD)
    # Python has an attribute on the line where it ends, and a tracer would hear of that line
    plain.lineno = plain.end_lineno = node.lineno
    plain.col_offset = plain.end_col_offset = node.col_offset
    return plain


def may_rebind(node: ast.expr) -> bool:
    """Return whether an expression may run code that binds or deletes variables."""
    return not isinstance(node, (ast.Name, ast.Constant)) and any(
        isinstance(one, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)) for one in nodes_of(node)
    )


def any_of(*values: ast.expr) -> ast.expr:
    """Return ``a or b or c``."""
    return ast.BoolOp(_OR, list(values)) if len(values) > 1 else values[0]


def all_of(*values: ast.expr) -> ast.expr:
    """Return ``a and b and c``."""
    return ast.BoolOp(_AND, list(values)) if len(values) > 1 else values[0]


def compare_is(value: ast.expr, how: type[ast.Is | ast.IsNot], what: bool | None) -> ast.expr:
    """Return a test of whether a value is, or is not, one of Python's three constants."""
    return ast.Compare(value, [how()], [ast.Constant(what)])


def at(node: ast.AST, new: Tree) -> Tree:
    """Place a new tree where a node is, and so every part of it that has no place yet."""
    here = vars(node)
    place = {name: here[name] for name in _SPAN if here.get(name) is not None}
    parts: list[ast.AST] = [new]
    for part in parts:  # it grows meanwhile
        fields = vars(part)
        if "lineno" in fields:
            continue
        for child in fields.values():
            kind = type(child)
            if kind is list:
                if child:
                    parts += [c for c in child if isinstance(c, ast.AST)]
            elif kind not in _SILENT and isinstance(child, ast.AST):
                parts.append(child)
        fields.update(place)
    return new


def copy_of(tree: Tree) -> Tree:
    """Return a copy of a tree, without what others added to its nodes."""
    fields = vars(tree)
    kept = {name: fields[name] for name in (*tree._fields, *_SPAN) if name in fields}
    for name, value in kept.items():
        if isinstance(value, ast.AST):
            kept[name] = copy_of(value)
        elif type(value) is list:
            kept[name] = [copy_of(v) if isinstance(v, ast.AST) else v for v in value]
    return type(tree)(**kept)


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """Return all nodes of a tree, in any order."""
    nodes = [tree]
    for node in nodes:  # it grows meanwhile
        fields = vars(node)
        for field in node._fields:  # others give nodes more attributes, such as their parents
            child = fields.get(field)
            if isinstance(child, ast.AST):
                nodes.append(child)
            elif type(child) is list:
                nodes += [c for c in child if isinstance(c, ast.AST)]
    return nodes


def as_object(index: ast.expr) -> ast.expr:
    """Return an index as an expression that may stand anywhere, slices as calls of `slice`."""
    if isinstance(index, ast.Slice):
        bounds = (index.lower, index.upper, index.step)
        return at(index, call("SLICE", *(b or ast.Constant(None) for b in bounds)))
    if isinstance(index, ast.Tuple):
        index.elts = [as_object(element) for element in index.elts]
    return index


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is a text that is written out."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )


def is_number(node: ast.expr) -> bool:
    """Return whether an expression is made of constants alone, as ``-1`` and ``2 * 3`` are."""
    while isinstance(node, (ast.BinOp, ast.UnaryOp)):
        if isinstance(node, ast.UnaryOp):
            node = node.operand
        elif isinstance(node.right, ast.Constant):
            node = node.left
        else:
            return is_number(node.right) and is_number(node.left)
    return isinstance(node, ast.Constant)


def elements(node: ast.expr) -> list[Span]:
    """Return where the elements of a list or tuple are, if it is written out."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return []
    if any(isinstance(element, ast.Starred) for element in node.elts):
        return []
    return [span_of(element) for element in node.elts]


def is_starred(node: ast.expr) -> bool:
    """Return whether an argument is a list of them, written with a star."""
    return isinstance(node, ast.Starred)


def is_super(node: ast.expr) -> bool:
    """Return whether an expression is a call of `super`."""
    called = isinstance(node, ast.Call) and node.func
    return isinstance(called, ast.Name) and called.id == "super"


def is_builtin(node: ast.Call) -> bool:
    """Return whether a call is of a function by its name, or by that of the module `builtins`."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else load("builtins")
    return isinstance(owner, ast.Name) and owner.id == "builtins"


def is_in_place(node: ast.Call) -> bool:
    """Return whether a call changes its object and gives None.

    pandas counts who refers to the object, and warns if that is the call alone.
    """
    return any(
        keyword.arg == "inplace" and getattr(keyword.value, "value", None) is True
        for keyword in node.keywords
    )


def is_resize(node: ast.Call) -> bool:
    """Return whether a call resizes an array, or gives what does."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "resize":
        return True
    called = node.func
    if isinstance(called, ast.Call):  # methodcaller("resize", 3)(array)
        return _names_resize(called.args[:1])
    return isinstance(called, ast.Name) and called.id == "getattr" and _names_resize(node.args[1:])


def _names_resize(arguments: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Constant) and one.value == "resize" for one in arguments)


def replacing(node: ast.Assign) -> Iterator[tuple[ast.BinOp, int]]:
    """Yield the arithmetic of a sum that is assigned to one of its operands, and which one.

    That is so in ``x = x * 0.5 + y`` for each of the two.
    """
    if not (isinstance(node.value, ast.BinOp) and isinstance(node.value.op, (ast.Add, ast.Sub))):
        return
    names = {ast.unparse(t) for t in node.targets if isinstance(t, (ast.Name, ast.Attribute))}
    todo: list[ast.expr] = [node.value] if names else []
    while todo:
        part = todo.pop()
        if isinstance(part, ast.BinOp):
            sides = [part.left, part.right]
            todo += sides
            own = [i for i, side in enumerate(sides) if _is_one_of(side, names)]
            if own:
                yield part, own[0]


def _is_one_of(node: ast.expr, names: set[str]) -> bool:
    while isinstance(node, ast.BinOp):
        node = node.left
    return isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in names

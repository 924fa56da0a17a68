"""A file of source, parsed once: what is written at a span, around it, and what it stands for."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

from .cells import before
from .locations import Location, Span, span_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class SourceFile:
    """The syntax tree of a file, with its text: positions are spans, which count bytes.

    Args:
        lines: the lines of the file.
        earlier: the texts of the cells that were run before it, if it is a cell.

    Attributes:
        tree: the tree, empty if the file is not Python.
        parents: the parent of each node.
    """

    def __init__(self, lines: tuple[str, ...], earlier: tuple[str, ...] = ()) -> None:
        self._lines = [line.encode() for line in lines]
        self._earlier = earlier
        self.tree = _parsed("".join(lines))
        self.parents: dict[ast.AST, ast.AST] = {}
        self._at: dict[Span, list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            self.parents.update(dict.fromkeys(ast.iter_child_nodes(node), node))
            if isinstance(node, (ast.expr, ast.stmt)):
                self._at.setdefault(span_of(node), []).append(node)

    @cached_property
    def before(self) -> list[ast.stmt]:
        """The statements of the cells that were run before it."""
        return [statement for text in self._earlier for statement in _parsed(text).body]

    def find(self, span: Span | None) -> ast.expr | ast.stmt | None:
        """Return what is written at a span, or None if it is not there, or inside an f-string."""
        node = self.read(span)
        if node is None or any(isinstance(n, ast.JoinedStr) for n in self.above(node)):
            return None
        return node

    def read(self, span: Span | None) -> ast.expr | ast.stmt | None:
        """Return what is written at a span, to be read; in an f-string it cannot be changed."""
        found = self._at.get(span, []) if span is not None else []
        expressions = [node for node in found if isinstance(node, ast.expr)]
        return next(reversed(expressions or found), None)  # type: ignore[return-value]  # one of both

    def expression(self, span: Span | None) -> ast.expr | None:
        """Return the expression at a span, or None if there is none."""
        node = self.find(span)
        return node if isinstance(node, ast.expr) else None

    def begins_line(self, node: ast.stmt) -> bool:
        """Return whether nothing but blanks stands before a statement on its line."""
        return not self.text((node.lineno, 0, node.lineno, node.col_offset)).strip()

    def statement(self, span: Span) -> ast.stmt | None:
        """Return the statement that an expression at a span is in, or None."""
        node = self.find(span)
        around = [node, *self.above(node)] if node is not None else []
        return next((n for n in around if isinstance(n, ast.stmt)), None)

    def around(self, span: Span) -> ast.AST | None:
        """Return what the expression at a span is a part of, or None if it is not there."""
        node = self.find(span)
        return self.parents.get(node) if node is not None else None

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def functions(self, node: ast.AST) -> list[Function]:
        """Return the functions around a node, from the inside out."""
        return [n for n in self.above(node) if isinstance(n, _FUNCTIONS)]

    def function_at(self, span: Span) -> Function | None:
        """Return the innermost function that a span is in, or None."""
        found: Function | None = None
        for node in ast.walk(self.tree):
            if isinstance(node, _FUNCTIONS):
                first, start, last, end = span_of(node)
                if (first, start) <= span[:2] and span[2:] <= (last, end):
                    found = node  # those inside come later
        return found

    def own(self, function: Function | None) -> Iterator[ast.AST]:
        """Yield the nodes of a function, or of the module, that are in no other function."""
        for node in ast.walk(function or self.tree):
            around = (n for n in self.above(node) if isinstance(n, _FUNCTIONS))
            if next(around, None) is function:
                yield node

    def names(self, function: Function | None, name: str) -> list[ast.Name]:
        """Return where a function, or the module, itself writes a name."""
        nodes = self.own(function)
        return [n for n in nodes if isinstance(n, ast.Name) and n.id == name]

    def defined(self, kind: type[ast.AST], name: str) -> ast.AST | None:
        """Return the one function or class of a name in the file; None for none or several."""
        found = [n for n in ast.walk(self.tree) if isinstance(n, kind)]
        named = [n for n in found if getattr(n, "name", "") == name]
        return named[0] if len(named) == 1 else None

    def text(self, span: Span) -> str:
        """Return what is written at a span, as it is."""
        first, start, last, end = span
        lines = self._lines[first - 1 : last]
        if not lines:
            return ""
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return b"".join(lines).decode()


def source_file(file: str) -> SourceFile:
    """Return a file's source, as it was when its lines were read."""
    earlier = tuple("".join(linecache.getlines(cell)) for cell in before(file))
    return _source_of(tuple(linecache.getlines(file)), earlier)


@lru_cache(maxsize=16)
def _source_of(lines: tuple[str, ...], earlier: tuple[str, ...]) -> SourceFile:
    return SourceFile(lines, earlier)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def parameters(function: Function) -> list[str]:
    """Return the names of a function's parameters, in order."""
    given = function.args
    plain = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [a.arg for a in plain if a is not None]


def is_parameter(node: ast.expr, function: Function) -> bool:
    """Return whether an expression is a parameter of a function, or an attribute of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in parameters(function)


def is_kept_parameter(source: SourceFile, node: ast.expr, around: ast.AST) -> bool:
    """Return whether an expression is what the function around a node is given, all through it."""
    function = next(iter(source.functions(around)), None)
    if function is None or function not in source.functions(node)[:1]:
        return False
    own, written = source.own(function), ast.unparse(node)
    stored = {ast.unparse(n) for n in own if isinstance(getattr(n, "ctx", None), ast.Store)}
    return is_parameter(node, function) and stored.isdisjoint((written, written.partition(".")[0]))


def are_together(place: Location, other: Location) -> bool:
    """Return whether two locations are in one function, or both in none, of one file."""
    if place.file != other.file:
        return False
    source = source_file(place.file)
    return source.function_at(place.span) is source.function_at(other.span)


def name_of(call: ast.AST) -> str:
    """Return the name of the function that is called, or ``""``."""
    function = getattr(call, "func", None)
    return str(getattr(function, "attr", "") or getattr(function, "id", ""))


def is_made_elsewhere(place: Location, introduced: Location) -> bool:
    """Return whether another function made what is met at a place; a script's input is no use."""
    is_input = source_file(introduced.file).function_at(introduced.span) is None
    return not is_input and not are_together(place, introduced)


# what an expression stands for


_MOST_STEPS: Final = 20  # of assignments that are followed


def assigned(source: SourceFile, function: Function | None, name: str) -> ast.expr | None:
    """Return the one expression that a function, or the module, assigns to a name; else None.

    Of one that computes the new value from the old one, it is what it had before.
    """
    found: list[ast.expr | None] = []
    for value in _assignments(source, function, name):
        within = ast.walk(value) if value is not None else ()
        if not any(isinstance(n, ast.Name) and n.id == name for n in within):
            found.append(value)
    return found[0] if len(found) == 1 else None


def all_assigned(source: SourceFile, node: ast.Name) -> Iterator[ast.expr]:
    """Yield the expressions that the function around a name, or the module, assigns to it."""
    function = next(iter(source.functions(node)), None)
    yield from (value for value in _assignments(source, function, node.id) if value is not None)


def _assignments(
    source: SourceFile, function: Function | None, name: str
) -> Iterator[ast.expr | None]:
    """Yield what each statement of a function, or of the module, assigns to a name."""
    for target in source.names(function, name):
        if isinstance(target.ctx, ast.Store):
            yield _value_for(source, target)


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
        return next(all_attributed(source, node), None)
    if isinstance(node, ast.Call):
        return returned_by(source.defined(ast.FunctionDef, name_of(node)))
    return None


def attributed(source: SourceFile, node: ast.Attribute) -> ast.expr | None:
    """Return the one expression that a class assigns to an attribute of its objects, or None."""
    found = [*all_attributed(source, node)]
    return found[0] if len(found) == 1 else None


def all_attributed(source: SourceFile, node: ast.Attribute) -> Iterator[ast.expr]:
    """Yield the expressions that a class assigns to an attribute of its objects."""
    owner = next((n for n in source.above(node) if isinstance(n, ast.ClassDef)), None)
    for part in ast.walk(owner) if owner is not None else ():
        if isinstance(part, ast.Assign) and any(
            isinstance(t, ast.Attribute) and t.attr == node.attr for t in part.targets
        ):
            yield part.value


def returned_by(function: ast.AST | None) -> ast.expr | None:
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

"""A file of source, parsed once: what is written at a span, around it, and its functions."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from ..model.cells import before
from ..model.locations import Location, Span, span_of

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
        found = self._at.get(span, []) if span is not None else []
        expressions = [node for node in found if isinstance(node, ast.expr)]
        node = expressions[-1] if expressions else found[-1] if found else None
        if node is None or any(isinstance(n, ast.JoinedStr) for n in self.above(node)):
            return None
        return node  # type: ignore[return-value]  # it is one of the two

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

"""The syntax tree of a file: what is written at a place, and what is around it."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache

from ..model.locations import Span, span_of

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Syntax:
    """The syntax tree of a file, with its source.

    Attributes:
        tree: the tree, empty if the file is not Python.
        parents: the parent of each node.
    """

    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = [line.encode() for line in lines]
        try:
            self.tree = ast.parse("".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.tree = ast.Module([], [])
        self.parents: dict[ast.AST, ast.AST] = {}
        self._at: dict[Span, list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            self.parents.update(dict.fromkeys(ast.iter_child_nodes(node), node))
            if isinstance(node, (ast.expr, ast.stmt)):
                self._at.setdefault(span_of(node), []).append(node)

    def find(self, span: Span) -> ast.expr | ast.stmt | None:
        """Return what is written at a span, or None if it is not there, or inside an f-string."""
        found = self._at.get(span, [])
        expressions = [node for node in found if isinstance(node, ast.expr)]
        node = expressions[-1] if expressions else found[-1] if found else None
        if node is None or any(isinstance(n, ast.JoinedStr) for n in self.above(node)):
            return None
        return node  # type: ignore[return-value]  # it is one of the two

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def functions(self, node: ast.AST) -> list[ast.AST]:
        """Return the functions around a node, from the inside out."""
        return [n for n in self.above(node) if isinstance(n, _SCOPES)]

    def text(self, span: Span) -> str:
        """Return what is written at a span, as it is."""
        return self._bytes(span).decode()

    def _bytes(self, span: Span) -> bytes:
        first, start, last, end = span
        lines = self._lines[first - 1 : last]
        if not lines:
            return b""
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return b"".join(lines)


def syntax_of(file: str) -> Syntax:
    """Return the syntax tree of a file, as it was when its lines were read."""
    return _syntax_of(tuple(linecache.getlines(file)))


@lru_cache(maxsize=16)
def _syntax_of(lines: tuple[str, ...]) -> Syntax:
    return Syntax(lines)

"""Changes of a syntax tree, and what each makes of the source: all other text stays as it is."""

from __future__ import annotations

import ast
import io
import linecache
import tokenize
from copy import copy, deepcopy
from functools import lru_cache
from typing import Final, NamedTuple

from ..model.locations import Span, span_of
from ..source.syntax import Syntax

HOLE: Final = "_"
"""The name that stands for the node itself in what replaces it."""

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Tuple)


class Edit(NamedTuple):
    """A change of one node.

    Attributes:
        node: the node.
        template: the expression that takes its place, in which ``_`` is the node.
        keyword: a keyword argument that a call is given before that.
    """

    node: ast.expr
    template: str = HOLE
    keyword: str = ""


class SourceTree(Syntax):
    """The syntax tree of a file, in which nodes can be changed."""

    def edited(self, cause: ast.expr | ast.stmt, edit: Edit) -> str:
        """Return the source of a node after a change in it, or ``""`` if it is not that change."""
        whole = span_of(cause)
        span, new = self._argument(edit) if edit.keyword else self._replacement(whole, edit)
        text = self.text((*whole[:2], *span[:2])) + new + self.text((*span[2:], *whole[2:]))
        if edit.keyword and edit.template != HOLE and edit.node is cause:
            text = text.join(_halves(edit.template))
        try:
            wanted = ast.dump(_changed(cause, edit))
        except SyntaxError:  # a template that is not Python
            return ""
        return text if _dump(text, isinstance(cause, ast.stmt)) == wanted else ""

    def _replacement(self, whole: Span, edit: Edit) -> tuple[Span, str]:
        """Return which part of the source a node's replacement takes the place of, and its text."""
        node, template = edit.node, edit.template
        span, text = span_of(node), self.text(span_of(node))
        around = self._parentheses(node)
        inside = around is not None and whole[:2] <= around[:2] and around[2:] <= whole[2:]
        if template.startswith(f"{HOLE}.") and not isinstance(node, _ATOMS):
            span, text = (around, self.text(around)) if inside and around else (span, f"({text})")
        elif inside and around and template != HOLE and not template.startswith(HOLE):
            span = around
        return span, text.join(_halves(template))

    def _parentheses(self, node: ast.expr) -> Span | None:
        """Return the span of a node with the parentheses that do nothing but group it."""
        first, start, last, end = span_of(node)
        while start == 0 or self._lines[first - 1][:start].isspace():
            if first == 1:
                return None
            first, start = first - 1, len(self._lines[first - 2])
        start = len(self._lines[first - 1][:start].rstrip())
        while not self._lines[last - 1][end:].strip():
            if last == len(self._lines):
                return None
            last, end = last + 1, 0
        line = self._lines[last - 1]
        end = len(line) - len(line[end:].lstrip())
        if self._lines[first - 1][start - 1 : start] != b"(" or line[end : end + 1] != b")":
            return None
        parent = self.parents.get(node)
        of_call = isinstance(parent, ast.Call) and span_of(parent)[2:] == (last, end + 1)
        return None if of_call else (first, start - 1, last, end + 1)

    def _argument(self, edit: Edit) -> tuple[Span, str]:
        """Return where a call gets one more argument, and how it is written there."""
        first, start, last, end = span_of(edit.node)
        text = self.text((first, start, last, end))
        tokens = [
            token
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE)
            and token.type != tokenize.ENDMARKER
        ]
        before, closing = tokens[-2:]
        on_its_own = before.end[0] < closing.start[0]
        row, column = before.end
        line = before.line if before.end[0] == before.start[0] else ""
        byte = len(_line(text, row)[:column].encode())
        at = (first + row - 1, byte + (start if row == 1 else 0))
        close = (last, end - 1)
        if before.string == "(":
            return (*at, *close), edit.keyword
        if before.string == "," and on_its_own and line:
            content = self._lines[at[0] - 1]
            indent = content[: len(content) - len(content.lstrip())].decode()
            if row == 1:
                indent = " " * 4 + indent
            full = len(content.rstrip(b"\r\n"))
            return (at[0], full, at[0], full), f"\n{indent}{edit.keyword},"
        if before.string == ",":
            return ((*at, *close), f" {edit.keyword}") if not on_its_own else ((*at, *at), "")
        return (*at, *at), f", {edit.keyword}"


def source_tree(file: str) -> SourceTree:
    """Return the syntax tree of a file, as it was when its lines were read."""
    return _tree_of(tuple(linecache.getlines(file)))


@lru_cache(maxsize=16)
def _tree_of(lines: tuple[str, ...]) -> SourceTree:
    return SourceTree(lines)


def expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression."""
    return ast.parse(f"({text}\n)", mode="eval").body


def _changed(cause: ast.AST, edit: Edit) -> ast.AST:
    """Return a copy of a node, with a change in it."""
    if cause is not edit.node:
        copied = copy(cause)
        for name, value in ast.iter_fields(cause):
            if isinstance(value, ast.AST):
                value = _changed(value, edit)  # noqa: PLW2901  # the field of the copy
            elif isinstance(value, list):
                value = [_changed(v, edit) if isinstance(v, ast.AST) else v for v in value]  # noqa: PLW2901  # the same
            setattr(copied, name, value)
        return copied
    if edit.keyword:
        given = expression(f"f({edit.keyword})")
        call = deepcopy(edit.node)
        if isinstance(call, ast.Call) and isinstance(given, ast.Call):
            call.keywords += given.keywords
        return _Filled(call).visit(expression(edit.template))  # type: ignore[no-any-return]  # what visitors return
    return _Filled(edit.node).visit(expression(edit.template))  # type: ignore[no-any-return]  # what visitors return


class _Filled(ast.NodeTransformer):
    """Puts a node into the hole of a template."""

    def __init__(self, node: ast.expr) -> None:
        self.node = node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace the hole."""
        return deepcopy(self.node) if node.id == HOLE else node


def _dump(text: str, statement: bool) -> str:  # one of two ways to parse
    try:
        return ast.dump(ast.parse(text).body[0] if statement else expression(text))
    except (SyntaxError, ValueError, IndexError, RecursionError):
        return ""


def _halves(template: str) -> list[str]:
    """Return what is before the hole of a template, and what is after it."""
    if template.startswith(HOLE):
        return ["", template[len(HOLE) :]]
    before, hole, after = template.partition(f"({HOLE}")  # it is the first argument of a call
    return [f"{before}(", after] if hole else [template]


def _line(text: str, number: int) -> str:
    return text.split("\n")[number - 1]

"""A candidate change of one node, and what it makes of the source: all other text stays as it is.

The change is typed at the node's position. What comes of it is parsed again, and counts if it is
the tree that the change makes of the tree before.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from copy import deepcopy
from keyword import iskeyword
from typing import Final, NamedTuple

from ...core.functions import facts_of
from ..model.locations import Span, is_dtype, span_of
from ..model.source_file import SourceFile, name_of
from .spelling import HOLE, Spelling

_ATOMS: Final = (
    ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Constant,
)  # fmt: skip
_BLANK: Final = (
    tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
)  # fmt: skip
_INDENT: Final = " " * 4


class Candidate(NamedTuple):
    """A change of one node.

    Attributes:
        node: the node.
        template: the expression that takes its place, in which ``_`` is the node.
        keyword: a keyword argument that a call is given before that.
        needs: the import that the file lacks for it, or ``""``.
    """

    node: ast.expr
    template: str = HOLE
    keyword: str = ""
    needs: str = ""

    @classmethod
    def of(cls, node: ast.expr, spelled: Spelling | None, template: str = "{}") -> Candidate | None:
        """Return a change for which a dtype or a cast is spelled somehow; None if it is not."""
        if spelled is None:
            return None
        return cls(node, template.format(spelled.text), needs=spelled.needs)


def read_dtype(source: SourceFile, node: ast.expr) -> ast.expr | None:
    """Return ``x.dtype`` if a call is given the dtype of an array, which is changed there."""
    around = source.parents.get(node)
    if not is_dtype(around):
        return None
    call = source.parents.get(around)
    is_given = isinstance(call, ast.keyword) and call.arg == "dtype"
    is_cast = isinstance(call, ast.Call) and facts_of(name_of(call)).converts
    return around if is_given or is_cast else None


class Change(NamedTuple):
    """What to type, and where.

    Attributes:
        file: the path of the file.
        span: what it takes the place of.
        text: what to type, or ``""`` if no change is known to be right.
        needs: the import statement that the file lacks for it, or ``""``.
        dtype: the name of the dtype that is wrong there.
        others: what has to be typed with it.
    """

    file: str
    span: Span
    text: str = ""
    needs: str = ""
    dtype: str = ""
    others: tuple[Change, ...] = ()


def applied(source: SourceFile, whole: ast.expr | ast.stmt, *changes: Candidate) -> str:
    """Return the source of a node after changes in it, or ``""`` if it does not come to that.

    Args:
        source: the file.
        whole: the node.
        changes: those of the node or of parts of it, none of which is in another one.
    """
    text = source.text(span_of(whole))
    is_statement = isinstance(whole, ast.stmt)
    code = f"{text}\n" if is_statement else f"({text}\n)"
    try:
        written = _Written(code)
        parts = [(written.expression(_within(whole, x.node)), x) for x in changes]
        typed = [written.changed(node, x) for node, x in parts]
        new = code
        tree: ast.AST = written.tree
        for first, last, text_there in sorted(typed, reverse=True):
            new = f"{new[:first]}{text_there}{new[last:]}"
        for node, x in parts:
            tree = _replaced(tree, node, x)
        if ast.dump(ast.parse(new)) != ast.dump(tree):
            return ""
    except (LookupError, SyntaxError, ValueError, tokenize.TokenError):
        return ""
    new = new[: -len("\n")] if is_statement else new[len("(") : -len("\n)")]
    return new if new != text else ""


def _within(whole: ast.expr | ast.stmt, part: ast.expr) -> Span:
    """Return where a part of a node is in the text that is made of the node alone."""
    (line, column), span = span_of(whole)[:2], span_of(part)
    before = -column if isinstance(whole, ast.stmt) else len("(") - column
    first, start, last, end = span
    return (
        first - line + 1, start + before * (first == line),
        last - line + 1, end + before * (last == line),
    )  # fmt: skip


def _replaced(tree: ast.AST, node: ast.expr, change: Candidate) -> ast.AST:
    """Return a tree in which a change takes the place of a node."""
    new: ast.expr = deepcopy(node)
    if change.keyword:
        given = ast.parse(f"f({change.keyword})", mode="eval").body
        new.keywords.extend(given.keywords)  # type: ignore[attr-defined]  # both are calls
    filled = _Holed(HOLE, new).visit(ast.parse(change.template, mode="eval").body)
    return _Holed(node, filled).visit(tree)


class _Holed(ast.NodeTransformer):
    """Puts an expression into the place of another one, or of those that are a name."""

    def __init__(self, hole: ast.expr | str, filling: ast.AST) -> None:
        self.hole, self.filling = hole, filling

    def visit(self, node: ast.AST) -> ast.AST:
        """Return what stands in the place of a node."""
        is_hole = node is self.hole or (isinstance(node, ast.Name) and node.id == self.hole)
        return self.filling if is_hole else self.generic_visit(node)


class _Written:
    """A piece of code with its tokens, which says what to type where.

    Args:
        code: the code.

    Attributes:
        tree: its tree.
    """

    def __init__(self, code: str) -> None:
        self.code, self.tree = code, ast.parse(code)
        self._lines = io.StringIO(code).readlines()
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self.tokens = [
            (self._starts[t.start[0] - 1] + t.start[1], self._starts[t.end[0] - 1] + t.end[1], t)
            for t in tokenize.generate_tokens(io.StringIO(code).readline)
            if t.type not in _BLANK
        ]

    def expression(self, span: Span) -> ast.expr:
        """Return the expression at a span.

        Raises:
            LookupError: if there is none.
        """
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr) and span_of(node) == span:
                return node
        raise LookupError

    def _place(self, line: int, column: int) -> int:
        """Return which character is at a line, and at a column in bytes."""
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)

    def place(self, node: ast.expr) -> tuple[int, int]:
        """Return the first character of an expression, and the one after it."""
        first, start, last, end = span_of(node)
        return self._place(first, start), self._place(last, end)

    def changed(self, node: ast.expr, change: Candidate) -> tuple[int, int, str]:
        """Return what is typed in the place of which characters.

        Raises:
            ValueError: if a call is to have one more argument, and it is not a call.
        """
        first, last = self.place(node)
        text = self.code[first:last]
        if change.keyword:
            if not isinstance(node, ast.Call):
                raise ValueError
            text = self.with_argument(node, change.keyword)
        if change.template == HOLE:
            return first, last, text
        around = self.grouping(first, last)
        if f"({HOLE}" in change.template:  # which groups it
            pass
        elif around:
            text = f"{self.code[around[0] : first]}{text}{self.code[last : around[1]]}"
        elif not isinstance(node, _ATOMS):
            text = f"({text})"
        first, last = around or (first, last)
        return first, last, _filled(change.template, text)

    def grouping(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the characters of an expression with the parentheses that it alone is in."""
        before = [token for token in self.tokens if token[1] <= first]
        after = next((token for token in self.tokens if token[0] >= last), None)
        if not before or after is None or before[-1][2].string != "(":
            return None
        opening, *further = before[::-1]
        of_call = bool(further) and _ends_operand(further[0][2])
        is_around = opening[0] > 0 or not self.code.endswith("\n)")  # else it is not the program's
        if after[2].string != ")" or of_call or not is_around:
            return None
        return opening[0], after[1]

    def with_argument(self, call: ast.Call, keyword: str) -> str:
        """Return a call with one more argument, on its own line if the last one ends with a comma.

        Args:
            call: the call.
            keyword: the argument.
        """
        first, last = self.place(call)
        alone = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if isinstance(alone, ast.GeneratorExp) and self.place(alone)[1] == last:
            begin = self.place(alone)[0]  # its parentheses are those of the call
            return f"{self.code[first:begin]}({self.code[begin:last]}, {keyword})"
        inside = [token for token in self.tokens if first <= token[0] and token[1] < last]
        start, end, token = inside[-1]
        rest = self.code[end : last - 1]
        if token.string != "," or not (call.args or call.keywords):
            given = f", {keyword}" if call.args or call.keywords else keyword
            return f"{self.code[first:end]}{given}{rest})"
        if "\n" not in rest:
            return f"{self.code[first:start]}, {keyword})"
        line_end = end + rest.index("\n") + 1
        indent = self._indent([*call.args, *(k.value for k in call.keywords)], rest)
        return f"{self.code[first:line_end]}{indent}{keyword},\n{self.code[line_end:last]}"

    def _indent(self, arguments: Sequence[ast.expr], rest: str) -> str:
        """Return what stands before an argument on a line of its own."""
        lines = [self._lines[a.lineno - 1] for a in arguments]
        starts = [
            line[: len(line) - len(line.lstrip())]
            for line, a in zip(lines, arguments, strict=True)
            if _begins(line, a)
        ]
        return starts[-1] if starts else rest.rpartition("\n")[2] + _INDENT


def _begins(line: str, argument: ast.expr) -> bool:
    """Return whether an argument is the first thing on its line, with its name before it."""
    before = line.encode()[: argument.col_offset].decode().strip()
    is_named = before.endswith("=") and before[:-1].strip().isidentifier()
    return argument.lineno > 1 and (not before or is_named or before in ("*", "**"))


def _ends_operand(token: tokenize.TokenInfo) -> bool:
    """Return whether what ends with a token is called by a parenthesis after it."""
    is_name = token.type == tokenize.NAME and not iskeyword(token.string)
    return is_name or token.type == tokenize.STRING or token.string in (")", "]", "}")


def _filled(template: str, text: str) -> str:
    """Return a template with a text in the place of each hole."""
    holes = [
        (n.col_offset, n.end_col_offset or 0)
        for n in ast.walk(ast.parse(template, mode="eval"))
        if isinstance(n, ast.Name) and n.id == HOLE
    ]
    filled = template.encode()
    for first, last in sorted(holes, reverse=True):
        filled = filled[:first] + text.encode() + filled[last:]
    return filled.decode()

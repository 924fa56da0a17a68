"""A candidate change of one node, and what it makes of the source: all other text stays as it is.

The statement or expression around it is parsed by LibCST, which keeps white space and comments. A
whole file takes it a hundred times as long as Python's own parser, which is used for the rest.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from ..model.locations import Span, span_of
from ..source.source_file import SourceFile
from .spelling import HOLE, Spelling

if TYPE_CHECKING:
    import libcst as cst


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


class Change(NamedTuple):
    """What to type, and where.

    Attributes:
        file: the path of the file.
        span: what it takes the place of.
        text: what to type, or ``""`` if no change is known to be right.
        needs: the import statement that the file lacks for it, or ``""``.
        dtype: the name of the dtype that is wrong there.
    """

    file: str
    span: Span
    text: str = ""
    needs: str = ""
    dtype: str = ""


def applied(source: SourceFile, whole: ast.expr | ast.stmt, change: Candidate) -> str:
    """Return the source of a node after a change in it, or ``""`` if it does not come to that."""
    import libcst as cst  # it is loaded if there is anything to suggest

    text = source.text(span_of(whole))
    wrapped = f"{text}\n" if isinstance(whole, ast.stmt) else f"({text})\n"
    try:
        tree = cst.metadata.MetadataWrapper(cst.parse_module(wrapped), unsafe_skip_copy=True)
        node = _found(tree, _within(source, whole, change.node))
        root: cst.CSTNode = tree.module.body[0]
        if isinstance(whole, ast.expr):
            around = root.body[0].value  # type: ignore[attr-defined]  # an expression alone
            root = _ungrouped(around)
            node = root if node is around else node
        new = _filled(node, change)
        changed = root.deep_replace(node, new) if node is not root else new
        code = tree.module.code_for_node(changed).removesuffix("\n" * isinstance(whole, ast.stmt))
        ast.parse(code if isinstance(whole, ast.stmt) else f"({code}\n)")
    except (cst.ParserSyntaxError, cst.CSTValidationError, LookupError, SyntaxError, ValueError):
        return ""
    return code if code != text else ""


def _within(source: SourceFile, whole: ast.expr | ast.stmt, part: ast.expr) -> tuple[int, ...]:
    """Return the lines and columns of a part of a node, in the node's text, in characters."""
    start, span = span_of(whole)[:2], span_of(part)
    found: list[int] = []
    for end in (span[:2], span[2:]):
        lines = source.text((*start, *end)).split("\n")
        in_first = len(lines) == 1 and isinstance(whole, ast.expr)  # after a parenthesis
        found += [len(lines), len(lines[-1]) + in_first]
    return tuple(found)


def _found(tree: cst.metadata.MetadataWrapper, wanted: tuple[int, ...]) -> cst.BaseExpression:
    """Return the expression at some lines and columns."""
    import libcst as cst  # as above

    for node, at in tree.resolve(cst.metadata.PositionProvider).items():
        span = (at.start.line, at.start.column, at.end.line, at.end.column)
        if span == wanted and isinstance(node, cst.BaseExpression):
            return node
    raise LookupError


def _filled(node: cst.BaseExpression, change: Candidate) -> cst.BaseExpression:
    """Return what takes the place of a node."""
    import libcst as cst  # as above
    import libcst.matchers as m  # as above

    if change.keyword:
        node = _with_argument(cst.ensure_type(node, cst.Call), change.keyword)
    if change.template == HOLE:
        return node
    atoms = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.List, cst.Integer, cst.Float)
    if f"({HOLE}" in change.template:
        node = _ungrouped(node)
    elif not node.lpar and not isinstance(node, atoms):
        node = node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    template = cst.parse_expression(change.template)
    return m.replace(template, m.Name(HOLE), node)  # type: ignore[return-value]  # an expression for another


def _ungrouped(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression without the outermost parentheses that it is in."""
    return node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[:-1]) if node.lpar else node


def _with_argument(call: cst.Call, keyword: str) -> cst.Call:
    """Return a call with one more argument, on a line of its own if the others end with a comma."""
    import libcst as cst  # as above

    given = cst.ensure_type(cst.parse_expression(f"f({keyword})"), cst.Call).args[0]
    if not call.args:
        return call.with_changes(args=[given])
    last = call.args[-1]
    after = getattr(last.comma, "whitespace_after", None)
    if isinstance(after, cst.ParenthesizedWhitespace):
        first = call.whitespace_before_args
        lines = [first, *(a.comma.whitespace_after for a in call.args[:-1])]  # type: ignore[union-attr]  # it has one
        starts = [x.last_line for x in lines if isinstance(x, cst.ParenthesizedWhitespace)]
        indent = starts[-1] if starts else cst.SimpleWhitespace(after.last_line.value + " " * 4)
        comma = cst.Comma(whitespace_after=after.with_changes(last_line=indent))
        end = after.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])
        given = given.with_changes(comma=cst.Comma(whitespace_after=end))
    else:
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        given = given.with_changes(whitespace_after_arg=last.whitespace_after_arg)
        last = last.with_changes(whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*call.args[:-1], last.with_changes(comma=comma), given])

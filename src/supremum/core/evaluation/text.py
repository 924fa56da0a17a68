"""Reading expressions: Python's own syntax, with operands written as on the command line.

``int32[3]`` and its like are not Python, so each is replaced by a name of the same length before
`ast` reads the text, so that columns stay what they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, Final, NamedTuple

from ..dtypes import PYTHON_SCALARS, by_name, is_name, is_spelled
from ..errors import DTypeError, ExpressionError, RulesError, listed, short
from ..foreign import own_rules
from ..operands import Operand, begins_as_operand, library_before, operand, parse

_IN_PLACE: Final = re.compile(r"(\w+) *(\+|-|\*\*?|//?|%|@|&|\||\^|<<|>>)= *(.+)")
_SIZED_NAME: Final = re.compile(r"\b[a-zA-Z]\w*(\[[\d,\s]*\]) *:? *([a-z]\w+)\b")
# A dtype or a code with sizes in brackets, which may be weak, or have a library's prefix; or a weak
# dtype without any.
_OPERAND: Final = re.compile(
    r"(?<![\w.])(?:((?:[a-z]\w*\.)*[a-zA-Z]\w*)(\*?)\[([\d,\s]*)\]|(int|float|complex)\*(?=\s*(?:[-+*/%@&|^<>=!),]|$)))"
)
_SIGNS: Final = re.compile(r"[(+\-/%@&|^<>=~*]|[\w\]]\.\w|\s(and|or|in|is|if)\s|^not\s|^\[|\]\s*\[")
_LIKE_A_NAME: Final = re.compile(r"[<>=|][a-z]\d+|[a-z]+-\d+")  # of a dtype, and misspelt
_PYTHON: Final = ("int", "float", "complex")
_LONGEST: Final = 10_000

OPERATORS: Final[Mapping[type, str]] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "true_divide",
    ast.FloorDiv: "floor_divide", ast.Mod: "remainder", ast.Pow: "power", ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and", ast.BitOr: "bitwise_or", ast.BitXor: "bitwise_xor",
    ast.LShift: "left_shift", ast.RShift: "right_shift", ast.Eq: "equal", ast.NotEq: "not_equal",
    ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
    ast.USub: "negative", ast.UAdd: "positive", ast.Invert: "invert",
}  # fmt: skip
"""The function that each of Python's operators stands for."""

_CALLED: Final[Mapping[type, str]] = {
    ast.Tuple: "a tuple", ast.List: "a list", ast.Dict: "a dictionary", ast.Set: "a set",
    ast.Lambda: "a lambda", ast.ListComp: "a comprehension",
    ast.GeneratorExp: "a generator", ast.JoinedStr: "an f-string", ast.Starred: "a starred value",
}  # fmt: skip
_ALLOWED: Final = (
    ast.Name, ast.UnaryOp, ast.BinOp, ast.Attribute, ast.Subscript, ast.IfExp,
)  # fmt: skip


class Source(NamedTuple):
    """An expression, read and vetted.

    Attributes:
        text: the text.
        tree: its syntax.
        operands: the operands in it, by the names that stand for them.
        numbers: the numbers in it, by those that the code has for them.
        code: what Python evaluates: each number has a name, and each node a line of its own.
        nodes: the node of each line.
    """

    text: str
    tree: ast.expr
    operands: Mapping[str, Operand]
    numbers: Mapping[str, Operand]
    code: CodeType
    nodes: Sequence[ast.expr]

    def of(self, node: ast.AST) -> str:
        """Return the text of a part."""
        start, end = self.span(node)
        return self.text[start:end]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return where a part begins and ends."""
        return _span(self.text, node)

    def error(self, message: str, node: ast.AST, candidates: Any = ()) -> ExpressionError:
        """Return an error that points at a part."""
        return ExpressionError(message, self.text, self.span(node)[0], candidates)


def _span(text: str, node: ast.AST) -> tuple[int, int]:
    start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
    if text.isascii():
        return start, end
    line = text.encode()  # columns count bytes
    return len(line[:start].decode()), len(line[:end].decode())


def is_expression(text: str) -> bool:
    """Return whether a string can only be an expression, and is not an operand or a name.

    >>> is_expression("int32[3] + 1"), is_expression("int32[3]"), is_expression("-1")
    (True, False, False)
    """
    if not _SIGNS.search(text) or _LIKE_A_NAME.fullmatch(text):
        return False
    try:
        if begins_as_operand(text):
            parse(text)
            return False
    except DTypeError:
        pass
    return True


def expression_of(operands: Sequence[Any], op: str | None, given: Mapping[str, Any]) -> str | None:
    """Return the expression that a question is about, or None if it is about operands.

    Raises:
        RulesError: if operands have names, and there is no expression that uses them.
    """
    text = operands[0] if len(operands) == 1 and isinstance(operands[0], str) else None
    named = operands[-1] if operands and isinstance(operands[-1], dict) else None
    if named and all(isinstance(name, str) for name in named):
        how = ", ".join(f"{name}={value!r}" for name, value in named.items())
        raise RulesError(f"operands have names, as in explain({operands[0]!r}, {how})", named)
    if given and (text is None or op is not None):
        name = next(iter(given))
        what = f"{name}= names an operand of an expression, as in explain('{name} + 1', {name}=...)"
        rules = "rules and their options are named by system='NAME:option=value'"
        raise RulesError(f"{what}; {rules}", given)
    return text if text is not None and op is None and (given or is_expression(text)) else None


def read(text: str, given: Mapping[str, Any] | None = None) -> Source:
    """Return an expression, read.

    Args:
        text: the expression.
        given: operands by the names that the expression has for them.

    Raises:
        ExpressionError: if it is not an expression, or has none of the names that are given.
        DTypeError: if something given is not an operand.
    """
    if not isinstance(text, str):
        raise ExpressionError(f"an expression is a string, not {short(text)}")
    line = " ".join(text.split())
    if not line or len(line) > _LONGEST:
        raise ExpressionError(f"an expression has 1 to {_LONGEST:,} characters, not {len(line):,}")
    if not given:
        return _parsed(line, ())
    operands = {name: _given(name, value) for name, value in given.items()}
    source = _parsed(line, tuple(given))
    # of several, some may be for other expressions
    named = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name)}
    if not given.keys() & named:
        raise ExpressionError(f"the expression has no operand named {listed([*given], 'or')}", line)
    return source._replace(operands={**operands, **source.operands})


@lru_cache(maxsize=64)  # one text is asked of the rules of each library, and again
def _parsed(line: str, given: tuple[str, ...]) -> Source:
    operands: dict[str, Operand] = {}
    masked = _OPERAND.sub(lambda found: _mask(found, operands, given, line), line)
    try:
        tree = ast.parse(masked, mode="eval").body
        _vet(line, tree)
        numbers: dict[str, Operand] = {}
        code, nodes = _compiled(ast.parse(masked, mode="eval"), numbers)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, ExpressionError):
            raise
        column = (getattr(error, "offset", None) or len(line) + 1) - 1
        what = getattr(error, "msg", None) or "it is nested too deeply"
        if (found := _IN_PLACE.fullmatch(line)) is not None:
            name, sign, value = found.groups()
            value = value if value.isidentifier() else f"({value})"
            what = f"it is a statement; type {name} {sign} {value}, which becomes {name}'s dtype"
        elif (typed := _SIZED_NAME.sub(_sized, line)) != line:
            what = f"sizes stand behind the dtype; type {typed}"
        raise ExpressionError(f"not an expression: {what}", line, min(column, len(line))) from None
    return Source(line, tree, operands, numbers, code, nodes)


def _sized(found: re.Match[str]) -> str:
    """Return a dtype with the sizes that stand behind the name before it."""
    sizes, word = found.groups()
    return f"{word}{sizes}" if is_spelled(word) else found[0]


def _compiled(
    tree: ast.Expression, numbers: dict[str, Operand]
) -> tuple[CodeType, Sequence[ast.expr]]:
    """Return code in which each node has a line, so that the line tells what Python computes.

    A number gets a name. An attribute gets one that no object has, so that what it means is asked.
    A function has the line of its call, where some versions of Python look for it.
    """
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    for line, node in enumerate(nodes, 1):
        node.lineno = node.end_lineno = line
    for node in nodes:
        if isinstance(node, ast.Call):
            node.func.lineno = node.func.end_lineno = node.lineno
        elif isinstance(node, ast.Attribute):
            node.attr = f".{node.attr}"
    named = _Named(numbers).visit(tree)
    return compile(named, "<expression>", "eval"), nodes


class _Named(ast.NodeTransformer):
    """Gives each number a name, which no text can have."""

    def __init__(self, numbers: dict[str, Operand]) -> None:
        self.numbers = numbers

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Return the name of a number; other constants stay."""
        if type(node.value) not in PYTHON_SCALARS:
            return node
        name = f"{len(self.numbers)} "
        self.numbers[name] = operand(node.value)
        return ast.copy_location(ast.Name(name, ast.Load()), node)


def _vet(text: str, tree: ast.expr) -> None:
    """Refuse all but names, numbers, operators, calls, items and attributes.

    Lists, tuples, slices, strings and None stand where a call or an index takes them.
    """
    plain = {id(x) for node in ast.walk(tree) for x in _plain_places(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and (why := _refusal(node, is_plain=id(node) in plain)):
            raise ExpressionError(why, text, _span(text, node)[0])


def _plain_places(node: ast.AST) -> Sequence[ast.AST]:
    """Return the parts of a node that need not be arrays or numbers."""
    if isinstance(node, ast.Call):
        return [*node.args, *(k.value for k in node.keywords)]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.BinOp):
        return [x for x in (node.left, node.right) if isinstance(x, ast.List)]
    if isinstance(node, ast.Compare):
        return [x for x in node.comparators if isinstance(x, ast.List)]
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else ()


def _refusal(node: ast.expr, *, is_plain: bool) -> str:
    """Return why a node is not evaluated, or an empty string."""
    if isinstance(node, ast.Constant):
        is_taken = type(node.value) in PYTHON_SCALARS or (
            is_plain and type(node.value) is not bytes
        )
        return "" if is_taken else f"{node.value!r} is not an array or a number"
    if isinstance(node, (ast.Compare, ast.Call)):
        return (
            _refusal_of_compare(node) if isinstance(node, ast.Compare) else _refusal_of_call(node)
        )
    if isinstance(node, ast.BoolOp):
        return "`and` and `or` take no arrays; use & and |"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "`not` takes no arrays; use logical_not"
    allowed = (*_ALLOWED, *((ast.Tuple, ast.List, ast.Slice) if is_plain else ()))
    what = f"{_CALLED.get(type(node), 'this')} has no dtype to explain"
    return "" if isinstance(node, allowed) else what


def _refusal_of_compare(node: ast.Compare) -> str:
    if len(node.ops) > 1:
        return "arrays have no such comparison; compare two operands at a time, with &"
    is_known = type(node.ops[0]) in OPERATORS
    return "" if is_known else "arrays have no such comparison; use isin"


def _refusal_of_call(node: ast.Call) -> str:
    is_named = isinstance(node.func, (ast.Name, ast.Attribute))
    return "" if is_named and all(k.arg for k in node.keywords) else "this cannot be called"


def _given(name: str, value: Any) -> Operand:
    found = parse(value) if isinstance(value, str) else operand(value)
    if own := own_rules(value):
        what = f"{name} is a {own}, which has rules of its own"
        raise ExpressionError(f"{what} that are not modelled; pass a plain array", name)
    return found._replace(text=name)


def _mask(
    found: re.Match[str], operands: dict[str, Operand], given: Sequence[str], line: str
) -> str:
    """Return the name that stands for an operand, and note what it stands for."""
    whole, name = found[0], found[1]
    if name is not None and not found[2] and name in given:
        return whole  # x[0] is an element of what is given
    if name is not None and "." in name and not library_before(name):
        return whole
    if name is not None and not _is_dtype(f"{name}*" if name in _PYTHON else name):
        if found[2] or not re.fullmatch(r"[a-z]+\d+\w*", name):
            return whole
        try:
            by_name(name)
        except DTypeError as error:
            raise ExpressionError(str(error), line, found.start(), error.candidates) from None
    if found[2] and name not in _PYTHON:  # a weak array that has a width
        made = _parse(whole.replace("*[", "["), line, found)._replace(weak=True, text=whole)
    else:
        made = _parse(whole, line, found)
    key = f"_{len(operands)}".ljust(len(whole), "_")
    operands[key] = made
    return key


def _parse(text: str, line: str, found: re.Match[str]) -> Operand:
    try:
        return parse(text)
    except DTypeError as error:
        raise ExpressionError(str(error), line, found.start(), error.candidates) from None


def _is_dtype(name: str) -> bool:
    try:
        return is_name(name) or parse(name) is not None
    except DTypeError:
        return False

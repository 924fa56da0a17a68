"""Reading expressions: Python's own syntax, with operands written as on the command line.

``int32[3]`` and its like are not Python, so each is replaced by a name of the same length before
`ast` reads the text, so that columns stay what they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..dtypes import DType, dtype, is_name, names
from ..errors import DTypeError, ExpressionError, did_you_mean, listed
from ..operands import Operand, begins_as_operand, operand, parse

# A dtype or a code with sizes in brackets, which may be weak; or a weak dtype without any.
_OPERAND: Final = re.compile(
    r"(?<![\w.])(?:([a-z][\w]*)(\*?)\[([\d,\s]*)\]|(int|float|complex)\*(?=\s*(?:[-+*/%@&|^<>=!),]|$)))"
)
_SIGNS: Final = re.compile(r"[(+\-/%@&|^<>=~*]|[\w\]]\.\w|\s(and|or|in|is|if)\s|^not\s|^\[|\]\s*\[")
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

MIRRORED: Final[Mapping[type, type]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}  # fmt: skip
"""What Python asks an array for, if a number stands before it."""

CALLED: Final[Mapping[type, str]] = {
    ast.Tuple: "a tuple", ast.List: "a list", ast.Dict: "a dictionary", ast.Set: "a set",
    ast.IfExp: "a choice by if", ast.Lambda: "a lambda", ast.ListComp: "a comprehension",
    ast.GeneratorExp: "a generator", ast.JoinedStr: "an f-string", ast.Starred: "a starred value",
}  # fmt: skip
"""What syntax is called that has no dtype."""


class Source(NamedTuple):
    """An expression, read.

    Attributes:
        text: the text.
        tree: its syntax.
        operands: the operands in it, by the names that stand for them.
    """

    text: str
    tree: ast.expr
    operands: Mapping[str, Operand]

    def of(self, node: ast.AST) -> str:
        """Return the text of a part."""
        start, end = self.span(node)
        return self.text[start:end]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return where a part begins and ends."""
        start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        if self.text.isascii():
            return start, end
        line = self.text.encode()  # columns count bytes
        return len(line[:start].decode()), len(line[:end].decode())

    def error(self, message: str, node: ast.AST, candidates: Any = ()) -> ExpressionError:
        """Return an error that points at a part."""
        return ExpressionError(message, self.text, self.span(node)[0], candidates)


def is_expression(text: str) -> bool:
    """Tell whether a text can only be an expression, and is not an operand or a name.

    >>> is_expression("int32[3] + 1"), is_expression("int32[3]"), is_expression("-1")
    (True, False, False)
    """
    if not _SIGNS.search(text):
        return False
    try:
        if begins_as_operand(text):
            parse(text)
            return False
    except DTypeError:
        pass
    return True


def read(text: str, given: Mapping[str, Any] | None = None) -> Source:
    """Return an expression, read.

    Args:
        text: the expression.
        given: operands by the names that the expression has for them.

    Raises:
        ExpressionError: if it is not an expression, or has none of the names that are given.
        DTypeError: if something given is not an operand.
    """
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
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = (getattr(error, "offset", None) or len(line) + 1) - 1
        what = getattr(error, "msg", None) or "it is nested too deeply"
        raise ExpressionError(f"not an expression: {what}", line, min(column, len(line))) from None
    return Source(line, tree, operands)


def _given(name: str, value: Any) -> Operand:
    found = parse(value) if isinstance(value, str) else operand(value)
    return found._replace(text=name)


def _mask(
    found: re.Match[str], operands: dict[str, Operand], given: Sequence[str], line: str
) -> str:
    """Return the name that stands for an operand, and note what it stands for."""
    whole, name = found[0], found[1]
    if name is not None and not found[2] and name in given:
        return whole  # x[0] is an element of what is given
    if name is not None and not _is_dtype(f"{name}*" if name in _PYTHON else name):
        if found[2] or not re.fullmatch(r"[a-z]+\d+\w*", name):
            return whole
        hint, close = did_you_mean(name, list(names()))
        what = f"{name!r} is not the name of a dtype{hint}"
        raise ExpressionError(what, line, found.start(), close)
    if found[2] and name not in _PYTHON:  # a weak array that has a width
        made = parse(whole.replace("*[", "["))._replace(weak=True, text=whole)
    else:
        made = parse(whole)
    key = f"_{len(operands)}".ljust(len(whole), "_")
    operands[key] = made
    return key


def _is_dtype(name: str) -> bool:
    try:
        return is_name(name) or parse(name) is not None
    except DTypeError:
        return False


def dtype_of(source: Source, node: ast.expr) -> DType:
    """Return the dtype that a part names, such as ``float32``, ``np.float32`` or ``"float32"``.

    Raises:
        ExpressionError: if it names none.
    """
    if isinstance(node, ast.Name) and node.id in source.operands:
        x = source.operands[node.id]
        if x.form != "dtype":
            raise source.error(f"{x.text} is not a dtype", node)
        return x.dtype
    name = node.value if isinstance(node, ast.Constant) else ast.unparse(node).rpartition(".")[2]
    try:
        if name in ("int", "float", "complex", "bool"):
            return dtype(
                {"int": "int64", "float": "float64", "complex": "complex128"}.get(name, name)
            )
        return dtype({"bool_": "bool", "half": "float16", "double": "float64"}.get(str(name), name))
    except DTypeError as error:
        raise source.error(str(error), node, error.candidates) from None

"""Where Python is while it evaluates: in the text of an expression, or in a program."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any

from ..errors import ExpressionError
from .text import Source


class Place:
    """Where Python is, and what is said of it; as it stands, nowhere.

    Attributes:
        text: the text of what Python computes now, or ``""`` if there is none.
        start: where that begins.
        names: the names of operands.
        is_call: whether it computes a call.
        index: the part that is an index.
    """

    text: str = ""
    start: int = 0
    names: Sequence[str] = ()
    is_call: bool = False
    index: Any = None

    def part(self, place: int | str | None) -> Any:
        """Return an argument of the call that Python computes, as `of` and `error` take it."""
        return place

    def of(self, part: Any) -> str:
        """Return the text of a part."""
        return "an argument" if part is None else f"argument {part!r}"

    def error(self, message: str, part: Any, candidates: Any) -> ExpressionError:  # noqa: ARG002  # nowhere
        """Return an error that points at a part, or at what Python computes."""
        return ExpressionError(message, "", 0, candidates)


class InText(Place):
    """Where Python is in the text of an expression, by the line of its code.

    Args:
        source: the expression.
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    @property
    def _node(self) -> ast.expr:
        """The node that Python computes; the expression, if it is done."""
        frame = sys._getframe()  # noqa: SLF001  # it is documented
        while frame.f_code is not self.source.code:
            if frame.f_back is None:
                return self.source.tree
            frame = frame.f_back
        return self.source.nodes[frame.f_lineno - 1]

    @property
    def text(self) -> str:  # type: ignore[override]  # it changes
        """The text of the node."""
        return self.source.of(self._node)

    @property
    def start(self) -> int:  # type: ignore[override]  # as above
        """Where the node begins."""
        return self.source.span(self._node)[0]

    @property
    def names(self) -> Sequence[str]:  # type: ignore[override]  # as above
        """The names of operands."""
        return [x for x in self.source.operands if not x.startswith("_")]

    @property
    def is_call(self) -> bool:  # type: ignore[override]  # as above
        """Whether the node is a call."""
        return isinstance(self._node, ast.Call)

    @property
    def index(self) -> ast.expr:
        """The index of the node, if it has one."""
        node = self._node
        return node.slice if isinstance(node, ast.Subscript) else node

    def part(self, place: int | str | None) -> ast.expr:
        """Return the node of an argument."""
        node = self._node
        if not isinstance(node, ast.Call) or place is None:
            return node
        named = {k.arg: k.value for k in node.keywords}
        if isinstance(place, int):
            return node.args[place] if place < len(node.args) else node
        return named.get(place, node)

    def of(self, part: ast.expr) -> str:
        """Return the text of a node."""
        return self.source.of(part)

    def error(self, message: str, part: ast.expr | None, candidates: Any) -> ExpressionError:
        """Return an error that points at a node."""
        return self.source.error(message, part or self._node, candidates)

"""Where an expression stands: its scope, and what is kept there of its operands."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import NamedTuple

from ..model.locations import Span


class Kept(NamedTuple):
    """An operand: the expression in its place, how a probe reads it again, and where it is kept.

    The variable, if it is kept in one, is to be let go.
    """

    expression: ast.expr
    again: ast.expr
    variable: str | None
    span: Span | None


@dataclass
class Aside:
    """Where a comprehension keeps operands: a variable of its own.

    Attributes:
        name: what the variable is called.
        is_used: whether anything is kept in it.
    """

    name: str
    is_used: bool = False


class Scope:
    """A module, class or function.

    Attributes:
        kind: ``"module"``, ``"class"`` or ``"function"``.
        parameters: what a function's parameters are called.
        returned: what the return statement at hand returns.
        in_use: how many temporary variables the statement at hand has.
        used: the temporary variables that were used, and the numbers of what was kept otherwise.
        numbers: the variables that were a number, when it was last written out what they are.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.parameters: frozenset[str] = frozenset()
        self.returned: ast.expr | None = None
        self.in_use = 0
        self.used: set[str | int] = set()
        self.numbers: set[str] = set()

    def read(self, node: ast.Assign) -> None:
        """Take note of the variables that are assigned what is written out."""
        if isinstance(node.value, ast.Constant):
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            is_number = isinstance(node.value.value, (int, float, complex))
            self.numbers = self.numbers | names if is_number else self.numbers - names


class Known:
    """What is known of the names of a module that comes in parts, as a notebook does.

    Attributes:
        rebound: the names that an expression may bind, or a call delete.
        compilers: the names of libraries that know Python's own bytecode alone.
    """

    def __init__(self) -> None:
        self.rebound: set[str] = set()
        self.compilers: set[str] = set()

    def meet(self, rebound: set[str], compilers: set[str]) -> None:
        """Take up what a part says, and let it know what those before it said."""
        rebound |= self.rebound
        compilers |= self.compilers
        self.rebound, self.compilers = rebound, compilers

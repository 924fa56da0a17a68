"""The program's own syntax tree, with probes in it: its statements and scopes.

What happens in expressions is in `expressions`. A statement stays the statement that it was, except
that ``a[i] += v`` is written out where its operands have to be kept. Annotations, type parameters
and patterns stay as they are.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Final, TypeVar

from ..model.locations import Table
from .assignments import IN_PLACE, Assignments, stores
from .ast_builders import at, call, is_starred
from .scopes import Aside, Known, Scope

NAMES: Final = (
    "BINARY", "BOTH", "CALL", "DROP", "FOLLOW", "FREE", "HELD", "HIDE", "HOLD", "INDEX",
    "IN_PLACE", "ITERATE", "KEEP", "KEPT", "LEFT", "PART", "PUT", "RIGHT", "SLICE", "SPACES",
    "STR", "TAKE", "TYPE", *IN_PLACE.values(),
)  # fmt: skip
"""What rewritten code refers to; `constant` gives the placeholder for each."""

# From Python 3.12 on, the variables of a function that a comprehension binds are not a closure's.
_INLINES: Final = sys.version_info >= (3, 12)

_HAND_ON: Final = {"enumerate", "zip"}

# Libraries that compile functions from their bytecode, and know Python's own alone.
_COMPILERS: Final = {"numba"}

Tree = TypeVar("Tree", bound=ast.mod)
Comprehension = TypeVar("Comprehension", ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def rewrite(tree: Tree, file: str, known: Known | None = None) -> tuple[Tree, Table]:
    """Return the tree with probes in it, and its places, which are said to be in `file`."""
    rewriter = _Rewriter(tree, file)
    if known is not None:
        known.meet(rewriter.rebound, rewriter.compilers)
    return rewriter.visit(tree), rewriter.places  # type: ignore[return-value]  # a module gives one


class _Rewriter(Assignments):
    def __init__(self, tree: ast.mod, file: str) -> None:
        super().__init__(tree, file)
        self.compilers = {
            (alias.asname or alias.name).partition(".")[0]
            for node in self.imports
            for alias in node.names
            if _library(node, alias) in _COMPILERS
        }

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.stmt):
            self.scope.in_use = 0
        return super().visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:  # noqa: N802  # as the base class calls it
        self.unused = node.value
        return self.generic_visit(node)  # type: ignore[return-value]  # it is the node

    def visit_Return(self, node: ast.Return) -> ast.stmt:  # noqa: N802  # as the base class calls it
        self.scope.returned = node.value
        return self.generic_visit(node)  # type: ignore[return-value]  # it is the node

    # where an exception may be caught, what it left in temporary variables is let go

    @contextmanager
    def forgetting(self) -> Iterator[list[ast.stmt]]:
        """Give the statements that let go of what those inside used, once that is known."""
        outer, self.scope.used = self.scope.used, set()
        forget: list[ast.stmt] = []
        yield forget
        names = sorted(name for name in self.scope.used if isinstance(name, str))
        numbers = [number for number in self.scope.used if isinstance(number, int)]
        if names:
            targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
            forget.append(ast.Assign(targets, ast.Constant(None)))
        if numbers:
            ends = ast.Constant(min(numbers)), ast.Constant(max(numbers))
            forget.append(ast.Expr(call("DROP", *ends)))
        self.scope.used |= outer

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.stmt:  # noqa: N802  # as the base class calls it
        with self.forgetting() as forget_all:
            with self.forgetting() as forget:
                node.body = self.body(node.body)
            for handler in node.handlers:
                handler.type = handler.type and self.visit(handler.type)  # type: ignore[assignment]  # an expression gives one
                handler.body = [*_before(handler.body, forget), *self.body(handler.body)]
            node.orelse = self.body(node.orelse)
        if node.finalbody:
            node.finalbody = [*_before(node.finalbody, forget_all), *self.body(node.finalbody)]
        return node

    visit_TryStar = visit_Try  # noqa: N815  # as the base class calls it

    def visit_With(self, node: ast.With | ast.AsyncWith) -> list[ast.stmt]:  # noqa: N802  # as the base class calls it
        with self.forgetting() as forget:
            for item in node.items:
                self.visit(item)
            node.body = self.body(node.body)
        return [node, *_before([node], forget)]

    visit_AsyncWith = visit_With  # noqa: N815  # the same

    # what runs over an array takes elements out of it

    def visit_For(self, node: ast.For) -> ast.stmt:  # noqa: N802  # as the base class calls it
        node.iter = self.iterable(node.iter)
        assigned: list[ast.stmt] = []
        if stores(node.target):
            node.target, assigned = self.unpacks(node.target)
        else:
            node.target = self.visit(node.target)  # type: ignore[assignment]  # an expression gives one
        node.body = [*assigned, *self.body(node.body)]
        node.orelse = self.body(node.orelse)
        return node

    def iterable(self, node: ast.expr) -> ast.expr:
        """Visit what a loop runs over; ``enumerate`` and ``zip`` hand elements on."""
        hands_on = isinstance(node, ast.Call) and getattr(node.func, "id", "") in _HAND_ON
        if isinstance(node, ast.Call) and hands_on and not any(map(is_starred, node.args)):
            node.args = [self.iterable(argument) for argument in node.args]
            return node
        if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.GeneratorExp)):
            return self.visit(node)  # type: ignore[return-value]  # an expression gives one
        visited: ast.expr = self.visit(node)  # type: ignore[assignment]  # the same
        return at(node, call("ITERATE", visited))

    # what has a scope of its own

    @contextmanager
    def inside(self, kind: str) -> Iterator[None]:
        """Make the statements inside those of a new scope."""
        outer = self.scope, self.in_iterable, self.aside
        self.scope, self.in_iterable, self.aside = Scope(kind), False, None
        yield
        self.scope, self.in_iterable, self.aside = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:  # noqa: N802  # as the base class calls it
        compiled = any(_root(decorator) in self.compilers for decorator in node.decorator_list)
        node.decorator_list = self.all(node.decorator_list)
        self.defaults(node.args)
        if not compiled:
            named = node.args
            each = (*named.posonlyargs, *named.args, *named.kwonlyargs, named.kwarg)
            with self.inside("function"):
                self.scope.parameters = frozenset(a.arg for a in each if a is not None)
                node.body = self.body(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  # as the base class calls it

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:  # noqa: N802  # as the base class calls it
        self.defaults(node.args)
        in_iterable = self.in_iterable
        with self.inside("function"), self.without_variables(when=in_iterable):
            node.body = self.visit(node.body)  # type: ignore[assignment]  # an expression gives one
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:  # noqa: N802  # as the base class calls it
        node.decorator_list = self.all(node.decorator_list)
        # the bases of a generic class are evaluated where no variable can be bound
        with self.without_variables(when=bool(getattr(node, "type_params", ()))):
            node.bases = self.all(node.bases)
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)  # type: ignore[assignment]  # the same
        with self.inside("class"):
            node.body = self.body(node.body)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:  # noqa: N802  # as the base class calls it
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        node.guard = node.guard and self.visit(node.guard)  # type: ignore[assignment]  # the same
        node.body = self.body(node.body)
        return node

    def comprehension(self, node: Comprehension) -> Comprehension:
        first, *others = node.generators
        with self.without_variables(when=True):
            first.iter = self.iterable(first.iter)
        outer, aside = self.aside, Aside(f"@c{next(self.fresh)}")
        is_part = _INLINES and not isinstance(node, ast.GeneratorExp)
        if not (is_part and self.has_variables):
            self.aside = aside
        for generator in others:
            with self.without_variables(when=True):
                generator.iter = self.iterable(generator.iter)
        for generator in node.generators:
            generator.ifs = self.all(generator.ifs)
        for field in ("key", "value", "elt"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        self.aside = outer
        if aside.is_used:  # Python compiles this as an assignment
            name = at(first.target, ast.Name(aside.name, ast.Store()))
            empty = at(first.target, ast.List([ast.Dict([], [])], ast.Load()))
            binding = ast.comprehension(name, empty, first.ifs, 0)
            node.generators, first.ifs = [first, binding, *others], []
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = comprehension  # noqa: N815  # as the base class calls them

    @contextmanager
    def without_variables(self, *, when: bool) -> Iterator[None]:
        """Have no temporary variables inside."""
        outer, self.in_iterable = self.in_iterable, self.in_iterable or when
        yield
        self.in_iterable = outer

    def defaults(self, arguments: ast.arguments) -> None:
        """Visit what is evaluated of a function's parameters where the function is made."""
        arguments.defaults = self.all(arguments.defaults)
        arguments.kw_defaults = [d and self.visit(d) for d in arguments.kw_defaults]  # type: ignore[misc]  # the same

    def all(self, expressions: Sequence[ast.expr]) -> list[ast.expr]:
        """Visit expressions."""
        return [self.visit(e) for e in expressions]  # type: ignore[misc]  # an expression gives one

    def body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Visit statements, each of which may give several."""
        visited: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            visited += new if isinstance(new, list) else [new]  # type: ignore[list-item]  # statements give statements
        return visited


def _before(statements: Sequence[ast.stmt], forget: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return statements that let go, anew, in the place of the first of some statements."""
    return [at(statements[0], deepcopy(statement)) for statement in forget]


def _library(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    name = alias.name if isinstance(node, ast.Import) else node.module or ""
    return name.partition(".")[0]


def _root(decorator: ast.expr) -> str:
    """Return the name that a decorator starts with: ``numba`` of ``@numba.njit(cache=True)``."""
    while isinstance(decorator, (ast.Call, ast.Attribute)):
        decorator = decorator.func if isinstance(decorator, ast.Call) else decorator.value
    return decorator.id if isinstance(decorator, ast.Name) else ""

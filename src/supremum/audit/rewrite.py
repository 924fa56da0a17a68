"""The program's own syntax tree, with a probe behind each operation that may promote.

The operation itself stays where it was, in its own frame: a probe is handed the result, and what
the operands were, and changes nothing. ``x * f(y)`` becomes, inside a function::

    r if type(r := x * (t := f(y))) in NUMBERS else BINARY(7, r, x, t, r := None, t := None)

So errors, warnings and frames are those of the program. A name is read once more where that has no
effect; everything else is kept in a temporary variable, whose name no program can spell, until the
probe has seen it. Where no such variable can be (modules, classes, what a comprehension runs over),
``KEEP(3, f(y))`` hands its value on, and ``TAKE(3)`` gives it to the probe.

The functions meant are constants of the compiled code (see `load`): nothing is added to any
namespace.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from supremum.audit.sites import Site, Spot, add, spot_of

if TYPE_CHECKING:
    from collections.abc import Iterator

OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "true_divide",
    ast.FloorDiv: "floor_divide", ast.Mod: "remainder", ast.Pow: "power", ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and", ast.BitOr: "bitwise_or", ast.BitXor: "bitwise_xor",
    ast.LShift: "left_shift", ast.RShift: "right_shift",
    ast.USub: "negative", ast.UAdd: "positive", ast.Invert: "invert",
    ast.Eq: "equal", ast.NotEq: "not_equal", ast.Lt: "less", ast.LtE: "less_equal",
    ast.Gt: "greater", ast.GtE: "greater_equal",
}  # fmt: skip
"""The operators that are watched, by their names in the array API."""

# In place, as functions: what `x += y` calls.
IN_PLACE: Final[dict[type[ast.AST], str]] = {
    ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv", ast.Mod: "imod", ast.Pow: "ipow", ast.MatMult: "imatmul",
    ast.BitAnd: "iand", ast.BitOr: "ior", ast.BitXor: "ixor",
    ast.LShift: "ilshift", ast.RShift: "irshift",
}  # fmt: skip

NAMES: Final = (
    "BINARY", "CALL", "HIDE", "INDEX", "IN_PLACE", "KEEP", "NUMBERS", "PART", "SLICE", "TAKE", "TYPE",
    *IN_PLACE.values(),
)  # fmt: skip
"""What rewritten code refers to; `constant` gives the placeholder for each."""

# Attributes that are arrays made of another, or scalars made of a dtype.
PARTS = {
    "T", "mT", "H", "mH", "real", "imag", "values", "array", "data", "flat",
    "eps", "epsneg", "tiny", "max", "min", "resolution", "smallest_normal", "smallest_subnormal",
}  # fmt: skip

# Functions of Python that give no arrays; and calls that count the references to their object.
_PLAIN = {
    "super", "globals", "isinstance", "issubclass", "len", "range", "print", "type", "id", "hash",
    "repr", "str", "int", "float", "bool", "complex", "hasattr", "setattr", "delattr", "callable",
    "ord", "chr", "open", "format", "ascii", "bin", "hex", "oct", "input",
}  # fmt: skip
_NAMESPACES = {"locals", "vars", "dir"}
_COUNTS_REFERENCES = {"resize", "getrefcount"}

# Expressions with nothing in them that could be an operand.
_NO_OPERANDS = (
    ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr,
    ast.Dict, ast.Set,
)  # fmt: skip

Tree = TypeVar("Tree", bound=ast.AST)


class Kept(NamedTuple):
    """An operand: the expression in its place, how a probe reads it again, and how to let it go."""

    expression: ast.expr
    again: ast.expr
    let_go: tuple[ast.expr, ...]
    spot: Spot | None


class Scope:
    """A module, class or function, and the temporary variables it has use for."""

    def __init__(self, *, variables: bool) -> None:
        self.variables = variables
        self.in_use = 0


def constant(name: str) -> str:
    """Return the text that stands for a function or a set in the tree."""
    return f"\0supremum {name}"


def rewrite(tree: ast.Module, file: str) -> ast.Module:
    """Return the tree with probes in it; `file` is what its places are said to be in."""
    return ast.fix_missing_locations(_Rewriter(tree, file).visit(tree))


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Constant(constant(name)), list(arguments), [])


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _store(name: str, value: ast.expr) -> ast.NamedExpr:
    return ast.NamedExpr(ast.Name(name, ast.Store()), value)


def _at(node: ast.AST, new: Tree) -> Tree:
    """Place a new tree where a node is, and so every part of it that has no place yet."""
    for part in ast.walk(new):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return new


class _Rewriter(ast.NodeTransformer):
    def __init__(self, tree: ast.Module, file: str) -> None:
        self.file = file
        self.scope = Scope(variables=False)
        self.in_iterable = False
        self.in_comprehension = False
        self.fresh = count()
        # names that an expression may bind are not read twice
        self.rebound = {
            n.target.id
            for n in ast.walk(tree)
            if isinstance(n, ast.NamedExpr) and isinstance(n.target, ast.Name)
        }

    # what a probe is made of

    def site(
        self,
        node: ast.expr | ast.stmt,
        form: str,
        name: str,
        kept: Sequence[Kept] = (),
        keywords: Sequence[str] = (),
    ) -> ast.Constant:
        spots = tuple(k.spot for k in kept)
        return ast.Constant(add(Site(self.file, spot_of(node), form, name, spots, tuple(keywords))))

    @property
    def has_variables(self) -> bool:
        return self.scope.variables and not self.in_iterable

    def variable(self) -> str:
        # the body of a comprehension may run in between: it shares no variable with its function
        if self.in_comprehension:
            return f"@c{next(self.fresh)}"
        self.scope.in_use += 1
        return f"@{self.scope.in_use}"

    def keep(self, value: ast.expr, spot: Spot | None = None) -> Kept:
        """Return a visited expression whose value can be read again."""
        if self.has_variables:
            name = self.variable()
            let_go = _store(name, ast.Constant(None))
            return Kept(_at(value, _store(name, value)), _load(name), (let_go,), spot)
        number = ast.Constant(next(self.fresh))
        return Kept(_at(value, _call("KEEP", number, value)), _call("TAKE", number), (), spot)

    def operand(self, node: ast.expr) -> Kept:
        """Return an operand, visited, such that a probe can read it again."""
        spot = spot_of(node)
        if isinstance(node, ast.Name) and node.id not in self.rebound:
            return Kept(node, _load(node.id), (), spot)
        if isinstance(node, ast.Constant):
            return Kept(node, ast.Constant(node.value), (), spot)
        visited = self.visit(node)
        if isinstance(node, _NO_OPERANDS) or _is_super(node):
            return Kept(visited, ast.Constant(None), (), None)
        return self.keep(visited, spot)

    def probed(
        self,
        name: str,
        site: ast.Constant,
        operation: ast.expr,
        kept: Sequence[Kept],
        again: Sequence[ast.expr],
    ) -> ast.expr:
        """Return an operation whose result goes through a probe, unless it is a number."""
        let_go = [expression for k in kept for expression in k.let_go]
        # numbers may leave others in the variables of their operands, but a call may leave arrays
        if not self.has_variables or (let_go and name == "CALL"):
            return _at(operation, _call(name, site, operation, *again, *let_go))
        result = self.variable()
        test = ast.Compare(
            _call("TYPE", _store(result, operation)),
            [ast.In()],
            [ast.Constant(constant("NUMBERS"))],
        )
        let_go = [_store(result, ast.Constant(None)), *let_go]
        probe = _call(name, site, _load(result), *again, *let_go)
        return _at(operation, ast.IfExp(test, _load(result), probe))

    # expressions

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if any(_is_text(side) for side in (node.left, node.right)) or _is_number(node):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.left), self.operand(node.right)]
        node.left, node.right = (k.expression for k in kept)
        site = self.site(node, "operator", OPERATORS[type(node.op)], kept)
        return self.probed("BINARY", site, node, kept, [k.again for k in kept])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not) or _is_number(node):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.operand)]
        node.operand = kept[0].expression
        site = self.site(node, "operator", OPERATORS[type(node.op)], kept)
        return self.probed("PART", site, node, kept, [kept[0].again])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) > 1 or type(node.ops[0]) not in OPERATORS or _is_text(node.comparators[0]):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.left), self.operand(node.comparators[0])]
        node.left, node.comparators = kept[0].expression, [kept[1].expression]
        site = self.site(node, "comparison", OPERATORS[type(node.ops[0])], kept)
        return self.probed("BINARY", site, node, kept, [k.again for k in kept])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.value)]
        node.value = kept[0].expression
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        node.slice = self.visit(node.slice)
        site = self.site(node, "part", key if isinstance(key, str) else "", kept)
        return self.probed("PART", site, node, kept, [kept[0].again])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.ctx, ast.Load) or node.attr not in PARTS:
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.value)]
        node.value = kept[0].expression
        return self.probed(
            "PART", self.site(node, "part", node.attr, kept), node, kept, [kept[0].again]
        )

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _NAMESPACES and not node.args and not node.keywords:
            return _at(node, _call("HIDE", node))
        if name in _PLAIN:
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        base = Kept(node.func, ast.Constant(None), (), None)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in _COUNTS_REFERENCES:
                return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
            base = self.operand(node.func.value)
            node.func.value = base.expression
        elif isinstance(node.func, ast.Name):
            base = base._replace(again=_load(name))
        else:
            node.func = self.visit(node.func)
        kept, keywords = [base], []
        for index, argument in enumerate(node.args):
            kept.append(self.argument(argument))
            keywords.append("*" if isinstance(argument, ast.Starred) else "")
            node.args[index] = kept[-1].expression
        for keyword in node.keywords:
            kept.append(self.operand(keyword.value))
            keywords.append(keyword.arg or "**")
            keyword.value = kept[-1].expression
        site = self.site(node, "call", name, kept, keywords)
        arguments = ast.Tuple([k.again for k in kept[1:]], ast.Load())
        return self.probed("CALL", site, node, kept, [base.again, arguments])

    def argument(self, node: ast.expr) -> Kept:
        if not isinstance(node, ast.Starred):
            return self.operand(node)
        kept = self.operand(node.value)
        return kept._replace(expression=_at(node, ast.Starred(kept.expression, ast.Load())))

    # statements

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.stmt):
            self.scope.in_use = 0
        return super().visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        value = self.operand(node.value)
        base = self.operand(target.value)
        kept = [base, value]
        node.value, target.value = value.expression, base.expression
        self.watch_store(target, self.site(node, "store", "", kept), kept)
        return node

    def watch_store(self, target: ast.Subscript, site: ast.Constant, kept: Sequence[Kept]) -> None:
        """Let a probe see what is stored where, once the index is known."""
        index = _as_object(self.visit(target.slice))
        let_go = [expression for k in kept for expression in k.let_go]
        probe = _call("INDEX", site, index, *(k.again for k in kept), *let_go)
        target.slice = _at(target.slice, probe)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        if isinstance(node.target, ast.Name):
            return self.in_place_name(node, node.target)
        return self.in_place_part(node, node.target)

    def in_place_name(self, node: ast.AugAssign, target: ast.Name) -> list[ast.stmt]:
        spot = spot_of(target)
        if not self.scope.variables:
            value = self.operand(node.value)
            old = Kept(target, _load(target.id), (), spot)
            return [_at(node, ast.Assign([target], self.in_place(node, old, value)))]
        # the statement stays as it is: Python makes `text += more` fast only in this form
        old = self.variable()
        value = self.operand(node.value)
        node.value = value.expression
        site = self.site(node, "in place", OPERATORS[type(node.op)], [value._replace(spot=spot), value])
        numbers = ast.Constant(constant("NUMBERS"))

        def is_number() -> ast.expr:
            now = ast.copy_location(_load(target.id), target)
            return ast.Compare(_call("TYPE", now), [ast.In()], [numbers])

        before = ast.IfExp(is_number(), ast.Constant(None), ast.copy_location(_load(target.id), target))
        let_go = [_store(old, ast.Constant(None)), *value.let_go]
        probe = _call("IN_PLACE", site, _load(target.id), _load(old), value.again, *let_go)
        changed = ast.If(ast.UnaryOp(ast.Not(), is_number()), [ast.Expr(probe)], [])
        first = ast.Assign([ast.Name(old, ast.Store())], before)
        return [_at(target, first), node, _at(node, changed)]

    def in_place_part(
        self, node: ast.AugAssign, target: ast.Attribute | ast.Subscript
    ) -> list[ast.stmt]:
        owner = self.keep(self.visit(target.value), spot_of(target.value))
        kept = [owner]
        read: ast.expr
        if isinstance(target, ast.Attribute):
            read = ast.Attribute(owner.expression, target.attr, ast.Load())
        else:
            key = self.keep(_as_object(self.visit(target.slice)))
            kept.append(key)
            read = ast.Subscript(owner.expression, key.expression, ast.Load())
            target.slice = _at(target.slice, key.again)
        target.value = _at(target.value, owner.again)
        old = self.keep(ast.copy_location(read, target), spot_of(target))
        changed = self.in_place(node, old, self.operand(node.value))
        let_go = [_at(node, ast.Expr(expression)) for k in kept for expression in k.let_go]
        return [_at(node, ast.Assign([target], changed)), *let_go]

    def in_place(self, node: ast.AugAssign, old: Kept, value: Kept) -> ast.expr:
        """Return what an operation in place gives, as an expression."""
        site = self.site(node, "in place", OPERATORS[type(node.op)], [old, value])
        if isinstance(old.expression, ast.Name):
            old = old._replace(expression=ast.copy_location(_load(old.expression.id), node.target))
        operation = _call(IN_PLACE[type(node.op)], old.expression, value.expression)
        let_go = (*old.let_go, *value.let_go)
        return _at(node, _call("IN_PLACE", site, operation, old.again, value.again, *let_go))

    # what has a scope of its own; annotations, type parameters and patterns stay as they are

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        outer = self.scope, self.in_iterable, self.in_comprehension
        self.scope, self.in_iterable, self.in_comprehension = scope, False, False
        yield
        self.scope, self.in_iterable, self.in_comprehension = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        self.defaults(node.args)
        with self.inside(Scope(variables=True)):
            node.body = self.body(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  # as the base class calls it

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self.defaults(node.args)
        in_iterable = self.in_iterable
        with self.inside(Scope(variables=True)), self.without_variables(when=in_iterable):
            node.body = self.visit(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        # the bases of a generic class are evaluated where no variable can be bound
        with self.without_variables(when=bool(getattr(node, "type_params", ()))):
            node.bases = [self.visit(base) for base in node.bases]
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)
        with self.inside(Scope(variables=False)):
            node.body = self.body(node.body)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        node.guard = node.guard and self.visit(node.guard)
        node.body = self.body(node.body)
        return node

    def comprehension(self, node: Tree) -> Tree:
        outer = self.in_comprehension
        for generator in node.generators:  # type: ignore[attr-defined]  # every comprehension's
            with self.without_variables(when=True):
                generator.iter = self.visit(generator.iter)
        self.in_comprehension = True
        for generator in node.generators:  # type: ignore[attr-defined]  # the same
            generator.ifs = [self.visit(condition) for condition in generator.ifs]
        for field in ("key", "value", "elt"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        self.in_comprehension = outer
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = comprehension  # noqa: N815  # as the base class calls them

    @contextmanager
    def without_variables(self, *, when: bool) -> Iterator[None]:
        outer, self.in_iterable = self.in_iterable, self.in_iterable or when
        yield
        self.in_iterable = outer

    def defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.visit(d) for d in arguments.defaults]
        arguments.kw_defaults = [d and self.visit(d) for d in arguments.kw_defaults]

    def body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        visited: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            visited += new if isinstance(new, list) else [new]  # type: ignore[list-item]  # statements give statements
        return visited


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )


def _is_number(node: ast.expr) -> bool:
    """Tell whether an expression is made of constants alone, as ``-1`` and ``2 * 3`` are."""
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant)


def _is_super(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and node.func
    return isinstance(called, ast.Name) and called.id == "super"


def _as_object(index: ast.expr) -> ast.expr:
    """Return an index as an expression that may stand anywhere, slices as calls of `slice`."""
    if isinstance(index, ast.Slice):
        bounds = (index.lower, index.upper, index.step)
        return _at(index, _call("SLICE", *(b or ast.Constant(None) for b in bounds)))
    if isinstance(index, ast.Tuple):
        index.elts = [_as_object(element) for element in index.elts]
    return index

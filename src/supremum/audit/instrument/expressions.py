"""What a probe is made of, and the expressions that get one.

The operation itself stays where it was, in its own frame: a probe is handed the result, and what
the operands were, and changes nothing. ``x * f(y)`` becomes, inside a function, if the place of the
product is ``P``::

    type(r := x * (t := f(y))) is P.plain and ((t := None) or r)
    or BINARY(P, r, x, t, t := (r := None))

This is `r` in any case. (An ``if`` in its place would be another line to a tracer.) So errors,
warnings and frames are those of the program. A name is read once more where that has no effect;
everything else is kept in a temporary variable, whose name no program can spell, until the probe
has seen it. Where no such variable can be (modules, classes, what a comprehension runs over),
``HOLD(3, f(y))`` hands its value on, and ``HELD(3)`` gives it to the probe. A comprehension must
not bind a variable of its function, which would become a closure's: it gets one of its own, a
dictionary, by ``for c in [{}]``: there, it is ``c.setdefault(3, f(y))`` and ``c.pop(3, None)``.

The functions and places meant are constants of the compiled code: nothing is added to any
namespace.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import count
from typing import Final

from ..checks.stores import HEARD, may_store
from ..model.locations import DTYPE_OF, GIVEN, Location, Span, Table, span_of
from .ast_builders import (
    all_of,
    any_of,
    at,
    call,
    compare_is,
    elements,
    has_text,
    is_builtin,
    is_dtype,
    is_in_place,
    is_number,
    is_plain,
    is_resize,
    is_starred,
    is_super,
    is_text,
    kept_in,
    late,
    let_go,
    load,
    may_rebind,
    nodes_of,
    place,
    store,
)
from .scopes import Aside, Kept, Scope

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

# Attributes that are arrays made of another, or scalars made of a dtype.
PARTS = {
    "T", "mT", "H", "mH", "real", "imag", "values", "array", "data", "flat",
    "eps", "epsneg", "tiny", "max", "min", "resolution", "smallest_normal", "smallest_subnormal",
}  # fmt: skip

# Functions of Python that give no arrays.
_PLAIN = {
    "super", "globals", "isinstance", "issubclass", "len", "range", "print", "type", "id", "hash",
    "repr", "str", "int", "float", "bool", "complex", "hasattr", "setattr", "delattr", "callable",
    "ord", "chr", "open", "format", "ascii", "bin", "hex", "oct", "input",
}  # fmt: skip
_NAMESPACES = {"locals", "vars", "dir"}
_EVALUATE = {"eval", "exec"}

# Expressions with nothing in them that could be an operand.
_NO_OPERANDS = (
    ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr,
    ast.Dict, ast.Set,
)  # fmt: skip

_LEAVES: Final = {ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, *OPERATORS}  # no parts

# Python's own compiler gives up on what is nested deeper, with what a probe adds to each level.
_DEEPEST: Final = 60


class Expressions(ast.NodeTransformer):
    """Puts probes behind the operations in expressions.

    Args:
        tree: the module that they are in.
        file: what the places in it are said to be in.
    """

    def __init__(self, tree: ast.mod, file: str) -> None:
        self.places = Table(file)
        self.scope = Scope("module")
        self.in_iterable = False
        self.aside: Aside | None = None  # in a comprehension, but for what it runs over
        self.unused: ast.expr | None = None  # an operation whose result nobody asks for
        self.depth = 0
        self.fresh = count()
        nodes = nodes_of(tree)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        # names that an expression may bind, or a call delete, are not read twice
        self.rebound = {name.id for name in names if isinstance(name.ctx, ast.Del)}
        self.rebound |= {n.target.id for n in nodes if isinstance(n, ast.NamedExpr)}
        self.imports = [n for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom))]

    # what a probe is made of

    def location(
        self,
        node: ast.expr | ast.stmt,
        form: str,
        name: str,
        kept: Sequence[Kept] = (),
        keywords: Sequence[str] = (),
        *,
        written: Sequence[Sequence[Span]] = (),
    ) -> ast.Constant:
        """Return the number of a place."""
        spans, lists = [k.span for k in kept], []
        for spots_of_list in written:
            lists.append(len(spans) if spots_of_list else 0)
            spans += spots_of_list
        found = Location(
            self.places.file, span_of(node), form, name, tuple(spans), tuple(keywords), tuple(lists)
        )
        return place(self.places.add(found))

    @property
    def has_variables(self) -> bool:
        """Whether there can be temporary variables here."""
        return self.scope.kind == "function" and self.aside is None and not self.in_iterable

    def variable(self) -> str:
        """Return the name of a temporary variable that is free."""
        self.scope.in_use += 1
        name = f"@{self.scope.in_use}"
        self.scope.used.add(name)
        return name

    def keep(self, value: ast.expr, span: Span | None = None, *, held: bool = False) -> Kept:
        """Return a visited expression whose value can be read again: by a probe, if held."""
        if self.has_variables:
            name = self.variable()
            return Kept(at(value, store(name, value)), load(name), name, span)
        self.scope.used.add(n := next(self.fresh))
        number = ast.Constant(n)
        if self.aside is not None:
            self.aside.is_used = True
            kept, taken = kept_in(load(self.aside.name), number, value)
            return Kept(at(value, kept), taken, None, span)
        on, back = ("HOLD", "HELD") if held else ("KEEP", "TAKE")
        return Kept(at(value, call(on, number, value)), call(back, number), None, span)

    def can_be_read_again(self, name: str) -> bool:
        """Tell whether reading a name once more has no effect."""
        # the namespace of a class may be the program's own, and take note of who reads it
        in_class = self.scope.kind == "class" and self.aside is None
        return name not in self.rebound and not in_class

    def operand(self, node: ast.expr, other: ast.expr | None = None) -> Kept:
        """Return an operand, visited, such that a probe can read it after the other one."""
        span = span_of(node)
        if isinstance(node, ast.Name) and self.can_be_read_again(node.id):
            if other is None or not may_rebind(other):
                return Kept(node, load(node.id), None, span)
            return self.keep(node, span, held=True)
        if is_number(node):
            return Kept(node, node, None, span)
        visited: ast.expr = self.visit(node)  # type: ignore[assignment]  # an expression gives one
        if isinstance(node, _NO_OPERANDS) or is_super(node):
            return Kept(visited, ast.Constant(None), None, None)
        return self.keep(visited, span, held=True)

    def probed(
        self,
        name: str,
        location: ast.Constant,
        operation: ast.expr,
        kept: Sequence[Kept],
        again: Sequence[ast.expr],
    ) -> ast.expr:
        """Return an operation whose result goes through a probe, unless it is of a dull type."""
        variables = [k.variable for k in kept]
        gone = let_go(variables)
        if not self.has_variables:
            return at(operation, call(*late(name, again, location, operation), *gone))
        result = self.variable()
        first: ast.expr = store(result, operation)
        read = load(result)
        probe = call(name, location, read, *again, *let_go([result, *variables]))
        if isinstance(operation, ast.Compare):
            true = all_of(
                compare_is(first, ast.Is, True), *(compare_is(e, ast.Is, None) for e in gone)
            )
            odd = all_of(compare_is(read, ast.IsNot, False), probe)
            if not gone:
                return at(operation, any_of(true, odd))
            false = all_of(compare_is(read, ast.Is, False), any_of(*gone))
            return at(operation, any_of(true, false, odd))
        cases = []
        if operation is self.unused and name != "PUT":  # then it may well be None
            nothing = any_of(*gone, ast.Constant(value=True))
            cases, first = [all_of(compare_is(first, ast.Is, None), nothing)], read
        dull = has_text(first) if name == "PUT" else is_plain(first, location, operation)
        return at(operation, any_of(*cases, all_of(dull, any_of(*gone, read)), probe))

    # the expressions

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit what a node is made of, as the base class does; most of it has no parts."""
        fields = vars(node)
        for field in node._fields:
            part = fields.get(field)
            if type(part) is list:
                visited: list[object] = []
                for one in part:
                    new = self.visit(one) if isinstance(one, ast.AST) else one
                    visited += new if isinstance(new, list) else [new]
                part[:] = visited
            elif isinstance(part, ast.AST) and type(part) not in _LEAVES:
                fields[field] = self.visit(part)
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        """Visit a node, unless it is nested too deep."""
        if not isinstance(node, ast.expr):
            return super().visit(node)  # type: ignore[no-any-return]  # what visitors return
        if self.depth >= _DEEPEST:
            return node
        self.depth += 1
        visited: ast.AST = super().visit(node)
        self.depth -= 1
        return visited

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Probe an operator."""
        if any(is_text(side) for side in (node.left, node.right)) or is_number(node):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.left, node.right), self.operand(node.right)]
        node.left, node.right = (k.expression for k in kept)
        location = self.location(node, "operator", OPERATORS[type(node.op)], kept)
        return self.probed("BINARY", location, node, kept, [k.again for k in kept])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Probe a sign."""
        if isinstance(node.op, ast.Not) or is_number(node):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.operand)]
        node.operand = kept[0].expression
        location = self.location(node, "operator", OPERATORS[type(node.op)], kept)
        return self.probed("PART", location, node, kept, [kept[0].again])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Probe a comparison, unless it is one of a chain."""
        if len(node.ops) > 1 or type(node.ops[0]) not in OPERATORS or is_text(node.comparators[0]):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.left, node.comparators[0]), self.operand(node.comparators[0])]
        node.left, node.comparators = kept[0].expression, [kept[1].expression]
        location = self.location(node, "comparison", OPERATORS[type(node.ops[0])], kept)
        return self.probed("BINARY", location, node, kept, [k.again for k in kept])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Probe what is taken out of a value."""
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.value)]
        node.value = kept[0].expression
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        node.slice = self.visit(node.slice)  # type: ignore[assignment]  # an expression gives one
        location = self.location(node, "item", key if isinstance(key, str) else "", kept)
        return self.probed("PART", location, node, kept, [kept[0].again])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Probe the attributes that are arrays."""
        if node.attr == "f_locals" and isinstance(node.ctx, ast.Load):
            node.value = self.visit(node.value)  # type: ignore[assignment]  # the same
            return at(node, call("HIDE", node))
        if node.attr == "resize" and isinstance(node.ctx, ast.Load):
            node.value = self.freed(node.value)
            return node
        if not isinstance(node.ctx, ast.Load) or node.attr not in PARTS:
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        kept = [self.operand(node.value)]
        node.value = kept[0].expression
        location = self.location(node, "part", node.attr, kept)
        return self.probed("PART", location, node, kept, [kept[0].again])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Probe a call."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _NAMESPACES and not node.args and not node.keywords:
            return at(node, call("HIDE", node)) if self.shows_variables else node
        if name in _PLAIN or is_in_place(node):
            return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
        if is_resize(node):
            return self.resized(node, node.func)
        base = Kept(node.func, ast.Constant(None), None, None)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name == "getrefcount":
                return self.generic_visit(node)  # type: ignore[return-value]  # it is the node
            base = self.operand(node.func.value)
            node.func.value = base.expression
        elif isinstance(node.func, ast.Name):
            if self.can_be_read_again(name):
                base = base._replace(again=load(name))
        else:
            node.func = self.visit(node.func)  # type: ignore[assignment]  # an expression gives one
        given, spaces = self.hands_on(node), self.spaces(node, name)
        kept, keywords, lists = [base], [], []
        for index, argument in enumerate(node.args):
            name_of = "*" if isinstance(argument, ast.Starred) else ""
            keywords.append(DTYPE_OF if is_dtype(argument) else name_of)
            lists.append(elements(argument))
            kept.append(self.argument(argument))
            node.args[index] = kept[-1].expression
        for keyword in node.keywords:
            keywords.append(DTYPE_OF if is_dtype(keyword.value) else keyword.arg or "**")
            lists.append(elements(keyword.value))
            kept.append(self.argument(keyword.value))
            keyword.value = kept[-1].expression
        node.args += spaces
        if given:
            keywords[-1] = GIVEN
        location = self.location(node, "call", name, kept, keywords, written=lists)
        arguments = ast.Tuple([k.again for k in kept[1:]], ast.Load())
        named = "PUT" if may_store(name) or name in HEARD else "CALL"
        return self.probed(named, location, node, kept, [base.again, arguments])

    @property
    def shows_variables(self) -> bool:
        """Whether the namespace here has temporary variables in it."""
        return self.scope.kind == "function" or self.aside is not None

    def spaces(self, node: ast.Call, name: str) -> list[ast.expr]:
        """Return the namespaces for a call of `eval` that names none, as further arguments."""
        alone = len(node.args) == 1 and not (node.keywords or is_starred(node.args[0]))
        if name not in _EVALUATE or not (is_builtin(node) and alone and self.shows_variables):
            return []
        function = ast.copy_location(load(name), node.func)
        return [at(node, ast.Starred(call("SPACES", function), ast.Load()))]

    def freed(self, node: ast.expr) -> ast.expr:
        """Return an expression, visited, for an array that nobody else may refer to."""
        return at(node, call("FREE", self.visit(node)))  # type: ignore[arg-type]  # an expression gives one

    def resized(self, node: ast.Call, function: ast.expr) -> ast.expr:
        """Return a call of `resize`, which an array refuses if anybody else refers to it."""
        array = owner = function.value if isinstance(function, ast.Attribute) else None
        node.func = self.visit(function)  # type: ignore[assignment]  # an expression gives one
        for index, argument in enumerate(node.args):
            if index or isinstance(argument, ast.Starred):
                node.args[index] = self.visit(argument)  # type: ignore[call-overload]  # the same
            else:  # as in np.ndarray.resize(array, 3)
                node.args[0] = self.freed(argument)
                array = argument if isinstance(argument, ast.Name) else owner
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)  # type: ignore[assignment]  # the same
        if isinstance(function, ast.Name):  # getattr(array, "resize"), which comes before
            return node
        if isinstance(array, ast.Name) and self.can_be_read_again(array.id):
            return at(node, call("FOLLOW", node, load(array.id)))
        return node

    def hands_on(self, node: ast.Call) -> bool:
        """Tell whether a function returns this call, and its caller decides about the dtype."""
        return node is self.scope.returned and any(
            keyword.arg in {"dtype", None}
            and isinstance(keyword.value, ast.Name)
            and keyword.value.id in self.scope.parameters
            for keyword in node.keywords
        )

    def argument(self, node: ast.expr) -> Kept:
        """Return an argument of a call, visited, such that a probe can read it again."""
        if isinstance(node, ast.Attribute) and is_dtype(node):
            owner = self.operand(node.value)
            node.value = owner.expression
            return owner._replace(expression=node)
        if isinstance(node, (ast.Dict, ast.ListComp)):  # the columns of a table, or arrays
            return self.keep(self.visit(node), span_of(node))  # type: ignore[arg-type]  # an expression gives one
        if not isinstance(node, ast.Starred):
            return self.operand(node)
        kept = self.operand(node.value)
        return kept._replace(expression=at(node, ast.Starred(kept.expression, ast.Load())))

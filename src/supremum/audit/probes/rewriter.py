"""The program's own syntax tree, with probes in it.

The operation itself stays where it was, in its own frame: a probe is handed the result, and what
the operands were, and changes nothing. ``x * f(y)`` becomes, if the place of the product is ``P``::

    type(r := x * (t := f(y))) is P.plain and ((t := None) or r)
    or BINARY(P, r, x, t, t := (r := None))

This is `r` in any case. (An ``if`` in its place would be another line to a tracer.) So errors,
warnings and frames are those of the program. A name is read once more where that has no effect;
everything else is kept in a temporary variable, whose name no program can spell, until the probe
has seen it. At the top of a module it is in the frame, too: see `module_variables`. Where no such
variable can be (classes, what a comprehension runs over), ``KEEP(3, f(y))`` hands its value on, and
``TAKE(3)`` gives it to the probe. A comprehension must not bind a variable of its function, which
would become a closure's: it gets one of its own, a dictionary, by ``for c in [{}]``: there, it is
``c.setdefault(3, f(y))`` and ``c.pop(3, None)``. What may be let go as a whole is there as it was,
too: see `formulas`.

A statement stays the statement that it was, except for three. ``a[i] = v`` gets a probe in its
index. What assigns to several targets, as ``a[i], b[i] = f()`` and ``a[i] = b[i] = v`` do, is
written out: what goes into each is kept, then one after the other is assigned to, as Python does
it. ``a[i] += v`` is written out, too, if its operands have to be kept. Annotations, type parameters
and patterns stay as they are.

The functions and places meant are constants of the compiled code: nothing is added to any
namespace.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from itertools import count
from typing import Final, TypeVar

from ..log.stores import is_heard, may_store
from ..model.locations import DTYPE_OF, GIVEN, Location, Span, Table, is_dtype, span_of
from . import formulas
from .ast_builders import (
    all_of,
    any_of,
    as_object,
    at,
    bound,
    call,
    compare_is,
    constant,
    copy_of,
    elements,
    gave_text,
    has_text,
    is_builtin,
    is_in_place,
    is_number,
    is_plain,
    is_resize,
    is_starred,
    is_super,
    is_text,
    kept_in,
    let_go,
    load,
    may_rebind,
    nodes_of,
    place,
    replacing,
    store,
)
from .scopes import Aside, Kept, Known, Scope

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
    ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr, ast.Dict, ast.Set,
)  # fmt: skip

# Operators whose results are hardly ever texts.
_OF_NUMBERS = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)

# Expressions that may be formulas.
_FORMULAS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute, ast.Call)

_LEAVES: Final = {ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, *OPERATORS}  # no parts

# Python's own compiler gives up on what is nested deeper, with what a probe adds to each level.
_DEEPEST: Final = 40


# In place, as functions: what `x += y` calls.
IN_PLACE: Final[dict[type[ast.AST], str]] = {
    ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv", ast.Mod: "imod", ast.Pow: "ipow", ast.MatMult: "imatmul",
    ast.BitAnd: "iand", ast.BitOr: "ior", ast.BitXor: "ixor",
    ast.LShift: "ilshift", ast.RShift: "irshift",
}  # fmt: skip


NAMES: Final = (
    "BINARY", "CALL", "DROP", "FOLLOW", "FREE", "HIDE", "INDEX", "IN_PLACE", "ITERATE", "KEEP",
    "KEPT", "OPENS", "PART", "PASS", "PUT", "SEEN", "SLICE",
    "SPACES", "STR", "TAKE", "TYPE", *IN_PLACE.values(),
)  # fmt: skip
"""What rewritten code refers to; `constant` gives the placeholder for each."""

# From Python 3.12 on, the variables of a function that a comprehension binds are not a closure's.
_INLINES: Final = sys.version_info >= (3, 12)

_HAND_ON: Final = {"enumerate", "zip"}

# Libraries that compile functions from their bytecode, and know Python's own alone; each with the
# variable of the environment that has it leave them to Python.
_COMPILERS: Final = {"numba": "NUMBA_DISABLE_JIT"}

Tree = TypeVar("Tree", bound=ast.mod)
Node = TypeVar("Node", bound=ast.AST)
Comprehension = TypeVar("Comprehension", ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def rewrite(tree: Tree, file: str, known: Known | None = None) -> tuple[Tree, Table]:
    """Return the tree with probes in it, and its places, which are said to be in `file`."""
    rewriter = Rewriter(tree, file)
    if known is not None:
        known.meet(rewriter.rebound, rewriter.compilers)
    return rewriter.visit(tree), rewriter.places  # type: ignore[return-value]  # a module gives one


class Rewriter(ast.NodeTransformer):
    """Puts probes behind the operations of a program.

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
        self.shows_values = isinstance(tree, ast.Interactive)  # those of statements
        self.depth = 0
        self.fresh = count()
        self.replaced: dict[ast.BinOp, int] = {}
        self.loops = 0  # around the statement at hand, in its scope
        self.formula: formulas.Formula | None = None  # around the expression at hand
        self.formula_numbers = count()
        self.unfit: set[ast.expr] = set()  # what is no formula
        self.numbers: dict[ast.AST, int] = {}  # of the places of the formula's operations
        nodes = nodes_of(tree)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        # names that an expression may bind, or a call delete, are not read twice
        self.rebound = {name.id for name in names if isinstance(name.ctx, ast.Del)}
        self.rebound |= {n.target.id for n in nodes if isinstance(n, ast.NamedExpr)}
        compiling = compilers()
        self.compilers = {
            (alias.asname or alias.name).partition(".")[0]
            for node in nodes
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
            if _library(node, alias) in compiling
        }

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
        replaces: int = -1,
    ) -> ast.Constant:
        """Return the number of a place."""
        spans, lists = [k.span for k in kept], []
        for spots_of_list in written:
            lists.append(len(spans) if spots_of_list else 0)
            spans += spots_of_list
        found = Location(
            self.places.file, span_of(node), form, name, tuple(spans), tuple(keywords),
            tuple(lists), 0 if form == "in place" else replaces,
        )  # fmt: skip
        number = self.places.add(found)
        if self.formula is not None:
            self.numbers[node] = number
        return place(number)

    @property
    def has_variables(self) -> bool:
        """Whether there can be temporary variables here."""
        return self.scope.kind != "class" and self.aside is None and not self.in_iterable

    def variable(self) -> str:
        """Return the name of a temporary variable that is free."""
        self.scope.in_use += 1
        name = f"@{self.scope.in_use}"
        self.scope.used.add(name)
        return name

    def keep(self, value: ast.expr, span: Span | None = None) -> Kept:
        """Return a visited expression whose value can be read again."""
        if self.has_variables:
            name = self.variable()
            return Kept(at(value, bound(name, value)), load(name), name, span)
        self.scope.used.add(n := next(self.fresh))
        number = ast.Constant(n)
        kept: ast.expr = call("KEEP", number, value)
        taken: ast.expr = call("TAKE", number)
        if self.aside is not None:
            self.aside.is_used = True
            kept, taken = kept_in(load(self.aside.name), number, value)
        return Kept(at(value, kept), taken, None, span)

    def expr(self, node: ast.expr) -> ast.expr:
        """Return a visited expression."""
        return self.visit(node)  # type: ignore[return-value]  # an expression gives one

    def can_be_read_again(self, name: str) -> bool:
        """Return whether reading a name once more has no effect."""
        # the namespace of a class may be the program's own, and take note of who reads it
        in_class = self.scope.kind == "class" and self.aside is None
        return name not in self.rebound and not in_class

    def operand(self, node: ast.expr, other: ast.expr | None = None) -> Kept:
        """Return an operand, visited, such that a probe can read it after the other one."""
        span = span_of(node)
        if isinstance(node, ast.Name) and self.can_be_read_again(node.id):
            if other is None or not may_rebind(other):
                return Kept(node, load(node.id), None, span)
            return self.keep(node, span)
        if is_number(node):
            return Kept(node, node, None, span)
        visited: ast.expr = self.expr(node)
        if isinstance(node, _NO_OPERANDS) or is_super(node):
            return Kept(visited, ast.Constant(None), None, None)
        return self.keep(visited, span)

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
            return at(operation, call(name, location, operation, *again))
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

    # expressions

    def parts_of(self, node: Node) -> Node:
        """Visit what a node is made of; returns the node."""
        return self.generic_visit(node)  # type: ignore[return-value]  # it is the node

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
        if isinstance(node, ast.stmt):
            self.scope.in_use = 0
        if not isinstance(node, ast.expr):
            return super().visit(node)  # type: ignore[no-any-return]  # what visitors return
        if self.depth >= _DEEPEST:
            return node
        self.depth += 1
        scope, in_use = self.scope, self.scope.in_use
        formula = self.formula_of(node)
        visited: ast.AST = (
            super().visit(node) if formula is None else self.formula_twice(node, formula)
        )
        scope.in_use = in_use  # what runs next may use the same variables
        self.depth -= 1
        return visited

    def formula_of(self, node: ast.expr) -> formulas.Formula | None:
        """Return what is known of an expression that is a formula, if it may run often."""
        is_inside = self.formula is not None or not isinstance(node, _FORMULAS)
        if is_inside or not self.has_variables or self.depth > _DEEPEST // 2:
            return None
        if node in self.unfit or not (self.loops or self.scope.kind == "function"):
            return None
        found = formulas.Formula(node, self.rebound, self.unfit)
        return found if found.is_worth_it else None

    def formula_twice(self, node: ast.expr, formula: formulas.Formula) -> ast.expr:
        """Return a formula, visited, and as it is for where it is let go."""
        plain, result = copy_of(node), self.variable()
        self.formula, self.numbers = formula, {}
        probed: ast.expr = super().visit(node)  # an expression gives one
        self.formula = None
        if not all(step.place in self.numbers for step in formula.steps):
            return probed  # it is nested too deep
        places = [self.numbers[step.place] for step in formula.steps]
        number = next(self.formula_numbers)
        return formulas.let_go(number, formula, places, plain=plain, probed=probed, result=result)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Probe an operator."""
        if any(is_text(side) for side in (node.left, node.right)) or is_number(node):
            return self.parts_of(node)
        replaces = self.replaced.pop(node, -1)
        kept = [self.operand(node.left, node.right), self.operand(node.right)]
        node.left, node.right = (k.expression for k in kept)
        name = OPERATORS[type(node.op)]
        location = self.location(node, "operator", name, kept, replaces=replaces)
        return self.probed("BINARY", location, node, kept, [k.again for k in kept])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Probe a sign."""
        if isinstance(node.op, ast.Not) or is_number(node):
            return self.parts_of(node)
        kept = [self.operand(node.operand)]
        node.operand = kept[0].expression
        location = self.location(node, "operator", OPERATORS[type(node.op)], kept)
        return self.probed("PART", location, node, kept, [kept[0].again])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Probe a comparison, unless it is one of a chain."""
        if len(node.ops) > 1 or type(node.ops[0]) not in OPERATORS or is_text(node.comparators[0]):
            return self.parts_of(node)
        kept = [self.operand(node.left, node.comparators[0]), self.operand(node.comparators[0])]
        node.left, node.comparators = kept[0].expression, [kept[1].expression]
        location = self.location(node, "comparison", OPERATORS[type(node.ops[0])], kept)
        return self.probed("BINARY", location, node, kept, [k.again for k in kept])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Probe what is taken out of a value."""
        if not isinstance(node.ctx, ast.Load):
            return self.parts_of(node)
        kept = [self.operand(node.value)]
        node.value = kept[0].expression
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        node.slice = self.expr(node.slice)
        location = self.location(node, "item", key if isinstance(key, str) else "", kept)
        return self.probed("PART", location, node, kept, [kept[0].again])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Probe the attributes that are arrays."""
        if node.attr == "f_locals" and isinstance(node.ctx, ast.Load):
            node.value = self.expr(node.value)
            return at(node, call("HIDE", node))
        if node.attr == "resize" and isinstance(node.ctx, ast.Load):
            node.value = self.freed(node.value)
            return node
        if not isinstance(node.ctx, ast.Load) or node.attr not in PARTS:
            return self.parts_of(node)
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
            return self.parts_of(node)
        if is_resize(node):
            return self.resized(node, node.func)
        name = getattr(node.func, "attr", name)
        if name == "getrefcount":
            return self.parts_of(node)
        base = self.base(node, name)
        given, spaces = self.hands_on(node), self.spaces(node, name)
        kept, keywords, lists = self.arguments(node)
        kept = [base, *kept]
        node.args += spaces
        if given:
            keywords[-1] = GIVEN
        location = self.location(node, "call", name, kept, keywords, written=lists)
        arguments = ast.Tuple([k.again for k in kept[1:]], ast.Load())
        named = "PUT" if may_store(name) or is_heard(name, keywords) else "CALL"
        return self.probed(named, location, node, kept, [base.again, arguments])

    def base(self, node: ast.Call, name: str) -> Kept:
        """Return the object of a method that is called, or the function if it is read again."""
        base = Kept(node.func, ast.Constant(None), None, None)
        if isinstance(node.func, ast.Attribute):
            base = self.operand(node.func.value)
            node.func.value = base.expression
        elif not isinstance(node.func, ast.Name):
            node.func = self.expr(node.func)
        elif self.can_be_read_again(name):
            base = base._replace(again=load(name))
        return base

    def arguments(self, node: ast.Call) -> tuple[list[Kept], list[str], list[list[Span]]]:
        """Keep the arguments of a call; returns them, their keywords, and what lists hold."""
        kept, keywords, lists = [], [], []
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
        return kept, keywords, lists

    @property
    def shows_variables(self) -> bool:
        """Whether the namespace here has temporary variables in it."""
        return self.scope.kind != "class" or self.aside is not None

    def spaces(self, node: ast.Call, name: str) -> list[ast.expr]:
        """Return the namespaces for a call of `eval` that names none, as further arguments."""
        alone = len(node.args) == 1 and not (node.keywords or is_starred(node.args[0]))
        if name not in _EVALUATE or not (is_builtin(node) and alone and self.shows_variables):
            return []
        function = ast.copy_location(load(name), node.func)
        return [at(node, ast.Starred(call("SPACES", function), ast.Load()))]

    def freed(self, node: ast.expr) -> ast.expr:
        """Return an expression, visited, for an array that nobody else may refer to."""
        return at(node, call("FREE", self.expr(node)))

    def resized(self, node: ast.Call, function: ast.expr) -> ast.expr:
        """Return a call of `resize`, which an array refuses if anybody else refers to it."""
        array = owner = function.value if isinstance(function, ast.Attribute) else None
        node.func = self.expr(function)
        for index, argument in enumerate(node.args):
            if index or isinstance(argument, ast.Starred):
                node.args[index] = self.expr(argument)
            else:  # as in np.ndarray.resize(array, 3)
                node.args[0] = self.freed(argument)
                array = argument if isinstance(argument, ast.Name) else owner
        for keyword in node.keywords:
            keyword.value = self.expr(keyword.value)
        if isinstance(function, ast.Name):  # getattr(array, "resize"), which comes before
            return node
        if isinstance(array, ast.Name) and self.can_be_read_again(array.id):
            return at(node, call("FOLLOW", node, load(array.id)))
        return node

    def hands_on(self, node: ast.Call) -> bool:
        """Return whether a function returns this call, and its caller decides about the dtype."""
        return node is self.scope.returned and any(
            keyword.arg in {"dtype", None}
            and isinstance(keyword.value, ast.Name)
            and keyword.value.id in self.scope.parameters
            for keyword in node.keywords
        )

    def argument(self, node: ast.expr) -> Kept:
        """Return an argument of a call, visited, such that a probe can read it again."""
        if is_dtype(node):
            owner = self.operand(node.value)
            node.value = owner.expression
            return owner._replace(expression=node)
        if isinstance(node, (ast.Dict, ast.ListComp)):  # the columns of a table, or arrays
            return self.keep(self.expr(node), span_of(node))
        if not isinstance(node, ast.Starred):
            return self.operand(node)
        kept = self.operand(node.value)
        return kept._replace(expression=at(node, ast.Starred(kept.expression, ast.Load())))

    # assignments

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        """Probe what is stored; what assigns to several targets is written out."""
        target, value = node.targets[0], node.value
        self.replaced.update(replacing(node))
        self.scope.read(node)
        if isinstance(target, ast.Name) and isinstance(value, ast.BinOp):
            left = value.left
            is_same = isinstance(left, ast.Name) and left.id == target.id
            if is_same and self.may_grow(node, value, target.id):
                return self.appended(node, value, left)  # type: ignore[arg-type]  # it is a name
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            return self.stored(node, target, self.operand(value))
        if any(map(stores, node.targets)):
            return self.written_out(node)
        self.generic_visit(node)
        if isinstance(target, (ast.Tuple, ast.List)):
            node.value = at(node.value, call("ITERATE", node.value))
        return node

    def stored(self, node: ast.Assign, target: ast.Subscript, value: Kept) -> ast.stmt:
        """Return the assignment of a value to a part of another, which a probe sees."""
        base = self.operand(target.value)
        kept = [base, value]
        node.value, target.value = value.expression, base.expression
        self.watch_store(target, self.location(node, "store", "", kept), kept)
        return node

    # several targets

    def written_out(self, node: ast.Assign) -> list[ast.stmt]:
        """Return an assignment to several targets as one to each of them, in their order."""
        value: ast.expr = self.expr(node.value)
        if len(node.targets) == 1:
            return self.unpacked(node.targets[0], value, _elements(node))
        kept = [(target, *self.spot()) for target in node.targets]
        targets = [at(target, spot) for target, spot, _ in kept]
        span = span_of(node.value)
        return [
            at(node, ast.Assign(targets, value)),
            *(s for target, _, now in kept for s in self.assigned(target, now, span)),
        ]

    def unpacked(
        self, target: ast.expr, value: ast.expr, spans: Sequence[Span | None] = ()
    ) -> list[ast.stmt]:
        """Return what unpacks a value, and assigns its elements."""
        targets, assigned = self.unpacks(target, spans)
        if not isinstance(value, ast.Tuple):
            value = at(target, call("ITERATE", value))
        return [at(target, ast.Assign([targets], value)), *assigned]

    def unpacks(
        self, target: ast.expr, spans: Sequence[Span | None] = ()
    ) -> tuple[ast.expr, list[ast.stmt]]:
        """Return what keeps what a target is to get, and the statements that hand it on."""
        if not isinstance(target, (ast.Tuple, ast.List)):
            spot, now = self.spot()
            return at(target, spot), self.assigned(target, now)
        spots: list[ast.expr] = []
        assigned: list[ast.stmt] = []
        kept = [self.spot() for _ in target.elts]  # before what comes may use variables
        for index, (one, (spot, now)) in enumerate(zip(target.elts, kept, strict=True)):
            spots.append(ast.Starred(spot, ast.Store()) if is_starred(one) else spot)
            inner = one.value if isinstance(one, ast.Starred) else one
            assigned += self.assigned(inner, now, spans[index] if spans else None)
        return at(target, ast.Tuple(spots, ast.Store())), assigned

    def assigned(self, target: ast.expr, now: Kept, span: Span | None = None) -> list[ast.stmt]:
        """Return what assigns to one of several targets what was kept for it."""
        value = at(target, now.expression)
        if isinstance(target, (ast.Tuple, ast.List)) and stores(target):
            return self.unpacked(target, value)
        if isinstance(target, ast.Subscript):
            held = now if now.variable else self.keep(value)
            held = held._replace(span=span)
            return [self.stored(at(target, ast.Assign([target], value)), target, held)]
        found: list[ast.stmt] = [at(target, ast.Assign([self.expr(target)], value))]
        return found + [at(target, ast.Expr(gone)) for gone in let_go([now.variable])]

    def spot(self) -> tuple[ast.expr, Kept]:
        """Return a target to keep a value in for a while, and what gives it up."""
        if self.has_variables:
            name = self.variable()
            return ast.Name(name, ast.Store()), Kept(load(name), load(name), name, None)
        self.scope.used.add(n := next(self.fresh))
        number = ast.Constant(n)
        taken = call("TAKE", number)
        kept = ast.Subscript(ast.Constant(constant("KEPT")), number, ast.Store())
        return kept, Kept(taken, taken, None, None)

    def watch_store(
        self, target: ast.Subscript, location: ast.Constant, kept: Sequence[Kept]
    ) -> None:
        """Let a probe see what is stored where, once the index is known."""
        index = as_object(self.expr(target.slice))
        gone = let_go(k.variable for k in kept)
        probe = call("INDEX", location, index, *(k.again for k in kept), *gone)
        target.slice = at(target.slice, probe)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Leave the annotation as it is."""
        node.value = node.value and self.expr(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        """Probe an operator in place."""
        if isinstance(node.target, ast.Name):
            return self.in_place_name(node, node.target)
        return self.in_place_part(node, node.target)

    def in_place_name(self, node: ast.AugAssign, target: ast.Name) -> list[ast.stmt]:
        """Return what lets a probe see an operation in place on a variable."""
        span = span_of(target)

        def now() -> ast.Name:
            return ast.copy_location(load(target.id), target)

        if not self.has_variables:
            old = Kept(now(), load(target.id), None, span)
            if not self.can_be_read_again(target.id):
                old = self.keep(now(), span)
            changed = self.in_place(node, old, self.operand(node.value))
            return [at(node, ast.Assign([target], changed))]
        before, value = self.variable(), self.operand(node.value)
        node.value = value.expression
        kept = [value._replace(span=span), value]
        location = self.location(node, "in place", OPERATORS[type(node.op)], kept)
        return self.around("IN_PLACE", location, node, target, before=before, value=value)

    def may_grow(self, node: ast.Assign, added: ast.BinOp, name: str) -> bool:
        """Return whether ``text = text + more`` is fast in plain code."""
        alone = len(node.targets) == 1 and self.scope.kind == "function"
        more = added.right.op if isinstance(added.right, ast.BinOp) else None
        is_sum = isinstance(added.op, ast.Add) and not is_text(added.right)
        is_sum &= not isinstance(more, _OF_NUMBERS)
        return alone and is_sum and self.can_be_read_again(name)

    def appended(self, node: ast.Assign, added: ast.BinOp, left: ast.Name) -> list[ast.stmt]:
        """Return what lets a probe see ``text = text + more``."""
        before, value = self.variable(), self.operand(added.right)
        added.right = value.expression
        kept = [value._replace(span=span_of(left)), value]
        name = OPERATORS[type(added.op)]
        location = self.location(added, "operator", name, kept, replaces=0)
        return self.around("BINARY", location, node, left, before=before, value=value)

    def around(
        self,
        probe: str,
        location: ast.Constant,
        node: ast.Assign | ast.AugAssign,
        name: ast.Name,
        *,
        before: str,
        value: Kept,
    ) -> list[ast.stmt]:
        """Let a probe see what a statement makes of a variable, which it is free to overwrite.

        Python makes a text longer in its place if nobody else has it, and the next instruction
        binds the same variable. What gave a number or a text is not let go: it is one, too.
        """

        def now() -> ast.Name:
            return ast.copy_location(load(name.id), name)

        # neither line may jump over anything: a tracer would hear of the next line twice
        kept: ast.expr = now()
        computed = node if isinstance(node, ast.AugAssign) else node.value
        is_sum = isinstance(getattr(computed, "op", None), ast.Add)
        if is_sum and name.id not in self.scope.numbers:
            kept = any_of(all_of(gave_text(location, name), has_text(now())), now())
        first = ast.Assign([ast.Name(before, ast.Store())], kept)
        again = load(name.id)
        gone = let_go([before, value.variable])
        seen = call(probe, location, again, load(before), value.again, *gone)
        probed = any_of(is_plain(again, location, node), seen)
        last: ast.stmt = ast.Expr(probed)
        if self.shows_values:
            last = ast.If(compare_is(probed, ast.Is, None), [ast.Pass()], [])
        return [at(name, first), node, at(node, last)]

    def in_place_part(
        self, node: ast.AugAssign, target: ast.Attribute | ast.Subscript
    ) -> list[ast.stmt]:
        """Return what lets a probe see an operation in place on an attribute or an item."""
        owner = self.keep(self.expr(target.value), span_of(target.value))
        kept = [owner]
        read: ast.expr
        if isinstance(target, ast.Attribute):
            read = ast.Attribute(owner.expression, target.attr, ast.Load())
        else:
            key = self.keep(as_object(self.expr(target.slice)))
            kept.append(key)
            read = ast.Subscript(owner.expression, key.expression, ast.Load())
        target.value = at(target.value, owner.again)
        old = self.keep(ast.copy_location(read, target), span_of(target))
        span = span_of(node.value)
        changed = self.in_place(node, old, self.operand(node.value))
        if isinstance(target, ast.Subscript):
            stored = self.keep(changed, span)
            changed = stored.expression
            name, put = OPERATORS[type(node.op)], [owner, stored]
            location = self.location(node, "store", name, put)
            # nobody but the store refers to the object while it runs: pandas counts
            once = let_go(k.variable for k in put)
            probe = call("INDEX", location, key.again, *(k.again for k in put), *once)
            target.slice = at(target.slice, probe)
        gone = [at(node, ast.Expr(one)) for one in let_go(k.variable for k in kept)]
        return [at(node, ast.Assign([target], changed)), *gone]

    def in_place(self, node: ast.AugAssign, old: Kept, value: Kept) -> ast.expr:
        """Return what an operation in place gives, as an expression."""
        location = self.location(node, "in place", OPERATORS[type(node.op)], [old, value])
        operation = call(IN_PLACE[type(node.op)], old.expression, value.expression)
        gone = let_go([old.variable, value.variable])
        return at(node, call("IN_PLACE", location, operation, old.again, value.again, *gone))

    # statements

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """Note that nobody asks for a result."""
        self.unused = None if self.shows_values else node.value
        return self.parts_of(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """Note what a function returns."""
        self.scope.returned = node.value
        return self.parts_of(node)

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

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.stmt:
        """Let go of what is left where an exception is caught."""
        with self.forgetting() as forget_all:
            with self.forgetting() as forget:
                node.body = self.body(node.body)
            for handler in node.handlers:
                handler.type = handler.type and self.expr(handler.type)
                handler.body = [*_before(handler.body, forget), *self.body(handler.body)]
            node.orelse = self.body(node.orelse)
        if node.finalbody:
            node.finalbody = [*_before(node.finalbody, forget_all), *self.body(node.finalbody)]
        return node

    visit_TryStar = visit_Try  # noqa: N815  # as the base class calls it

    def visit_With(self, node: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        """Let go of what is left where the context may have caught an exception."""
        with self.forgetting() as forget:
            for item in node.items:
                self.visit(item)
            node.body = self.body(node.body)
        return [node, *_before([node], forget)]

    visit_AsyncWith = visit_With  # noqa: N815  # as the base class calls it

    # what runs over an array takes elements out of it

    def visit_For(self, node: ast.For) -> ast.stmt:
        """Probe a loop."""
        node.iter = self.iterable(node.iter)
        assigned: list[ast.stmt] = []
        if stores(node.target):
            node.target, assigned = self.unpacks(node.target)
        else:
            node.target = self.expr(node.target)
        self.loops += 1
        node.body = [*assigned, *self.body(node.body)]
        self.loops -= 1
        node.orelse = self.body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        """Probe a loop, whose test is in it."""
        self.loops += 1
        node.test = self.expr(node.test)
        node.body = self.body(node.body)
        self.loops -= 1
        node.orelse = self.body(node.orelse)
        return node

    def iterable(self, node: ast.expr) -> ast.expr:
        """Visit what a loop runs over; ``enumerate`` and ``zip`` hand elements on."""
        hands_on = isinstance(node, ast.Call) and getattr(node.func, "id", "") in _HAND_ON
        if isinstance(node, ast.Call) and hands_on and not any(map(is_starred, node.args)):
            node.args = [self.iterable(argument) for argument in node.args]
            return node
        if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.GeneratorExp)):
            return self.expr(node)
        visited: ast.expr = self.expr(node)
        return at(node, call("ITERATE", visited))

    # what has a scope of its own

    @contextmanager
    def inside(self, kind: str) -> Iterator[None]:
        """Make the statements inside those of a new scope."""
        outer = self.scope, self.in_iterable, self.aside
        self.scope, self.in_iterable, self.aside = Scope(kind), False, None
        yield
        self.scope, self.in_iterable, self.aside = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        """Probe a function, unless a library compiles it from its bytecode."""
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

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Probe a function of one expression."""
        self.defaults(node.args)
        in_iterable = self.in_iterable
        with self.inside("function"), self.without_variables(when=in_iterable):
            node.body = self.expr(node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """Probe a class."""
        node.decorator_list = self.all(node.decorator_list)
        # the bases of a generic class are evaluated where no variable can be bound
        with self.without_variables(when=bool(getattr(node, "type_params", ()))):
            node.bases = self.all(node.bases)
            for keyword in node.keywords:
                keyword.value = self.expr(keyword.value)
        with self.inside("class"):
            node.body = self.body(node.body)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        """Leave a type as it is."""
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        """Leave a pattern as it is."""
        node.guard = node.guard and self.expr(node.guard)
        node.body = self.body(node.body)
        return node

    def comprehension(self, node: Comprehension) -> Comprehension:
        """Probe a comprehension, which may get a variable of its own."""
        first, *others = node.generators
        with self.without_variables(when=True):
            first.iter = self.iterable(first.iter)
        outer, aside = self.aside, Aside(f"@c{next(self.fresh)}")
        is_part = _INLINES and not isinstance(node, ast.GeneratorExp)
        if not (is_part and self.has_variables and self.scope.kind == "function"):
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
        arguments.kw_defaults = [d and self.expr(d) for d in arguments.kw_defaults]

    def all(self, expressions: Sequence[ast.expr]) -> list[ast.expr]:
        """Visit expressions."""
        return [self.expr(e) for e in expressions]

    def body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Visit statements, each of which may give several."""
        visited: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            visited += new if isinstance(new, list) else [new]  # type: ignore[list-item]  # statements give statements
        return visited


def stores(target: ast.expr) -> bool:
    """Return whether a target is, or has in it, a part of a value."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return any(map(stores, target.elts))
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Subscript)


def _elements(node: ast.Assign) -> Sequence[Span | None]:
    """Return where that is written which goes into each of the targets of an assignment.

    A name may be another value by the time that somebody reads it, if it is assigned to as well.
    """
    target, spans = node.targets[0], elements(node.value)
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    plain = all(isinstance(one, ast.Subscript) for one in parts)
    return spans if plain and len(spans) == len(parts) else ()


def _before(statements: Sequence[ast.stmt], forget: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return statements that let go, anew, in the place of the first of some statements."""
    return [at(statements[0], deepcopy(statement)) for statement in forget]


def compilers() -> set[str]:
    """Return the libraries that compile functions from their bytecode in this process."""
    return {name for name, off in _COMPILERS.items() if os.environ.get(off, "0") in ("", "0")}


def _library(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    name = alias.name if isinstance(node, ast.Import) else node.module or ""
    return name.partition(".")[0]


def _root(decorator: ast.expr) -> str:
    """Return the name that a decorator starts with: ``numba`` of ``@numba.njit(cache=True)``."""
    while isinstance(decorator, (ast.Call, ast.Attribute)):
        decorator = decorator.func if isinstance(decorator, ast.Call) else decorator.value
    return decorator.id if isinstance(decorator, ast.Name) else ""

"""Assignments, with probes that see what is stored where.

``a[i] = v`` stays as it is, with a probe in its index. What assigns to several targets, as
``a[i], b[i] = f()`` and ``a[i] = b[i] = v`` do, is written out: what goes into each is kept, then
one after the other is assigned to, as Python does it. ``a[i] += v`` is written out, too, if its
operands have to be kept.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from ..model.locations import Span, span_of
from .ast_builders import (
    all_of,
    any_of,
    as_object,
    at,
    call,
    constant,
    elements,
    has_text,
    is_plain,
    is_starred,
    is_text,
    let_go,
    load,
)
from .expressions import OPERATORS, Expressions
from .scopes import Kept

# In place, as functions: what `x += y` calls.
IN_PLACE: Final[dict[type[ast.AST], str]] = {
    ast.Add: "iadd", ast.Sub: "isub", ast.Mult: "imul", ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv", ast.Mod: "imod", ast.Pow: "ipow", ast.MatMult: "imatmul",
    ast.BitAnd: "iand", ast.BitOr: "ior", ast.BitXor: "ixor",
    ast.LShift: "ilshift", ast.RShift: "irshift",
}  # fmt: skip


class Assignments(Expressions):
    """Puts probes in assignments."""

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:  # noqa: N802  # as the base class calls it
        """Probe what is stored; what assigns to several targets is written out."""
        target, value = node.targets[0], node.value
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
        value: ast.expr = self.visit(node.value)  # type: ignore[assignment]  # an expression gives one
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
        for index, one in enumerate(target.elts):
            spot, now = self.spot()
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
            held = now if now.variable else self.keep(value, held=True)
            held = held._replace(span=span)
            return [self.stored(at(target, ast.Assign([target], value)), target, held)]
        found: list[ast.stmt] = [at(target, ast.Assign([self.visit(target)], value))]  # type: ignore[list-item]  # the same
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
        index = as_object(self.visit(target.slice))  # type: ignore[arg-type]  # an expression gives one
        gone = let_go(k.variable for k in kept)
        probe = call("INDEX", location, index, *(k.again for k in kept), *gone)
        target.slice = at(target.slice, probe)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:  # noqa: N802  # as the base class calls it
        """Leave the annotation as it is."""
        node.value = node.value and self.visit(node.value)  # type: ignore[assignment]  # the same
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:  # noqa: N802  # as the base class calls it
        """Probe an operator in place."""
        if isinstance(node.target, ast.Name):
            return self.in_place_name(node, node.target)
        return self.in_place_part(node, node.target)

    def in_place_name(self, node: ast.AugAssign, target: ast.Name) -> list[ast.stmt]:
        """Return what lets a probe see an operation in place on a variable."""
        span = span_of(target)

        def now() -> ast.Name:
            return ast.copy_location(load(target.id), target)

        if self.scope.kind != "function":
            old = Kept(now(), load(target.id), None, span)
            if not self.can_be_read_again(target.id):
                old = self.keep(now(), span)
            changed = self.in_place(node, old, self.operand(node.value))
            return [at(node, ast.Assign([target], changed))]
        value = self.operand(node.value)
        node.value = value.expression
        kept = [value._replace(span=span), value]
        location = self.location(node, "in place", OPERATORS[type(node.op)], kept)
        return self.around("IN_PLACE", location, node, target, value)

    def may_grow(self, node: ast.Assign, added: ast.BinOp, name: str) -> bool:
        """Tell whether ``text = text + more`` is fast in plain code."""
        alone = len(node.targets) == 1 and self.scope.kind == "function"
        is_sum = isinstance(added.op, ast.Add) and not is_text(added.right)
        return alone and is_sum and self.can_be_read_again(name)

    def appended(self, node: ast.Assign, added: ast.BinOp, left: ast.Name) -> list[ast.stmt]:
        """Return what lets a probe see ``text = text + more``."""
        value = self.operand(added.right)
        added.right = value.expression
        kept = [value._replace(span=span_of(left)), value]
        location = self.location(added, "operator", OPERATORS[type(added.op)], kept)
        return self.around("BINARY", location, node, left, value)

    def around(
        self,
        probe: str,
        location: ast.Constant,
        node: ast.Assign | ast.AugAssign,
        name: ast.Name,
        value: Kept,
    ) -> list[ast.stmt]:
        """Let a probe see what a statement makes of a variable, which it is free to overwrite.

        Python makes a text longer in its place if nobody else has it, and the next instruction
        binds the same variable.
        """
        before = self.variable()

        def now() -> ast.Name:
            return ast.copy_location(load(name.id), name)

        # neither line may jump over anything: a tracer would hear of the next line twice
        first = ast.Assign([ast.Name(before, ast.Store())], any_of(has_text(now()), now()))
        again = load(name.id)
        gone = let_go([before, value.variable])
        seen = call(probe, location, again, load(before), value.again, *gone)
        is_done = all_of(is_plain(again, location, node), any_of(*gone, ast.Constant(value=True)))
        last = ast.Expr(any_of(is_done, seen))
        return [at(name, first), node, at(node, last)]

    def in_place_part(
        self, node: ast.AugAssign, target: ast.Attribute | ast.Subscript
    ) -> list[ast.stmt]:
        """Return what lets a probe see an operation in place on an attribute or an item."""
        owner = self.keep(self.visit(target.value), span_of(target.value))  # type: ignore[arg-type]  # an expression gives one
        kept = [owner]
        read: ast.expr
        if isinstance(target, ast.Attribute):
            read = ast.Attribute(owner.expression, target.attr, ast.Load())
        else:
            key = self.keep(as_object(self.visit(target.slice)))  # type: ignore[arg-type]  # the same
            kept.append(key)
            read = ast.Subscript(owner.expression, key.expression, ast.Load())
            # nobody but the store refers to the object while it runs: pandas counts
            target.slice = at(target.slice, any_of(*let_go([owner.variable]), key.again))
        target.value = at(target.value, owner.again)
        old = self.keep(ast.copy_location(read, target), span_of(target))
        changed = self.in_place(node, old, self.operand(node.value))
        gone = [at(node, ast.Expr(one)) for one in let_go(k.variable for k in kept)]
        return [at(node, ast.Assign([target], changed)), *gone]

    def in_place(self, node: ast.AugAssign, old: Kept, value: Kept) -> ast.expr:
        """Return what an operation in place gives, as an expression."""
        location = self.location(node, "in place", OPERATORS[type(node.op)], [old, value])
        operation = call(IN_PLACE[type(node.op)], old.expression, value.expression)
        gone = let_go([old.variable, value.variable])
        return at(node, call("IN_PLACE", location, operation, old.again, value.again, *gone))


def stores(target: ast.expr) -> bool:
    """Tell whether a target is, or has in it, a part of a value."""
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

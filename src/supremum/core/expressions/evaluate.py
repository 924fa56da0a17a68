"""Explaining expressions: each function and operator in turn, by the rules that decide there."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from ..dtypes import DType
from ..errors import ExpressionError, PromotionError, RulesError, SupremumError, did_you_mean
from ..explanation import Explanation
from ..functions import FUNCTIONS, Function, canonical, function
from ..libraries import libraries
from ..operands import SCALAR_LIBRARY, Operand, operand
from ..system import PromotionSystem
from ..systems import DEFAULT, system
from . import arguments, powers
from .names import prefixes, title_of
from .numbers import CONSTANTS, CONVERTED, computed
from .record import ExpressionExplanation, ExpressionStep
from .text import CALLED, MIRRORED, OPERATORS, Source, dtype_of, read


def explain_expression(
    text: str, rules: PromotionSystem | None = None, given: Mapping[str, Any] | None = None
) -> ExpressionExplanation:
    """Return what an expression gives, step by step.

    Args:
        text: the expression, in Python's syntax.
        rules: the rules that decide; without any, those of the library whose functions it calls,
            or else the usual ones.
        given: operands by the names that the expression has for them.

    Raises:
        ExpressionError: if it is not an expression, or has something that is not understood.
        PromotionError: if a step is refused.
    """
    source = read(text, given)
    evaluation = Evaluation(source, rules or _rules_of(source) or system(DEFAULT), rules is None)
    try:
        found = evaluation.value(source.tree)
    except RecursionError:
        raise ExpressionError("the expression is nested too deeply", source.text) from None
    values = tuple(found) if isinstance(found, list) else (found,)
    if not all(isinstance(x, Operand) for x in values):
        raise source.error("an expression gives an array or a number", source.tree)
    own = evaluation.last or evaluation.rules
    return ExpressionExplanation(source.text, own.name, own.label, tuple(evaluation.steps), values)


def _rules_of(source: Source) -> PromotionSystem | None:
    """Return the rules of the one library whose functions an expression calls, if it is one."""
    called = [n.func for n in ast.walk(source.tree) if isinstance(n, ast.Call)]
    roots = [
        ast.unparse(f).split(".")[0]
        for f in called
        if isinstance(f, ast.Attribute) and function(f.attr)
    ]
    if not roots:
        return None  # without loading every library's rules
    known = prefixes()
    found = dict.fromkeys(known[root] for root in roots if known.get(root))
    return system(next(iter(found))) if found else None


class Evaluation:
    """The steps of an expression so far, and how to go on."""

    def __init__(self, source: Source, rules: PromotionSystem, is_free: bool) -> None:
        self.source = source
        self.rules = rules
        self.is_free = is_free  # nobody named the rules, so that a prefix does
        self.steps: list[ExpressionStep] = []
        self.last: PromotionSystem | None = None  # that decided

    def value(self, node: ast.expr) -> Any:
        """Return the operand that a part gives, or a list of them."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            what = CALLED.get(type(node), "this")
            raise self.source.error(f"{what} has no dtype to explain", node)
        return method(node)

    def operand(self, node: ast.expr) -> Operand:
        """Return the operand that a part gives."""
        return self._single(node, self.value(node))

    def _single(self, node: ast.expr, found: Any) -> Operand:
        """Return what a part gives, if it is one operand."""
        if isinstance(found, list):
            what = f"{self.source.of(node)} has {len(found)} results; take one, as with [0]"
            raise self.source.error(what, node)
        result: Operand = found
        return result

    def _constant(self, node: ast.Constant) -> Operand:
        if type(node.value) not in (bool, int, float, complex):
            raise self.source.error(f"{node.value!r} is not an array or a number", node)
        return operand(node.value)

    def _name(self, node: ast.Name) -> Operand:
        found = self.source.operands.get(node.id)
        if found is not None:
            return found
        try:
            return operand(dtype_of(self.source, node))
        except ExpressionError as error:
            known = [name for name in self.source.operands if not name.startswith("_")]
            hint, close = did_you_mean(node.id, known)
            if close:
                what = f"there is no operand {node.id!r}{hint}"
                raise self.source.error(what, node, close) from None
            raise error from None

    def _unaryop(self, node: ast.UnaryOp) -> Operand:
        x = self.operand(node.operand)
        if isinstance(node.op, ast.Not):
            raise self.source.error("`not` takes no arrays; use logical_not", node)
        return self._operation(node, type(node.op), [x])

    def _binop(self, node: ast.BinOp) -> Operand:
        return self._operation(
            node, type(node.op), [self.operand(node.left), self.operand(node.right)]
        )

    def _compare(self, node: ast.Compare) -> Operand:
        kind = type(node.ops[0])
        if len(node.ops) > 1 or kind not in OPERATORS:
            what = "compare two operands at a time, with &" if len(node.ops) > 1 else "use isin"
            raise self.source.error(f"arrays have no such comparison; {what}", node)
        return self._operation(
            node, kind, [self.operand(node.left), self.operand(node.comparators[0])]
        )

    def _boolop(self, node: ast.BoolOp) -> Operand:
        raise self.source.error("`and` and `or` take no arrays; use & and |", node)

    def _operation(self, node: ast.expr, kind: type, operands: list[Operand]) -> Operand:
        if all(x.form == "Python scalar" for x in operands):
            return self._computed(node, kind, operands)
        if kind in MIRRORED and operands[0].is_python:  # as Python itself asks the array
            kind, operands = MIRRORED[kind], operands[::-1]
        rules, name = self._deciding(node, operands), OPERATORS[kind]
        if name == "power" and powers.is_squared(operands, rules):
            name = "square"
        return self._step(node, name, operands[: FUNCTIONS[name].operands], rules)

    def _computed(self, node: ast.expr, kind: type, operands: list[Operand]) -> Operand:
        """Return what Python makes of its own numbers."""
        try:
            found = computed(kind, [x.value for x in operands])
        except ValueError as error:
            raise self.source.error(str(error), node) from None
        return operand(found)._replace(text=self.source.of(node))

    def _deciding(self, node: ast.expr, operands: Sequence[Operand]) -> PromotionSystem:
        """Return the rules that decide about some operands: NumPy's defer to another library's."""
        arrays = [x for x in operands if not x.is_python]
        ranked = [x for x in arrays if x.form != "scalar"]
        if arrays and not ranked:
            return self._home(_scalar_rules())
        homes = {x.library for x in ranked if x.library} if self.is_free else ()
        if not homes:
            return self.rules
        others = homes - {SCALAR_LIBRARY} or homes
        if len(others) > 1:
            what = f"arrays of {' and '.join(sorted(others))} do not meet; convert one of them"
            raise self.source.error(what, node)
        name = next(name for name, known in libraries().items() if known.title in others)
        return self._home(name)

    def _home(self, name: str) -> PromotionSystem:
        return self.rules if self.rules.library is libraries()[name] else system(name)

    def _step(
        self, node: ast.expr, name: str, operands: Sequence[Operand], rules: PromotionSystem,
        axis: arguments.Axis | None = None,
    ) -> Operand:  # fmt: skip
        text = self.source.of(node)
        unvalued = rules.valued and any(x.form == "scalar" and x.value is None for x in operands)
        if unvalued:
            what = f"the rules {rules.name} look at the value of a scalar, which is not known here"
            raise self.source.error(what, node)
        if name == "power":
            operands = powers.exponents(self, node, operands, rules)
        try:
            why = rules.explain(*operands, op=name)
        except RulesError as error:
            raise self.source.error(str(error), node, error.candidates) from None
        except PromotionError as error:
            what = f"in the step {text}: {error}"
            raise PromotionError(
                what, error.operands, error.system, error.setting, error.candidates
            ) from None
        known = FUNCTIONS[canonical(name) or name]
        arguments.check_ranks(self, node, known, operands)
        made = arguments.result(
            known, why, text=text, operands=operands, axis=axis, library=title_of(rules)
        )
        self._note(node, rules, (known.name, tuple(operands), made), why=why)
        return made

    def _note(
        self,
        node: ast.expr,
        rules: PromotionSystem,
        done: tuple[str, tuple[Operand, ...], Operand],
        note: str = "",
        why: Explanation | None = None,
    ) -> None:
        """Record a step: what was done is a function, its operands and the result."""
        self.last = rules
        start, _ = self.source.span(node)
        self.steps.append(ExpressionStep(done[-1].text, start, rules.name, *done, note, why))

    # calls

    def _call(self, node: ast.Call) -> Any:
        path, x = self._called(node.func)
        name = path.rpartition(".")[2]
        rules, home = self._rules_for(path), self._prefix(path)
        if x is None and name in _SCALARS and home:
            scalars = libraries()[_scalar_rules()]
            if libraries()[home] is scalars:
                return self._scalar(node, name)
            if libraries()[home].dtypes_in == scalars.dtypes_in:  # which can be called
                return self._array(node, name, rules)
        if x is not None:
            rules = self._deciding(node, [x])
        if name in ("astype", "to", "type", "cast") or (x is not None and name in arguments.CASTS):
            return self._cast(node, name, x, rules)
        inner = path.partition(".")[2] if path.partition(".")[0] in prefixes() else path
        known = function(inner.removeprefix(f"{libraries()[_scalar_rules()].import_as[0]}."))
        if known is None:
            hint, close = did_you_mean(name, [*FUNCTIONS])
            raise self.source.error(f"there is no function {name!r}{hint}", node.func, close)
        if x is not None and known.name == "conj" and x.dtype.kind == "bool":
            known = FUNCTIONS["same"]  # as a method, which does nothing to what is real
        bound = arguments.bind(self, node, known, x, rules)
        if bound.dtype is not None:
            return self._with_dtype(node, known, bound, rules)
        names = arguments.results_of(known, name, bound, rules)
        made = [
            self._step(node, part, operands, rules, bound.axis)
            for part, operands in names or ((known.name, bound.operands),)
        ]
        if bound.rank is not None:
            made = [x._replace(rank=bound.rank) for x in made]
        if home and self.is_free:
            made = [x._replace(library=libraries()[home].title) for x in made]
        return made if names else made[0]

    def _called(self, func: ast.expr) -> tuple[str, Operand | None]:
        """Return the dotted name of what is called, and the array whose method it is."""
        if isinstance(func, ast.Name):
            return func.id, None
        if not isinstance(func, ast.Attribute):
            raise self.source.error("this cannot be called", func)
        root = func.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id not in self.source.operands:
            if root.id in prefixes():
                return ast.unparse(func), None
            if isinstance(func.value, ast.Name):
                self.value(func.value)  # it is a dtype, or there is an error
        return func.attr, self.operand(func.value)

    def _prefix(self, path: str) -> str:
        return prefixes().get(path.partition(".")[0], "") if "." in path else ""

    def _rules_for(self, path: str) -> PromotionSystem:
        name = self._prefix(path)
        if not name or not (self.is_free or libraries()[name] is self.rules.library):
            return self.rules
        part = "-".join(path.split(".")[:2])  # a module may have rules of its own
        return self._home(part if part in libraries() else name)

    def _scalar(self, node: ast.Call, name: str) -> Operand:
        """Return a scalar of NumPy's, such as np.float32(2)."""
        d = dtype_of(self.source, ast.Name(name))
        inner = self.operand(node.args[0]) if len(node.args) == 1 else operand(0)
        text, title = self.source.of(node), SCALAR_LIBRARY
        if not inner.is_python:
            return Operand(text, d, False, "array" if inner.rank else "scalar", title, inner.rank)
        value: Any = inner.value
        if d.kind != "complex" and not isinstance(value, complex):
            value = CONVERTED[d.kind](value)
        return Operand(text, d, False, "scalar", title, 0, value)

    def _array(self, node: ast.Call, name: str, rules: PromotionSystem) -> Operand:
        """Return an array without dimensions, or a converted one, such as jnp.float32(2)."""
        inner = self.operand(node.args[0]) if len(node.args) == 1 else operand(0)
        d, number = dtype_of(self.source, ast.Name(name)), inner.number
        if number is not None or inner.form == "scalar":
            inner = inner._replace(form="array", rank=0)
        made = self._made(node, inner._replace(library=title_of(rules)), d, rules, "asarray")
        return made._replace(value=number)

    def _cast(
        self, node: ast.Call, name: str, x: Operand | None, rules: PromotionSystem
    ) -> Operand:
        given = list(node.args)
        source = x if x is not None else self.operand(given.pop(0)) if given else None
        if source is None:
            raise self.source.error(f"{name} takes an array", node)
        target = given or [k.value for k in node.keywords if k.arg == "dtype"]
        if name in arguments.CASTS:
            wanted = arguments.CASTS[name]
        elif target:
            wanted = dtype_of(self.source, target[0])
        else:
            raise self.source.error(f"{name} takes a dtype, as in x.astype(float32)", node)
        return self._made(node, source, wanted, rules, "astype")

    def _with_dtype(
        self, node: ast.Call, known: Function, bound: arguments.Bound, rules: PromotionSystem
    ) -> Operand:
        if not known.takes_dtype or bound.dtype is None:
            what = f"dtype= of {known.name} is not modelled; convert with x.astype first"
            raise self.source.error(what, node)
        if rules.rule(known.name) is None:
            raise self.source.error(f"{rules.title} rules have no function {known.name!r}", node)
        first = bound.operands[0] if bound.operands else operand(bound.dtype)
        rank = arguments.rank(known, [first], bound.axis)
        wanted = bound.dtype.part if known.name in ("std", "var") else bound.dtype
        return self._made(node, first._replace(rank=rank), wanted, rules, known.name)

    def _made(
        self, node: ast.expr, x: Operand, wanted: DType, rules: PromotionSystem, name: str
    ) -> Operand:
        """Return what is like an operand, of a dtype that is asked for by name."""
        try:
            d = rules.result_type(wanted)
        except SupremumError as error:
            raise self.source.error(str(error), node) from None
        form = "array" if x.form != "scalar" else "scalar"
        made = Operand(self.source.of(node), d, False, form, x.library, x.rank)
        narrowed = f", which these rules narrow to {d}" if d is not wanted else ""
        said = f"The dtype is asked for: {wanted}{narrowed}."
        self._note(node, rules, (name, (x,), made), said)
        return made

    # parts of arrays

    def _subscript(self, node: ast.Subscript) -> Any:
        found = self.value(node.value)
        index = node.slice
        if isinstance(found, list):
            place = index.value if isinstance(index, ast.Constant) else None
            if type(place) is int and self.steps[-1].function in arguments.ALIKE:
                place = min(place, len(found) - 1)
            if type(place) is not int or not 0 <= place < len(found):
                raise self.source.error(f"the results are numbered 0 to {len(found) - 1}", index)
            return found[place]
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        is_plain = all(isinstance(p, (ast.Slice, ast.Constant, ast.UnaryOp)) for p in parts)
        values = [getattr(p, "value", 0) for p in parts if not isinstance(p, ast.Slice)]
        fewer = sum(1 if v is not None else -1 for v in values if v is not ...)
        rank = found.rank - fewer if is_plain and found.rank is not None else None
        if rank is not None and rank < 0:
            raise self.source.error(f"too many indices for {found.text}", node)
        return found._replace(text=self.source.of(node), rank=rank, value=None)

    def _attribute(self, node: ast.Attribute) -> Any:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in {*prefixes()} - {*self.source.operands}:
            if node.attr in CONSTANTS:
                return operand(CONSTANTS[node.attr])._replace(text=self.source.of(node))
            return operand(dtype_of(self.source, node))
        found = self.value(node.value)
        if isinstance(found, list) and node.attr in ("values", "indices"):
            return found[node.attr == "indices"]
        x = self._single(node.value, found)
        if node.attr in ("T", "mT", "data", "flat"):
            return x._replace(text=self.source.of(node))
        if node.attr in ("real", "imag"):
            return self._step(node, node.attr, [x], self._deciding(node, [x]))
        raise self.source.error(f"{node.attr!r} is not understood; methods need brackets", node)


@cache
def _scalar_rules() -> str:
    """Return the name of the rules of scalars, which are NumPy's wherever they are met."""
    return next(name for name, known in libraries().items() if known.title == SCALAR_LIBRARY)


_SCALARS: Final = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
    complex64 complex128 longdouble clongdouble half double""".split()  # noqa: SIM905  # a list of words
)

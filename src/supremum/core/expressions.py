"""Explaining expressions: each function and operator in turn, by the rules that decide there."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from . import call_arguments as arguments
from .dtypes import DType
from .errors import ExpressionError, PromotionError, RulesError, SupremumError, did_you_mean
from .explanation import Explanation
from .expression_names import prefixes
from .expression_steps import ExpressionExplanation, ExpressionStep
from .expression_text import OPERATORS, Source, dtype_of, read
from .functions import FUNCTIONS, Function, canonical, function, results
from .libraries import libraries
from .operands import SCALAR_LIBRARY, Operand, operand
from .system import PromotionSystem
from .systems import DEFAULT, system


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
            what = _CALLED.get(type(node), "this")
            raise self.source.error(f"{what} has no dtype to explain", node)
        return method(node)

    def operand(self, node: ast.expr) -> Operand:
        """Return the operand that a part gives."""
        found = self.value(node)
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
        if kind in _MIRRORED and operands[0].is_python:  # as Python itself asks the array
            kind, operands = _MIRRORED[kind], operands[::-1]
        return self._step(node, OPERATORS[kind], operands, self._deciding(node, operands))

    def _computed(self, node: ast.expr, kind: type, operands: list[Operand]) -> Operand:
        """Return what Python makes of its own numbers."""
        values: list[Any] = [x.value for x in operands]
        if kind in (ast.Pow, ast.LShift) and (abs(values[-1]) > 4096 or abs(values[0]) > 2**4096):
            raise self.source.error("the number is too large to compute", node)
        try:
            found = _PYTHON[kind](*values)
        except (ArithmeticError, TypeError, ValueError) as error:
            raise self.source.error(f"Python cannot compute this: {error}", node) from None
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
        title = _title(rules)
        made = arguments.result(known, why, text=text, operands=operands, axis=axis, library=title)
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
        if (
            x is None
            and prefixes().get(path.partition(".")[0]) == _scalar_rules()
            and name in _SCALARS
        ):
            return self._scalar(node, name)
        rules = self._rules_for(path)
        if x is not None:
            rules = self._deciding(node, [x])
        if name in ("astype", "to", "type", "cast") or (x is not None and name in arguments.CASTS):
            return self._cast(node, name, x, rules)
        inner = path.partition(".")[2] if path.partition(".")[0] in prefixes() else path
        inner = inner.removeprefix(f"{libraries()[_scalar_rules()].import_as[0]}.")
        known = function(inner)
        if known is None:
            hint, close = did_you_mean(name, [*FUNCTIONS])
            raise self.source.error(f"there is no function {name!r}{hint}", node.func, close)
        bound = arguments.bind(self, node, known, x)
        names = results(known.name) if rules.rule(known.name) is None else ()
        if bound.dtype is not None:
            return self._with_dtype(node, known, bound, rules)
        home = _title(rules) if self._prefix(path) and self.is_free else None
        made = [
            self._step(node, part, bound.operands, rules, bound.axis)
            for part in names or (known.name,)
        ]
        if home is not None:
            made = [x._replace(library=home) for x in made]
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
        return self._home(name) if name and self.is_free else self.rules

    def _scalar(self, node: ast.Call, name: str) -> Operand:
        """Return a scalar of NumPy's, such as np.float32(2)."""
        d = dtype_of(self.source, ast.Name(name))
        inner = self.operand(node.args[0]) if len(node.args) == 1 else operand(0)
        text, title = self.source.of(node), SCALAR_LIBRARY
        if not inner.is_python:
            return Operand(text, d, False, "array" if inner.rank else "scalar", title, inner.rank)
        value: Any = inner.value
        if d.kind != "complex" and not isinstance(value, complex):
            value = _PYTHON_OF[d.kind](value)
        return Operand(text, d, False, "scalar", title, 0, value)

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

    def _subscript(self, node: ast.Subscript) -> Operand:
        found = self.value(node.value)
        index = node.slice
        if isinstance(found, list):
            place = index.value if isinstance(index, ast.Constant) else None
            if type(place) is not int or not 0 <= place < len(found):
                raise self.source.error(f"the results are numbered 0 to {len(found) - 1}", index)
            result: Operand = found[place]
            return result
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        is_plain = all(isinstance(p, (ast.Slice, ast.Constant, ast.UnaryOp)) for p in parts)
        fewer = sum(not isinstance(p, ast.Slice) for p in parts)
        rank = found.rank - fewer if is_plain and found.rank is not None else None
        if rank is not None and rank < 0:
            raise self.source.error(f"{found.text} has {found.rank} dimensions", node)
        whole: Operand = found._replace(text=self.source.of(node), rank=rank, value=None)
        return whole

    def _attribute(self, node: ast.Attribute) -> Operand:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in {*prefixes()} - {*self.source.operands}:
            return operand(dtype_of(self.source, node))
        x = self.operand(node.value)
        if node.attr in ("T", "mT", "data", "flat"):
            return x._replace(text=self.source.of(node))
        if node.attr in ("real", "imag"):
            return self._step(node, node.attr, [x], self._deciding(node, [x]))
        raise self.source.error(f"{node.attr!r} is not understood; methods need brackets", node)


def _title(rules: PromotionSystem) -> str:
    return rules.library.title if rules.library else ""


@cache
def _scalar_rules() -> str:
    """Return the name of the rules of scalars, which are NumPy's wherever they are met."""
    return next(name for name, known in libraries().items() if known.title == SCALAR_LIBRARY)


_CALLED: Final[Mapping[type, str]] = {
    ast.Tuple: "a tuple", ast.List: "a list", ast.Dict: "a dictionary", ast.Set: "a set",
    ast.IfExp: "a choice by if", ast.Lambda: "a lambda", ast.ListComp: "a comprehension",
    ast.GeneratorExp: "a generator", ast.JoinedStr: "an f-string", ast.Starred: "a starred value",
}  # fmt: skip
_SCALARS: Final = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
    complex64 complex128 longdouble clongdouble half double""".split()  # noqa: SIM905  # a list of words
)
_MIRRORED: Final[Mapping[type, type]] = {
    ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}  # fmt: skip
_PYTHON_OF: Final[Mapping[str, Callable[[Any], Any]]] = {
    "bool": bool, "signed": int, "unsigned": int, "float": float, "complex": complex,
}  # fmt: skip
_PYTHON: Final[Mapping[type, Callable[..., Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: operator.pow, ast.MatMult: operator.matmul, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.inv,
}  # fmt: skip

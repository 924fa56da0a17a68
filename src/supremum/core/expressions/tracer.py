"""Explaining expressions: Python evaluates them, and each function and operator is a step."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from ..deciding import rules_of_operands
from ..dtypes import PYTHON_SCALARS, DType, by_name
from ..errors import (
    DTypeError,
    ExpressionError,
    PromotionError,
    RulesError,
    did_you_mean,
    listed,
    short,
)
from ..explanation import Explanation
from ..functions import FUNCTIONS, Function, function
from ..libraries import libraries
from ..operands import SCALAR_LIBRARY, Operand, operand
from ..promotion import explain
from ..steps import fits
from ..system import PromotionSystem
from ..systems import named, options, system
from . import arguments, calls, names, numbers, ranks
from .arguments import Bound, Given, Refused
from .record import ExpressionExplanation, ExpressionStep
from .text import OPERATORS, Source, read

_ATTRIBUTES: Final = ("T", "mT", "data", "real", "imag")
_CAST_OPTIONS: Final = ("copy", "device", "non_blocking", "memory_format", "order", "subok")
# The categories of functions whose results are NumPy's scalars.
_SCALAR_CATEGORIES: Final = (
    "elementwise", "reduction", "contraction", "norm", "angle", "linalg", "index", "part",
)  # fmt: skip
_SCALARS: Final = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
    complex64 complex128 longdouble clongdouble half double""".split()  # noqa: SIM905  # a list of words
)


def explain_expression(
    text: str, rules: PromotionSystem | None = None, given: Mapping[str, Any] | None = None
) -> ExpressionExplanation:
    """Return what an expression gives, step by step.

    Args:
        text: the expression, in Python's syntax.
        rules: the rules that decide; without any, those of the library whose functions it calls,
            or that all of `given` are of, or else the usual ones.
        given: operands by the names that the expression has for them.

    Raises:
        ExpressionError: if it is not an expression, or has something that is not understood.
        PromotionError: if a step is refused.
    """
    source = read(text, given)
    usual = rules or _rules_of(source) or rules_of_operands((given or {}).values())
    evaluation = Evaluation(source, usual, is_free=rules is None)
    found = evaluation.run()
    own = evaluation.last or evaluation.deciding(found)
    return ExpressionExplanation(source.text, own.name, own.label, tuple(evaluation.steps), found)


def _rules_of(source: Source) -> PromotionSystem | None:
    """Return the rules of the first library whose functions an expression calls, if it does."""
    paths = [n.func for n in ast.walk(source.tree) if isinstance(n, ast.Call)]
    called = [f for f in paths if isinstance(f, ast.Attribute) and function(f.attr)]
    roots = names.roots() if called else {}  # which loads every library's rules
    found = [roots.get(ast.unparse(f).partition(".")[0]) for f in called]
    return next((named(name) for name in found if name), None)


_SPECIAL: Final = """add sub mul truediv floordiv mod pow matmul and or xor lshift rshift
    eq ne lt le gt ge neg pos invert"""
SPECIAL: Final = dict(
    zip((f"__{name}__" for name in _SPECIAL.split()), OPERATORS.values(), strict=True)
)
"""The function that each of Python's special methods stands for."""

MIRRORED: Final = {
    "__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__", "__le__": "__ge__",
    "__gt__": "__lt__", "__ge__": "__le__",
}  # fmt: skip
"""What Python asks an array for, if a number stands before it."""


class Traced:
    """A part of an expression.

    Each operator, call, item and attribute asks the evaluation for the result, so that precedence,
    chains and keywords are the language's own.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("."):  # it is not in the text: a debugger looks for it
            raise AttributeError(name)
        return self.evaluation.attribute(self, name[1:])

    def __getitem__(self, index: Any) -> Any:
        return self.evaluation.item(self, index)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Return what a call gives."""
        return self.evaluation.call(self, args, kwargs)


def _asking(special: str) -> Callable[..., Any]:
    return lambda self, *others: self.evaluation.operation(special, self, *others)


for _name in SPECIAL:
    setattr(Traced, _name, _asking(_name))


class Value(Traced):
    """An array or a number; or the results of a function that has several, of which one is taken.

    Args:
        evaluation: the evaluation.
        results: the operands.
        is_several: whether a function gave them.
        is_alike: whether the last one stands for any number of them.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        *results: Operand,
        is_several: bool = False,
        is_alike: bool = False,
    ) -> None:
        super().__init__(evaluation)
        self.results = results
        self.is_several = is_several
        self.is_alike = is_alike


class Path(Traced):
    """A dotted name: a library, a namespace, a function, a dtype or a constant; or a method.

    Args:
        evaluation: the evaluation.
        words: the words between the dots.
        of: the value whose method it is, if it is one.
    """

    def __init__(
        self, evaluation: Evaluation, words: tuple[str, ...], of: Value | None = None
    ) -> None:
        super().__init__(evaluation)
        self.words = words
        self.of = of


class Evaluation:
    """The steps of an expression so far; what its `Traced` parts ask.

    Args:
        source: the expression.
        rules: the rules that decide.
        is_free: whether nobody named the rules, so that a prefix does.
    """

    def __init__(self, source: Source, rules: PromotionSystem, *, is_free: bool) -> None:
        self.source = source
        self.rules = rules
        self.is_free = is_free
        self.steps: list[ExpressionStep] = []
        self.last: PromotionSystem | None = None  # that decided

    def run(self) -> tuple[Operand, ...]:
        """Return the results."""
        code = self.source.code
        scope = {name: self._named(name) for name in code.co_names if not name.startswith(".")}
        try:
            # the code is vetted, and reaches no object but those of the scope
            found = eval(code, {"__builtins__": {}}, scope)  # noqa: S307  # see above
        except RecursionError:
            raise ExpressionError("the expression is nested too deeply", self.source.text) from None
        return found.results if isinstance(found, Value) else (self._operand(found),)

    # where Python is, and what is said of it

    @property
    def _node(self) -> ast.expr:
        """The node that Python computes, by the line of the code; the expression, if it is done."""
        frame = sys._getframe()  # noqa: SLF001  # it is documented
        while frame.f_code is not self.source.code:
            if frame.f_back is None:
                return self.source.tree
            frame = frame.f_back
        return self.source.nodes[frame.f_lineno - 1]

    @property
    def _text(self) -> str:
        return self.source.of(self._node)

    def _part(self, place: int | str | None) -> ast.expr:
        """Return the node of an argument of the call that Python computes."""
        node = self._node
        if not isinstance(node, ast.Call) or place is None:
            return node
        named = {k.arg: k.value for k in node.keywords}
        if isinstance(place, int):
            return node.args[place] if place < len(node.args) else node
        return named.get(place, node)

    def _refuse(
        self, message: str, node: ast.AST | None = None, candidates: Sequence[str] = ()
    ) -> NoReturn:
        raise self.source.error(message, node or self._node, candidates) from None

    # names and operands

    def _named(self, name: str) -> Traced:
        """Return what a name stands for."""
        found = self.source.operands.get(name) or self.source.numbers.get(name)
        return Path(self, (name,)) if found is None else Value(self, found)

    def _operand(self, part: Any, node: ast.AST | None = None) -> Operand:
        """Return the operand that a part is."""
        if isinstance(part, Path):
            return self._constant(part, node)
        if not isinstance(part, Value):
            self._refuse(f"{part!r} is not an array or a number", node)
        if part.is_several:
            text, count = part.results[0].text, len(part.results)
            self._refuse(f"{text} has {count} results; take one, as with [0]", node)
        return part.results[0]

    def _constant(self, path: Path, node: ast.AST | None) -> Operand:
        """Return the number or the dtype that a dotted name is."""
        *before, name = path.words
        if path.of is not None:
            needs = "; methods need brackets" if function(name) else ", or has no dtype to explain"
            self._refuse(f"{name!r} is not understood{needs}", node)
        if before and name in names.CONSTANTS:
            return operand(names.CONSTANTS[name])._replace(text=".".join(path.words))
        try:
            return operand(arguments.named_dtype(".".join(path.words)))
        except DTypeError as error:
            known = [x for x in self.source.operands if not x.startswith("_")]
            hint, close = ("", ()) if before else did_you_mean(name, known)
            what = f"there is no operand {name!r}{hint}" if close else str(error)
            self._refuse(what, node, close or error.candidates)

    def _number(self, ask: Callable[..., Any], *asked: Any) -> Value | None:
        """Return the Python number that something gives, or its type if its value is not known."""
        try:
            found = ask(*asked)
        except ValueError as error:
            self._refuse(str(error))
        if found is None:
            return None
        d = PYTHON_SCALARS[found if isinstance(found, type) else type(found)]
        if not isinstance(found, type):
            return Value(self, operand(found)._replace(text=self._text))
        return Value(self, Operand(self._text, d, d.weak, "Python scalar", found.__name__, 0))

    # operators, attributes and items

    def operation(self, special: str, *parts: Any) -> Value | None:
        """Return what an operator gives."""
        operands = [self._operand(x) for x in parts]
        if all(x.form == "Python scalar" for x in operands):
            return self._number(numbers.operation, special, operands)
        if _is_of_python(special, operands):
            return self._number(lambda: complex)
        rules = self.deciding(operands)
        if special in MIRRORED and _defers(operands[0], rules):  # as Python itself asks the array
            special, operands = MIRRORED[special], operands[::-1]
        known = FUNCTIONS[SPECIAL[special]]
        if known.name == "power" and calls.is_squared(operands, rules):
            known, operands = FUNCTIONS["square"], operands[:1]
        return Value(self, self._step(known, operands, rules))

    def attribute(self, part: Traced, name: str) -> Traced | None:
        """Return an attribute of a value, or a longer dotted name."""
        if isinstance(part, Path) and part.of is None:
            if part.words[0] in names.roots() or part.words[0] == "math":
                return Path(self, (*part.words, name))
            part = Value(self, self._operand(part))  # it is a dtype, or there is an error
        if not isinstance(part, Value):
            self._refuse(f"{name!r} is not understood; methods need brackets")
        if part.is_several and name in ("values", "indices"):
            return Value(self, part.results[name == "indices"])
        if name not in _ATTRIBUTES or isinstance(self._node, ast.Call):
            return Path(self, (name,), part)
        x = self._operand(part)
        if name not in ("real", "imag"):
            return Value(self, x._replace(text=self._text))
        if x.is_python:
            return self._number(numbers.part, numbers.PARTS[name], x)
        return Value(self, self._step(FUNCTIONS[name], [x], self.deciding([x])))

    def item(self, part: Traced, index: Any) -> Value:
        """Return an item of an array, or one of several results."""
        if isinstance(part, Value) and part.is_several:
            return self._result(part, index)
        x = self._operand(part)
        if x.is_python:
            self._refuse(f"{x.text} is a number, which has no items")
        parts = [self._index(p) for p in (index if isinstance(index, tuple) else (index,))]
        rank = ranks.of_item(x, parts)
        if (rank is not None and rank < 0) or parts.count(...) > 1:
            self._refuse(f"too many indices for {x.text}")
        self._check_index(self.deciding([x]), parts)
        made = x._replace(text=self._text, rank=rank, value=None)
        if rank == 0 and ... not in parts and self.deciding([x]).library_title == SCALAR_LIBRARY:
            made = made._replace(form="scalar", library=SCALAR_LIBRARY)
        elif x.form == "scalar":  # as x[...] and x[None] are
            made = made._replace(form="array")
        return Value(self, made)

    def _check_index(self, rules: PromotionSystem, parts: Sequence[Any]) -> None:
        """Refuse indices that other libraries take."""
        facts = rules.library
        if facts is None or not facts.index_dtypes:
            return
        for part in parts:
            is_array = isinstance(part, Operand) and part.form == "array"
            if is_array and part.dtype.name not in facts.index_dtypes:
                takes = listed(facts.index_dtypes, "or")
                self._refuse(f"an index of {facts.title} is {takes}, not {part.dtype}")
            if isinstance(part, slice) and _is_negative(part.step):
                self._refuse(f"a slice of {facts.title} has no negative step; use flip")

    def _index(self, part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return [self._index(inner) for inner in part]
        if isinstance(part, Path) and part.words[-1] == "newaxis":
            return None
        found = self._operand(part) if isinstance(part, Traced) else part
        if isinstance(found, slice):
            ends = (found.start, found.stop, found.step)
            return slice(*(None if end is None else self._index(end) for end in ends))
        if isinstance(found, Operand) and found.dtype.kind not in calls.WHOLE:
            self._refuse(f"{found.text} is not an index")
        if isinstance(found, str):
            self._refuse(f"{found!r} is not an index; arrays of records are not modelled")
        return found

    def _result(self, part: Value, index: Any) -> Value:
        """Return one of several results."""
        count = len(part.results)
        place = self._operand(index).number if isinstance(index, Traced) else None
        if type(place) is int and part.is_alike:
            place = min(place, count - 1)
        if type(place) is not int or not 0 <= place < count:
            node = self._node
            where = node.slice if isinstance(node, ast.Subscript) else node
            self._refuse(f"the results are numbered 0 to {count - 1}", where)
        return Value(self, part.results[place])

    # steps

    def deciding(self, operands: Sequence[Operand]) -> PromotionSystem:
        """Return the rules that decide about some operands: NumPy's defer to another library's."""
        ranked = [x for x in operands if not x.is_python and x.form != "scalar"]
        is_scalar = any(x.form == "scalar" for x in operands)
        if self.is_free and is_scalar and not any(x.library for x in ranked):
            return self._home(names.scalar_rules())
        homes = {x.library for x in ranked if x.library} if self.is_free else set()
        name = self._deciding_name(homes)
        rules = self._home(name) if name else self.rules
        if rules.ranked and len(homes) > 1:
            self._refuse_flat([x for x in ranked if x.library == SCALAR_LIBRARY])
        return rules

    def _refuse_flat(self, arrays: Sequence[Operand]) -> None:
        """Refuse arrays that may have no dimensions, which do not decide as scalars do."""
        for x in arrays:
            if not x.rank:
                self._refuse(f"whether {x.text} is a scalar decides; convert it first")

    def _deciding_name(self, homes: set[str]) -> str:
        """Return the rules of the one library that others defer to, or ``""`` if it has none."""
        others = sorted(homes - {SCALAR_LIBRARY} or homes)
        if len(others) > 1:
            self._refuse(f"arrays of {' and '.join(others)} do not meet; convert one of them")
        return names.rules_of(others[0]) if others else ""

    def _home(self, name: str, home: str = "") -> PromotionSystem:
        """Return the rules of a name; a part of a library has the options of the whole."""
        known = libraries()
        if self.rules.library is known[name]:
            return self.rules
        is_part = home and self.rules.library is known[home]
        chosen = self.rules.setting.items() if is_part else ()
        return system(name, **{o: value for o, value in chosen if o in options(name)})

    def _step(
        self, known: Function, operands: Sequence[Operand], rules: PromotionSystem,
        parameters: Mapping[str, Any] | None = None,
    ) -> Operand:  # fmt: skip
        """Take a step: ask the rules what a function gives, and record it."""
        is_unknown = any(
            x.form in ("scalar", "Python scalar") and x.value is None for x in operands
        )
        if rules.valued and is_unknown:
            what = f"the rules {rules.name} look at the value of a scalar, which is not known here"
            self._refuse(what)
        if known.name == "power":
            operands = self._exponents(operands, rules)
        if why_not := ranks.refusal(known, operands, (parameters or {}).get("axis")):
            self._refuse(why_not)
        why = self._explained(known, operands, rules)
        rank = ranks.rank(known, operands, parameters or {})
        made = _made_of(known, why, operands, rank, rules.library_title)._replace(text=self._text)
        self._note(rules, known.name, operands, made, why=why)
        return made

    def _explained(
        self, known: Function, operands: Sequence[Operand], rules: PromotionSystem
    ) -> Explanation:
        try:
            return explain(rules, operands, known.name)
        except RulesError as error:
            self._refuse(str(error), None, error.candidates)
        except PromotionError as error:
            what = f"in the step {self._text}: {error}"
            raise PromotionError(
                what, error.operands, error.system, error.setting, error.candidates
            ) from None

    def _exponents(self, operands: Sequence[Operand], rules: PromotionSystem) -> Sequence[Operand]:
        """Return the operands of a power: an exponent that is known is a number to some rules."""
        if len(operands) < 2:
            return operands
        rule, base, last = rules.rule("power"), operands[0], operands[-1]
        selects = rule is not None and rule.special is not None and rule.special.select is not None
        is_flat = last.form == "array" and last.rank == 0 and last.dtype.kind in calls.WHOLE
        is_kept = base.dtype.kind not in calls.WHOLE and not base.weak  # either way
        if not selects or not is_flat or is_kept:
            return operands
        if last.value is None:
            what = f"whether {last.text} is known or traced decides about the power"
            self._refuse(f"{what}; write the number")
        return [*operands[:-1], last._replace(form="scalar")]

    def _made(self, x: Operand, wanted: DType, rules: PromotionSystem, name: str) -> Operand:
        """Return what is like an operand, of a dtype that is asked for by name."""
        try:
            d = rules.result_type(wanted)
        except PromotionError as error:
            self._refuse(str(error))
        form = "scalar" if x.form == "scalar" else "array"
        made = Operand(self._text, d, False, form, x.library, x.rank)
        narrowed = f", which these rules narrow to {d}" if d is not wanted else ""
        said = f"The dtype is asked for: {wanted}{narrowed}."
        self._note(rules, name, [x], made, note=said)
        return made

    def _note(
        self, rules: PromotionSystem, name: str, operands: Sequence[Operand], made: Operand,
        *, note: str = "", why: Explanation | None = None,
    ) -> None:  # fmt: skip
        """Record a step."""
        self.last = rules
        start, _ = self.source.span(self._node)
        self.steps.append(
            ExpressionStep(made.text, start, rules.name, name, tuple(operands), made, note, why)
        )

    # calls

    def call(self, part: Traced, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Value | None:
        """Return what a call gives."""
        if not isinstance(part, Path):
            self._refuse("this cannot be called")
        x = None if part.of is None else self._operand(part.of)
        given = [Given(place, self._argument(place, arg)) for place, arg in enumerate(args)]
        given += [Given(place, self._argument(place, arg)) for place, arg in kwargs.items()]
        call = calls.Call(part.words, x, given, self.rules)
        call = call._replace(rules=self._rules_for(call))
        for kind in (self._python, self._type, self._cast, self._function):
            found: Value | None = self._checked(kind, call)
            if found is not None:
                return found
        *_, name = names.located(call.words)
        where, _, last = name.rpartition(".")
        hint, close = did_you_mean(last, [*FUNCTIONS]) if not where else (f" in {where}", ())
        raise self.source.error(f"there is no function {last!r}{hint}", self._node, close)

    def _rules_for(self, call: calls.Call) -> PromotionSystem:
        if call.x is not None:
            return self.deciding([call.x])
        if numbers.function_of(call.words) is not None:  # which asks its operands
            return self.deciding(call.operands)
        home, own, _ = names.located(call.words)
        is_asked = home and (self.is_free or libraries()[home] is self.rules.library)
        return self._home(own, home) if is_asked else self.rules

    def _argument(self, place: int | str, part: Any) -> Any:
        """Return an argument, with operands for the traced parts in it."""
        if type(part) in (list, tuple):
            return type(part)(self._argument(place, inner) for inner in part)
        return self._operand(part, self._part(place)) if isinstance(part, Traced) else part

    def _checked(self, ask: Callable[..., Any], *asked: Any) -> Any:
        """Return what something gives, and have its refusal point at a part of the call."""
        try:
            return ask(*asked)
        except Refused as refused:
            part = self._part(refused.place)
            self._refuse(str(refused).replace("{}", self.source.of(part)), part)

    def _python(self, call: calls.Call) -> Value | None:
        """Return what Python's own functions and numbers give."""
        part = self._part_of_number(call)
        own, operands = numbers.function_of(call.words), call.operands
        if part is not None or call.x is not None or own is None:
            return part
        if own in PYTHON_SCALARS and [type(argument.value) for argument in call.given] == [str]:
            return self._number(own, call.given[0].value)
        if not operands:
            return None
        if own is round and operands[0].form == "array":
            self._refuse("arrays have no such method, or one that gives ints; write np.round")
        if own is divmod and not any(x.form == "array" for x in operands):
            self._refuse("divmod of numbers has two results of Python; write // and %")
        return self._number(numbers.called, own, operands)

    def _part_of_number(self, call: calls.Call) -> Value | None:
        """Return what a method of a Python number gives, or a function that leaves it one."""
        x, operands = call.x, call.operands
        if x is not None and call.name == "item":
            return self._number(lambda: numbers.KINDS[x.dtype.kind])
        if call.words == ("pow",) and len(operands) == 2:
            return self.operation("__pow__", *(Value(self, x) for x in operands))
        part = numbers.PARTS.get(call.name) if len(operands) == 1 else None
        is_left = call.rules.library_title == SCALAR_LIBRARY and call.name != "conjugate"
        if part is None or not operands[0].is_python or not (x is not None or is_left):
            return None
        return self._number(numbers.part, part, operands[0])

    def _type(self, call: calls.Call) -> Value | None:
        """Return a scalar of NumPy's, such as np.float32(2), or an array such as jnp.float32(2)."""
        home, _, _ = names.located(call.words)
        is_type = call.x is None and call.name in _SCALARS and len(call.words) == 2 and home
        if not is_type or not names.has_scalar_dtypes(libraries()[home]):  # which can be called
            return None
        d = arguments.named_dtype(call.name)
        inner = call.operands[0] if len(call.given) == len(call.operands) == 1 else operand(0)
        value = None if inner.number is None else self._converted(inner.number, d)
        if home == names.scalar_rules():
            form = "array" if inner.rank else "scalar"
            made = Operand(self._text, d, False, form, SCALAR_LIBRARY, inner.rank, value)
            return Value(self, made)
        if value is not None or inner.form == "scalar":
            inner = inner._replace(form="array", rank=0)
        inner = inner._replace(library=call.rules.library_title)
        return Value(self, self._made(inner, d, call.rules, "asarray")._replace(value=value))

    def _converted(self, value: complex, d: DType) -> Any:
        """Return a Python number as one of the kind of a dtype, which holds it if it is an int."""
        try:
            found: Any = numbers.KINDS[d.kind](value)
        except (OverflowError, TypeError, ValueError) as error:
            self._refuse(f"{short(value)} is not a number of {d}: {error}")
        if type(found) is int and (why := fits(found, d)):
            self._refuse(why)
        return found

    def _cast(self, call: calls.Call) -> Value | None:
        """Return an array in another dtype."""
        x, given = call.x, [*call.given]
        own = calls.CASTS.get(call.name) if x is not None else None
        if own is None and not calls.casts(call.name, given):
            return None
        self._check_method(call)
        if x is None and given and isinstance(given[0].value, Operand):
            x = given.pop(0).value
        target = self._cast_target(call, given)
        if x is None or (own is None and target is None):
            self._refuse(f"{call.name} takes an array and a dtype, as in x.astype(float32)")
        wanted = by_name(own) if own else arguments.dtype_of(target or given[0])
        return Value(self, self._made(x, wanted, call.rules, "astype"))

    def _cast_target(self, call: calls.Call, given: Sequence[Given]) -> Given | None:
        """Return the argument that names the dtype, and refuse what decides beside it."""
        target = [argument for argument in given if argument.place in (0, 1, "dtype")]
        for other in given:
            if other not in target and other.place not in _CAST_OPTIONS:
                what = f"{call.name} with {other.place!r} is not modelled"
                self._refuse(what, self._part(other.place))
        return target[0] if target else None

    def _check_method(self, call: calls.Call) -> None:
        """Refuse methods that arrays like NumPy's do not have, or that give None."""
        if call.x is None or not names.is_like_scalars(call.rules.library):
            return
        is_own = call.rules.library_title == SCALAR_LIBRARY
        if is_own and call.name in names.CHANGING:
            self._refuse(f"{call.name} changes the array, and gives None")
        if call.name not in names.METHODS:
            self._refuse(f"arrays of {call.rules.title} have no method {call.name!r}")

    def _function(self, call: calls.Call) -> Value | None:
        """Return what a function of the catalogue gives."""
        known = calls.function_of(call)
        if known is None:
            return None
        self._check_method(call)
        given = [*call.given]
        if (made_of := self._of_numbers(call, known)) is not None:
            given[0] = Given(0, made_of)
        if call.x is not None:
            first = next((i for i, letter in enumerate(known.places) if letter), 0)
            given.insert(min(first, len(given)), Given(None, call.x))
        known, bound = calls.meant(known, call, arguments.bind(known, given))
        bound = bound._replace(operands=calls.operands_of(known, bound, call.rules))
        made, several = self._results(known, call, bound)
        if known.category == "reduction" and call.rules.setting.get("operation") == "series":
            return self._number(lambda: numbers.KINDS[made[0].dtype.kind])  # of one column
        home, _, _ = names.located(call.words)
        if home and self.is_free:
            made = [x._replace(library=libraries()[home].title) for x in made]
        return Value(self, *made, is_several=bool(several), is_alike=several in calls.ALIKE)

    def _results(
        self, known: Function, call: calls.Call, bound: Bound
    ) -> tuple[list[Operand], str]:
        """Return what a function gives, and the category of several results, or ``""`` of one."""
        if bound.dtype is not None:
            return [self._with_dtype(known, bound, call.rules)], ""
        parts = calls.results_of(known, call, bound)
        made = [
            self._step(each, own, call.rules, bound.parameters)
            for each, own in parts or [(known, bound.operands)]
        ]
        if parts and known.name in calls.TUPLES:
            rank = calls.TUPLES[known.name](bound.operands[0].rank)
            made = [x._replace(rank=rank) for x in made]
        return made, parts[0][0].category if parts else ""

    def _of_numbers(self, call: calls.Call, known: Function) -> Operand | None:
        """Return the array that a call makes of Python numbers that are written out, if it does."""
        is_made = known.name in calls.OF_NUMBERS and call.x is None and call.given
        if not is_made or call.rules.rule(known.name) is None:
            return None
        place, value = call.given[0]
        if place not in (0, "object", "data"):
            return None
        rank, values = _flattened(value)
        if not rank and type(values[0]) not in PYTHON_SCALARS:
            return None
        title = call.rules.library_title
        is_taken = title == SCALAR_LIBRARY or not any(map(_is_wide, values))
        if not is_taken or not all(type(x) in PYTHON_SCALARS for x in values):
            raise Refused("{} is not made of numbers alone that int64 holds", place)
        d = calls.dtype_of_numbers(call.rules, values)
        weak = call.rules.weak_arrays and not rank and d.kind != "bool"
        return Operand(self.source.of(self._part(place)), d, weak, "array", title, rank)

    def _with_dtype(self, known: Function, bound: Bound, rules: PromotionSystem) -> Operand:
        """Return what a function gives in the dtype that it is asked for."""
        wanted = bound.dtype or by_name("bool")
        arguments.check_dtype(known, wanted, bound.operands)
        if rules.rule(known.name) is None:
            self._refuse(f"{rules.title} rules have no function {known.name!r}")
        if known.category == "reduction":  # which is that of operands of this dtype
            self._explained(known, [Operand("x", wanted, False, "array", rank=1)], rules)
        first = bound.operands[0] if bound.operands else operand(wanted)
        rank = ranks.rank(known, bound.operands, bound.parameters)
        return self._made(first._replace(rank=rank), wanted, rules, known.name)


# operands and results


def _is_of_python(special: str, operands: Sequence[Operand]) -> bool:
    """Return whether Python computes: its complex numbers take a NumPy float64, a float to it."""
    first, last = operands[0], operands[-1]
    is_float = last.form == "scalar" and last.dtype.name == "float64"
    has_operator = special in vars(complex) and special not in MIRRORED
    return is_float and type(first.number) is complex and has_operator


def _defers(x: Operand, rules: PromotionSystem) -> bool:
    """Return whether an operand leaves operators to what it meets, as NumPy's scalars may."""
    return x.is_python or (x.form == "scalar" and rules.library_title != SCALAR_LIBRARY)


def _made_of(
    known: Function, why: Explanation, operands: Sequence[Operand], rank: int | None, library: str
) -> Operand:
    """Return what a function gives, as an operand of the next step."""
    arrays = [x for x in operands if not x.is_python]
    forms = {x.form for x in arrays}
    if forms and forms <= {"dtype", "type"}:
        return operand(why.result)._replace(weak=why.weak)
    is_scalar = rank == 0 and library == SCALAR_LIBRARY and known.category in _SCALAR_CATEGORIES
    if is_scalar and not (known.name in ("real", "imag") and "array" in forms):
        return Operand("", why.result, why.weak, "scalar", library, 0)
    home = library if any(x.library for x in arrays) else ""
    return Operand("", why.result, why.weak, "array", home, rank)


def _flattened(value: Any) -> tuple[int, list[Any]]:
    """Return how deep lists in lists go, and what is in them: numbers, or what is not."""
    rank, parts = 0, [value]
    while parts and all(type(x) in (list, tuple) for x in parts):
        rank, parts = rank + 1, [x for part in parts for x in part]
    return rank, [x.number if isinstance(x, Operand) else x for x in parts]


def _is_negative(step: Any) -> bool:
    return isinstance(step, Operand) and step.number is not None and step.number < 0


def _is_wide(x: Any) -> bool:
    return type(x) is int and not -(2**63) <= x < 2**63

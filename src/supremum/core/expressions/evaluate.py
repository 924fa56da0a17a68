"""Explaining expressions: Python evaluates them, and each function and operator is a step."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..dtypes import PYTHON_SCALARS, DType, by_name, is_name
from ..errors import (
    DTypeError,
    ExpressionError,
    PromotionError,
    RulesError,
    SupremumError,
    did_you_mean,
)
from ..explanation import Explanation
from ..functions import FUNCTIONS, Function, canonical, function, results
from ..libraries import libraries
from ..operands import SCALAR_LIBRARY, Operand, operand
from ..steps import fits
from ..system import PromotionSystem
from ..systems import DEFAULT, system
from . import calls, names, ranks
from .calls import Bound, Given, Refused
from .record import ExpressionExplanation, ExpressionStep
from .text import Source, read
from .tracer import MIRRORED, SPECIAL, Path, Traced, Value, computed


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
    found = evaluation.run()
    own = evaluation.last or evaluation.rules
    return ExpressionExplanation(source.text, own.name, own.label, tuple(evaluation.steps), found)


def _rules_of(source: Source) -> PromotionSystem | None:
    """Return the rules of the first library whose functions an expression calls, if it does."""
    called = [n.func for n in ast.walk(source.tree) if isinstance(n, ast.Call)]
    words = [
        ast.unparse(f).split(".")[0]
        for f in called
        if isinstance(f, ast.Attribute) and function(f.attr)
    ]
    if not words:
        return None  # without loading every library's rules
    found = [names.roots()[word] for word in words if names.roots().get(word)]
    return system(found[0]) if found else None


class _Names(dict[str, Any]):
    """The names of an expression, each of which its evaluation is asked for."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self.find = find

    def __missing__(self, name: str) -> Any:
        return self.find(name)


class _Call(NamedTuple):
    """A call: the words of its function, the array whose method it is, the arguments, the rules."""

    node: ast.Call
    words: tuple[str, ...]
    x: Operand | None
    given: Sequence[Given]
    rules: PromotionSystem

    @property
    def name(self) -> str:
        """The last word."""
        return self.words[-1]

    @property
    def operands(self) -> list[Operand]:
        """What is given that is an operand, and the array whose method is called."""
        found = [x.value for x in self.given if isinstance(x.value, Operand)]
        return found if self.x is None else [self.x, *found]


class Evaluation:
    """The steps of an expression so far; what `Traced` objects ask.

    Args:
        source: the expression.
        rules: the rules that decide.
        is_free: whether nobody named the rules, so that a prefix does.
    """

    def __init__(self, source: Source, rules: PromotionSystem, is_free: bool) -> None:  # noqa: FBT001  # see Args
        self.source = source
        self.rules = rules
        self.is_free = is_free
        self.steps: list[ExpressionStep] = []
        self.last: PromotionSystem | None = None  # that decided

    def run(self) -> tuple[Operand, ...]:
        """Return the results."""
        scope = _Names(self.named)
        try:
            # the code is vetted, and reaches no object but those that `named` returns
            found = eval(self.source.code, {"__builtins__": {}}, scope)  # noqa: S307  # see above
        except RecursionError:
            raise ExpressionError("the expression is nested too deeply", self.source.text) from None
        if isinstance(found, Value):
            return found.results
        return (self.operand(found, self.source.tree),)

    # where Python is

    @property
    def node(self) -> ast.expr:
        """The node that Python computes: that of the line of the code that it has come to."""
        frame = sys._getframe()  # noqa: SLF001  # documented, and faster than a traceback
        while frame.f_code is not self.source.code and frame.f_back is not None:
            frame = frame.f_back
        return self.source.nodes[frame.f_lineno - 1]

    def error(
        self, message: str, node: ast.AST | None = None, candidates: Sequence[str] = ()
    ) -> ExpressionError:
        """Return an error that points at a part, or at what Python computes."""
        return self.source.error(message, node or self.node, candidates)

    # names and operands

    def named(self, name: str) -> Traced:
        """Return what a name stands for."""
        found = self.source.operands.get(name) or self.source.numbers.get(name)
        return Path(self, (name,)) if found is None else Value(self, found)

    def operand(self, part: Any, node: ast.AST | None = None) -> Operand:
        """Return the operand that a part is."""
        if isinstance(part, Path):
            return self._named_operand(part, node or self.node)
        if not isinstance(part, Value):
            raise self.error(f"{part!r} is not an array or a number", node)
        if part.is_several:
            text = part.results[0].text
            what = f"{text} has {len(part.results)} results; take one, as with [0]"
            raise self.error(what, node)
        return part.results[0]

    def _named_operand(self, path: Path, node: ast.AST) -> Operand:
        """Return the dtype or the number that a dotted name is."""
        *before, name = path.words
        text = ".".join(path.words)
        if path.of is not None:
            what = f"{name!r} is not understood; methods need brackets"
            raise self.error(what, node)
        if before == ["math"] and isinstance(getattr(math, name, None), float):
            return operand(getattr(math, name))._replace(text=text)
        if before and name in names.CONSTANTS:
            return operand(names.CONSTANTS[name])._replace(text=text)
        try:
            return operand(calls.named_dtype(name))
        except DTypeError as error:
            known = [x for x in self.source.operands if not x.startswith("_")]
            hint, close = ("", ()) if before else did_you_mean(name, known)
            what = f"there is no operand {name!r}{hint}" if close else str(error)
            raise self.error(what, node, close or error.candidates) from None

    # operators

    def operation(self, special: str, *parts: Any) -> Value:
        """Return what an operator gives."""
        node = self.node
        operands = [self.operand(x, p) for x, p in zip(parts, _operands_of(node), strict=True)]
        if all(x.form == "Python scalar" for x in operands):
            return self._computed(special, operands)
        if special in MIRRORED and operands[0].is_python:  # as Python itself asks the array
            special, operands = MIRRORED[special], operands[::-1]
        rules, name = self._deciding(operands), SPECIAL[special]
        if name == "power" and _is_squared(operands, rules):
            name = "square"
        found = self._step(FUNCTIONS[name], name, operands[: FUNCTIONS[name].operands or 2], rules)
        return Value(self, found)

    def _computed(self, special: str, operands: Sequence[Operand]) -> Value:
        """Return what Python makes of its own numbers."""
        try:
            return self._number(computed(special, tuple(operands)))
        except ValueError as error:
            raise self.error(str(error)) from None

    def _number(self, found: Any) -> Value:
        """Return a Python number, or one of a type whose value is not known."""
        text = self.source.of(self.node)
        if isinstance(found, type):
            d = PYTHON_SCALARS[found]
            made = Operand(text, d, d.weak, "Python scalar", found.__name__, 0)
        else:
            made = operand(found)._replace(text=text)
        return Value(self, made)

    # whose rules decide

    def _deciding(self, operands: Sequence[Operand]) -> PromotionSystem:
        """Return the rules that decide about some operands: NumPy's defer to another library's."""
        arrays = [x for x in operands if not x.is_python]
        ranked = [x for x in arrays if x.form != "scalar"]
        if arrays and not ranked:
            return self._home(names.scalar_rules())
        homes = {x.library for x in ranked if x.library} if self.is_free else ()
        others = {*homes} - {SCALAR_LIBRARY} or homes
        if len(others) > 1:
            what = f"arrays of {' and '.join(sorted(others))} do not meet; convert one of them"
            raise self.error(what)
        known = (name for name, facts in libraries().items() if facts.title in others)
        name = next(known, "") if others else ""
        rules = self._home(name) if name else self.rules
        flat = [x for x in ranked if x.library == SCALAR_LIBRARY and not x.rank]
        if len(homes) > 1 and flat and rules.ranked:
            what = f"whether {flat[0].text} is a scalar or an array of {SCALAR_LIBRARY} decides"
            raise self.error(f"{what}; convert it first")
        return rules

    def _home(self, name: str) -> PromotionSystem:
        return self.rules if self.rules.library is libraries()[name] else system(name)

    # steps

    def _step(
        self,
        known: Function,
        name: str,
        operands: Sequence[Operand],
        rules: PromotionSystem,
        bound: Bound | None = None,
    ) -> Operand:
        """Take a step: ask the rules what a function gives, and record it."""
        text = self.source.of(self.node)
        is_unknown = any(x.form in ("scalar", "Python scalar") and x.value is None for x in operands)
        if rules.valued and is_unknown:
            what = f"the rules {rules.name} look at the value of a scalar, which is not known here"
            raise self.error(what)
        if name == "power":
            operands = self._exponents(operands, rules)
        parameters = bound.parameters if bound else {}
        self._checked(lambda: calls.check_ranks(known, operands, parameters.get("axis")))
        why = self._explained(name, operands, rules)
        rank = ranks.rank(known, ranks.of_operands(operands, parameters))
        made = _result(known, why, text, operands, rank, names.title_of(rules))
        self._note(rules, (known.name, tuple(operands), made), why=why)
        return made

    def _explained(
        self, name: str, operands: Sequence[Operand], rules: PromotionSystem
    ) -> Explanation:
        try:
            return rules.explain(*operands, op=name)
        except RulesError as error:
            raise self.error(str(error), None, error.candidates) from None
        except PromotionError as error:
            what = f"in the step {self.source.of(self.node)}: {error}"
            raise PromotionError(
                what, error.operands, error.system, error.setting, error.candidates
            ) from None

    def _exponents(self, operands: Sequence[Operand], rules: PromotionSystem) -> Sequence[Operand]:
        """Return the operands of a power: an exponent that is known is a number to some rules."""
        rule, base, last = rules.rule("power"), operands[0], operands[-1]
        selects = rule is not None and rule.special is not None and rule.special.select is not None
        is_flat = last.form == "array" and last.rank == 0 and last.dtype.kind in _WHOLE
        is_kept = base.dtype.kind not in _WHOLE and not base.weak  # either way
        if not selects or not is_flat or is_kept:
            return operands
        if last.value is None:
            what = f"whether {last.text} is known or traced decides about the power"
            raise self.error(f"{what}; write the number")
        return [*operands[:-1], last._replace(form="scalar")]

    def _note(
        self,
        rules: PromotionSystem,
        done: tuple[str, tuple[Operand, ...], Operand],
        note: str = "",
        why: Explanation | None = None,
    ) -> None:
        """Record a step: what was done is a function, its operands and the result."""
        self.last = rules
        start, _ = self.source.span(self.node)
        self.steps.append(ExpressionStep(done[-1].text, start, rules.name, *done, note, why))

    def _made(
        self, x: Operand, wanted: DType, rules: PromotionSystem, name: str
    ) -> Operand:
        """Return what is like an operand, of a dtype that is asked for by name."""
        try:
            d = rules.result_type(wanted)
        except SupremumError as error:
            raise self.error(str(error)) from None
        form = "scalar" if x.form == "scalar" else "array"
        made = Operand(self.source.of(self.node), d, False, form, x.library, x.rank)
        narrowed = f", which these rules narrow to {d}" if d is not wanted else ""
        said = f"The dtype is asked for: {wanted}{narrowed}."
        self._note(rules, (name, (x,), made), said)
        return made

    # calls

    def call(self, part: Traced, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Value:
        """Return what a call gives."""
        node = self.node
        if not isinstance(part, Path) or not isinstance(node, ast.Call):
            raise self.error("this cannot be called")
        x = None if part.of is None else self.operand(part.of)
        given = [Given(i, self._argument(i, arg)) for i, arg in enumerate(args)]
        given += [Given(key, self._argument(key, arg)) for key, arg in kwargs.items()]
        rules = self.rules
        if x is not None and not x.is_python:
            rules = self._deciding([x])
        elif x is None and (home := names.rules_of(part.words)):
            is_own = libraries()[names.home_of(part.words)] is self.rules.library
            rules = self._home(home) if self.is_free or is_own else rules
        asked = _Call(node, part.words, x, given, rules)
        for kind in _KINDS_OF_CALLS:
            found = self._checked(lambda kind=kind: kind(self, asked))
            if found is not None:
                return found
        raise self._unknown(asked)

    def _argument(self, place: int | str, part: Any) -> Any:
        """Return an argument with operands for the traced objects in it."""
        if type(part) in (list, tuple):
            return type(part)(self._argument(place, inner) for inner in part)
        return self.operand(part, self._part(place)) if isinstance(part, Traced) else part

    def _part(self, place: int | str | None) -> ast.expr:
        """Return the node of an argument of the call that Python computes."""
        node = self.node
        if not isinstance(node, ast.Call) or place is None:
            return node
        named = {k.arg: k.value for k in node.keywords}
        return node.args[place] if isinstance(place, int) else named.get(place, node)

    def _checked(self, ask: Callable[[], Any]) -> Any:
        """Return what something gives, and have its refusal point at a part of the call."""
        try:
            return ask()
        except Refused as refused:
            part = self._part(refused.place)
            raise self.error(str(refused).replace("{}", self.source.of(part)), part) from None

    def _unknown(self, call: _Call) -> ExpressionError:
        """Return the error for a function that is not known."""
        name = names.inner_name(call.words)
        if "." in name:
            what = f"{'.'.join(call.words[:-1])} has no function {call.name!r} that is known"
            return self.error(what, call.node.func)
        hint, close = did_you_mean(name, [*FUNCTIONS])
        return self.error(f"there is no function {name!r}{hint}", call.node.func, close)

    def _python(self, call: _Call) -> Value | None:
        """Return what Python's own functions give, those of `math` among them."""
        if call.x is not None:
            return None
        if call.words[0] == "math":
            return self._of_math(call)
        name, operands = call.words[0], call.operands
        if len(call.words) > 1 or name not in _PYTHON or not operands:
            return None
        if name == "pow" and len(operands) == 2:
            return self.operation("__pow__", *(Value(self, x) for x in operands))
        is_number = all(x.form == "Python scalar" for x in operands)
        if name in _CONVERTING or (is_number and name in _OWN):
            return self._converted(call, name, operands)
        if name == "round" and operands[0].form == "array" and names.title_of(self.rules) == SCALAR_LIBRARY:
            raise self.error(f"round takes no arrays of {SCALAR_LIBRARY}; use np.round")
        is_scalar = operands[0].form == "scalar"
        if name == "round" and is_scalar and len(call.given) == 1:
            return self._number(int)
        return None

    def _converted(self, call: _Call, name: str, operands: Sequence[Operand]) -> Value:
        """Return a Python number made of numbers, or of an array of one element."""
        x = operands[0]
        if x.form == "Python scalar" and None not in [x.value for x in operands]:
            try:
                return self._number(_OWN[name](*(calls.literal(given) for given in call.given)))
            except (ArithmeticError, TypeError, ValueError) as error:
                raise self.error(f"Python cannot compute this: {error}") from None
        if name not in _CONVERTING or len(operands) > 1:
            raise self.error(f"the value of {x.text} is not known")
        if x.form == "dtype" or x.rank:
            raise self.error(f"{name} takes one element, and {x.text} may have more")
        return self._number(_CONVERTING[name])

    def _of_math(self, call: _Call) -> Value:
        made = getattr(math, call.name, None)
        if len(call.words) != 2 or call.name in _ENDLESS or not callable(made):
            raise self.error(f"there is no function {call.name!r} in math", call.node.func)
        values = [calls.literal(x) for x in call.given]
        try:
            found = made(*values)
        except (ArithmeticError, TypeError, ValueError) as error:
            raise self.error(f"Python cannot compute this: {error}") from None
        if type(found) not in PYTHON_SCALARS:
            raise self.error(f"math.{call.name} does not give one number")
        return self._number(found)

    def _number_method(self, call: _Call) -> Value | None:
        """Return what a method of a Python number gives, or one that asks for its value."""
        if call.x is None:
            return None
        if call.name == "item" and not call.given and not call.x.is_python:
            return self._number(_TYPES[call.x.dtype.kind])
        if call.name == "conjugate" and call.x.number is not None:
            return self._number(call.x.number.conjugate())
        return None

    def _type(self, call: _Call) -> Value | None:
        """Return a scalar of NumPy's, such as np.float32(2), or an array such as jnp.float32(2)."""
        home = names.home_of(call.words)
        if call.x is not None or call.name not in _SCALARS or not home or len(call.words) > 2:
            return None
        scalars = libraries()[names.scalar_rules()]
        if libraries()[home].dtypes_in != scalars.dtypes_in:
            return None  # what cannot be called
        inner = call.operands[0] if len(call.given) == len(call.operands) == 1 else operand(0)
        d = calls.named_dtype(call.name)
        if type(inner.number) is int and (why := fits(inner.number, d)):
            raise self.error(why)
        if libraries()[home] is scalars:
            return Value(self, self._scalar(inner, d))
        number = inner.number
        if number is not None or inner.form == "scalar":
            inner = inner._replace(form="array", rank=0)
        inner = inner._replace(library=names.title_of(call.rules))
        made = self._made(inner, d, call.rules, "asarray")
        return Value(self, made._replace(value=number))

    def _scalar(self, inner: Operand, d: DType) -> Operand:
        text, title = self.source.of(self.node), SCALAR_LIBRARY
        if not inner.is_python:
            return Operand(text, d, False, "array" if inner.rank else "scalar", title, inner.rank)
        value: Any = inner.value
        if d.kind != "complex" and not isinstance(value, complex) and value is not None:
            value = _TYPES[d.kind](value)
        return Operand(text, d, False, "scalar", title, 0, value)

    def _cast(self, call: _Call) -> Value | None:
        """Return an array in another dtype."""
        name, x, given = call.name, call.x, [*call.given]
        is_method = x is not None and name in calls.CASTS
        is_view = name == "view" and any(_names_dtype(g.value) for g in given)
        if not (is_method or is_view or name in calls.CASTING):
            return None
        self._check_method(call)
        if x is None and given:
            x = given.pop(0).value
        if not isinstance(x, Operand):
            raise self.error(f"{name} takes an array")
        target = [g for g in given if g.place in (0, 1, "dtype")]
        if not is_method and not target:
            raise self.error(f"{name} takes a dtype, as in x.astype(float32)")
        wanted = calls.CASTS[name] if is_method else calls.dtype_of(target[0])
        return Value(self, self._made(x, wanted, call.rules, "astype"))

    def _check_method(self, call: _Call) -> None:
        """Refuse methods that arrays like NumPy's do not have, or that give None."""
        if call.x is None or not names.is_like_scalars(call.rules.library):
            return
        is_own = names.title_of(call.rules) == SCALAR_LIBRARY
        if is_own and call.name in calls.CHANGING:
            raise self.error(f"{call.name} changes the array, and gives None")
        if call.name not in calls.ARRAY_METHODS and (is_own or call.name not in calls.CHANGING):
            hint, close = did_you_mean(call.name, sorted(calls.ARRAY_METHODS))
            what = f"arrays of {call.rules.title} have no method {call.name!r}{hint}"
            raise self.error(what, None, close)

    def _function(self, call: _Call) -> Value | None:
        """Return what a function of the catalogue gives."""
        known = self._known(call)
        if known is None:
            return None
        self._check_method(call)
        if found := self._of_python(call, known):
            return found
        given = [*call.given]
        made_of = self._of_numbers(call, known)
        if made_of is not None:
            given[0] = Given(0, made_of)
        if call.x is not None:
            first = next((i for i, letter in enumerate(known.places) if letter), 0)
            given.insert(min(first, len(given)), Given(None, call.x))
        bound = calls.bind(known, given)
        known, bound = _in_words(known, call, bound)
        bound = bound._replace(operands=self._changed(known, bound, call.rules))
        if bound.dtype is not None:
            return self._placed(call, [self._with_dtype(known, bound, call.rules)])
        parts = results_of(known, call, bound)
        made = [
            self._step(FUNCTIONS.get(name, known), name, operands, call.rules, bound)
            for name, operands in parts or [(known.name, bound.operands)]
        ]
        return self._placed(call, made, is_several=bool(parts))

    def _of_python(self, call: _Call, known: Function) -> Value | None:
        """Return the part of a Python number, which NumPy leaves as it is."""
        is_part = known.name in ("real", "imag", "isreal") and len(call.operands) == 1
        value = call.operands[0].number if is_part else None
        if value is None or names.title_of(call.rules) != SCALAR_LIBRARY:
            return None
        return self._number(value.imag == 0 if known.name == "isreal" else getattr(value, known.name))

    def _known(self, call: _Call) -> Function | None:
        """Return the function that is called; None if it is not known."""
        name = names.inner_name(call.words)
        if call.x is not None and call.name == "select":  # which is np.select otherwise
            return FUNCTIONS["same"]._replace(name="select", call="(x,0,0)", sort="shape")
        if call.x is not None and call.name in ("conj", "conjugate") and call.x.dtype.kind == "bool":
            return FUNCTIONS["same"]  # as a method, which does nothing to what is real
        if name.rpartition(".")[2] == "equal" and call.rules.rule("randn_like"):
            return None
        if outer := names.outer_of(name):
            is_ufunc = call.rules.rule(canonical(f"{outer.name}.reduce") or "") is not None
            return outer if is_ufunc else None
        return names.find(name) or function(f"{name}[0]") and function(name + "[0]")

    def _of_numbers(self, call: _Call, known: Function) -> Operand | None:
        """Return the array that a call makes of Python numbers that are written out, if it does."""
        is_made = known.name in _OF_NUMBERS and call.x is None and call.given
        if not is_made or call.rules.rule(known.name) is None:
            return None
        rank, parts = 0, [call.given[0].value]
        while parts and all(type(x) in (list, tuple) for x in parts):
            rank, parts = rank + 1, [x for part in parts for x in part]
        if not rank and not (isinstance(parts[0], Operand) and parts[0].form == "Python scalar"):
            return None
        numbers = [x.number if isinstance(x, Operand) else x for x in parts]
        if not all(map(_is_number, numbers)):
            raise Refused("{} is not made of numbers that int64 holds", 0)
        kind = max(([*PYTHON_SCALARS].index(type(x)) for x in numbers), default=2)
        d, text = _default(call.rules, kind), self.source.of(self._part(0))
        weak = bool(call.rules.weak_arrays and not rank and kind)
        return Operand(text, d, weak, "array", names.title_of(call.rules), rank)

    def _changed(self, known: Function, bound: Bound, rules: PromotionSystem) -> list[Operand]:
        """Return operands as a function sees them, where that is not what they are."""
        operands, is_scalars = bound.operands, names.title_of(rules) == SCALAR_LIBRARY
        are_numbers = all(x.is_python for x in operands)
        if is_scalars and known.sort not in _TAKES_NUMBERS:
            operands = [_as_array(x, rules) for x in operands]
        if known.name == "where" and are_numbers and rules.ranked:
            operands = [_as_array(x, rules) for x in operands]
        if known.name in _STACKED:  # of one dimension, if they have none
            return [x._replace(rank=1) if _is_flat(x) else x for x in operands]
        if known.name in _OF_NUMBERS and not is_scalars and names.title_of(rules):
            return [x._replace(form="array") if x.form == "scalar" else x for x in operands]
        if known.name in _CHECKS:
            return _CHECKS[known.name](operands, bound.parameters, rules)
        return operands

    def _with_dtype(self, known: Function, bound: Bound, rules: PromotionSystem) -> Operand:
        """Return what a function gives in the dtype that it is asked for."""
        wanted = bound.dtype or by_name("bool")
        calls.check_dtype(known, wanted, bound.operands)
        if rules.rule(known.name) is None:
            raise self.error(f"{rules.title} rules have no function {known.name!r}")
        if known.sort == "reduction":  # which takes the dtype as that of its operand
            self._explained(known.name, [Operand("x", wanted, False, "array", "", 1)], rules)
        first = bound.operands[0] if bound.operands else operand(wanted)
        rank = ranks.rank(known, ranks.of_operands(bound.operands[:1], bound.parameters))
        form = first.form if first.form in ("dtype", "scalar") else "array"
        return self._made(first._replace(rank=rank, form=form), wanted, rules, known.name)

    def _placed(self, call: _Call, made: list[Operand], *, is_several: bool = False) -> Value:
        """Return results as what they are: of the library whose function is called."""
        home = names.home_of(call.words)
        if home and self.is_free:
            made = [x._replace(library=libraries()[home].title) for x in made]
        is_alike = is_several and self.steps[-1].function in _ALIKE
        return Value(self, *made, is_several=is_several, is_alike=is_alike)

    # parts of arrays

    def item(self, part: Traced, index: Any) -> Value:
        """Return an item."""
        if isinstance(part, Value) and part.is_several:
            return self._one_of(part, index)
        x = self.operand(part)
        if x.is_python:
            raise self.error(f"{x.text} is a number, which has no items")
        parts = [self._index(p) for p in (index if isinstance(index, tuple) else (index,))]
        rank = ranks.of_item(x, parts)
        if rank is not None and rank < 0:
            raise self.error(f"too many indices for {x.text}")
        is_scalar = rank == 0 and ... not in parts and names.title_of(self._deciding([x])) == SCALAR_LIBRARY
        made = x._replace(text=self.source.of(self.node), rank=rank, value=None)
        return Value(self, made._replace(form="scalar", library=SCALAR_LIBRARY) if is_scalar else made)

    def _index(self, part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return [self._index(inner) for inner in part]
        found = self.operand(part) if isinstance(part, Traced) else part
        if isinstance(found, Operand) and found.dtype.kind not in (*_WHOLE,):
            raise self.error(f"{found.text} is not an index")
        return found

    def _one_of(self, part: Value, index: Any) -> Value:
        """Return one of several results."""
        count = len(part.results)
        place = self.operand(index).number if isinstance(index, Traced) else None
        if type(place) is int and part.is_alike:
            place = min(place, count - 1)
        if type(place) is not int or not 0 <= place < count:
            node = self.node
            where = node.slice if isinstance(node, ast.Subscript) else node
            raise self.error(f"the results are numbered 0 to {count - 1}", where)
        return Value(self, part.results[place])

    def attribute(self, part: Traced, name: str) -> Traced:
        """Return an attribute: of a value, or a longer dotted name."""
        if isinstance(part, Path) and part.of is None:
            known = {*names.roots(), "math"}
            if part.words[0] not in known:
                part = Value(self, self.operand(part))  # it is a dtype, or there is an error
            else:
                return Path(self, (*part.words, name))
        if isinstance(part, Value) and part.is_several and name in ("values", "indices"):
            return Value(self, part.results[name == "indices"])
        if not isinstance(part, Value):
            raise self.error(f"{name!r} is not understood; methods need brackets")
        if name not in _ATTRIBUTES or isinstance(self.node, ast.Call):
            return Path(self, (name,), part)
        x = self.operand(part)
        if name not in ("real", "imag"):
            return Value(self, x._replace(text=self.source.of(self.node)))
        if x.form == "Python scalar" and x.value is not None:
            return self._number(getattr(x.value, name))
        return Value(self, self._step(FUNCTIONS[name], name, [x], self._deciding([x])))


def _operands_of(node: ast.expr) -> Sequence[ast.expr | None]:
    """Return the nodes of the operands of an operator."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    return [node.operand] if isinstance(node, ast.UnaryOp) else [None, None]


def _is_squared(operands: Sequence[Operand], rules: PromotionSystem) -> bool:
    """Return whether an operator squares bools, which NumPy's does where power does not."""
    base, exponent = operands
    is_square = exponent.number == 2 and exponent.dtype.kind == "signed"
    is_theirs = names.title_of(rules).startswith(SCALAR_LIBRARY)
    return is_square and base.dtype.kind == "bool" and is_theirs


def _result(
    known: Function,
    why: Explanation,
    text: str,
    operands: Sequence[Operand],
    rank: int | None,
    library: str,
) -> Operand:
    """Return what a function gives, as an operand of the next step."""
    arrays = [x for x in operands if not x.is_python]
    forms = {x.form for x in arrays}
    if forms and forms <= _WITHOUT_DATA:
        return operand(why.result)._replace(text=text, weak=why.weak)
    is_scalar = rank == 0 and library == SCALAR_LIBRARY and known.sort in _SCALAR_SORTS
    if is_scalar and not (known.name in ("real", "imag") and "array" in forms):
        return Operand(text, why.result, why.weak, "scalar", library, 0)
    home = library if any(x.library for x in arrays) else ""
    return Operand(text, why.result, why.weak, "array", home, rank)


def _in_words(known: Function, call: _Call, bound: Bound) -> tuple[Function, Bound]:
    """Return the function that a call means by its arguments and by how it is written."""
    name, parameters = known.name, bound.parameters
    axis = parameters.get("axis")
    if name == "where" and not bound.operands and isinstance(parameters.get("condition"), Operand):
        return FUNCTIONS["nonzero"], bound._replace(operands=[parameters["condition"]])
    if name in calls.OF_TWO and isinstance(axis, Operand) and call.rules.rule(f"{name}[1]"):
        operands = [*bound.operands, axis]
        return FUNCTIONS[calls.OF_TWO[name]], Bound(operands, {}, {}, bound.dtype)
    if call.name in ("reduce", "accumulate"):
        axis = parameters.get("axis", 0)
        return known, bound._replace(parameters={**parameters, "axis": axis, "keepdims": False})
    for (function_name, parameter, value), variant in calls.VARIANTS.items():
        if function_name == name and parameters.get(parameter) == value:
            if not names.is_like_scalars(call.rules.library):
                raise Refused(f"the parameter {parameter!r} of {name} is not modelled", parameter)
            return FUNCTIONS[variant], bound
    return known, bound


def results_of(
    known: Function, call: _Call, bound: Bound
) -> list[tuple[str, list[Operand]]]:
    """Return the results of a call that has several, each with the operands that decide about it."""
    second, rules = f"{known.name}[1]", call.rules
    if known.name.endswith("]"):
        return []
    if rules.rule(known.name) is None:
        found = results(known.name)
        if len(found) == 1 and known.operands is None:  # as many as operands, each of its own
            given = bound.operands
            return [(found[0], [*given[i:], *given[:i]]) for i in range(len(given))]
        return [(name, bound.operands) for name in found]
    has_places = known.sort != "reduction" or bound.parameters.get("axis") is not None
    if has_places and call.name == known.name and rules.rule(second):
        return [(name, bound.operands) for name in (known.name, second)]
    return []


def _as_array(x: Operand, rules: PromotionSystem) -> Operand:
    """Return the array that a Python number becomes."""
    if x.form != "Python scalar":
        return x
    d = _default(rules, [*PYTHON_SCALARS].index(type(x.value))) if x.value is not None else x.dtype
    return Operand(x.text, d, False, "array", names.title_of(rules), 0, x.value)


def _default(rules: PromotionSystem, kind: int) -> DType:
    """Return the dtype that an array of Python numbers has by default."""
    defaults = rules.default_dtypes
    return (by_name("bool"), defaults.int, defaults.float, defaults.complex)[kind]


def _is_number(x: Any) -> bool:
    is_wide = type(x) is int and not -(2**63) <= x < 2**63
    return type(x) in PYTHON_SCALARS and not is_wide


def _is_flat(x: Operand) -> bool:
    return x.form == "array" and x.rank == 0


def _names_dtype(x: Any) -> bool:
    return (isinstance(x, Operand) and x.form in ("dtype", "type")) or isinstance(x, str)


def _clipped(
    operands: list[Operand], _: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    flat = [x for x in operands[1:] if rules.ranked and _is_flat(x)]
    flat += [x for x in operands[:1] if x.is_python]
    if flat:
        raise Refused(f"clip of {flat[0].text}, which has no dimensions, is not modelled")
    if len(operands) == 1 and operands[0].dtype.kind == "bool":
        raise Refused("clip does not take bool without bounds")
    return operands


def _rounded(
    operands: list[Operand], parameters: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    """Return what is rounded: to decimals a float is multiplied before, so it is not weak then."""
    decimals = parameters.get("decimals")
    if not decimals:
        return operands
    kinds = {x.dtype.kind for x in operands}
    is_taken = names.is_like_scalars(rules.library) and (
        decimals > 0 or names.title_of(rules) == SCALAR_LIBRARY
    )
    if "bool" in kinds or (kinds & {*_WHOLE} and not is_taken):
        raise Refused(f"round to decimals does not take {operands[0].dtype}")
    return [x._replace(weak=x.weak and (x.dtype.kind in _WHOLE or x.rank == 0)) for x in operands]


def _chosen(
    operands: list[Operand], parameters: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    """Return what a condition chooses from."""
    condition = parameters.get("condition")
    if isinstance(condition, Operand) and condition.dtype.kind != "bool":
        if not names.is_like_scalars(rules.library):
            raise Refused(f"the condition {condition.text} is not bool", "condition")
    return operands


_Check = Callable[[list[Operand], Mapping[str, Any], PromotionSystem], list[Operand]]
_CHECKS: Final[Mapping[str, _Check]] = {"clip": _clipped, "round": _rounded, "where": _chosen}

_KINDS_OF_CALLS: Final = (
    Evaluation._python, Evaluation._number_method, Evaluation._type, Evaluation._cast,  # noqa: SLF001  # of this file
    Evaluation._function,  # noqa: SLF001  # the same
)  # fmt: skip
_WHOLE: Final = ("bool", "unsigned", "signed")
_WITHOUT_DATA: Final = frozenset(("dtype", "type"))
_ATTRIBUTES: Final = ("T", "mT", "data", "real", "imag")
_STACKED: Final = frozenset(("hstack", "vstack", "dstack", "column_stack"))
_OF_NUMBERS: Final = frozenset(("array", "asarray", "asanyarray", "tensor", "as_tensor"))
# The sorts that take Python's numbers as they are, and those whose results are NumPy's scalars.
_TAKES_NUMBERS: Final = frozenset(
    "elementwise condition reduction cumulative index store float fill count random".split()  # noqa: SIM905  # a list of words
)
_SCALAR_SORTS: Final = frozenset(
    "elementwise reduction contraction norm angle linalg index part".split()  # noqa: SIM905  # the same
)
_ALIKE: Final = frozenset(
    name for name, known in FUNCTIONS.items()
    if name.endswith("[0]") and known.sort in ("shape", "index", "count")
)  # fmt: skip
_TYPES: Final[Mapping[str, type]] = {
    "bool": bool, "signed": int, "unsigned": int, "float": float, "complex": complex,
}  # fmt: skip
_CONVERTING: Final[Mapping[str, type]] = {t.__name__: t for t in PYTHON_SCALARS}
_OWN: Final[Mapping[str, Callable[..., Any]]] = {"abs": abs, "round": round, **_CONVERTING}
_PYTHON: Final = (*_OWN, "pow")
_ENDLESS: Final = ("factorial", "comb", "perm", "prod", "gcd", "lcm", "isqrt")
_SCALARS: Final = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
    complex64 complex128 longdouble clongdouble half double""".split()  # noqa: SIM905  # a list of words
)

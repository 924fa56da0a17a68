"""Explaining expressions: Python evaluates them, and each function and operator is a step."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan, prod
from typing import Any, Final, NoReturn

from ..deciding import rules_of_operands
from ..dtypes import KINDS, PYTHON_SCALARS, DType, by_name
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
from ..operands import SCALAR_LIBRARY, Operand, is_list, operand
from ..promotion import explain
from ..shape_effects import shape_of_result
from ..shapes import UNKNOWN, Shape, ShapeError, Taken, as_known, broadcast_to, item
from ..steps import fits
from ..system import PromotionSystem
from ..systems import named, options, system
from . import arguments, calls, facts, names, numbers
from .arguments import Bound, Given, Refused
from .place import InText, Place
from .record import ExpressionExplanation, ExpressionStep
from .text import OPERATORS, Source, read

_ATTRIBUTES: Final = ("T", "mT", "data", "real", "imag")
_TURNED: Final[Mapping[str, Callable[[Shape], Shape]]] = {
    "T": lambda shape: shape[::-1], "mT": lambda shape: (*shape[:-2], *shape[:-3:-1]),
}  # fmt: skip
_CAST_OPTIONS: Final = ("copy", "device", "non_blocking", "memory_format", "order", "subok")
# The categories of functions whose results are NumPy's scalars.
_SCALAR_CATEGORIES: Final = (
    "elementwise", "reduction", "contraction", "norm", "angle", "linalg", "index", "part",
)  # fmt: skip
_SCALARS: Final = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
    complex64 complex128 longdouble clongdouble half double""".split()  # noqa: SIM905  # a list of words
)


_SCALARS_ELSEWHERE: Final = ("bfloat16",)  # which NumPy does not have


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
    evaluation = Evaluation(InText(source), usual, is_free=rules is None)
    found = evaluation.run(source)
    own = evaluation.last or evaluation.deciding(found)
    if not evaluation.steps and found[0].form == "Python scalar":
        alone = explain(own, found[:1])
        why = f"Python computes it. {alone.settled.why}"
        evaluation.steps.append(
            ExpressionStep(source.text, 0, own.name, "python", (), found[0], why, None)
        )
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

    def __bool__(self) -> bool:
        """Return whether it holds, which is tried both ways if it is not known."""
        return self.evaluation.truth(self)


def _asking(special: str) -> Callable[..., Any]:
    return lambda self, *others: self.evaluation.operation(special, self, *others)


def _asking_back(special: str) -> Callable[..., Any]:
    return lambda self, other: self.evaluation.operation(special, other, self)


for _name in SPECIAL:
    setattr(Traced, _name, _asking(_name))
    if _name not in MIRRORED:  # a list before an array leaves the operator to it
        setattr(Traced, f"__r{_name[2:]}", _asking_back(_name))


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


class Named(Value):
    """A dtype that an array or a function says, which has no operators."""


class Limits(Traced):
    """The limits of a dtype, as ``np.finfo`` gives them.

    Args:
        evaluation: the evaluation.
        dtype: the dtype.
        rules: the rules of the library that says them.
    """

    def __init__(self, evaluation: Evaluation, dtype: DType, rules: PromotionSystem) -> None:
        super().__init__(evaluation)
        self.dtype = dtype
        self.rules = rules


class Updated(Traced):
    """What makes an updated copy of an array, as ``x.at`` does.

    Args:
        evaluation: the evaluation.
        array: the array.
    """

    def __init__(self, evaluation: Evaluation, array: Operand) -> None:
        super().__init__(evaluation)
        self.array = array


class Path(Traced):
    """A dotted name: a library, a namespace, a function, a dtype or a constant; or a method.

    Args:
        evaluation: the evaluation.
        words: the words between the dots.
        of: what has the method, if it is one.
    """

    def __init__(
        self, evaluation: Evaluation, words: tuple[str, ...], of: Value | Updated | None = None
    ) -> None:
        super().__init__(evaluation)
        self.words = words
        self.of = of


class Evaluation:
    """The steps of an expression so far; what its `Traced` parts ask.

    Args:
        place: where Python is.
        rules: the rules that decide.
        is_free: whether nobody named the rules, so that a prefix does.
        otherwise: the rules for functions that they lack.
    """

    def __init__(
        self,
        place: Place,
        rules: PromotionSystem,
        *,
        is_free: bool,
        otherwise: PromotionSystem | None = None,
    ) -> None:
        self.place = place
        self._otherwise = otherwise
        self.rules = rules
        self.is_free = is_free
        self.steps: list[ExpressionStep] = []
        self.last: PromotionSystem | None = None  # that decided
        self._chosen: list[tuple[int, int]] = []  # of how many options, each time one is chosen
        self._choices = 0  # in this run

    def run(self, source: Source) -> tuple[Operand, ...]:
        """Return the results of an expression, whichever way values decide."""
        found = self._run(source)
        while self._next_way():
            steps, last = self.steps, self.last
            self.steps, self._choices = [], 0
            other = self._run(source)
            if [*map(_facts, other)] != [*map(_facts, found)]:
                ways = " or ".join(str(results[0].dtype) for results in (found, other))
                self._refuse(f"the values decide whether it is {ways}")
            self.steps, self.last = steps, last
        return found

    def _next_way(self) -> bool:
        """Turn to the next way that values may go, if there is one."""
        while self._chosen:
            option, count = self._chosen.pop()
            if option + 1 < count:
                self._chosen.append((option + 1, count))
                return True
        return False

    def truth(self, part: Traced) -> bool:
        """Return whether a condition holds, in this run."""
        x = self._operand(part)
        if x.rank != 0:
            self._refuse(f"{x.text} is no condition; take any or all of it")
        return bool(x.number) if x.number is not None else not self.choose(2)

    def choose(self, count: int) -> int:
        """Return which of some options the values take, in this run.

        The first run takes the first option each time; `run` comes back for the others.
        """
        place = self._choices
        self._choices += 1
        if place == len(self._chosen):
            self._chosen.append((0, count))
            if len(self._chosen) > _MOST_CHOICES:
                self._refuse("too many values decide")
        return self._chosen[place][0]

    def _run(self, source: Source) -> tuple[Operand, ...]:
        code, given = source.code, {**source.numbers, **source.operands}
        scope = {
            name: Value(self, given[name]) if name in given else Path(self, (name,))
            for name in code.co_names
            if not name.startswith(".")
        }
        try:
            # the code is vetted, and reaches no object but those of the scope
            found = eval(code, {"__builtins__": {}}, scope)  # noqa: S307  # see above
        except RecursionError:
            raise ExpressionError("the expression is nested too deeply", source.text) from None
        while is_list(found) and found:  # of which each part is a result, as of a tuple
            found = found[0]
        return found.results if isinstance(found, Value) else (self._operand(found),)

    @property
    def _text(self) -> str:
        return self.place.text

    def _refuse(self, message: str, part: Any = None, candidates: Sequence[str] = ()) -> NoReturn:
        raise self.place.error(message, part, candidates) from None

    # names and operands

    def _operand(self, part: Any, node: Any = None) -> Operand:
        """Return the operand that a part is."""
        if isinstance(part, Path):
            return self._constant(part, node)
        if not isinstance(part, Value):
            self._refuse(f"{part!r} is not an array or a number", node)
        if part.is_several:
            text, count = part.results[0].text, len(part.results)
            self._refuse(f"{text} has {count} results; take one, as with [0]", node)
        return part.results[0]

    def _constant(self, path: Path, node: Any) -> Operand:
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
            known = self.place.names
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
        return Value(self, Operand(self._text, d, d.weak, "Python scalar", found.__name__, ()))

    # operators, attributes and items

    def operation(self, special: str, *parts: Any) -> Value | None:
        """Return what an operator gives."""
        if said := next((x for x in parts if isinstance(x, Named)), None):
            self._refuse(f"{said.results[0].text} is a dtype, which has no operators")
        operands = self._beside_lists(parts)
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
        if isinstance(part, (Limits, Updated)):
            return (
                self._limit(part, name) if isinstance(part, Limits) else Path(self, (name,), part)
            )
        if not isinstance(part, Value):
            self._refuse(f"{name!r} is not understood; methods need brackets")
        if part.is_several and name in ("values", "indices"):
            return Value(self, part.results[name == "indices"])
        is_called = self.place.is_call
        if (fact := None if is_called else self._fact(part, name)) is not None:
            return fact
        if name not in _ATTRIBUTES or is_called:
            return Path(self, (name,), part)
        x = self._operand(part)
        if name not in ("real", "imag"):
            turned = _TURNED.get(name)
            shape = x.shape if turned is None or x.shape is None else turned(x.shape)
            return Value(self, x._replace(text=self._text, shape=shape))
        if x.is_python:
            return self._number(numbers.part, numbers.PARTS[name], x)
        return Value(self, self._step(FUNCTIONS[name], [x], self.deciding([x])))

    def _fact(self, part: Value, name: str) -> Traced | None:
        """Return what an array says of itself, or None if the name is not that of a fact."""
        is_fact = name in facts.ATTRIBUTES or name in ("shape", "dtype")
        if not is_fact and name != "at":
            return None
        x = self._operand(part)
        if x.form not in ("array", "scalar"):
            return None
        if name == "at":
            library = self.deciding([x]).library
            return Updated(self, x) if library is not None and library.updates == name else None
        if name == "shape":
            return self._lengths(x)
        if name == "dtype":
            return Named(self, operand(x.dtype)._replace(text=self._text))
        return self._number(facts.length, facts.ATTRIBUTES[name], x)

    def _lengths(self, x: Operand) -> Value:
        """Return the shape of an array, as Python's ints."""
        if x.shape is None:
            return Value(self, self._counted(UNKNOWN), is_several=True, is_alike=True)
        return Value(self, *map(self._counted, x.shape), is_several=True)

    def _counted(self, n: float) -> Operand:
        if isnan(n):
            return operand(1)._replace(text=self._text, value=None)
        return operand(int(n))

    def _limit(self, part: Limits, name: str) -> Value:
        """Return a limit of a dtype: NumPy's are scalars of the dtype."""
        found = facts.limit(part.dtype, name)
        if found is None:
            self._refuse(f"{part.dtype} has no limit {name!r}")
        if found is float and names.has_scalar_dtypes(part.rules.library):
            d = part.dtype
            return Value(self, Operand(self._text, d, False, "scalar", SCALAR_LIBRARY, ()))
        return self._number(lambda: found)  # type: ignore[return-value]  # it is a number

    def item(self, part: Traced, index: Any) -> Traced:
        """Return an item of an array, or one of several results."""
        if isinstance(part, Value) and part.is_several:
            return self._result(part, index)
        if isinstance(part, Updated):
            self.item(Value(self, part.array), index)  # which refuses what is no index
            return part
        x = self._operand(part)
        if x.is_python:
            self._refuse(f"{x.text} is a number, which has no items")
        parts = [self._index(p) for p in (index if isinstance(index, tuple) else (index,))]
        rules = self.deciding([x])
        shape = self._item_shape(x, parts, rules)
        self._check_index(rules, parts)
        made = x._replace(text=self._text, shape=shape, value=None)
        if shape == () and ... not in parts and rules.library_title == SCALAR_LIBRARY:
            made = made._replace(form="scalar", library=SCALAR_LIBRARY)
        elif x.form == "scalar":  # as x[...] and x[None] are
            made = made._replace(form="array")
        return Value(self, made)

    def _item_shape(self, x: Operand, parts: Sequence[Any], rules: PromotionSystem) -> Shape | None:
        """Return the shape of an item, or None if it is not known."""
        is_checked = rules.library is None or not rules.library.clamps_indices
        places = [_place(part, is_checked=is_checked) for part in parts]
        if x.shape is None or any(place is UNKNOWN for place in places):
            return None
        try:
            return as_known(item(x.shape, places))
        except IndexError as error:
            what = str(error) if "bounds" in str(error) else f"too many indices for {x.text}"
            self._refuse(what)
        except ValueError as error:
            self._refuse(str(error))

    def _check_index(self, rules: PromotionSystem, parts: Sequence[Any]) -> None:
        """Refuse indices that other libraries take."""
        facts = rules.library
        if facts is None or (facts.index_lists and not facts.index_dtypes):
            return
        for part in parts:
            is_array = isinstance(part, Operand) and part.form == "array"
            is_taken = (
                not facts.index_dtypes or not is_array or part.dtype.name in facts.index_dtypes
            )
            if not is_taken:
                takes = listed(facts.index_dtypes, "or")
                self._refuse(f"an index of {facts.title} is {takes}, not {part.dtype}")
            if type(part) is list and not facts.index_lists:
                self._refuse(f"an index of {facts.title} is no list; make an array of it")
            is_back = isinstance(part, slice) and _is_negative(part.step)
            if facts.index_dtypes and is_back:
                self._refuse(f"a slice of {facts.title} has no negative step; use flip")

    def _index(self, part: Any) -> Any:
        if is_list(part):
            return [self._index(inner) for inner in part]
        if isinstance(part, Path) and part.words[-1] == "newaxis":
            return None
        found = self._operand(part) if isinstance(part, Traced) else part
        if isinstance(found, slice):
            return with_ends(found, self._index)
        if isinstance(found, Operand) and found.dtype.kind not in calls.WHOLE:
            self._refuse(f"{found.text} is not an index")
        if isinstance(found, str):
            self._refuse(f"{found!r} is not an index; arrays of records are not modelled")
        return found

    def _result(self, part: Value, index: Any) -> Value:
        """Return one of several results."""
        count = len(part.results)
        if isinstance(index, slice):
            taken = part.results[with_ends(with_ends(index, self._operand), _end)]
            return Value(self, *taken, is_several=True, is_alike=part.is_alike)
        place = self._operand(index).number if isinstance(index, Traced) else None
        if type(place) is int and part.is_alike:
            place = min(place, count - 1)
        if type(place) is int and -count <= place < 0:
            place += count
        if type(place) is not int or not 0 <= place < count:
            self._refuse(f"the results are numbered 0 to {count - 1}", self.place.index)
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
        shape = self._shape(known, operands, parameters or {})
        why = self._explained(known, operands, rules)
        made = _made_of(known, why, operands, shape, rules.library_title)._replace(text=self._text)
        self._note(rules, known.name, operands, made, why=why)
        return made

    def _in_step(self, error: PromotionError) -> PromotionError:
        """Return a refusal that names the step, if the place has a text."""
        if not self._text:
            return error
        what = f"in the step {self._text}: {error}"
        return PromotionError(what, error.operands, error.system, error.setting, error.candidates)

    def _shape(
        self, known: Function, operands: Sequence[Operand], parameters: Mapping[str, Any]
    ) -> Shape | None:
        try:
            return shape_of_result(known, operands, parameters)
        except ShapeError as error:
            self._refuse(str(error))

    def _explained(
        self, known: Function, operands: Sequence[Operand], rules: PromotionSystem
    ) -> Explanation:
        if self._otherwise is not None and rules.rule(known.name) is None:
            rules = self._otherwise
        try:
            return explain(rules, operands, known.name)
        except RulesError as error:
            self._refuse(str(error), None, error.candidates)
        except PromotionError as error:
            raise self._in_step(error) from None

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
        made = Operand(self._text, d, False, form, x.library, x.shape)
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
        start = self.place.start
        self.steps.append(
            ExpressionStep(made.text, start, rules.name, name, tuple(operands), made, note, why)
        )

    # calls

    def call(self, part: Traced, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Value | None:
        """Return what a call gives."""
        if not isinstance(part, Path):
            self._refuse("this cannot be called")
        x = self._operand(part.of) if isinstance(part.of, Value) else None
        given = [Given(place, self._argument(place, arg)) for place, arg in enumerate(args)]
        given += [Given(place, self._argument(place, arg)) for place, arg in kwargs.items()]
        call = calls.Call(part.words, x, given, self.rules)
        call = call._replace(rules=self._rules_for(call))
        if isinstance(part.of, Updated):
            return self._update(part.of.array, part.words[0], given)
        for kind in (self._python, self._told, self._type, self._cast, self._function):
            found: Value | None = self._checked(kind, call)
            if found is not None:
                return found
        *_, name = names.located(call.words)
        where, _, last = name.rpartition(".")
        hint, close = did_you_mean(last, [*FUNCTIONS]) if not where else (f" in {where}", ())
        return self._refuse(f"there is no function {last!r}{hint}", None, close)

    def _rules_for(self, call: calls.Call) -> PromotionSystem:
        if call.x is not None:
            return self.deciding([call.x])
        if numbers.function_of(call.words) is not None:  # which asks its operands
            return self.deciding(call.operands)
        home, own, name = names.located(call.words)
        is_asked = home and (self.is_free or libraries()[home] is self.rules.library)
        if not is_asked:
            return self.rules
        rules = self._home(own, home)
        known = names.find(name)
        is_missing = own != home and known is not None and rules.rule(known.name) is None
        return self._home(home) if is_missing else rules

    def _argument(self, place: int | str, part: Any) -> Any:
        """Return an argument, with operands for the traced parts in it."""
        if is_list(part):
            return type(part)(self._argument(place, inner) for inner in part)
        if isinstance(part, Value) and part.is_several:
            return [*part.results]
        return self._operand(part, self.place.part(place)) if isinstance(part, Traced) else part

    def _checked(self, ask: Callable[..., Any], *asked: Any) -> Any:
        """Return what something gives, and have its refusal point at a part of the call."""
        try:
            return ask(*asked)
        except Refused as refused:
            part = self.place.part(refused.place)
            self._refuse(str(refused).replace("{}", self.place.of(part)), part)

    def _python(self, call: calls.Call) -> Value | None:
        """Return what Python's own functions and numbers give."""
        part = self._part_of_number(call)
        if (python := _OF_PYTHON.get(".".join(call.words))) and call.x is None:
            return python(self, call)
        own, operands = numbers.function_of(call.words), call.operands
        if part is not None or call.x is not None or own is None:
            return part
        if own in PYTHON_SCALARS and [type(argument.value) for argument in call.given] == [str]:
            return self._number(own, call.given[0].value)
        if not operands:
            return None
        if own is round and len(operands) == 2 and call.rules.weak_arrays:
            return Value(self, self._step(FUNCTIONS["round"], operands[:1], call.rules))
        if own is round and operands[0].form == "array":
            self._refuse("arrays have no such method, or one that gives ints; write np.round")
        if own is divmod and not any(x.form == "array" for x in operands):
            self._refuse("divmod of numbers has two results of Python; write // and %")
        return self._number(numbers.called, own, operands)

    def _length(self, call: calls.Call) -> Value | None:
        """Return what ``len`` gives."""
        value = call.given[0].value if len(call.given) == 1 else None
        if is_list(value):
            return self._number(lambda: len(value))
        if not isinstance(value, Operand) or value.rank == 0 or value.form != "array":
            raise Refused("len takes one array that has dimensions, or a list")
        return self._number(facts.length, facts.METHODS["__len__"], value)

    def _sum(self, call: calls.Call) -> Value | None:
        """Return what Python's own ``sum`` gives: 0, to which one after the other is added."""
        parts = call.given[0].value if len(call.given) == 1 else None
        if isinstance(parts, Operand):
            parts = [self._first(parts)] * 2
        if not is_list(parts):
            raise Refused("sum takes one array, or a list of operands")
        total: Any = Value(self, operand(0))
        for part in parts:
            each = Value(self, part) if isinstance(part, Operand) else part
            total = self.operation("__add__", total, each)
        return total  # type: ignore[no-any-return]  # it is a value

    def _largest(self, call: calls.Call) -> Value | None:
        """Return what Python's own ``max`` and ``min`` give: one of the operands, as it is."""
        given = [x.value for x in call.given]
        options = given[0] if len(given) == 1 else given
        if isinstance(options, Operand) and options.rank == 1:
            return self._first(options)
        if not is_list(options) or not options:
            raise Refused(f"{call.name} takes a list of numbers, or two or more")
        for x in options:
            if not isinstance(x, Operand) or x.rank != 0:
                raise Refused(f"{call.name} takes numbers; of arrays use the library's maximum")
        if all(x.number is not None for x in options):
            return self._number(numbers.called, numbers.function_of(call.words), options)
        return Value(self, options[self.choose(len(options))])

    def _first(self, x: Operand) -> Value:
        """Return the first item of an array."""
        return self.item(Value(self, x), Value(self, operand(0)))  # type: ignore[return-value]  # of an array

    def _told(self, call: calls.Call) -> Traced | None:
        """Return what a call tells of arrays and dtypes, which computes nothing of them."""
        *_, name = call.words
        operands, x = call.operands, call.x
        if x is not None and name in facts.METHODS:
            return self._number(facts.length, facts.METHODS[name], x)
        if x is not None and name == "size" and call.rules.ranked:
            shape = self._lengths(x)
            return self._result(shape, Value(self, operands[1])) if operands[1:] else shape
        if x is not None and name == "tolist":
            return self._listed(x)  # type: ignore[no-any-return]  # a list is a part, too
        if x is not None and name == "type_as" and len(operands) == 2:
            return Value(self, self._made(x, operands[1].dtype, call.rules, "astype"))
        if x is None and name in ("default_rng", "RandomState"):
            return Path(self, call.words[:-1])
        if x is not None or len(call.words) < 2 or not operands:
            return None
        return self._told_by_module(call, name, operands)

    def _told_by_module(
        self, call: calls.Call, name: str, operands: Sequence[Operand]
    ) -> Traced | None:
        library = call.rules.library
        if name in facts.TRUTHS or (library is not None and name in library.truths):
            if call.rules.ranked and len({x.dtype for x in operands}) > 1 and name == "allclose":
                raise Refused("allclose takes operands of one dtype here")
            is_array = name in facts.COMPARED and call.rules.weak_arrays and not call.rules.ranked
            if is_array:
                return Value(self, Operand(self._text, by_name("bool"), False, "array", "", ()))
            return self._number(lambda: bool)
        if name in facts.INFOS:
            if (d := facts.limits_of(name, operands[0].dtype)) is None:
                raise Refused(f"{name} does not take {operands[0].dtype}")
            return Limits(self, d, call.rules)
        if name in facts.DTYPES_OF:
            d = self._promoted(operands, call.rules).result
            return Named(self, operand(d)._replace(text=self._text))
        if name == "shape" and len(operands) == 1:
            return self._lengths(operands[0])
        if name in facts.SHARED and operands[0].library == SCALAR_LIBRARY:
            return Value(self, self._made(
                operands[0]._replace(library=call.rules.library_title), operands[0].dtype,
                call.rules, "as_tensor"))  # fmt: skip
        if name in facts.FUNCTIONS and len(operands) == 1:
            return self._number(facts.length, facts.FUNCTIONS[name], operands[0])
        return None

    def _promoted(self, operands: Sequence[Operand], rules: PromotionSystem) -> Explanation:
        """Return what operands share."""
        try:
            return explain(rules, operands)
        except PromotionError as error:
            raise self._in_step(error) from None

    def _listed(self, x: Operand) -> Any:
        """Return the Python numbers of an array, in lists, if its shape is known and small."""
        kind = numbers.KINDS[x.dtype.kind]
        if x.shape is None or any(map(isnan, x.shape)) or prod(x.shape) > _MOST_ITEMS:
            self._refuse(f"the shape of {x.text} is not known, or too large for a list")
        made: Any = self._number(lambda: kind)
        for n in x.shape[::-1]:
            made = [made] * int(n)
        return made

    def _part_of_number(self, call: calls.Call) -> Value | None:
        """Return what a method of a Python number gives, or a function that leaves it one."""
        x, operands = call.x, call.operands
        if x is not None and call.name == "item":
            if len(operands) == 1 and x.shape is not None and prod(x.shape) > 1:
                self._refuse(f"{x.text} has more than one element; name the one, as in item(0)")
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
        is_scalar = call.name in _SCALARS or (
            call.name in _SCALARS_ELSEWHERE and home != names.scalar_rules()
        )
        is_type = call.x is None and is_scalar and len(call.words) == 2 and home
        if not is_type or not names.has_scalar_dtypes(libraries()[home]):  # which can be called
            return None
        d = arguments.named_dtype(call.name)
        inner = call.operands[0] if len(call.given) == len(call.operands) == 1 else operand(0)
        value = None if inner.number is None else self._converted(inner.number, d)
        if home == names.scalar_rules():
            form = "array" if inner.rank else "scalar"
            made = Operand(self._text, d, False, form, SCALAR_LIBRARY, inner.shape, value)
            return Value(self, made)
        if value is not None or inner.form == "scalar":
            inner = inner._replace(form="array", shape=())
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
                self._refuse(what, self.place.part(other.place))
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
        if call.x is not None and (stored := self._in_place(call, call.x)) is not None:
            return stored
        if (known := self._known(call)) is None:
            return None
        given = [*call.given]
        if (made_of := self._of_numbers(call, known)) is not None:
            given[0] = Given(0, made_of)
        if call.x is not None:
            first = next((i for i, letter in enumerate(known.places) if letter), 0)
            given.insert(min(first, len(given)), Given(None, call.x))
        bound = arguments.bind(known, given, partial(self._taken_list, known, call.rules))
        if made_of is not None and bound.dtype is not None:
            is_cast = made_of.dtype.kind != "complex" or bound.dtype.kind == "complex"
            if not is_cast:
                self._refuse(f"complex numbers do not make an array of {bound.dtype}")
        known, bound = calls.meant(known, call, bound)
        bound = bound._replace(operands=calls.operands_of(known, bound, call.rules))
        made, several = self._results(known, call, bound)
        if isinstance(out := bound.parameters.get("out"), Operand):
            made = [self.stored(made[0], out)]
        if known.category == "reduction" and call.rules.setting.get("operation") == "series":
            return self._number(lambda: numbers.KINDS[made[0].dtype.kind])  # of one column
        home, _, _ = names.located(call.words)
        if home and self.is_free:
            made = [x._replace(library=libraries()[home].title) for x in made]
        return Value(self, *made, is_several=bool(several), is_alike=several in calls.ALIKE)

    def _known(self, call: calls.Call) -> Function | None:
        """Return the function that is called, or None if it is not known."""
        if call.name in ("at", "shuffle") and len(call.words) > 1:
            self._refuse(f"{call.name} changes its operand, and gives None")
        known = calls.function_of(call)
        if known is not None:
            self._check_method(call)
        return known

    def _results(
        self, known: Function, call: calls.Call, bound: Bound
    ) -> tuple[list[Operand], str]:
        """Return what a function gives, and the category of several results, or ``""`` of one."""
        if known.name == "diff" and bound.parameters.keys() & {"prepend", "append"}:
            bound = self._extended(call, bound)
        parameter, special = _SPECIAL_RESULTS.get(f"{known.category} {known.name}", ("", None))
        if special is not None and parameter in {"", *bound.parameters}:
            return [special(self, known, call, bound)], ""
        if bound.dtype is not None:
            return [self._with_dtype(known, bound, call.rules)], ""
        parts = calls.results_of(known, call, bound)
        made = [
            self._step(each, own, call.rules, bound.parameters)
            for each, own in parts or [(known, bound.operands)]
        ]
        if parts and known.name in calls.TUPLES:
            change, length = calls.TUPLES[known.name]
            count = length(bound.operands[0].shape, bound.parameters) or 1
            made = [x._replace(shape=change(x.shape)) for x in made] * count
        return made, parts[0][0].category if parts else ""

    # lists, and what is stored

    def _beside_lists(self, parts: Sequence[Any]) -> list[Operand]:
        """Return the operands of an operator, of which some may be lists."""
        own = [self._operand(x) for x in parts if not is_list(x)]
        if len(own) == len(parts):
            return own
        rules = self.deciding(own)
        return [
            self._operand(self._array_of(x, rules)) if is_list(x) else self._operand(x)
            for x in parts
        ]

    def _taken_list(self, known: Function, rules: PromotionSystem, argument: Given) -> Operand:
        """Return the array that a function makes of a list."""
        library = rules.library
        if library is None or not library.takes_lists:
            what = f"a list is not an operand; write {known.name} of an array such as float64[3]"
            raise Refused(what, argument.place)
        return self._listed_array(argument.value, rules, self._text)

    def _array_of(self, values: Any, rules: PromotionSystem) -> Value:
        """Return the array that an operator makes of a list."""
        if rules.library is None or not rules.library.takes_lists:
            self._refuse(f"a list is not an operand of {rules.title}; make an array of it")
        values = self._argument(0, values)
        return Value(self, self._checked(self._listed_array, values, rules, self._text))

    def _listed_array(self, values: Any, rules: PromotionSystem, text: str) -> Operand:
        """Return the array that is made of a list of operands, or of lists of them.

        Raises:
            Refused: if its parts are not of one shape.
        """
        shape, parts = _flattened(values)
        operands = [x if isinstance(x, Operand) else operand(x) for x in parts]
        inner = {x.shape for x in operands}
        if len(inner) > 1 or (rules.ranked and inner != {()}):
            raise Refused("an array is made of numbers, or of arrays of one shape")
        alone = [x.number for x in operands if x.number is not None]
        arrays = [x for x in operands if x.number is None]
        strong = [calls.as_array(x, rules) for x in arrays]
        if rules.weak_arrays:  # where Python's numbers stay weak in a list
            d = (
                self._promoted(operands, rules).result
                if arrays
                else calls.dtype_of_numbers(rules, alone)
            )
        else:
            own = {x.dtype for x in strong}
            own |= {calls.dtype_of_numbers(rules, alone)} if alone or not own else set()
            d = rules.promote_types(*own)
        rest = next(iter(inner), ())
        whole = None if rest is None else (*shape, *rest)
        return Operand(text, d, False, "array", rules.library_title, whole)

    def _in_place(self, call: calls.Call, x: Operand) -> Value | None:
        """Return what a method such as ``add_`` gives: its array, if that holds the result."""
        library, name = call.rules.library, call.name.removesuffix("_")
        if name == call.name or library is None or not library.stores_in_place:
            return None
        if name in _FILLING:
            return Value(self, x._replace(text=self._text))
        found = self._function(call._replace(words=(name,)))
        return None if found is None else Value(self, self.stored(found.results[0], x))

    def stored(self, made: Operand, target: Operand) -> Operand:
        """Return the array that a result is stored in, which keeps its dtype."""
        is_signed = made.dtype.kind == "signed" and self.rules.ranked  # which wraps around there
        height = KINDS.index("unsigned" if is_signed else made.dtype.kind)
        if height > KINDS.index(target.dtype.kind):
            self._refuse(f"{made.dtype} is not stored in {target.text}, which is {target.dtype}")
        return target._replace(text=self._text)

    def stored_in(self, part: Operand, value: Operand) -> None:
        """Refuse what does not fit part of an array: another shape, or parts of complex numbers."""
        if part.shape is not None and value.shape is not None:
            try:
                broadcast_to(value.shape, part.shape)
            except ValueError as error:
                self._refuse(str(error))
        if value.dtype.kind == "complex" and part.dtype.kind != "complex":
            self._refuse(f"{value.dtype} is not stored in {part.dtype}")

    def _update(self, x: Operand, method: str, given: Sequence[Given]) -> Value:
        """Return an updated copy of an array, which keeps its dtype."""
        if method not in _UPDATES:
            self._refuse(f"there is no update {method!r}; there are {listed(_UPDATES)}")
        values = [argument.value for argument in given if argument.place in (0, "values")]
        rules = self.deciding([x])
        made = x._replace(text=self._text, value=None)
        self._note(
            rules, method, [x, *values], made, note="An update keeps the dtype of the array."
        )
        return Value(self, made)

    def _extended(self, call: calls.Call, bound: Bound) -> Bound:
        """Return the arguments of differences of an array between two others."""
        more = {k: v for k, v in bound.parameters.items() if k in ("prepend", "append")}
        rest = {k: v for k, v in bound.parameters.items() if k not in more}
        axis = {"axis": rest.get("axis", -1)}
        x = bound.operands[0]
        for name, value in more.items():
            y = value if isinstance(value, Operand) else operand(value)
            y = calls.as_array(y, call.rules)
            y = y if y.rank else y._replace(shape=(1,))
            pair = [y, x] if name == "prepend" else [x, y]
            x = self._step(FUNCTIONS["concat"], pair, call.rules, axis)
        return bound._replace(operands=[x], parameters=rest)

    def _paired(self, known: Function, call: calls.Call, bound: Bound) -> Operand:
        """Return the covariances of two arrays, which are those of what the two share."""
        pair = [bound.operands[0], bound.parameters["y"]]
        both = pair[0]._replace(dtype=self._promoted(pair, call.rules).result, weak=False)
        return self._step(known, [both.ranked(2)], call.rules)

    def _selected(self, known: Function, call: calls.Call, bound: Bound) -> Operand:
        """Return what is chosen from several operands: what they and the default share."""
        shape = self._shape(known, bound.operands, bound.parameters)
        why = self._promoted(bound.operands, call.rules)
        title = call.rules.library_title
        made = Operand(self._text, why.result, why.weak, "array", title, shape)
        self._note(call.rules, "select", bound.operands, made, note="The operands share a dtype.")
        return made

    def _weighted(self, known: Function, call: calls.Call, bound: Bound) -> Operand:
        """Return a mean with weights: in NumPy it has the dtype of the mean, joined with theirs."""
        x, weights = bound.operands[0], bound.parameters["weights"]
        if is_list(weights):
            weights = self._taken_list(known, call.rules, Given("weights", weights))
        elif not isinstance(weights, Operand):
            weights = operand(weights)
        if call.rules.library_title == SCALAR_LIBRARY:
            mean = self._step(known, [x], call.rules, bound.parameters)
            why = self._promoted([mean._replace(form="array"), weights], call.rules)
            return mean._replace(dtype=why.result)
        product = self._step(FUNCTIONS["multiply"], [x, weights], call.rules)
        return self._step(known, [product], call.rules, bound.parameters)

    def _of_numbers(self, call: calls.Call, known: Function) -> Operand | None:
        """Return the array that a call makes of Python numbers that are written out, if it does."""
        is_made = known.name in calls.OF_NUMBERS and call.x is None and call.given
        if not is_made or call.rules.rule(known.name) is None:
            return None
        place, value = call.given[0]
        if place not in (0, "object", "data"):
            return None
        shape, values = _flattened(value)
        if not shape and type(values[0]) not in PYTHON_SCALARS:
            return None
        title = call.rules.library_title
        is_taken = title == SCALAR_LIBRARY or not any(map(_is_wide, values))
        if is_taken and shape and any(isinstance(x, Operand) for x in values):
            return self._listed_array(value, call.rules, self.place.of(self.place.part(place)))
        if not is_taken or not all(type(x) in PYTHON_SCALARS for x in values):
            raise Refused("{} is not made of numbers alone that int64 holds", place)
        d = calls.dtype_of_numbers(call.rules, values)
        weak = call.rules.weak_arrays and not shape and d.kind != "bool"
        return Operand(self.place.of(self.place.part(place)), d, weak, "array", title, shape)

    def _with_dtype(self, known: Function, bound: Bound, rules: PromotionSystem) -> Operand:
        """Return what a function gives in the dtype that it is asked for."""
        wanted = bound.dtype or by_name("bool")
        is_ufunc = rules.library_title == SCALAR_LIBRARY and arguments.is_ufunc(known)
        arguments.check_dtype(known, wanted, bound.operands, is_ufunc=is_ufunc)
        if rules.rule(known.name) is None and self._otherwise is None:
            self._refuse(f"{rules.title} rules have no function {known.name!r}")
        if known.category == "reduction":  # which is that of operands of this dtype
            self._explained(known, [Operand("x", wanted, False, "array", shape=(UNKNOWN,))], rules)
        if is_ufunc:
            cast = [Operand("x", wanted, False, "array", shape=(UNKNOWN,)) for _ in bound.operands]
            if self._explained(known, cast, rules).result is not wanted:
                self._refuse(f"{known.name} does not give {wanted}")
        first = bound.operands[0] if bound.operands else operand(wanted)
        shape = self._shape(known, bound.operands, bound.parameters)
        return self._made(first._replace(shape=shape), wanted, rules, known.name)


# operands and results

_FILLING: Final = (
    "fill", "zero", "copy", "uniform", "normal", "exponential", "random", "bernoulli",
    "requires_grad",
)  # fmt: skip
_MOST_CHOICES: Final = 8
_MOST_ITEMS: Final = 1000
_UPDATES: Final = (
    "set",
    "add",
    "subtract",
    "multiply",
    "mul",
    "divide",
    "power",
    "min",
    "max",
    "get",
)
_OF_PYTHON: Final[Mapping[str, Callable[[Evaluation, calls.Call], Value | None]]] = {
    "len": Evaluation._length,  # noqa: SLF001  # it is of this module
    "sum": Evaluation._sum,  # noqa: SLF001  # as above
    "max": Evaluation._largest,  # noqa: SLF001  # as above
    "min": Evaluation._largest,  # noqa: SLF001  # as above
}
"""What Python's own functions of several numbers give."""

_Special = Callable[[Evaluation, Function, calls.Call, Bound], Operand]
_SPECIAL_RESULTS: Final[Mapping[str, tuple[str, _Special]]] = {
    "reduction average": ("weights", Evaluation._weighted),  # noqa: SLF001  # as above
    "estimate cov": ("y", Evaluation._paired),  # noqa: SLF001  # as above
    "estimate corrcoef": ("y", Evaluation._paired),  # noqa: SLF001  # as above
    "condition select": ("", Evaluation._selected),  # noqa: SLF001  # as above
}
"""What functions give that no rule of one step says, if they are given a parameter or always."""


def _facts(x: Operand) -> tuple[Any, ...]:
    """Return what the rest of an expression, and its reader, see of an operand."""
    return x.dtype, x.weak, x.form, x.rank


def _is_of_python(special: str, operands: Sequence[Operand]) -> bool:
    """Return whether Python computes: its complex numbers take a NumPy float64, a float to it."""
    first, last = operands[0], operands[-1]
    is_float = last.form == "scalar" and last.dtype.name == "float64"
    has_operator = special in vars(complex) and special not in MIRRORED
    is_complex = first.form == "Python scalar" and first.library == "complex"
    return is_float and is_complex and has_operator


def _defers(x: Operand, rules: PromotionSystem) -> bool:
    """Return whether an operand leaves operators to what it meets, as NumPy's scalars may."""
    return x.is_python or (x.form == "scalar" and rules.library_title != SCALAR_LIBRARY)


def _made_of(
    known: Function,
    why: Explanation,
    operands: Sequence[Operand],
    shape: Shape | None,
    library: str,
) -> Operand:
    """Return what a function gives, as an operand of the next step."""
    arrays = [x for x in operands if not x.is_python]
    forms = {x.form for x in arrays}
    if forms and forms <= {"dtype", "type"}:
        return operand(why.result)._replace(weak=why.weak)
    is_scalar = shape == () and library == SCALAR_LIBRARY and known.category in _SCALAR_CATEGORIES
    if is_scalar and not (known.name in ("real", "imag") and "array" in forms):
        return Operand("", why.result, why.weak, "scalar", library, ())
    home = library if any(x.library for x in arrays) else ""
    return Operand("", why.result, why.weak, "array", home, shape)


def _flattened(value: Any) -> tuple[Shape, list[Any]]:
    """Return the shape of lists in lists, and what is in them: numbers, or what is not."""
    shape, parts = [], [value]
    while parts and all(is_list(x) for x in parts):
        shape.append(len(parts[0]))
        parts = [x for part in parts for x in part]
    return tuple(shape), [x if _is_open(x) else _number_of(x) for x in parts]


def _is_open(x: Any) -> bool:
    """Return whether something is an operand, but not a number that is written out."""
    return isinstance(x, Operand) and x.number is None


def _number_of(x: Any) -> Any:
    return x.number if isinstance(x, Operand) else x


def _place(part: Any, *, is_checked: bool) -> Any:
    """Return a part of an index as shapes are told of it, or `UNKNOWN` if its rank is not known."""
    if isinstance(part, slice):
        return with_ends(part, _end)
    if part in (None, ...):
        return part
    shape: list[int] = []
    while is_list(part):
        shape.append(len(part))
        part = part[0] if part else 0
    if not isinstance(part, Operand):
        return Taken(tuple(shape))
    if part.shape is None:
        return UNKNOWN
    value = part.number if is_checked and type(part.number) is int and not shape else None
    return Taken((*shape, *part.shape), is_mask=part.dtype.kind == "bool", value=value)


def with_ends(part: slice, change: Callable[[Any], Any]) -> slice:
    """Return a slice with what becomes of each of its ends, but for those that are left out."""
    ends = (part.start, part.stop, part.step)
    return slice(*(None if end is None else change(end) for end in ends))


def _end(end: Any) -> Any:
    """Return the end of a slice as shapes are told of it: a number, or `UNKNOWN`."""
    number = end.number if isinstance(end, Operand) else end
    return UNKNOWN if number is None else number


def _is_negative(step: Any) -> bool:
    return isinstance(step, Operand) and step.number is not None and step.number < 0


def _is_wide(x: Any) -> bool:
    return type(x) is int and not -(2**63) <= x < 2**63

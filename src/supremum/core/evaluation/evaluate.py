"""The one evaluator: what operators, attributes, items and calls give, each as a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isnan
from typing import Any, Final, NoReturn

from ..deciding import rules_as_said
from ..dtypes import KINDS, PYTHON_SCALARS, DType, by_name
from ..errors import (
    DTypeError,
    ExpressionError,
    PromotionError,
    RulesError,
    SupremumError,
    did_you_mean,
    listed,
)
from ..explanation import Explanation
from ..functions import FUNCTIONS, Function, function
from ..libraries import libraries
from ..operands import SCALAR_LIBRARY, Operand, is_list, library_before, operand
from ..promotion import explain
from ..shape_effects import shape_of_result
from ..shapes import UNKNOWN, Shape, ShapeError, Taken, as_known, broadcast_to, item
from ..system import PromotionSystem
from ..systems import options, system
from . import arguments, calls, facts, names, numbers
from .arguments import Refused
from .parts import MIRRORED, SPECIAL, Limits, Named, Path, Scalar, Traced, Updated, Value
from .place import Place
from .record import ExpressionStep
from .text import Source

_ATTRIBUTES: Final = ("T", "mT", "data", "real", "imag")
_TURNED: Final[Mapping[str, Callable[[Shape], Shape]]] = {
    "T": lambda shape: shape[::-1], "mT": lambda shape: (*shape[:-2], *shape[:-3:-1]),
}  # fmt: skip
_MOST_CHOICES: Final = 8
# Values of Python's numbers, of which one decides if any does.
_VALUES: Final[Mapping[str, Sequence[complex]]] = {
    "bool": (True, False), "float": (1.5, 0.0, 1e30, -1e300),
    "int": (1, 0, -1, 200, -200, 300, 70_000, -70_000, 2**40, -(2**40)),
}  # fmt: skip

Called = Callable[["Evaluation", Traced, tuple[Any, ...], dict[str, Any]], Value | None]
"""What a call gives."""


class Evaluation:
    """The steps of an expression so far; what its `Traced` parts ask.

    Args:
        place: where Python is.
        rules: the rules that decide.
        called: what a call gives, which is asked with this evaluation.
        is_free: whether nobody named the rules, so that a prefix does.
        otherwise: the rules for functions that they lack.
    """

    def __init__(
        self,
        place: Place,
        rules: PromotionSystem,
        *,
        called: Called,
        is_free: bool,
        otherwise: PromotionSystem | None = None,
    ) -> None:
        self.place = place
        self._called = called
        self.otherwise = otherwise
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
                self.refuse(f"the values decide whether it is {ways}")
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
        x = self.operand_of(part)
        if x.rank != 0:
            self.refuse(f"{x.text} is no condition; take any or all of it")
        return bool(x.number) if x.number is not None else not self.choose(2)

    def place_of(self, part: Traced) -> int:
        """Return the place in a list that a number says."""
        number = self.operand_of(part).number
        if type(number) is not int:
            self.refuse("an item of a list is taken by an int whose value is known")
        return number

    def choose(self, count: int) -> int:
        """Return which of some options the values take, in this run.

        The first run takes the first option each time; `run` comes back for the others.
        """
        place = self._choices
        self._choices += 1
        if place == len(self._chosen):
            self._chosen.append((0, count))
            if len(self._chosen) > _MOST_CHOICES:
                self.refuse("too many values decide")
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
        except SupremumError:
            raise
        except (AttributeError, TypeError) as error:  # of a list
            why = str(error).replace("'.", "'")
            raise ExpressionError(why, source.text, self.place.start) from None
        while is_list(found) and found:  # of which each part is a result, as of a tuple
            found = found[0]
        return found.results if isinstance(found, Value) else (self.operand_of(found),)

    @property
    def text(self) -> str:
        """The text of the part that is evaluated."""
        return self.place.text

    def refuse(self, message: str, part: Any = None, candidates: Sequence[str] = ()) -> NoReturn:
        """Refuse what stands here."""
        raise self.place.error(message, part, candidates) from None

    # names and operands

    def operand_of(self, part: Any, node: Any = None) -> Operand:
        """Return the operand that a part is."""
        if isinstance(part, Path):
            return self._constant(part, node)
        if not isinstance(part, Value):
            self.refuse(f"{part!r} is not an array or a number", node)
        if part.is_several:
            text, count = part.results[0].text, len(part.results)
            self.refuse(f"{text} has {count} results; take one, as with [0]", node)
        return part.results[0]

    def _constant(self, path: Path, node: Any) -> Operand:
        """Return the number or the dtype that a dotted name is."""
        *before, name = path.words
        if path.of is not None:
            needs = "; methods need brackets" if function(name) else ", or has no dtype to explain"
            self.refuse(f"{name!r} is not understood{needs}", node)
        if before and name in names.CONSTANTS:
            return operand(names.CONSTANTS[name])._replace(text=".".join(path.words))
        try:
            whole = ".".join(path.words)
            return operand(arguments.named_dtype(whole))._replace(library=library_before(whole))
        except DTypeError as error:
            known = self.place.names
            hint, close = ("", ()) if before else did_you_mean(name, known)
            what = f"there is no operand {name!r}{hint}" if close else str(error)
            if not (before or close or error.candidates) and name.isidentifier():
                what = (
                    f"{name!r} is not a dtype; say what it is, as in {name}='float32[3]' beside it"
                )
            self.refuse(what, node, close or error.candidates)

    def number(self, ask: Callable[..., Any], *asked: Any) -> Value | None:
        """Return the Python number that something gives, or its type if its value is not known."""
        try:
            found = ask(*asked)
        except ValueError as error:
            self.refuse(str(error))
        if found is None:
            return None
        d = PYTHON_SCALARS[found if isinstance(found, type) else type(found)]
        if not isinstance(found, type):
            return Value(self, operand(found)._replace(text=self.text))
        return Value(self, Operand(self.text, d, d.weak, "Python scalar", found.__name__, ()))

    # operators, attributes and items

    def operation(self, special: str, *parts: Any) -> Value | None:
        """Return what an operator gives."""
        if said := next((x for x in parts if isinstance(x, Named)), None):
            self.refuse(f"{said.results[0].text} is a dtype, which has no operators")
        operands = self._beside_lists(parts)
        if all(x.form == "Python scalar" for x in operands):
            return self.number(numbers.operation, special, operands)
        if _is_of_python(special, operands):
            return self.number(lambda: complex)
        of_scalars = _are_scalars(parts, operands)
        rules = self.rules_of_scalars() if of_scalars else self.deciding(operands)
        if special in MIRRORED and _defers(operands[0], rules):  # as Python itself asks the array
            special, operands = MIRRORED[special], operands[::-1]
        known = FUNCTIONS[SPECIAL[special]]
        if known.name == "power" and calls.is_squared(operands, rules):
            known, operands = FUNCTIONS["square"], operands[:1]
        kind = Scalar if of_scalars else Value
        return kind(self, self.step(known, operands, rules))

    def attribute(self, part: Traced, name: str) -> Traced | None:
        """Return an attribute of a value, or a longer dotted name."""
        if isinstance(part, Path) and part.of is None:
            if part.words[0] in names.roots() or part.words[0] == "math":
                return Path(self, (*part.words, name))
            part = Value(self, self.operand_of(part))  # it is a dtype, or there is an error
        if isinstance(part, (Limits, Updated)):
            return (
                self._limit(part, name) if isinstance(part, Limits) else Path(self, (name,), part)
            )
        if not isinstance(part, Value):
            self.refuse(f"{name!r} is not understood; methods need brackets")
        if part.is_several and name in ("values", "indices"):
            return Value(self, part.results[name == "indices"])
        is_called = self.place.is_call
        if (fact := None if is_called else self._fact(part, name)) is not None:
            return fact
        if name not in _ATTRIBUTES or is_called:
            return Path(self, (name,), part)
        x = self.operand_of(part)
        if name not in ("real", "imag"):
            turned = _TURNED.get(name)
            shape = x.shape if turned is None or x.shape is None else turned(x.shape)
            return Value(self, x._replace(text=self.text, shape=shape))
        if x.is_python:
            return self.number(numbers.part, numbers.PARTS[name], x)
        return Value(self, self.step(FUNCTIONS[name], [x], self.deciding([x])))

    def left(self, x: Operand, name: str) -> Value | None:
        """Return the array of the library of scalars that an array gives by a name, if it does."""
        if x.form != "array":
            return None
        rules = self.deciding([x])
        function = dict(rules.library.leaving).get(name) if rules.library is not None else None
        if function is None:
            return None
        made = self.step(FUNCTIONS[function], [x], rules)
        return Value(self, made._replace(library=SCALAR_LIBRARY))

    def _fact(self, part: Value, name: str) -> Traced | None:
        """Return what an array says of itself, or None if the name is not that of a fact."""
        is_fact = name in facts.ATTRIBUTES or name in ("shape", "dtype")
        x = self.operand_of(part)
        if not is_fact and name != "at":
            return self.left(x, name)
        if x.form not in ("array", "scalar"):
            return None
        if (length := self.length_array(x, f".{name}", self.deciding([x]))) is not None:
            return length
        if name == "at":
            library = self.deciding([x]).library
            return Updated(self, x) if library is not None and library.updates == name else None
        if name == "shape":
            return self.lengths(x)
        if name == "dtype":
            return Named(self, operand(x.dtype)._replace(text=self.text))
        return self.number(facts.length, facts.ATTRIBUTES[name], x)

    def length_array(self, x: Operand, name: str, rules: PromotionSystem) -> Value | None:
        """Return the array that a library gives where others give lengths as Python's ints."""
        library = rules.library
        d = dict(library.lengths).get(name) if library is not None else None
        if d is None:
            return None
        if not d:
            self.refuse(
                f"{name} gives an array on some backends of {rules.title}, an int on others"
            )
        rank = UNKNOWN if x.shape is None else len(x.shape)
        shape = (rank,) if name.endswith("shape") else ()
        made = Operand(self.text, by_name(d), False, "array", rules.library_title, shape)
        said = f"{rules.title} gives lengths as {d}."
        self.note(rules, name.removeprefix("."), [x], made, note=said)
        return Value(self, made)

    def lengths(self, x: Operand) -> Value:
        """Return the shape of an array, as Python's ints."""
        if x.shape is None:
            return Value(self, self._counted(UNKNOWN), is_several=True, is_alike=True)
        return Value(self, *map(self._counted, x.shape), is_several=True)

    def _counted(self, n: float) -> Operand:
        if isnan(n):
            return operand(1)._replace(text=self.text, value=None)
        return operand(int(n))

    def _limit(self, part: Limits, name: str) -> Value:
        """Return a limit of a dtype: NumPy's are scalars of the dtype."""
        found = facts.limit(part.dtype, name)
        if found is None:
            self.refuse(f"{part.dtype} has no limit {name!r}")
        if found is float and names.has_scalar_dtypes(part.rules.library):
            d = part.dtype
            return Scalar(self, Operand(self.text, d, False, "scalar", SCALAR_LIBRARY, ()))
        return self.number(lambda: found)  # type: ignore[return-value]  # it is a number

    def item(self, part: Traced, index: Any) -> Traced:
        """Return an item of an array, or one of several results."""
        if isinstance(part, Value) and part.is_several:
            return self.one_of(part, index)
        if isinstance(part, Updated):
            self.item(Value(self, part.array), index)  # which refuses what is no index
            return part
        x = self.operand_of(part)
        if x.is_python:
            self.refuse(f"{x.text} is a number, which has no items")
        parts = [self._index(p) for p in (index if isinstance(index, tuple) else (index,))]
        rules = self.deciding([x])
        shape = self._item_shape(x, parts, rules)
        self._check_index(rules, parts)
        made = x._replace(text=self.text, shape=shape, value=None)
        if shape == () and calls.has_numbers(rules):
            return self.number(lambda: numbers.KINDS[x.dtype.kind])  # type: ignore[return-value]  # as above
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
            self.refuse(what)
        except ValueError as error:
            self.refuse(str(error))

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
                self.refuse(f"an index of {facts.title} is {takes}, not {part.dtype}")
            if type(part) is list and not facts.index_lists:
                self.refuse(f"an index of {facts.title} is no list; make an array of it")
            is_back = isinstance(part, slice) and _is_negative(part.step)
            if facts.index_dtypes and is_back:
                self.refuse(f"a slice of {facts.title} has no negative step; use flip")

    def _index(self, part: Any) -> Any:
        if is_list(part):
            return [self._index(inner) for inner in part]
        if isinstance(part, Path) and part.words[-1] == "newaxis":
            return None
        found = self.operand_of(part) if isinstance(part, Traced) else part
        if isinstance(found, slice):
            return with_ends(found, self._index)
        if isinstance(found, Operand) and found.dtype.kind not in calls.WHOLE:
            self.refuse(f"{found.text} is not an index")
        if isinstance(found, str):
            self.refuse(f"{found!r} is not an index; arrays of records are not modelled")
        return found

    def one_of(self, part: Value, index: Any) -> Value:
        """Return one of several results."""
        count = len(part.results)
        if isinstance(index, slice):
            ends = with_ends(with_ends(index, self.operand_of), _end)
            if UNKNOWN in (ends.start, ends.stop, ends.step):
                self.refuse("how many results are taken is not known", self.place.index)
            taken = part.results[ends]
            return Value(self, *taken, is_several=True, is_alike=part.is_alike)
        place = self.operand_of(index).number if isinstance(index, Traced) else None
        if type(place) is int and part.is_alike:
            place = min(place, count - 1)
        if type(place) is int and -count <= place < 0:
            place += count
        if type(place) is not int or not 0 <= place < count:
            self.refuse(f"the results are numbered 0 to {count - 1}", self.place.index)
        return Value(self, part.results[place])

    # steps

    def deciding(self, operands: Sequence[Operand]) -> PromotionSystem:
        """Return the rules that decide about some operands: NumPy's defer to another library's."""
        ranked = [x for x in operands if not x.is_python and x.form != "scalar"]
        is_scalar = any(x.form == "scalar" for x in operands)
        if self.is_free and is_scalar and not any(x.library for x in ranked):
            return self.rules_of_scalars()
        library = self.rules.library
        is_met = library is not None and library.as_methods and (ranked or is_scalar)
        if is_met and all(x.library == SCALAR_LIBRARY for x in ranked):
            return self.rules_of_scalars()
        homes = {x.library for x in ranked if x.library} if self.is_free else set()
        name = self._deciding_name(homes)
        rules = self.rules_named(name) if name else self.rules
        if rules.ranked and len(homes) > 1:
            self._refuse_flat([x for x in ranked if x.library == SCALAR_LIBRARY])
        return rules

    def rules_of_scalars(self) -> PromotionSystem:
        """Return the rules that decide about scalars."""
        return self.rules_named(names.scalar_rules())

    def _refuse_flat(self, arrays: Sequence[Operand]) -> None:
        """Refuse arrays that may have no dimensions, which do not decide as scalars do."""
        for x in arrays:
            if not x.rank:
                self.refuse(f"whether {x.text} is a scalar decides; convert it first")

    def _deciding_name(self, homes: set[str]) -> str:
        """Return the rules of the one library that others defer to, or ``""`` if it has none."""
        others = sorted(homes - {SCALAR_LIBRARY} or homes)
        if len(others) > 1:
            self.refuse(f"arrays of {' and '.join(others)} do not meet; convert one of them")
        return names.rules_of(others[0]) if others else ""

    def rules_named(self, name: str, home: str = "") -> PromotionSystem:
        """Return the rules of a name as they are set; a part has the options of its library."""
        known = libraries()
        if self.rules.library is known[name]:
            return self.rules
        is_part = home and self.rules.library is known[home]
        if not is_part:
            return rules_as_said(system(name))
        chosen = self.rules.setting.items()
        return system(name, **{o: value for o, value in chosen if o in options(name)})

    def step(
        self, known: Function, operands: Sequence[Operand], rules: PromotionSystem,
        parameters: Mapping[str, Any] | None = None,
    ) -> Operand:  # fmt: skip
        """Take a step: ask the rules what a function gives, and record it."""
        is_unknown = any(
            x.form in ("scalar", "Python scalar") and x.value is None for x in operands
        )
        if rules.valued and is_unknown:
            operands = self._whatever_values(known, operands, rules)
        if known.name == "power":
            operands = self._exponents(operands, rules)
        note = ""
        if (
            rules.library is not None
            and rules.library.matches_rows
            and known.operands == 2
            and not known.asks
        ):
            operands, note = self._matched(operands, rules)
        shape = self.shape_of(known, operands, parameters or {})
        why = self.explained(known, operands, rules)
        made = _made_of(known, why, operands, shape, rules.library_title)._replace(text=self.text)
        if made.shape == () and rules.library is not None and rules.library.as_methods:
            made = made._replace(form="scalar", library=SCALAR_LIBRARY)
        self.note(rules, known.name, operands, made, note=note, why=why)
        return made

    def _matched(
        self, operands: Sequence[Operand], rules: PromotionSystem
    ) -> tuple[Sequence[Operand], str]:
        """Return operands as long as the longest, as rows that one lacks are NaN; and a note."""
        columns = [x for x in operands if x.form == "array" and x.rank == 1]
        lengths = {x.shape for x in columns}
        if len(lengths) < 2:
            return operands, ""
        longest = max((x.shape or () for x in columns if x.shape != (UNKNOWN,)), default=(UNKNOWN,))
        found, said = [], []
        for x in operands:
            if x not in columns or x.shape == longest:
                found.append(x)
                continue
            d = x.dtype if x.dtype.kind in ("float", "complex") else by_name("float64")
            if x.shape == (UNKNOWN,) and d is not x.dtype:
                self.refuse(
                    f"whether {x.text} lacks rows decides: what it lacks is NaN, which {x.dtype} "
                    "does not hold; cast it to a float first"
                )
            if x.dtype.kind == "bool":
                self.refuse(
                    f"the rows that {x.text} lacks make an object of it under {rules.title} rules"
                )
            found.append(x._replace(dtype=d, shape=longest))
            if d is not x.dtype:
                said.append(f"{x.text} is {d}, as the rows that it lacks are NaN.")
        return found, " ".join(said)

    def _whatever_values(
        self, known: Function, operands: Sequence[Operand], rules: PromotionSystem
    ) -> Sequence[Operand]:
        """Return operands with values for those that are not known, if none would decide."""
        if rules.library is not None and rules.library.as_methods:  # whose reductions give scalars
            operands = [
                x._replace(form="array", library=rules.library_title) if x.form == "scalar" else x
                for x in operands
            ]
        is_open = [x.form in ("scalar", "Python scalar") and x.value is None for x in operands]
        if not any(is_open):
            return operands
        asked = [x for x, is_so in zip(operands, is_open, strict=True) if is_so]
        kinds = {x.library for x in asked if x.form == "Python scalar"}
        if len(kinds) == 1 and all(x.form == "Python scalar" for x in asked):
            ways = [
                [x._replace(value=v) if so else x for x, so in zip(operands, is_open, strict=True)]
                for v in _VALUES.get(kinds.pop(), ())
            ]
            try:
                found = {self.explained(known, way, rules).result for way in ways}
            except PromotionError:
                found = set()
            if len(found) == 1:
                return ways[0]
        what = f"the rules {rules.name} look at the value of a scalar, which is not known here"
        return self.refuse(what)

    def _in_step(self, error: PromotionError) -> PromotionError:
        """Return a refusal that names the step, if the place has a text."""
        if not self.text:
            return error
        what = f"in the step {self.text}: {error}"
        return PromotionError(what, error.operands, error.system, error.setting, error.candidates)

    def shape_of(
        self, known: Function, operands: Sequence[Operand], parameters: Mapping[str, Any]
    ) -> Shape | None:
        """Return the shape of what a function gives, or None if it is not known."""
        try:
            return shape_of_result(known, operands, parameters)
        except ShapeError as error:
            self.refuse(str(error))

    def explained(
        self, known: Function, operands: Sequence[Operand], rules: PromotionSystem
    ) -> Explanation:
        """Return what the rules say of a function."""
        if self.otherwise is not None and rules.rule(known.name) is None:
            rules = self.otherwise
        types = tuple([type(x.value) for x in operands])  # 1 is equal to True
        try:
            return _explained(rules, known.name, tuple(operands), types)
        except RulesError as error:
            self.refuse(str(error), None, error.candidates)
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
            self.refuse(f"{what}; write the number")
        return [*operands[:-1], last._replace(form="scalar")]

    def cast_to(self, x: Operand, wanted: DType, rules: PromotionSystem, name: str) -> Operand:
        """Return what is like an operand, scalar or array, of a dtype that is asked for by name."""
        try:
            d = rules.result_type(wanted)
        except PromotionError as error:
            self.refuse(str(error))
        form = "scalar" if x.form == "scalar" else "array"
        made = Operand(self.text, d, False, form, x.library, x.shape)
        narrowed = f", which these rules narrow to {d}" if d is not wanted else ""
        said = f"The dtype is asked for: {wanted}{narrowed}."
        self.note(rules, name, [x], made, note=said)
        return made

    def note(
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
        return self._called(self, part, args, kwargs)

    def argument(self, place: int | str, part: Any) -> Any:
        """Return an argument, with operands for the traced parts in it."""
        if is_list(part):
            return type(part)(self.argument(place, inner) for inner in part)
        if isinstance(part, Value) and part.is_several:
            return [*part.results]
        return self.operand_of(part, self.place.part(place)) if isinstance(part, Traced) else part

    def checked(self, ask: Callable[..., Any], *asked: Any) -> Any:
        """Return what something gives, and have its refusal point at a part of the call."""
        try:
            return ask(*asked)
        except Refused as refused:
            part = self.place.part(refused.place)
            self.refuse(str(refused).replace("{}", self.place.of(part)), part)

    def promoted(self, operands: Sequence[Operand], rules: PromotionSystem) -> Explanation:
        """Return what operands share."""
        try:
            return explain(rules, operands)
        except PromotionError as error:
            raise self._in_step(error) from None

    # lists, and what is stored

    def _beside_lists(self, parts: Sequence[Any]) -> list[Operand]:
        """Return the operands of an operator, of which some may be lists."""
        own = [self.operand_of(x) for x in parts if not is_list(x)]
        if len(own) == len(parts):
            return own
        if all(x.is_python for x in own):
            self.refuse("Python's lists have no such operator; make an array of the list")
        rules = self.deciding(own)
        return [
            self.operand_of(self._array_of(x, rules)) if is_list(x) else self.operand_of(x)
            for x in parts
        ]

    def _array_of(self, values: Any, rules: PromotionSystem) -> Value:
        """Return the array that an operator makes of a list."""
        if rules.library is None or not rules.library.takes_lists:
            self.refuse(f"a list is not an operand of {rules.title}; make an array of it")
        values = self.argument(0, values)
        return Value(self, self.checked(self.array_of_list, values, rules, self.text))

    def array_of_list(self, values: Any, rules: PromotionSystem, text: str) -> Operand:
        """Return the array that is made of a list of operands, or of lists of them.

        Raises:
            Refused: if its parts are not of one shape.
        """
        shape, parts = flattened(values)
        operands = [x if isinstance(x, Operand) else operand(x) for x in parts]
        inner = {x.shape for x in operands}
        if len(inner) > 1 or (rules.ranked and inner != {()}):
            raise Refused("an array is made of numbers, or of arrays of one shape")
        alone = [x.number for x in operands if x.number is not None]
        arrays = [x for x in operands if x.number is None]
        strong = [calls.as_array(x, rules) for x in arrays]
        for x in alone if rules.weak_arrays else ():
            for each in {x.dtype for x in arrays if not x.weak}:
                calls.check_held(x, each, rules, "made")
        if rules.weak_arrays:  # where Python's numbers stay weak in a list
            d = (
                self.promoted(operands, rules).result
                if arrays
                else calls.dtype_of_numbers(rules, alone)
            )
        else:
            own = [x.dtype for x in strong]
            own += [calls.dtype_of_numbers(rules, alone)] if alone or not own else []
            d = rules.promote_types(*dict.fromkeys(own))  # in their order, as messages name them
        rest = next(iter(inner), ())
        whole = None if rest is None else (*shape, *rest)
        return Operand(text, d, False, "array", rules.library_title, whole)

    def stored(self, made: Operand, target: Operand) -> Operand:
        """Return the array that a result is stored in, which keeps its dtype."""
        is_signed = made.dtype.kind == "signed" and self.rules.ranked  # which wraps around there
        height = KINDS.index("unsigned" if is_signed else made.dtype.kind)
        if height > KINDS.index(target.dtype.kind):
            self.refuse(f"{made.dtype} is not stored in {target.text}, which is {target.dtype}")
        return target._replace(text=self.text)

    def stored_in(self, part: Operand, value: Operand) -> None:
        """Refuse what does not fit part of an array: another shape, or parts of complex numbers."""
        if part.shape is not None and value.shape is not None:
            try:
                broadcast_to(value.shape, part.shape)
            except ValueError as error:
                self.refuse(str(error))
        if value.dtype.kind == "complex" and part.dtype.kind != "complex":
            self.refuse(f"{value.dtype} is not stored in {part.dtype}")


# operands and results


def _facts(x: Operand) -> tuple[Any, ...]:
    """Return what the rest of an expression, and its reader, see of an operand."""
    return x.dtype, x.weak, x.form, x.rank


def _are_scalars(parts: Sequence[Any], operands: Sequence[Operand]) -> bool:
    """Return whether a scalar that a library gives meets no array."""
    given = [isinstance(x, Scalar) for x in parts]
    others = (x for x, is_given in zip(operands, given, strict=True) if not is_given)
    return any(given) and all(x.is_python for x in others)


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


@lru_cache(1024)  # steps come again: in the next expression, and in the rounds of a choice
def _explained(
    rules: PromotionSystem, name: str, operands: tuple[Operand, ...], _: tuple[type, ...]
) -> Explanation:
    return explain(rules, operands, name)


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
    home = library if any(x.library for x in arrays) else ""
    if forms and forms <= {"dtype", "type"}:
        return operand(why.result)._replace(weak=why.weak, library=home)
    if is_scalar(known, operands, shape, library):
        return Operand("", why.result, why.weak, "scalar", library, ())
    return Operand("", why.result, why.weak, "array", home, shape)


def is_scalar(
    known: Function, operands: Sequence[Operand], shape: Shape | None, library: str
) -> bool:
    """Return whether a function gives a scalar of NumPy."""
    if shape != () or library != SCALAR_LIBRARY:
        return False
    form = "array" if any(x.form == "array" for x in operands) else "scalar"
    return known.form_of_flat(form) == "scalar"


def flattened(value: Any) -> tuple[Shape, list[Any]]:
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

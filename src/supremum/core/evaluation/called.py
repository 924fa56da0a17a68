"""What calls give: Python's own functions, what tells of arrays, scalars, casts, and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan, prod
from typing import Any, Final

from ..dtypes import PYTHON_SCALARS, DType, by_name, is_spelled, not_a_number
from ..errors import PromotionError, SupremumError, did_you_mean, listed, short
from ..functions import FUNCTIONS, Function
from ..libraries import Library, libraries
from ..operands import SCALAR_LIBRARY, Operand, is_list, operand
from ..shapes import UNKNOWN, Shape, broadcast
from ..steps import fits
from ..system import PromotionSystem
from . import arguments, calls, facts, names, numbers
from .arguments import Bound, Given, Refused
from .evaluate import Evaluation, flattened, is_scalar
from .parts import Limits, Named, Path, Scalar, Traced, Updated, Value

_CAST_OPTIONS: Final = (
    "copy", "device", "non_blocking", "memory_format", "order", "subok", "strict",
)  # fmt: skip
_SCALARS: Final = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64
    complex64 complex128 longdouble clongdouble half double""".split()  # noqa: SIM905  # a list of words
)


_SCALARS_ELSEWHERE: Final = ("bfloat16",)  # which NumPy does not have
_FILLING: Final = (
    "fill", "zero", "copy", "uniform", "normal", "exponential", "random", "bernoulli",
    "requires_grad",
)  # fmt: skip
_MOST_ITEMS: Final = 1000
_MAKING: Final = ("cast", "conversion")  # the categories of what makes an array of another one
_SIZED: Final = ("zeros", "ones", "empty")
_UPDATES: Final = (
    "set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "get",
)  # fmt: skip

_OF_NUMBERS: Final = ("conjugate",)
"""The methods of Python's numbers that give a number of their kind."""

_OF_FRAMES = frozenset({"col", "lit", "concat", "merge", "DataFrame", "Series", "read_csv"})
"""Functions of data frames, which have no dtype of their own."""


def called(
    evaluation: Evaluation, part: Traced, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Value | None:
    """Return what a call gives."""
    if not isinstance(part, Path):
        evaluation.refuse("this cannot be called")
    x = evaluation.operand_of(part.of) if isinstance(part.of, Value) else None
    given = [Given(place, evaluation.argument(place, arg)) for place, arg in enumerate(args)]
    given += [Given(place, evaluation.argument(place, arg)) for place, arg in kwargs.items()]
    said = [x.results[0] for x in (*args, *kwargs.values()) if isinstance(x, Named)]
    call = calls.Call(part.words, x, given, evaluation.rules, said)
    of_scalar = isinstance(part.of, Scalar)
    rules = evaluation.rules_of_scalars() if of_scalar else _rules_for(evaluation, call)
    call = call._replace(rules=rules)
    if x is not None and x.is_python and call.name not in _OF_NUMBERS:
        what = f"a Python {x.library}, such as {x.text}, has no method {call.name!r}"
        raise PromotionError(what, (x,), call.rules.name, {**call.rules.setting})
    if x is not None and not given and (left := evaluation.left(x, call.name)) is not None:
        return left
    if isinstance(part.of, Updated):
        return _update(evaluation, part.of.array, part.words[0], given)
    for kind in _KINDS:
        found: Value | None = evaluation.checked(kind, evaluation, call)
        if found is not None:
            return found
    whole = ".".join(call.words)
    if call.x is None and is_spelled(whole):
        evaluation.refuse(
            f"{whole} is a dtype, which is not called here; write {whole}[3] for an array"
        )
    *_, name = names.located(call.words)
    if call.x is None and (why := not_a_number(name)):
        evaluation.refuse(why)
    where, _, last = name.rpartition(".")
    hint, close = did_you_mean(last, [*FUNCTIONS]) if not where else (f" in {where}", ())
    if last in _OF_FRAMES:
        hint, close = "; write a column by its dtype and length, as in int64[3] + 1", ()
    return evaluation.refuse(f"there is no function {last!r}{hint}", None, close)


def _rules_for(evaluation: Evaluation, call: calls.Call) -> PromotionSystem:
    if call.x is not None:
        return evaluation.deciding([call.x])
    if numbers.function_of(call.words) is not None:  # which asks its operands
        return evaluation.deciding(call.operands)
    home, own, name = names.located(call.words)
    taking = _taking(evaluation, call, name) if home == names.scalar_rules() else None
    if taking is not None:
        return taking
    is_asked = home and (evaluation.is_free or libraries()[home] is evaluation.rules.library)
    if not is_asked:
        return evaluation.rules
    rules = evaluation.rules_named(own, home)
    known = names.find(name)
    is_missing = own != home and known is not None and rules.rule(known.name) is None
    return evaluation.rules_named(home) if is_missing else rules


def _taking(evaluation: Evaluation, call: calls.Call, name: str) -> PromotionSystem | None:
    """Return whose rules a function of the library of scalars follows, given arrays of another.

    None is for libraries whose arrays it does not take, or as it takes its own.
    """
    owners = [libraries()[own] for x in call.operands if (own := names.rules_of(x.library))]
    if not any(library.as_methods for library in (*owners, evaluation.rules.library) if library):
        return None
    rules, known = evaluation.deciding(call.operands), names.find(name)
    methods = rules.library.as_methods if rules.library is not None else ()
    is_method = known is None or known.name.partition("[")[0] in methods
    return rules if is_method else evaluation.rules_of_scalars()


def _python(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return what Python's own functions and numbers give."""
    part = _part_of_number(evaluation, call)
    if (python := _OF_PYTHON.get(".".join(call.words))) and call.x is None:
        return python(evaluation, call)
    own, operands = numbers.function_of(call.words), call.operands
    if part is not None or call.x is not None or own is None:
        return part
    if own in PYTHON_SCALARS and [type(argument.value) for argument in call.given] == [str]:
        return evaluation.number(own, call.given[0].value)
    if not operands:
        return None
    if own is round and len(operands) == 2 and call.rules.weak_arrays:
        return Value(evaluation, evaluation.step(FUNCTIONS["round"], operands[:1], call.rules))
    if own is round and operands[0].form == "array":
        evaluation.refuse("arrays have no such method, or one that gives ints; write np.round")
    is_cut = own in (int, float) and operands[0].dtype.kind == "complex"
    if is_cut and call.rules.library_title != SCALAR_LIBRARY and not operands[0].is_python:
        evaluation.refuse(
            f"{operands[0].text} is complex, and no {own.__name__}; take its real part"
        )
    if own is divmod and not any(x.form == "array" for x in operands):
        evaluation.refuse("divmod of numbers has two results of Python; write // and %")
    return evaluation.number(numbers.called, own, operands)


def _length(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return what ``len`` gives."""
    value = call.given[0].value if len(call.given) == 1 else None
    if is_list(value):
        return evaluation.number(lambda: len(value))
    if not isinstance(value, Operand) or value.rank == 0 or value.form != "array":
        raise Refused("len takes one array that has dimensions, or a list")
    return evaluation.number(facts.length, facts.METHODS["__len__"], value)


def _sum(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return what Python's own ``sum`` gives: 0, to which one after the other is added."""
    given = parts = call.given[0].value if len(call.given) == 1 else None
    if isinstance(parts, Operand):
        parts = [_first(evaluation, parts)] * 2
    if not is_list(parts):
        raise Refused("Python's sum takes one array, or a list of operands: sum([x, y])")
    total: Any = Value(evaluation, operand(0))
    for part in parts:
        each = Value(evaluation, part) if isinstance(part, Operand) else part
        total = evaluation.operation("__add__", total, each)
    if isinstance(given, Operand) and evaluation.steps:
        aside = _of_library_sum(evaluation, given, total)
        evaluation.steps[-1] = evaluation.steps[-1]._replace(aside=aside)
    return total  # type: ignore[no-any-return]  # it is a value


def _of_library_sum(evaluation: Evaluation, array: Operand, total: Value) -> str:
    """Return a sentence about the library's own sum of an array, if it has another dtype."""
    rules = evaluation.deciding([array])
    try:
        own = evaluation.explained(FUNCTIONS["sum"], [array], rules).result
    except SupremumError:
        return ""
    if rules.library is None or own is total.results[0].dtype:
        return ""
    name = f"{rules.library.import_as[1]}.sum"
    return f"Python's sum adds one element after the other, from 0; {name} gives {own}."


def _largest(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return what Python's own ``max`` and ``min`` give: one of the operands, as it is."""
    given = [x.value for x in call.given]
    options = given[0] if len(given) == 1 else given
    if isinstance(options, Operand) and options.rank == 1:
        return _first(evaluation, options)
    if not is_list(options) or not options:
        raise Refused(f"{call.name} takes a list of numbers, or two or more")
    for x in options:
        if not isinstance(x, Operand) or x.rank != 0:
            raise Refused(f"{call.name} takes numbers; of arrays use the library's maximum")
    if all(x.number is not None for x in options):
        return evaluation.number(numbers.called, numbers.function_of(call.words), options)
    return Value(evaluation, options[evaluation.choose(len(options))])


def _first(evaluation: Evaluation, x: Operand) -> Value:
    """Return the first item of an array."""
    return evaluation.item(Value(evaluation, x), Value(evaluation, operand(0)))  # type: ignore[return-value]  # of an array


def _told(evaluation: Evaluation, call: calls.Call) -> Traced | None:
    """Return what a call tells of arrays and dtypes, which computes nothing of them."""
    *_, name = call.words
    operands, x = call.operands, call.x
    if x is not None and name in facts.METHODS:
        return evaluation.number(facts.length, facts.METHODS[name], x)
    if x is not None and name == "size" and call.rules.ranked:
        shape = evaluation.lengths(x)
        return evaluation.one_of(shape, Value(evaluation, operands[1])) if operands[1:] else shape
    if x is not None and name == "tolist":
        return _listed(evaluation, x)  # type: ignore[no-any-return]  # a list is a part, too
    if x is not None and name == "type_as" and len(operands) == 2:
        return Value(evaluation, evaluation.cast_to(x, operands[1].dtype, call.rules, "astype"))
    if x is None and name in ("default_rng", "RandomState"):
        return Path(evaluation, call.words[:-1])
    if x is not None or len(call.words) < 2:
        return None
    if name in facts.DTYPES_OF and call.given:
        return _dtype_told(evaluation, call, name)
    if not operands:
        return None
    lengths = evaluation.length_array(operands[0], name, call.rules)
    return _told_by_module(evaluation, call, name, operands) if lengths is None else lengths


def _told_by_module(
    evaluation: Evaluation, call: calls.Call, name: str, operands: Sequence[Operand]
) -> Traced | None:
    library = call.rules.library
    if name in facts.TRUTHS or (library is not None and name in library.truths):
        if call.rules.ranked and len({x.dtype for x in operands}) > 1 and name == "allclose":
            raise Refused("allclose takes operands of one dtype here")
        is_array = name in facts.COMPARED and call.rules.weak_arrays and not call.rules.ranked
        if is_array:
            return Value(
                evaluation, Operand(evaluation.text, by_name("bool"), False, "array", "", ())
            )
        return evaluation.number(lambda: bool)
    if name in facts.INFOS:
        if (d := facts.limits_of(name, operands[0].dtype)) is None:
            raise Refused(f"{name} does not take {operands[0].dtype}")
        return Limits(evaluation, d, call.rules)
    if name == "shape" and len(operands) == 1:
        return evaluation.lengths(operands[0])
    if name in facts.SHARED and operands[0].library == SCALAR_LIBRARY:
        return Value(evaluation, evaluation.cast_to(
            operands[0]._replace(library=call.rules.library_title), operands[0].dtype,
            call.rules, "as_tensor"))  # fmt: skip
    if name in facts.FUNCTIONS and len(operands) == 1:
        return evaluation.number(facts.length, facts.FUNCTIONS[name], operands[0])
    return None


def _dtype_told(evaluation: Evaluation, call: calls.Call, name: str) -> Named:
    """Return the dtype that some operands share, of which strings are names of dtypes."""
    library = call.rules.library
    if library is not None and library.takes_own_alone and name == "promote_types":
        _check_dtypes(name, library, call)
    operands = [
        operand(arguments.dtype_of(argument)) if isinstance(argument.value, str)
        else argument.value
        for argument in call.given
    ]  # fmt: skip
    if not all(isinstance(x, Operand) for x in operands):
        raise Refused(f"{name} takes arrays, numbers and dtypes")
    why = evaluation.promoted(operands, call.rules)
    made = operand(why.result)._replace(text=evaluation.text, library=call.rules.library_title)
    evaluation.note(call.rules, name, operands, made, why=why)
    return Named(evaluation, made)


def _check_dtypes(name: str, library: Library, call: calls.Call) -> None:
    """Refuse what is not a dtype of a library that takes its own alone."""
    for argument in call.given:
        if not isinstance(argument.value, Operand) or argument.value.form != "dtype":
            alias = library.import_as[1]
            what = f"{name} of {library.title} takes its dtypes alone, such as {alias}.float32"
            raise Refused(what, argument.place)


def _listed(evaluation: Evaluation, x: Operand) -> Any:
    """Return the Python numbers of an array, in lists, if its shape is known and small."""
    kind = numbers.KINDS[x.dtype.kind]
    if x.shape is None or any(map(isnan, x.shape)) or prod(x.shape) > _MOST_ITEMS:
        evaluation.refuse(f"the shape of {x.text} is not known, or too large for a list")
    made: Any = evaluation.number(lambda: kind)
    for n in x.shape[::-1]:
        made = [made] * int(n)
    return made


def _part_of_number(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return what a method of a Python number gives, or a function that leaves it one."""
    x, operands = call.x, call.operands
    if x is not None and call.name == "item":
        if len(operands) == 1 and x.shape is not None and prod(x.shape) > 1:
            evaluation.refuse(f"{x.text} has more than one element; name the one, as in item(0)")
        return evaluation.number(lambda: numbers.KINDS[x.dtype.kind])
    if call.words == ("pow",) and len(operands) == 2:
        return evaluation.operation("__pow__", *(Value(evaluation, x) for x in operands))
    part = numbers.PARTS.get(call.name) if len(operands) == 1 else None
    is_left = call.rules.library_title == SCALAR_LIBRARY and call.name != "conjugate"
    if part is None or not operands[0].is_python or not (x is not None or is_left):
        return None
    return evaluation.number(numbers.part, part, operands[0])


def _type(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return a scalar of NumPy's, such as np.float32(2), or an array such as jnp.float32(2)."""
    home, _, _ = names.located(call.words)
    name = dict(libraries()[home].spellings).get(call.name, call.name) if home else call.name
    is_scalar = name in _SCALARS or (name in _SCALARS_ELSEWHERE and home != names.scalar_rules())
    is_type = call.x is None and is_scalar and len(call.words) == 2 and home
    if not is_type or not names.has_scalar_dtypes(libraries()[home]):  # which can be called
        return None
    d = arguments.named_dtype(name)
    inner = call.operands[0] if len(call.given) == len(call.operands) == 1 else operand(0)
    value = None if inner.number is None else _converted(evaluation, inner.number, d)
    if home == names.scalar_rules():
        form = "array" if inner.rank else "scalar"
        made = Operand(evaluation.text, d, False, form, SCALAR_LIBRARY, inner.shape, value)
        return Value(evaluation, made)
    if value is not None or inner.form == "scalar":
        inner = inner._replace(form="array", shape=())
    inner = inner._replace(library=call.rules.library_title)
    return Value(
        evaluation, evaluation.cast_to(inner, d, call.rules, "asarray")._replace(value=value)
    )


def _converted(evaluation: Evaluation, value: complex, d: DType) -> Any:
    """Return a Python number as one of the kind of a dtype, which holds it if it is an int."""
    try:
        found: Any = numbers.KINDS[d.kind](value)
    except (OverflowError, TypeError, ValueError) as error:
        evaluation.refuse(f"{short(value)} is not a number of {d}: {error}")
    if type(found) is int and (why := fits(found, d)):
        evaluation.refuse(why)
    return found


def _cast(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return an array in another dtype."""
    x, given = call.x, [*call.given]
    own = calls.CASTS.get(call.name) if x is not None else None
    if own is None and not calls.casts(call.name, given):
        return None
    _check_method(evaluation, call)
    if x is None and given and isinstance(given[0].value, Operand):
        x = given.pop(0).value
    target = _cast_target(evaluation, call, given)
    if x is None or (own is None and target is None):
        evaluation.refuse(f"{call.name} takes an array and a dtype, as in x.astype(float32)")
    wanted = by_name(own) if own else _wanted(call, target or given[0])
    return Value(evaluation, evaluation.cast_to(x, wanted, call.rules, "astype"))


def _wanted(call: calls.Call, target: Given) -> DType:
    """Return the dtype that a cast names: PyTorch's `to` takes an array that has it, too."""
    is_like = call.name == "to" and isinstance(target.value, Operand) and call.rules.ranked
    return target.value.dtype if is_like else arguments.dtype_of(target)


def _cast_target(evaluation: Evaluation, call: calls.Call, given: Sequence[Given]) -> Given | None:
    """Return the argument that names the dtype, and refuse what decides beside it."""
    target = [argument for argument in given if argument.place in (0, 1, "dtype")]
    for other in given:
        if other not in target and other.place not in _CAST_OPTIONS:
            what = f"{call.name} with {other.place!r} is not modelled"
            evaluation.refuse(what, evaluation.place.part(other.place))
    return target[0] if target else None


def _check_method(evaluation: Evaluation, call: calls.Call) -> None:
    """Refuse methods that arrays like NumPy's do not have, or that give None."""
    if call.x is None or not names.is_like_scalars(call.rules.library):
        return
    is_own = call.rules.library_title == SCALAR_LIBRARY
    if is_own and call.name in names.CHANGING:
        evaluation.refuse(f"{call.name} changes the array, and gives None")
    is_scalar = call.x.form == "scalar"
    if call.name not in names.METHODS or (is_scalar and call.name in names.NOT_OF_SCALARS):
        these = "scalars" if is_scalar else "arrays"
        evaluation.refuse(f"{these} of {call.rules.title} have no method {call.name!r}")


def _function(evaluation: Evaluation, call: calls.Call) -> Value | None:
    """Return what a function of the catalogue gives."""
    if call.x is not None and (stored := _in_place(evaluation, call, call.x)) is not None:
        return stored
    if (known := _known(evaluation, call)) is None:
        return None
    bound = _bound(evaluation, known, call)
    _check_own(known, call, bound)
    if (drawn := _drawn(evaluation, known, call, bound)) is not None:
        return drawn
    known, bound = calls.meant(known, call, bound)
    if said := next((x for x in bound.operands if any(x is d for d in call.dtypes)), None):
        raise Refused(f"{said.text} is a dtype, not an array")
    bound = bound._replace(operands=calls.operands_of(known, call, bound))
    made, several = _results(evaluation, known, call, bound)
    if call.rules.library_title == SCALAR_LIBRARY:
        calls.check_held(bound.parameters.get("initial"), made[0].dtype, call.rules, "made")
    if isinstance(out := bound.parameters.get("out"), Operand):
        made = [evaluation.stored(made[0], out)]
    if known.category == "reduction" and calls.has_numbers(call.rules):
        return evaluation.number(lambda: numbers.KINDS[made[0].dtype.kind])  # of one column
    if title := _owner(evaluation, known, call):
        made = [x._replace(library=title) for x in made]
    return Value(evaluation, *made, is_several=bool(several), is_alike=several in calls.ALIKE)


def _owner(evaluation: Evaluation, known: Function, call: calls.Call) -> str:
    """Return the library of what a function of a module makes, or ``""`` if the rules say it."""
    home, _, _ = names.located(call.words)
    if not home:
        return ""
    if call.rules.library is not None and call.rules.library.as_methods:
        return call.rules.library_title
    arrays = [x for x in call.operands if x.form == "array"]
    given = evaluation.deciding(arrays).library if arrays and home == names.scalar_rules() else None
    if given is not None and given.as_methods and arguments.is_ufunc(known):
        return given.title
    own = evaluation.rules.library
    is_said = not evaluation.is_free and not (own is not None and own.as_methods)
    return "" if is_said else libraries()[home].title


def _bound(evaluation: Evaluation, known: Function, call: calls.Call) -> Bound:
    """Return the arguments of a call, told apart."""
    given = [*call.given]
    lacked = call.rules.library.lacks_parameters if call.rules.library else ()
    if wrong := next((x.place for x in given if _lacks(lacked, known, x.place)), None):
        raise Refused(f"{known.name} has no parameter {wrong!r}", wrong)
    if (made_of := _of_numbers(evaluation, call, known)) is not None:
        given[0] = Given(0, made_of)
    if call.x is not None:
        given.insert(calls.place_of_object(known, call), Given(None, call.x))
    elif known.name in _SIZED and call.rules.library is not None:
        _check_second(known, given, is_size=call.rules.library.dtype_by_name)
    bound = arguments.bind(known, given, partial(_taken_list, evaluation, known, call.rules))
    _check_numbers(known, call, bound, is_made=made_of is not None)
    return _spread(known, call, bound)


def _lacks(lacked: Sequence[str], known: Function, place: int | str | None) -> bool:
    return isinstance(place, str) and (place in lacked or f"{known.name} {place}" in lacked)


def _spread(known: Function, call: calls.Call, bound: Bound) -> Bound:
    """Return the arguments of a function of random numbers, with the shape that they have."""
    given = [bound.parameters.get(name) for name in ("low", "high")]
    shapes = [_shape_of(x) for x in given if is_list(x) or isinstance(x, Operand)]
    if not shapes:
        return bound
    if call.rules.library_title != SCALAR_LIBRARY or None in shapes:
        raise Refused(f"{known.name} of arrays is not modelled")
    shape = [*broadcast(*(x for x in shapes if x))]
    sized = {"shape": shape, **bound.parameters} if shape else bound.parameters
    return bound._replace(parameters=sized)


def _shape_of(x: Any) -> Shape | None:
    """Return the shape of an operand or a number, or of the array that a list becomes."""
    if not is_list(x):
        return x.shape if isinstance(x, Operand) else ()
    first = _shape_of(x[0]) if x else ()
    return None if first is None else (len(x), *first)


def _check_second(known: Function, given: Sequence[Given], *, is_size: bool) -> None:
    """Refuse a size where a dtype stands, which other libraries take there, and the reverse."""
    second = next((x for x in given if x.place == 1 and x.value is not None), None)
    if second is None or arguments.is_dtype(second.value) != is_size:
        return
    what = f"a dtype; write the sizes as a tuple, as in {known.name}((2, 3))"
    raise Refused("{} is not " + ("a size; write dtype= before it" if is_size else what), 1)


def _check_own(known: Function, call: calls.Call, bound: Bound) -> None:
    """Refuse arrays that scalars are of to the functions of a library that takes its own alone."""
    library = call.rules.library
    if library is None or not library.takes_own_alone or known.category in _MAKING:
        return
    if wrong := next((x for x in bound.operands if _is_scalar_array(x)), None):
        what = f"{known.name} of {library.title} does not take {wrong.text}"
        raise Refused(f"{what}, which is an array of {SCALAR_LIBRARY}")


def _is_scalar_array(x: Operand) -> bool:
    return x.form == "array" and x.library == SCALAR_LIBRARY


def _check_numbers(known: Function, call: calls.Call, bound: Bound, *, is_made: bool) -> None:
    """Refuse numbers that the array does not hold that is made of them, or filled with them."""
    fill = bound.parameters.get("fill_value", bound.parameters.get("value"))
    is_array = isinstance(fill, Operand) and fill.rank != 0
    if is_array and call.rules.ranked:
        raise Refused(f"{known.name} fills with a number, and is given an array")
    if is_made and bound.dtype is not None:
        for value in flattened(call.given[0].value)[1]:
            calls.check_held(value, bound.dtype, call.rules, "made")
    elif known.name == "full" and bound.dtype is not None:
        calls.check_held(bound.operands[0], bound.dtype, call.rules, "filled")
    elif fill is not None and known.category in ("fill", "shape"):
        d = bound.dtype or bound.operands[0].dtype
        calls.check_held(fill, d, call.rules, "filled")
    elif known.name == "new_tensor":
        own = bound.dtype or bound.operands[0].dtype
        calls.check_held(bound.operands[-1], own, call.rules, "made")
    elif known.name == "scatter" and len(bound.operands) > 1:
        calls.check_held(bound.operands[1], bound.operands[0].dtype, call.rules, "filled")


def _drawn(evaluation: Evaluation, known: Function, call: calls.Call, bound: Bound) -> Value | None:
    """Return the random number that NumPy draws without a size, or None if there is one."""
    is_random = known.draws or known.name in ("randint", "choice") or known.follows == "randint"
    is_choice = known.name == "choice"
    is_number = all(x.is_python or (is_choice and _is_count(x)) for x in bound.operands)
    is_drawn = is_random and is_number and call.x is None and "shape" not in bound.parameters
    if not is_drawn or call.rules.library_title != SCALAR_LIBRARY:
        return None
    own = [] if is_choice else bound.operands
    d = evaluation.explained(
        known, own or [Operand("", by_name("int64"), False, "dtype")], call.rules
    ).result
    if known.has("draws scalars") or (bound.dtype is not None and not known.draws):
        made = Operand(evaluation.text, bound.dtype or d, False, "scalar", SCALAR_LIBRARY, ())
        return Value(evaluation, made)
    return evaluation.number(lambda: numbers.KINDS[d.kind])


def _is_count(x: Operand) -> bool:
    return x.rank == 0 and x.dtype.kind in ("signed", "unsigned")


def _known(evaluation: Evaluation, call: calls.Call) -> Function | None:
    """Return the function that is called, or None if it is not known."""
    if call.name in ("at", "shuffle") and len(call.words) > 1:
        evaluation.refuse(f"{call.name} changes its operand, and gives None")
    known = calls.function_of(call)
    if known is not None:
        _check_method(evaluation, call)
    return known


def _results(
    evaluation: Evaluation, known: Function, call: calls.Call, bound: Bound
) -> tuple[list[Operand], str]:
    """Return what a function gives, and the category of several results, or ``""`` of one."""
    if known.name == "diff" and bound.parameters.keys() & {"prepend", "append"}:
        bound = _extended(evaluation, call, bound)
    parameter, special = _SPECIAL_RESULTS.get(f"{known.category} {known.name}", ("", None))
    if special is not None and parameter in {"", *bound.parameters}:
        return [special(evaluation, known, call, bound)], ""
    if bound.dtype is not None:
        return [_with_dtype(evaluation, known, bound, call.rules)], ""
    parts = calls.results_of(known, call, bound)
    made = [
        evaluation.step(each, own, call.rules, bound.parameters)
        for each, own in parts or [(known, bound.operands)]
    ]
    if parts and known.name in calls.TUPLES:
        change, length = calls.TUPLES[known.name]
        count = length(bound.operands[0].shape, bound.parameters) or 1
        made = [x._replace(shape=change(x.shape)) for x in made] * count
    return made, parts[0][0].category if parts else ""


def _taken_list(
    evaluation: Evaluation, known: Function, rules: PromotionSystem, argument: Given
) -> Operand:
    """Return the array that a function makes of a list."""
    library = rules.library
    if library is None or not library.takes_lists:
        what = f"a list is not an operand; write {known.name} of an array such as float64[3]"
        raise Refused(what, argument.place)
    return evaluation.array_of_list(argument.value, rules, evaluation.text)


def _in_place(evaluation: Evaluation, call: calls.Call, x: Operand) -> Value | None:
    """Return what a method such as ``add_`` gives: its array, if that holds the result."""
    library, name = call.rules.library, call.name.removesuffix("_")
    if name == call.name or library is None or not library.stores_in_place:
        return None
    if name in _FILLING:
        for argument in call.given if name == "fill" else ():
            calls.check_held(argument.value, x.dtype, call.rules, "filled")
        return Value(evaluation, x._replace(text=evaluation.text))
    found = _function(evaluation, call._replace(words=(name,)))
    return None if found is None else Value(evaluation, evaluation.stored(found.results[0], x))


def _update(evaluation: Evaluation, x: Operand, method: str, given: Sequence[Given]) -> Value:
    """Return an updated copy of an array, which keeps its dtype."""
    if method not in _UPDATES:
        evaluation.refuse(f"there is no update {method!r}; there are {listed(_UPDATES)}")
    values = [argument.value for argument in given if argument.place in (0, "values")]
    rules = evaluation.deciding([x])
    made = x._replace(text=evaluation.text, value=None)
    evaluation.note(
        rules, method, [x, *values], made, note="An update keeps the dtype of the array."
    )
    return Value(evaluation, made)


def _extended(evaluation: Evaluation, call: calls.Call, bound: Bound) -> Bound:
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
        x = evaluation.step(FUNCTIONS["concat"], pair, call.rules, axis)
    return bound._replace(operands=[x], parameters=rest)


def _paired(evaluation: Evaluation, known: Function, call: calls.Call, bound: Bound) -> Operand:
    """Return the covariances of two arrays, which are those of what the two share."""
    pair = [bound.operands[0], bound.parameters["y"]]
    both = pair[0]._replace(dtype=evaluation.promoted(pair, call.rules).result, weak=False)
    return evaluation.step(known, [both.ranked(2)], call.rules)


def _selected(evaluation: Evaluation, known: Function, call: calls.Call, bound: Bound) -> Operand:
    """Return what is chosen from several operands: what they and the default share."""
    shape = evaluation.shape_of(known, bound.operands, bound.parameters)
    why = evaluation.promoted(bound.operands, call.rules)
    title = call.rules.library_title
    made = Operand(evaluation.text, why.result, why.weak, "array", title, shape)
    evaluation.note(call.rules, "select", bound.operands, made, note="The operands share a dtype.")
    return made


def _weighted(evaluation: Evaluation, known: Function, call: calls.Call, bound: Bound) -> Operand:
    """Return a mean with weights: in some it has the dtype of the mean, joined with theirs."""
    x, weights = bound.operands[0], bound.parameters["weights"]
    if is_list(weights):
        weights = _taken_list(evaluation, known, call.rules, Given("weights", weights))
    elif not isinstance(weights, Operand):
        weights = operand(weights)
    if call.rules.library is not None and call.rules.library.weighs_means:
        mean = evaluation.step(known, [x], call.rules, bound.parameters)
        why = evaluation.promoted([mean._replace(form="array"), weights], call.rules)
        return mean._replace(dtype=why.result)
    product = evaluation.step(FUNCTIONS["multiply"], [x, weights], call.rules)
    return evaluation.step(known, [product], call.rules, bound.parameters)


def _of_numbers(evaluation: Evaluation, call: calls.Call, known: Function) -> Operand | None:
    """Return the array that a call makes of Python numbers that are written out, if it does."""
    is_made = known.name in calls.OF_NUMBERS and call.x is None and call.given
    if not is_made or call.rules.rule(known.name) is None:
        return None
    place, value = call.given[0]
    if place not in (0, "object", "data"):
        return None
    shape, values = flattened(value)
    if not shape and type(values[0]) not in PYTHON_SCALARS:
        return None
    title = call.rules.library_title
    is_taken = title == SCALAR_LIBRARY or not any(map(_is_wide, values))
    text = evaluation.place.of(evaluation.place.part(place))
    if is_taken and shape and any(isinstance(x, Operand) for x in values):
        return evaluation.array_of_list(value, call.rules, text)
    if not is_taken or not all(type(x) in PYTHON_SCALARS for x in values):
        raise Refused("{} is not made of numbers alone that int64 holds", place)
    d = calls.dtype_of_numbers(call.rules, values)
    weak = not shape and calls.stays_weak(operand(values[0]), call.rules)
    return Operand(text, d, weak, "array", title, shape)


def _with_dtype(
    evaluation: Evaluation, known: Function, bound: Bound, rules: PromotionSystem
) -> Operand:
    """Return what a function gives in the dtype that it is asked for."""
    wanted = bound.dtype or by_name("bool")
    is_ufunc = rules.library_title == SCALAR_LIBRARY and arguments.is_ufunc(known)
    arguments.check_dtype(known, wanted, bound.operands, is_ufunc=is_ufunc)
    if rules.rule(known.name) is None and evaluation.otherwise is None:
        evaluation.refuse(f"{rules.title} rules have no function {known.name!r}")
    library = rules.library
    for function, unmade in library.unmade if library else ():
        if function in (known.name, known.category) and calls.has_kind(wanted, unmade):
            raise Refused(f"{known.name} does not give {wanted} here", "dtype")
    cast = Operand("x", wanted, False, "array", shape=(UNKNOWN,))
    if library is not None and known.name in library.asked_by_rule:
        wanted = evaluation.explained(known, [cast], rules).result
    elif known.category == "reduction":  # which is that of operands of this dtype
        evaluation.explained(known, [cast], rules)
    if is_ufunc:
        found = evaluation.explained(known, [cast] * len(bound.operands), rules).result
        if found is not wanted:
            evaluation.refuse(f"{known.name} does not give {wanted}")
    first = bound.operands[0] if bound.operands else operand(wanted)
    shape = evaluation.shape_of(known, bound.operands, bound.parameters)
    form = "scalar" if is_scalar(known, bound.operands, shape, rules.library_title) else "array"
    return evaluation.cast_to(first._replace(shape=shape, form=form), wanted, rules, known.name)


_KINDS: Final = (_python, _told, _type, _cast, _function)
"""What a call may be, in the order in which it is asked."""

_OF_PYTHON: Final[Mapping[str, Callable[[Evaluation, calls.Call], Value | None]]] = {
    "len": _length,
    "sum": _sum,
    "max": _largest,
    "min": _largest,
}
"""What Python's own functions of several numbers give."""

_Special = Callable[[Evaluation, Function, calls.Call, Bound], Operand]
_SPECIAL_RESULTS: Final[Mapping[str, tuple[str, _Special]]] = {
    "reduction average": ("weights", _weighted),
    "estimate cov": ("y", _paired),
    "estimate corrcoef": ("y", _paired),
    "condition select": ("", _selected),
}
"""What functions give that no rule of one step says, if they are given a parameter or always."""


def _is_wide(x: Any) -> bool:
    return type(x) is int and not -(2**63) <= x < 2**63

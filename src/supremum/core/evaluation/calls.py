"""What a call means: which function it is, its results, and the operands that the function sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, isnan
from typing import Any, Final, NamedTuple

from ..dtypes import DType, by_name
from ..errors import PromotionError, listed
from ..functions import FUNCTIONS, Function, canonical, results
from ..operands import SCALAR_LIBRARY, Operand, is_list, operand
from ..shapes import UNKNOWN, Shape
from ..steps import fits
from ..system import PromotionSystem
from . import names
from .arguments import OF_TWO, VARIANTS, Bound, Given, Refused, is_dtype

WHOLE: Final = ("bool", "unsigned", "signed")
"""The kinds of ints and bools."""

OF_NUMBERS: Final = ("array", "asarray", "asanyarray", "tensor", "as_tensor")
"""The functions that make an array of numbers that are written out."""

ALIKE: Final = ("shape", "index", "count", "part")
"""The categories of functions whose results are of one dtype, however many there are."""

_CASTING: Final = ("astype", "to", "type", "cast")
CASTS: Final = {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16",
    "int": "int32", "long": "int64", "short": "int16", "byte": "uint8", "char": "int8",
    "bool": "bool", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
"""The dtypes of the methods of PyTorch's tensors that convert them."""

TUPLES: Final[Mapping[str, tuple[Callable[[Shape | None], Shape | None], Callable[..., int]]]] = {
    "nonzero": (lambda _: (UNKNOWN,), lambda shape, _: len(shape or ())),
    "gradient": (lambda x: x, lambda shape, _: len(shape or ())),
    "unstack": (lambda x: x and x[1:], lambda shape, p: _along(shape, p.get("axis", 0))),
}  # fmt: skip
"""What gives a tuple or a list where there are no tiers: the shape of each part, and how many."""

# Where Python's numbers join as they are, though an array is made of them elsewhere.
_OF_AXES: Final = ("sort", "argsort", "nonzero")
_NO_NUMBERS: Final = ("union1d",)
# The categories that take Python's numbers as they are.
_TAKE_NUMBERS: Final = (
    "elementwise", "condition", "reduction", "cumulative", "index", "store", "float",
    "fill", "count", "random",
)  # fmt: skip


class Call(NamedTuple):
    """A call: its function's words, the array whose method it is, arguments, rules, and dtypes.

    The last are those of the arguments that are dtypes, as ``x.dtype`` is.
    """

    words: tuple[str, ...]
    x: Operand | None
    given: Sequence[Given]
    rules: PromotionSystem
    dtypes: Sequence[Operand] = ()

    @property
    def name(self) -> str:
        """The last word."""
        return self.words[-1]

    @property
    def operands(self) -> list[Operand]:
        """What is given that is an operand, after the array whose method is called."""
        found = [x.value for x in self.given if isinstance(x.value, Operand)]
        return found if self.x is None else [self.x, *found]


def function_of(call: Call) -> Function | None:
    """Return the function that is called, or None if it is not known."""
    home, _, name = names.located(call.words)
    if call.name == "select" and (call.x is not None or call.rules.ranked):  # is not np.select
        return FUNCTIONS["same"]._replace(name="select", call="(x,0,0)", category="shape")
    if call.x is not None and call.name in ("conj", "conjugate") and call.x.dtype.kind == "bool":
        library = call.rules.library
        if library is None or not library.conjugates_real:
            return FUNCTIONS["same"]  # as a method, which does nothing to what is real
    if call.x is not None and call.name == "copy" and call.x.form == "scalar":
        return FUNCTIONS["same"]  # as a method, which leaves a scalar one
    if call.name == "equal" and (home or call.x is not None) and call.rules.ranked:
        raise Refused("equal gives one bool in some libraries, and an array in others; write ==")
    if call.name == "flatten" and call.rules.rule("flatten") is None:
        return FUNCTIONS["ravel"]
    if outer := names.outer_of(name):
        is_method = call.rules.rule(canonical(f"{outer.name}.reduce") or "") is not None
        return outer._replace(category="outer") if is_method else None
    return names.find(name)


def place_of_object(known: Function, call: Call) -> int:
    """Return where an array whose method is called stands among the arguments of the function."""
    library = call.rules.library
    if known.name == "where" and library is not None and library.conditions_choose:
        return 0
    first = next((i for i, letter in enumerate(known.places) if letter), 0)
    return min(first, len(call.given))


def meant(known: Function, call: Call, bound: Bound) -> tuple[Function, Bound]:
    """Return the function that a call means by its arguments and by how it is written."""
    operands, parameters = bound.operands, bound.parameters
    axis, condition = parameters.get("axis"), parameters.get("condition")
    if known.name == "where" and not operands and isinstance(condition, Operand):
        return FUNCTIONS["nonzero"], Bound([condition], {})
    if isinstance(axis, Operand):
        if not call.rules.rule(f"{known.name}[1]"):
            raise Refused(f"{known.name} of two arrays is not modelled")
        return FUNCTIONS[OF_TWO[known.name]], Bound([*operands, axis], {})
    axes = parameters.get("axes")
    if known.name == "transpose" and call.rules.ranked and is_list(axes) and len(axes) == 2:
        swapped = dict(zip(("axis1", "axis2"), axes, strict=True))  # not an order of all axes
        return known, bound._replace(parameters=swapped)
    if (other := _by_parameters(known, call.rules, operands, parameters)) is not None:
        return other, bound._replace(parameters={k: v for k, v in parameters.items() if k != "n"})
    if call.name in ("reduce", "accumulate"):  # along the first axis
        keeps = {"keeps_shape": True} if call.name == "accumulate" else {}
        return known, bound._replace(parameters={"axis": 0, **keeps, **parameters})
    for (name, parameter, value), variant in VARIANTS.items():
        if name == known.name and str(parameters.get(parameter)) == value:
            if not names.is_like_scalars(call.rules.library):
                raise Refused(f"the parameter {parameter!r} of {name} is not modelled")
            return FUNCTIONS[variant], bound
    return known, bound


_NORMS: Final = {1: "norm_sum", inf: "norm_max", -inf: "norm_max"}


def _by_parameters(
    known: Function,
    rules: PromotionSystem,
    operands: Sequence[Operand],
    parameters: Mapping[str, Any],
) -> Function | None:
    """Return another function whose dtypes a function has with these parameters, if it does."""
    power = parameters.get("n", 2)
    norm = _NORMS.get(parameters.get("ord") or 0, "")
    if known.name == "vector_norm" and norm and rules.rule(norm) is not None:
        return FUNCTIONS[norm]
    if known.name == "true_divide" and parameters.get("rounding_mode"):
        return FUNCTIONS["floor_divide"]
    if known.name == "irfftn" and operands[0].rank == 1 and parameters.get("axis") is None:
        return FUNCTIONS["irfft"]
    if known.name == "matrix_power" and power < 2:
        return FUNCTIONS["inv" if power < 0 else "same"]
    return None


def results_of(known: Function, call: Call, bound: Bound) -> list[tuple[Function, list[Operand]]]:
    """Return the results of a call that has several, each with the operands that decide."""
    operands, rules = bound.operands, call.rules
    second = f"{known.name}[1]"
    if known.category == "several" and rules.rule(known.name) is None:
        found = results(known.name)
        if len(found) == 1 and known.operands is None:  # as many as operands, each of its own
            counts = range(len(operands))
            return [(FUNCTIONS[found[0]], [*operands[i:], *operands[:i]]) for i in counts]
        return [(FUNCTIONS[name], operands) for name in found]
    if _is_tuple(known, operands, rules):
        return [(known, operands)]
    has_places = known.category != "reduction" or bound.parameters.get("axis") is not None
    if has_places and call.name == known.name and rules.rule(second):
        return [(known, operands), (FUNCTIONS[second], operands)]
    return []


def _is_tuple(known: Function, operands: Sequence[Operand], rules: PromotionSystem) -> bool:
    """Return whether a function gives a tuple of any number of arrays, or a list."""
    if known.name not in TUPLES or rules.ranked or not operands:
        return False
    return known.name != "gradient" or operands[0].rank != 1


def _along(shape: Shape | None, axis: Any) -> int:
    """Return the length of an axis, or 0 if it is not known."""
    if not shape or type(axis) is not int or isnan(shape[axis]):
        return 0
    return int(shape[axis])


def operands_of(known: Function, call: Call, bound: Bound) -> list[Operand]:
    """Return operands as a function sees them, where that is not what they are."""
    operands, rules, facts = bound.operands, call.rules, call.rules.library
    makes_arrays = bool(facts and facts.modules) and names.is_like_scalars(facts)
    if known.category == "several":
        known = FUNCTIONS[known.follows]
    _check_indices(known, bound.parameters.get("indices"), rules)
    _check_axis(known, bound, rules)
    if known.name in _NO_NUMBERS and any(x.is_python for x in operands):
        raise Refused(f"{known.name} of a number is not modelled; make an array of it")
    if makes_arrays and known.name in _OF_AXES and any(x.rank == 0 for x in operands[:1]):
        raise Refused(f"{known.name} of what has no dimensions is not defined")
    is_choice = known.name == "where" and rules.ranked and all(x.is_python for x in operands)
    if is_choice or (makes_arrays and known.category not in _TAKE_NUMBERS):
        operands = [as_array(x, rules) for x in operands]
    if facts is not None and call.name in facts.first_made:
        operands = [*(as_array(x, rules) for x in operands[:1]), *operands[1:]]
    if known.category in ("count", "float", "fill") and all(x.is_python for x in operands):
        operands = [x if joins(x, rules) else as_array(x, rules) for x in operands]
    for place, name in enumerate(("transpose_a", "transpose_b")):
        if bound.parameters.get(name) and (shape := operands[place].shape) is not None:
            turned = operands[place]._replace(shape=(*shape[:-2], *shape[:-3:-1]))
            operands = [*operands[:place], turned, *operands[place + 1 :]]
    change = _CHANGES.get(known.name)
    return change(operands, bound.parameters, rules) if change else operands


def _check_axis(known: Function, bound: Bound, rules: PromotionSystem) -> None:
    """Refuse an axis of what has no dimensions, which some libraries take."""
    facts, axis = rules.library, bound.parameters.get("axis")
    reduces = known.category in ("reduction", "cumulative")
    if reduces and not bound.operands:
        raise Refused(f"{known.name} takes an array, as in {known.name}(int32[3])")
    is_flat = reduces and bound.operands[0].rank == 0
    if facts is None or not is_flat or axis is None:
        return
    is_own = names.is_like_scalars(facts) and known.has("no flat axis")
    if is_own or facts.refuses_flat_axes:
        raise Refused(f"there is no axis {axis}: {bound.operands[0].text} has 0 dimensions", "axis")


def check_held(value: Any, d: DType, rules: PromotionSystem, how: str) -> None:
    """Refuse a number that an array does not hold.

    Args:
        value: the number.
        d: the dtype of the array.
        rules: the rules.
        how: whether the array is ``made`` of the number, or ``filled`` with it.
    """
    facts, value = rules.library, value.number if isinstance(value, Operand) else value
    if facts is None or value is None:
        return
    if type(value) is complex and d.kind != "complex":
        if how == "made" or not facts.fills_real:
            raise Refused(f"{value} is not a number of {d}")
    elif type(value) is int and how in facts.unfit_ints:
        is_wrapped = value < 0 and d.kind == "unsigned" and "negative" not in facts.unfit_ints
        if why := fits(abs(value) if is_wrapped else value, d):
            raise Refused(why)


def has_kind(d: DType, words: str) -> bool:
    """Return whether a dtype is among some, which are named, or of a kind that is."""
    return d.name in words.split() or d.kind in words.split()


def _check_indices(known: Function, indices: Any, rules: PromotionSystem) -> None:
    """Refuse arrays of indices that a library does not take."""
    facts = rules.library
    own = dict(facts.indices_of).get(known.name, "") if facts is not None else ""
    if own and isinstance(indices, Operand) and indices.number is None:
        if not has_kind(indices.dtype, own):
            words = listed(own.split(), "or")
            raise Refused(f"indices of {known.name} are {words}, not {indices.dtype}")
        return
    if facts is not None and not facts.index_lists and type(indices) is list:
        raise Refused(f"indices of {facts.title} are no list; make an array of it")
    if facts is None or not facts.index_dtypes or not isinstance(indices, Operand):
        return
    taken = [d for d in facts.index_dtypes if by_name(d).kind == "signed"]
    if indices.number is None and indices.dtype.name not in taken:
        raise Refused(f"indices of {facts.title} are {listed(taken, 'or')}, not {indices.dtype}")


def _transformed(
    operands: list[Operand], parameters: Mapping[str, Any], _: PromotionSystem
) -> list[Operand]:
    """Refuse half precision, of which the number of axes decides."""
    narrow = [x for x in operands if x.dtype.kind == "float" and x.dtype.bits == 16]
    if narrow and (narrow[0].rank != 2 or parameters.get("axis") is not None):
        raise Refused(f"the number of axes decides about {narrow[0].dtype}; convert it first")
    return operands


def _stacked(operands: list[Operand], *_: Any) -> list[Operand]:
    """Return operands of one dimension, where they have none."""
    return [x.ranked(1) if _is_flat(x) else x for x in operands]


def _converted(
    operands: list[Operand], _: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    """Return NumPy's scalars as arrays, which they become in another library."""
    is_other = rules.library_title not in ("", SCALAR_LIBRARY)
    return [x._replace(form="array") if is_other and x.form == "scalar" else x for x in operands]


def _clipped(
    operands: list[Operand], _: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    flat = [x for x in operands[1:] if rules.ranked and _is_flat(x)]
    flat += [x for x in operands[:1] if x.is_python and not names.has_scalar_dtypes(rules.library)]
    if flat:
        raise Refused(f"clip of {flat[0].text}, which has no dimensions, is not modelled")
    if len(operands) == 1 and operands[0].dtype.kind == "bool":
        raise Refused("clip does not take bool without bounds")
    return operands


def _rounded(
    operands: list[Operand], parameters: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    """Return what is rounded: to decimals a float is multiplied before, so it is not weak then."""
    decimals, is_scalars = parameters.get("decimals"), rules.library_title == SCALAR_LIBRARY
    if not decimals:
        return operands
    kind = operands[0].dtype.kind
    is_taken = is_scalars or (names.has_scalar_dtypes(rules.library) and decimals > 0)
    if kind == "bool" or (kind in WHOLE and not is_taken):
        raise Refused(f"round to decimals does not take {operands[0].dtype}")
    return [x._replace(weak=x.weak and (kind in WHOLE or x.rank == 0)) for x in operands]


def _normalized(
    operands: list[Operand], parameters: Mapping[str, Any], _: PromotionSystem
) -> list[Operand]:
    """Refuse integers over all axes, which not all libraries convert to floats."""
    whole = [x for x in operands if x.dtype.kind in WHOLE]
    if whole and type(parameters.get("axis")) is not int:
        raise Refused(f"softmax of {whole[0].dtype} without one axis is not modelled")
    return operands


def _integrated(
    operands: list[Operand], _: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    """Refuse integers where the result without any interval has another dtype."""
    whole = [x for x in operands if rules.ranked and x.dtype.kind in WHOLE]
    if whole:
        raise Refused(f"the size of {whole[0].text} decides; convert it to a float first")
    return operands


def _chosen(
    operands: list[Operand], parameters: Mapping[str, Any], rules: PromotionSystem
) -> list[Operand]:
    condition = parameters.get("condition")
    is_mask = not isinstance(condition, Operand) or condition.dtype.kind == "bool"
    if not is_mask and not names.has_scalar_dtypes(rules.library):
        raise Refused(f"the condition of {rules.title} is an array of bool")
    return operands


def is_squared(operands: Sequence[Operand], rules: PromotionSystem) -> bool:
    """Return whether an operator squares an array of bools, where power does something else."""
    base, exponent = operands
    is_square = exponent.number == 2 and exponent.dtype.kind == "signed"
    is_theirs = rules.library is not None and rules.library.squares_bools
    return is_square and base.dtype.kind == "bool" and base.form == "array" and is_theirs


def as_array(x: Operand, rules: PromotionSystem) -> Operand:
    """Return the array that a Python number becomes."""
    if x.form != "Python scalar":
        return x
    d = dtype_of_numbers(rules, [x])
    weak = not rules.ranked and stays_weak(x, rules)
    return Operand(x.text, d, weak, "array", rules.library_title, (), x.value)


def stays_weak(x: Operand, rules: PromotionSystem) -> bool:
    """Return whether the array without dimensions that is made of a number is weak."""
    return rules.weak_arrays and x.dtype.kind != "bool" and joins(x, rules)


def dtype_of_numbers(rules: PromotionSystem, numbers: Sequence[Any]) -> DType:
    """Return the dtype of the array that is made of Python numbers; the value of an int decides.

    Raises:
        PromotionError: if one of them does not fit any dtype.
        Refused: if one does not fit the dtype that it has.
    """
    own = [_dtype_of_number(x, rules) for x in numbers]
    for x, d in zip(numbers, own, strict=True):
        value = x.value if isinstance(x, Operand) else x
        if type(value) is int and (why := fits(value, d)):
            raise Refused(why)
    return rules.promote_types(*dict.fromkeys(own)) if own else rules.default_dtypes.float


def has_numbers(rules: PromotionSystem) -> bool:
    """Return whether an item of a column, and what it is reduced to, is a number of Python's."""
    return rules.setting.get("operation") == "series"


def joins(x: Operand, rules: PromotionSystem) -> bool:
    """Return whether rules have a dtype of a Python number alone."""
    try:
        rules.result_type(x)
    except PromotionError:
        return False
    return True


def _dtype_of_number(x: Any, rules: PromotionSystem) -> DType:
    """Return the dtype of the array of a number: the usual one, if rules have none of it alone."""
    value = x.value if isinstance(x, Operand) else x
    try:
        alone = rules.result_type(x)
        return rules.defaults.complex if rules.defaults and type(value) is complex else alone
    except PromotionError:
        if type(value) is int and fits(value, rules.default_dtypes.int):
            raise
        kind = (x if isinstance(x, Operand) else operand(x)).dtype.kind
        if kind == "bool":  # with which some rules do not compute
            return by_name(kind)
        usual = rules.default_dtypes
        return rules.result_type(usual.int if kind == "signed" else getattr(usual, kind))


def _is_flat(x: Operand) -> bool:
    return x.form == "array" and x.rank == 0


def casts(name: str, given: Sequence[Given]) -> bool:
    """Return whether a call of a name converts: those that do, and a view as a dtype."""
    is_view = name == "view" and any(is_dtype(argument.value) for argument in given)
    return is_view or name in _CASTING


def _scattered(operands: list[Operand], *_: Any) -> list[Operand]:
    """Return an array and what is stored in it, of which numbers are of its dtype."""
    first, *values = operands
    return [first, *(first if x.is_python else x for x in values)]


def _preferred(
    operands: list[Operand], parameters: Mapping[str, Any], _: PromotionSystem
) -> list[Operand]:
    """Return what is chosen from, with the default where no condition holds, which is 0."""
    default = parameters.get("default", 0)
    return [*operands, default if isinstance(default, Operand) else operand(default)]


_CHANGES: Final[Mapping[str, Callable[..., list[Operand]]]] = {
    "clip": _clipped, "round": _rounded, "select": _preferred, "scatter": _scattered,
    "where": _chosen, "softmax": _normalized,
    "trapezoid": _integrated, "irfftn": _transformed,
    **dict.fromkeys(("hstack", "vstack", "dstack", "column_stack"), _stacked),
    **dict.fromkeys(OF_NUMBERS, _converted),
}  # fmt: skip

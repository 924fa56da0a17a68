"""The arguments of a call: which are operands, and what the rest say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..dtypes import DType, by_name, dtype
from ..errors import DTypeError, plural
from ..functions import Function
from ..operands import Operand

# The parameters that come without a name, in their order, where the call of the catalogue has no
# operand; a star takes all that follow. The function, or its sort, comes first.
_POSITIONAL: Final = """
*reduction: axis keepdims
*cumulative *softmax *concat: axis
std var nanstd nanvar std_mean var_mean: axis correction keepdims
norm vector_norm matrix_norm: ord axis keepdims
quantile nanquantile percentile nanpercentile: q axis
topk: k axis
kthvalue: k axis keepdims
mode count_nonzero: axis keepdims
sort argsort softmax log_softmax concat stack append squeeze expand_dims flip unstack cross: axis
insert delete: index axis
diff: n axis
trapezoid cumulative_trapezoid: x dx axis
svd: full_matrices compute_uv hermitian
qr: mode
histogram histogram2d histogramdd: bins range density weights
histogram_bin_edges histc: bins range weights
where select: condition
take take_along_axis: indices axis
gather index_select: axis indices
masked_fill masked_select: mask
roll: shift axis
repeat: shape* axis
tile reshape view expand broadcast_to new_zeros new_ones new_empty zeros ones empty rand randn: shape*
random standard_normal standard_exponential: shape*
full new_full: shape
normal uniform randint: low high shape
einsum: pattern
tensordot: axis
round: decimals
"""
_ALIASES: Final = {
    "dim": "axis", "axes": "axis", "dims": "axis", "keepdim": "keepdims", "ddof": "correction",
    "unbiased": "correction", "ndigits": "decimals", "size": "shape", "repeats": "shape",
    "reps": "shape", "p": "ord", "index": "indices",
}  # fmt: skip
# Keywords that change no dtype, if what they are given is written out.
_HARMLESS: Final = frozenset(
    """
    axis keepdims correction mode indexing order side k n s norm decimals offset axis1 axis2 dim1
    dim2 shape num endpoint base steps full_matrices hermitian compute_uv ord rtol atol tol
    equal_nan assume_unique invert descending stable kind copy method interpolation bins range
    density largest sorted decreasing increasing device requires_grad nan posinf neginf shift
    retstep dx
    """.split()  # noqa: SIM905  # a list of words
)
# Parameters that may be arrays, and do not join; what kind they are of, if the library minds.
_ARRAYS: Final = {"axis": "", "condition": "", "mask": "bool", "indices": "unsigned signed", "shape": "signed"}
_BOUNDS: Final = ("min", "max", "a_min", "a_max")
_FRACTIONS: Final = {"quantile": (float,), "nanquantile": (float,), "percentile": (int, float),
                     "nanpercentile": (int, float)}  # fmt: skip


def _is_count(value: Any) -> bool:
    return type(value) in (int, str)


def _is_false(value: Any) -> bool:
    return value in (None, False)


# What an argument may be where another value changes the dtypes, in a way that is not modelled.
_UNDECIDING: Final[Mapping[tuple[str, str], Callable[[Any], bool]]] = {
    ("svd", "compute_uv"): bool,
    ("qr", "mode"): lambda value: value in ("reduced", "complete"),
    ("trapezoid", "x"): _is_false,
    ("cumulative_trapezoid", "x"): _is_false,
    ("vector_norm", "ord"): lambda value: value in (None, 2),
    **{(name, "density"): _is_false for name in ("histogram", "histogram2d", "histogramdd")},
    **{(name, "weights"): _is_false for name in ("histogram", "histogram2d", "histogramdd")},
    **{(name, "bins"): _is_count for name in ("histogram", "histogram_bin_edges", "histc")},
    **{(name, "method"): lambda _: False for name in _FRACTIONS},
    **{(name, "interpolation"): lambda _: False for name in _FRACTIONS},
}

VARIANTS: Final[Mapping[tuple[str, str, Any], str]] = {
    ("svd", "compute_uv", False): "svd[1]", ("qr", "mode", "r"): "qr[1]",
}  # fmt: skip
"""The one result of a function with several that is left if a parameter has a value."""

OF_TWO: Final = {"max": "maximum", "min": "minimum"}
"""What reductions are in some libraries if they are given two arrays."""

_INTS: Final = ("unsigned", "signed")
_FLOATS: Final = ("float", "complex")
_KINDS: Final = ("bool", "unsigned", "signed", "float", "complex")
_MADE: Final = {"int": "int64", "float": "float64", "complex": "complex128", "bool_": "bool",
                "half": "float16", "double": "float64", "long": "int64"}  # fmt: skip


class Refused(Exception):  # noqa: N818  # it becomes an ExpressionError, which has a column
    """A part of a call that is not understood, and its place: a number, a keyword or None.

    In the message, ``{}`` stands for the text at that place.
    """

    def __init__(self, message: str, place: int | str | None = None) -> None:
        super().__init__(message)
        self.place = place


class Given(NamedTuple):
    """An argument as it is given: its place in the call, and its value."""

    place: int | str | None
    value: Any


class Bound(NamedTuple):
    """The arguments of a call.

    Attributes:
        operands: its operands.
        parameters: its parameters, by name.
        places: the places of the parameters.
        dtype: the dtype that it asks for.
    """

    operands: list[Operand]
    parameters: dict[str, Any]
    places: dict[str, int | str | None]
    dtype: DType | None = None

    def put(self, name: str, argument: Given, *, is_loose: bool = False) -> None:
        """Bind a parameter, written as numbers and the like; a loose one may be an array."""
        is_free = is_loose and isinstance(argument.value, Operand) and argument.value.number is None
        self.parameters[name] = argument.value if is_free else literal(argument)
        self.places[name] = argument.place


def bind(known: Function, given: Sequence[Given]) -> Bound:
    """Return the arguments of a call, told apart.

    Args:
        known: the function.
        given: the arguments; those without a name come first.

    Raises:
        Refused: if there are too many, or one is not understood.
    """
    bound = Bound([], {}, {})
    positional = [x for x in given if not isinstance(x.place, str)]
    wanted = _take_dtype(known, positional)
    extra = _in_places(known, positional, bound)
    _after_places(known, extra, bound)
    for argument in given:
        if isinstance(argument.place, str):
            wanted = _named(known, argument, bound) or wanted
    try:
        _check(known, bound.parameters)
    except Refused as error:
        raise Refused(str(error), bound.places.get(str(error.place), error.place)) from None
    if type(bound.parameters.get("axis")) is bool:  # the call has no axis, but the next parameter
        bound.parameters["correction"] = bound.parameters.pop("axis")
    return bound._replace(dtype=wanted)


def _take_dtype(known: Function, given: list[Given]) -> DType | None:
    """Take the dtype that comes last among the arguments without a name, if there is one."""
    if not known.takes_dtype or len(given) < 2:
        return None
    last = given[-1].value
    is_dtype = isinstance(last, str) or (isinstance(last, Operand) and last.form == "dtype")
    return dtype_of(given.pop()) if is_dtype else None


def _in_places(known: Function, given: Sequence[Given], bound: Bound) -> list[Given]:
    """Bind what has a place in the call of the catalogue, and return what comes after."""
    places, names = known.places, [*_names(known)]
    is_endless = "..." in known.call
    for i, argument in enumerate(given[: None if is_endless else len(places)]):
        if i >= len(places) or places[i]:
            bound.operands.extend(_operands(known, argument))
        elif names and not names[0].endswith("*"):
            bound.put(names.pop(0), argument, is_loose=True)
        elif names:
            return [*given[i:]]
    return [*given[len(places) :]] if not is_endless else []


def _after_places(known: Function, extra: Sequence[Given], bound: Bound) -> None:
    """Bind what comes without a name after all operands."""
    names = [name for name in _names(known) if name not in bound.parameters]
    for i, argument in enumerate(extra):
        if i < len(names) and names[i].endswith("*"):
            sizes = [literal(x) for x in extra[i:]]
            is_one = len(sizes) == 1 and not isinstance(sizes[0], int)
            bound.parameters[names[i][:-1]] = sizes[0] if is_one else sizes
            return
        if i < len(names):
            bound.put(names[i], argument, is_loose=names[i] in _ARRAYS)
        elif known.sort in ("elementwise", "condition"):
            number, most = len(bound.operands) + len(extra) - i, known.operands or 0
            message = f"{known.name} takes {plural(most, 'operand')}, not {number}"
            raise Refused(message, argument.place)
        else:
            literal(argument)


def _names(known: Function) -> Sequence[str]:
    """Return the names of the parameters of a function that come without one."""
    return _NAMES.get(known.name) or _NAMES.get(f"*{known.sort}", ())


def _named(known: Function, argument: Given, bound: Bound) -> DType | None:
    """Bind an argument with a name; return the dtype that it asks for, if it does."""
    written = str(argument.place)
    name = _ALIASES.get(written, written)
    if name == "dtype":
        return None if argument.value is None else dtype_of(argument)
    if known.name == "clip" and name in _BOUNDS:
        bound.operands.extend(_operands(known, argument))
    elif name in _HARMLESS or name in _names(known):
        bound.put(name, argument, is_loose=name in _ARRAYS)
    else:
        raise Refused(f"the parameter {written!r} of {known.name} is not modelled", written)
    return None


def _operands(known: Function, argument: Given) -> list[Operand]:
    value = argument.value
    if type(value) in (list, tuple):
        if known.operands is None and "[" in known.call:
            return [x for part in value for x in _operands(known, Given(argument.place, part))]
        what = f"a list is not an operand; write {known.name} of an array such as float64[3]"
        raise Refused(what, argument.place)
    if value is None:
        return []
    if not isinstance(value, Operand):
        raise Refused(f"{value!r} is not an array or a number", argument.place)
    return [value]


def literal(argument: Given) -> Any:
    """Return an argument that is written of numbers, strings and the like.

    Raises:
        Refused: if it is not.
    """
    value = argument.value
    if type(value) in (list, tuple):
        return type(value)(literal(Given(argument.place, part)) for part in value)
    if isinstance(value, Operand):
        if value.number is None:
            raise Refused("{} is not a number that is written out", argument.place)
        return value.number
    return value


def dtype_of(argument: Given) -> DType:
    """Return the dtype that an argument names, such as ``float32`` or ``"float32"``.

    Raises:
        Refused: if it names none.
    """
    value = argument.value
    if isinstance(value, Operand):
        if value.form not in ("dtype", "type"):
            raise Refused("{} is not a dtype", argument.place)
        return value.dtype
    try:
        return named_dtype(value)
    except DTypeError as error:
        raise Refused(str(error), argument.place) from None


def named_dtype(name: Any) -> DType:
    """Return the dtype of a name, as Python and the libraries write it.

    Raises:
        DTypeError: if there is none.
    """
    return dtype(_MADE.get(name, name) if isinstance(name, str) else name)


# what is refused


def _check(known: Function, parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that decide about the dtype in ways that are not modelled."""
    for name, value in parameters.items():
        is_plain = _UNDECIDING.get((known.name, name))
        if is_plain is not None and not is_plain(value):
            is_variant = (known.name, name, value) in VARIANTS if value.__hash__ else False
            if not is_variant:
                raise Refused(f"the parameter {name!r} of {known.name} is not modelled", name)
        if isinstance(value, Operand) and (kinds := _ARRAYS.get(name)) and value.form != "dtype":
            if value.dtype.kind not in kinds.split():
                raise Refused(f"{known.name} does not take {value.text} for {name!r}", name)
    if known.name in _FRACTIONS and type(parameters.get("q", 0.5)) not in _FRACTIONS[known.name]:
        what = f"of anything but a Python float, {known.name} depends on the dtype of {{}}"
        raise Refused(what, "q")
    if known.name not in OF_TWO or not isinstance(parameters.get("axis"), Operand):
        _check_axes(parameters.get("axis"))


def _check_axes(axis: Any) -> None:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    if axis is not None and not all(type(x) in (int, bool) for x in axes):
        raise Refused(f"an axis is an int, not {axis!r}", "axis")


def _kinds_above(operands: Sequence[Operand]) -> tuple[str, ...]:
    """Return the kinds into which operands are cast without losing their own."""
    return _KINDS[max([_KINDS.index(x.dtype.kind) for x in operands], default=0) :]


def check_dtype(known: Function, wanted: DType, operands: Sequence[Operand]) -> None:
    """Refuse a dtype that a function does not make.

    Raises:
        Refused: if it does not.
    """
    taken: Sequence[str] = _KINDS
    if known.name in ("std", "var"):
        taken = _FLOATS[1:] if operands and operands[0].dtype.kind == "complex" else _FLOATS
    elif known.sort == "random" or known.name.endswith("_window"):
        taken = _FLOATS
    elif known.name in ("mean", "nanmean"):
        taken = _KINDS[1:]
    elif known.sort == "sequence":
        taken = _kinds_above(operands)
    if not known.takes_dtype:
        raise Refused(f"dtype= of {known.name} is not modelled; convert with x.astype first")
    if wanted.kind not in taken:
        raise Refused(f"{known.name} does not give {wanted} here", "dtype")


_LEAST: Final = {"matmul": 1, "concat": 1, "mm": 2, "bmm": 3}


def check_ranks(known: Function, operands: Sequence[Operand], axes: Any) -> None:
    """Refuse operands of too few dimensions, and axes that they do not have.

    Raises:
        Refused: if there are some.
    """
    is_of_one = known.sort in ("linalg", "transform")  # the rest may have fewer
    least = {"linalg": 2, "transform": 1}.get(known.sort, _LEAST.get(known.name, 0))
    for x in operands[: 1 if is_of_one else None] if least else ():
        if x.form == "array" and x.rank is not None and x.rank < least:
            needed = plural(least, "dimension")
            message = f"{known.name} takes arrays of {needed} or more, and {x.text} has {x.rank}"
            raise Refused(message)
    first = operands[0] if operands else None
    if first is None or first.rank is None or known.sort not in ("reduction", "cumulative", "part"):
        return
    for axis in axes if isinstance(axes, tuple) else () if axes is None else (axes,):
        if not -max(first.rank, 1) <= axis < max(first.rank, 1):
            count = plural(first.rank, "dimension")
            raise Refused(f"there is no axis {axis}: {first.text} has {count}")


def _read() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _POSITIONAL.strip().splitlines():
        functions, _, names = line.partition(": ")
        found.update(dict.fromkeys(functions.split(), tuple(names.split())))
    return found


_NAMES: Final = _read()

CASTS: Final[Mapping[str, DType]] = {
    name: by_name(found)
    for name, found in {
        "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16",
        "int": "int32", "long": "int64", "short": "int16", "byte": "uint8", "char": "int8",
        "bool": "bool", "cfloat": "complex64", "cdouble": "complex128",
    }.items()
}  # fmt: skip
"""The methods of PyTorch's tensors that convert them."""

CASTING: Final = ("astype", "to", "type", "cast")
"""The functions that convert to a dtype that they are given."""

ARRAY_METHODS: Final = frozenset(
    """
    all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy
    cumprod cumsum diagonal dot flatten item max mean min nonzero prod ravel repeat reshape round
    searchsorted sort squeeze std sum swapaxes take trace transpose var view
    """.split()  # noqa: SIM905  # a list of words
)
"""The methods of NumPy's arrays, and of those that are like them, that give an array."""

CHANGING: Final = frozenset(("sort", "fill", "partition", "put", "resize"))
"""The methods of NumPy's arrays that change them, and give None."""

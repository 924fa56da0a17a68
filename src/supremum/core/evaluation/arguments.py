"""The arguments of a call: which are operands, what the rest say, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from ..dtypes import KINDS, DType, dtype, in_bytes
from ..errors import DTypeError, plural
from ..functions import Function
from ..operands import Operand, is_list

# The parameters that come without a name, in their order, where the call of the catalogue has no
# operand; a star takes all that follow, and what ends in a mark may not be left out. Before them
# stand functions, or a sort of functions.
_POSITIONAL: Final = """
*reduction: axis keepdims
*cumulative: axis
cosine_similarity: axis
std var nanstd nanvar std_mean var_mean: axis correction keepdims
norm vector_norm matrix_norm: ord axis keepdims
quantile nanquantile percentile nanpercentile: q! axis
topk: k! axis
kthvalue: k! axis keepdims
mode count_nonzero: axis keepdims
swapaxes: axis1 axis2
moveaxis: source destination
transpose permute_dims: axes*
flatten: start_dim end_dim
eye: rows columns
identity: rows
*transform: n axis
fftn ifftn rfftn irfftn fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 hfftn ihfftn: s axis
sort argsort softmax log_softmax concat stack append squeeze expand_dims flip unstack cross: axis
insert delete: position axis
diff: n axis prepend append
trapezoid cumulative_trapezoid: x dx axis
svd: full_matrices compute_uv hermitian
qr: mode
histogram histogram2d histogramdd: bins range density weights
histogram_bin_edges histc: bins range
where: condition
select: condition default
cov corrcoef: y
linspace logspace geomspace: num endpoint
take take_along_axis: indices! axis
gather index_select: axis indices!
masked_select: mask!
roll: shift! axis
repeat: shape*! axis
tile reshape view expand broadcast_to new_zeros new_ones new_empty: shape*
zeros ones empty rand randn random standard_normal standard_exponential: shape*
full: shape
new_full: shape fill_value
normal uniform randint integers laplace gumbel logistic lognormal: low high shape
exponential rayleigh standard_gamma random.poisson: low shape
choice: shape
convolve correlate: mode
full_like: fill_value
masked_fill: mask! value
index_fill: axis indices! value
einsum: pattern
tensordot: axis
round: decimals
matrix_power: n!
polyint polyder: m
"""
_ALIASES: Final = {
    "dim": "axis", "axes": "axis", "dims": "axis", "keepdim": "keepdims", "ddof": "correction",
    "unbiased": "correction", "ndigits": "decimals", "size": "shape", "repeats": "shape",
    "reps": "shape", "p": "ord", "index": "indices", "shifts": "shift", "steps": "num",
    "repetitions": "shape",
}  # fmt: skip
# Keywords that change no dtype, if what they are given is written out.
_HARMLESS: Final = frozenset(
    """
    axis keepdims correction m mode indexing order side k n s norm decimals offset axis1 axis2 dim1
    dim2 shape num endpoint base steps full_matrices hermitian compute_uv ord rtol atol tol
    equal_nan assume_unique invert descending stable kind copy method interpolation bins range
    density largest sorted decreasing increasing device requires_grad nan posinf neginf dx
    loc scale lam fill_value rounding_mode include_initial start_dim end_dim source destination
    alpha beta value chunks ascending drop deg reduction zero_copy_only transpose_a transpose_b
    """.split()  # noqa: SIM905  # a list of words
)
# Parameters that may be arrays, which do not join; and the kinds that they are of, if that counts.
_ARRAYS: Final = {"axis": "", "condition": "", "mask": "bool", "indices": "unsigned signed",
                  "shape": "signed", "out": "", "where": "bool", "weights": "",
                  "default": "", "y": "", "prepend": "",
                  "append": "", "low": "", "high": ""}  # fmt: skip
# Keywords of functions like NumPy's: the operand that is stored in, a mask, and the like.
_OF_UFUNCS: Final = ("out", "where", "initial", "casting", "weights")
_BOUNDS: Final = (
    "min", "max", "a_min", "a_max", "lower", "upper", "lower_bound", "upper_bound",
)  # fmt: skip
_NO_MORE: Final = (
    "unique", "ediff1d", "argwhere", "nonzero", "average", "atleast_1d", "atleast_2d", "atleast_3d",
)  # fmt: skip
# Functions of each element that are no ufuncs of NumPy.
_NO_UFUNCS: Final = (
    "round", "sinc", "i0", "real", "imag", "isclose", "real_if_close", "iscomplex", "isreal",
    "isneginf", "isposinf", "softmax", "log_softmax",
)  # fmt: skip
_NESTED: Final = ("block", "bmat")
_QUANTILES: Final = {"quantile": (float,), "nanquantile": (float,), "percentile": (int, float),
                     "nanpercentile": (int, float)}  # fmt: skip
# The values of parameters for which the dtypes are those of the function; others are refused.
_USUAL: Final[Mapping[tuple[str, str], Callable[[Any], bool]]] = {
    ("svd", "compute_uv"): bool,
    ("round", "decimals"): lambda value: type(value) is int,
    ("qr", "mode"): lambda value: value in ("reduced", "complete"),
    ("trapezoid", "x"): lambda value: value is None,
    ("vector_norm", "ord"): lambda value: value in (None, 1, 2, inf, -inf),
    ("matrix_power", "n"): lambda value: type(value) is int,
    ("true_divide", "rounding_mode"): lambda value: value in (None, "floor", "trunc"),
    ("add", "alpha"): lambda value: type(value) is int,
    ("subtract", "alpha"): lambda value: type(value) is int,
    ("addcmul", "value"): lambda value: type(value) is int,
    ("addcdiv", "value"): lambda value: type(value) is int,
    ("addmm", "beta"): lambda value: type(value) is int,
    ("addmm", "alpha"): lambda value: type(value) is int,
    ("shift", "fill_value"): lambda _: False,
    ("polyint", "m"): bool,
    ("polyder", "m"): bool,
    ("histogram", "density"): lambda value: not value,
    ("histogram", "bins"): lambda value: type(value) in (int, str),
    ("histogram_bin_edges", "bins"): lambda value: type(value) in (int, str),
    ("histogram2d", "density"): lambda value: not value,
    ("histogramdd", "density"): lambda value: not value,
    **{(name, parameter): lambda _: False for name in _QUANTILES
       for parameter in ("method", "interpolation")},
}  # fmt: skip

VARIANTS: Final[Mapping[tuple[str, str, str], str]] = {
    ("svd", "compute_uv", "False"): "svd[1]", ("qr", "mode", "r"): "qr[1]",
}  # fmt: skip
"""The one result of a function with several that is left if a parameter has a value."""

OF_TWO: Final = {"max": "maximum", "min": "minimum"}
"""What reductions are in some libraries if they are given two arrays."""

_MADE: Final = {"int": "int64", "float": "float64", "complex": "complex128", "long": "int64"}


class Refused(Exception):  # noqa: N818  # it becomes an ExpressionError, which has a column
    """A part of a call that is not understood.

    Attributes:
        place: the part: the number of an argument, a keyword, or None for the call. In the message
            ``{}`` stands for its text.
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
        dtype: the dtype that it asks for.
    """

    operands: list[Operand]
    parameters: dict[str, Any]
    dtype: DType | None = None


def bind(known: Function, given: Sequence[Given], array_of: Callable[[Given], Operand]) -> Bound:
    """Return the arguments of a call, told apart.

    Args:
        known: the function.
        given: the arguments; those without a name come first.
        array_of: returns the array that the function makes of a list.

    Raises:
        Refused: if there are too many, or one is not understood.
    """
    given = [_arrays_of_lists(known, i, x, array_of) for i, x in enumerate(given)]
    bound = Bound([], {})
    positional = [x for x in given if not isinstance(x.place, str)]
    wanted = _take_dtype(known, positional)
    extra = _bind_places(known, positional, bound)
    _bind_rest(known, extra, bound)
    for argument in given:
        if isinstance(argument.place, str):
            wanted = _bind_keyword(known, argument, bound) or wanted
    if type(bound.parameters.get("axis")) is bool:  # no axis is named, but what comes after it
        bound.parameters["correction"] = bound.parameters.pop("axis")
    if missing := _NEEDED.get(known.name, set()) - bound.parameters.keys():
        raise Refused(f"{known.name} needs the parameter {min(missing)!r}")
    return bound._replace(dtype=wanted)


def _arrays_of_lists(
    known: Function, place: int, argument: Given, array_of: Callable[[Given], Operand]
) -> Given:
    """Return an argument in which a list is an array, if the function takes an operand there."""
    if not is_list(argument.value):
        return argument
    is_place = place < len(known.places) and not isinstance(argument.place, str)
    if not is_place or not known.places[place] or known.name in _NESTED:
        return argument
    if "[" not in known.arguments[place]:
        return argument._replace(value=array_of(argument))
    return argument._replace(value=[
        array_of(Given(argument.place, part)) if is_list(part) else part
        for part in argument.value
    ])  # fmt: skip


def _take_dtype(known: Function, given: list[Given]) -> DType | None:
    """Take the dtype that comes last among the arguments without a name, if there is one."""
    least = 3 if known.category in ("reduction", "cumulative") else 2  # an axis comes before it
    if not _takes_dtype(known) or len(given) < least or not is_dtype(given[-1].value):
        return None
    return dtype_of(given.pop())


def _bind_places(known: Function, given: Sequence[Given], bound: Bound) -> Sequence[Given]:
    """Bind what has a place in the call of the catalogue, and return what comes after."""
    places, names = known.places, [*_names(known)]
    is_endless = "..." in known.call
    for i, argument in enumerate(given if is_endless else given[: len(places)]):
        if i >= len(places) or places[i]:
            bound.operands.extend(_operands(known, argument))
        elif names and names[0].endswith("*"):
            return given[i:]
        elif names:
            _put(known, names.pop(0), argument, bound, may_be_array=True)
        elif known.arguments[i][:1] == "i":
            bound.parameters["indices"] = argument.value
        elif known.arguments[i][:1] != "c":  # which is an array
            literal(argument)
    return () if is_endless else given[len(places) :]


def _bind_rest(known: Function, given: Sequence[Given], bound: Bound) -> None:
    """Bind what comes without a name after all operands."""
    names = [name for name in _names(known) if name not in bound.parameters]
    for i, argument in enumerate(given):
        name = names[i] if i < len(names) else ""
        if name.endswith("*"):
            sizes = [_sizes(x) for x in given[i:]]
            is_one = len(sizes) == 1 and is_list(sizes[0])
            bound.parameters[name[:-1]] = sizes[0] if is_one else sizes
            return
        if not name and (known.category in ("elementwise", "condition") or known.name in _NO_MORE):
            number, most = len(bound.operands) + len(given) - i, known.operands or 0
            message = f"{known.name} takes {plural(most, 'operand')}, not {number}"
            raise Refused(message, argument.place)
        _put(known, name, argument, bound)


def _bind_keyword(known: Function, argument: Given, bound: Bound) -> DType | None:
    """Bind an argument with a name; return the dtype that it asks for, if it does."""
    written = str(argument.place)
    name = _ALIASES.get(written, written)
    if name == "dtype":
        return None if argument.value is None else dtype_of(argument)
    if known.name == "clip" and name in _BOUNDS:
        bound.operands.extend(_operands(known, argument))
    elif name in _HARMLESS or name in _names(known) or _takes(known, name):
        _put(known, name, argument, bound)
    else:
        raise Refused(f"the parameter {written!r} of {known.name} is not modelled", written)
    return None


def _takes(known: Function, name: str) -> bool:
    """Return whether a function takes a keyword of functions like NumPy's."""
    is_weighted = known.name == "average"
    return name in _OF_UFUNCS and (name == "weights") == is_weighted


def _put(
    known: Function, name: str, argument: Given, bound: Bound, *, may_be_array: bool = False
) -> None:
    """Bind a parameter, and refuse what decides about the dtype in a way that is not modelled."""
    value = argument.value
    is_array = isinstance(value, Operand) and value.number is None
    if name == "shape":
        value = _sizes(argument)
    elif name == "condition" and isinstance(value, list):
        pass  # each of the conditions of np.select
    elif not is_array or not (may_be_array or _takes_array(known, name)):
        value = literal(argument)
    if name == "axis" and isinstance(value, list):
        value = tuple(value)
    bound.parameters[name] = value
    if why := _refusal(known.name, name, value):
        raise Refused(why, argument.place)


def _takes_array(known: Function, name: str) -> bool:
    return name in _ARRAYS and (name != "weights" or known.name == "average")


def _sizes(argument: Given) -> Any:
    """Return sizes, of which some may be numbers that are not known."""
    value = argument.value
    if is_list(value):
        return [_sizes(Given(argument.place, part)) for part in value]
    is_open = isinstance(value, Operand) and value.number is None
    is_whole = is_open and value.dtype.kind in ("signed", "unsigned")
    return value if is_whole else literal(argument)


def _refusal(known: str, name: str, value: Any) -> str:
    """Return why a function does not take a value of a parameter, or an empty string."""
    if name == "q":
        what = f"of anything but a Python float, {known} depends on the dtype of {{}}"
        return "" if type(value) in _QUANTILES[known] else what
    if isinstance(value, Operand):
        if why := _refusal_of_array(known, name, value):
            return why
    elif name == "axis":
        axes = value if is_list(value) else (value,)
        is_known = all(type(x) in (int, bool, type(None)) for x in axes)
        return "" if is_known else "an axis is an int, not {}"
    is_usual = _USUAL.get((known, name))
    is_taken = is_usual is None or is_usual(value) or (known, name, str(value)) in VARIANTS
    return "" if is_taken else f"the parameter {name!r} of {known} is not modelled"


def _refusal_of_array(known: str, name: str, value: Operand) -> str:
    """Return why a function does not take an array as a parameter, or an empty string."""
    if name == "axis":
        return "" if known in OF_TWO else "an axis is an int, not {}"
    kinds = _ARRAYS.get(name)
    is_taken = not kinds or value.dtype.kind in kinds.split()
    return "" if is_taken else f"{known} does not take {{}} there"


def _names(known: Function) -> Sequence[str]:
    """Return the names of the parameters of a function that come without one."""
    return _NAMES.get(known.name) or _NAMES.get(f"*{known.category}", ())


def _operands(known: Function, argument: Given) -> list[Operand]:
    place, value = argument
    if is_list(value):
        if known.operands is None and "[" in known.call:
            return [x for part in value for x in _operands(known, Given(place, part))]
        what = f"a list is not an operand; write {known.name} of an array such as float64[3]"
        raise Refused(what, place)
    if value is not None and not isinstance(value, Operand):
        raise Refused(f"{value!r} is not an array or a number", place)
    return [] if value is None else [value]


def literal(argument: Given) -> Any:
    """Return an argument that is written of numbers, strings and the like.

    Raises:
        Refused: if it is not.
    """
    place, value = argument
    if is_list(value):
        return type(value)(literal(Given(place, part)) for part in value)
    if isinstance(value, Operand) and value.number is None:
        raise Refused("{} is not a number that is written out", place)
    return value.number if isinstance(value, Operand) else value


# dtypes


def is_dtype(value: Any) -> bool:
    """Return whether an argument can only be a dtype, or is a string."""
    return isinstance(value, str) or (isinstance(value, Operand) and value.form == "dtype")


def dtype_of(argument: Given) -> DType:
    """Return the dtype that an argument names, such as ``float32`` or ``"float32"``.

    Raises:
        Refused: if it names none.
    """
    place, value = argument
    if isinstance(value, Operand):
        if not is_dtype(value):
            raise Refused("{} is not a dtype", place)
        return value.dtype
    try:
        return in_bytes(str(value)) or named_dtype(value)
    except DTypeError as error:
        raise Refused(str(error), place) from None


def named_dtype(name: Any) -> DType:
    """Return the dtype of a name, as Python and the libraries write it.

    Raises:
        DTypeError: if there is none.
    """
    return dtype(_MADE.get(name, name) if isinstance(name, str) else name)


def _takes_dtype(known: Function) -> bool:
    return known.takes_dtype or known.name in ("cumsum", "trace")  # of which pandas takes none


def is_ufunc(known: Function) -> bool:
    """Return whether a function of NumPy is a ufunc, which takes a dtype to compute in."""
    return known.category == "elementwise" and known.name not in _NO_UFUNCS


def check_dtype(
    known: Function, wanted: DType, operands: Sequence[Operand], *, is_ufunc: bool
) -> None:
    """Refuse a dtype that a function does not make.

    Args:
        known: the function.
        wanted: the dtype that it is asked for.
        operands: its operands.
        is_ufunc: whether it is a ufunc, which casts its operands to no lower kind.

    Raises:
        Refused: if it does not.
    """
    if not _takes_dtype(known) and not is_ufunc:
        raise Refused(f"dtype= of {known.name} is not modelled; convert with x.astype first")
    kinds = [x.dtype.kind for x in operands]
    least = _LEAST_KINDS.get(known.name, _LEAST_KINDS.get(known.category, "bool"))
    is_moment = known.name in ("std", "var") and "complex" in kinds
    if is_ufunc or is_moment or known.category == "sequence":
        least = max([least, *kinds], key=KINDS.index)  # no cast to another kind
    if KINDS.index(wanted.kind) < KINDS.index(least):
        raise Refused(f"{known.name} does not give {wanted} here", "dtype")


_LEAST_KINDS: Final = {
    "softmax": "float", "log_softmax": "float", "softmin": "float",
    "mean": "unsigned", "std": "float", "var": "float", "random": "float", "hann_window": "float",
    "hamming_window": "float", "blackman_window": "float", "bartlett_window": "float",
    "kaiser_window": "float",
}  # fmt: skip
"""The least kind of dtype that a function, or a sort of functions, gives if it is asked for one."""


def _read() -> tuple[dict[str, tuple[str, ...]], dict[str, set[str]]]:
    """Return the names of parameters, and those that may not be left out."""
    found: dict[str, tuple[str, ...]] = {}
    needed: dict[str, set[str]] = {}
    for line in _POSITIONAL.strip().splitlines():
        functions, _, given = line.partition(": ")
        names = tuple(name.removesuffix("!") for name in given.split())
        missed = {name.rstrip("!*") for name in given.split() if name.endswith("!")}
        for name in functions.split():
            found[name], needed[name] = names, missed
    return found, needed


_NAMES, _NEEDED = _read()

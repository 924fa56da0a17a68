"""Operations computed again in float64, on what is at hand of their operands, and compared.

Whatever is asked of values is asked of a `Comparison`: what came out beside what float64 gives.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple

from ....core.dtypes import DType
from ....core.functions import chain, facts_of, function
from ....core.libraries import Library, library_of_module
from ...model.locations import DTYPE_OF, Location
from ...model.silence import silence
from ..calls import parameters_of
from ..tracked_types import has, is_array
from .at_hand import MOST, as_numpy, beyond, is_few, is_small, number, start, wide

_REAL: Final = "iubfV"  # the kinds of dtypes; bfloat16 is none of NumPy's
_MOST_WORK: Final = 1 << 24  # multiplications


class Change(NamedTuple):
    """What became of the values of an operation that its dtype has no place for.

    Attributes:
        kind: the kind of finding.
        remark: what to say, with the first such value.
        enough: the dtype that has a place for all of them; None if there is none.
        back: whether the results that were meant have a place in the dtype that came out, so that
            only the way there has to be wider.
        against: which of the operation's operands fares badly.
        cause: the operand whose dtype has to be another one; None for the operation itself.
        line: where it became of them, if that is in a function that was compiled; else 0.
        follows: whether values that were changed before, in the same dtype, may be why.
    """

    kind: str
    remark: str
    enough: DType | None = None
    back: bool = False
    against: int = 0
    cause: int | None = None
    line: int = 0
    follows: bool = False


class Comparison(NamedTuple):
    """What an operation gave beside what it gives in float64.

    Attributes:
        actual: what came out, of NumPy; the first rows, if that is large.
        expected: the same elements in float64.
        operands: what they were computed of, as it was.
        text: gives what was computed at an index.
        whole: how many elements came out in all.
        width: how many bytes the dtype has that they were computed in.
        again: computes the same of other operands, in float64.
        in_turn: whether Python added up one number after the other, which loses more than NumPy's
            own sum.
    """

    actual: Any
    expected: Any
    operands: Sequence[Any]
    text: Callable[[Any], str]
    whole: int
    width: int
    again: Callable[..., Any] | None = None
    in_turn: bool = False

    def said(self, changed: Any, more: str = "") -> str:
        """Return what the first of some elements became, and how many there are."""
        at = first(changed)
        became = f"{self.text(at)} became {element(self.actual, at)}{more}"
        some = int(sys.modules["numpy"].count_nonzero(changed))
        return became + count_of(some, changed.size, self.whole)

    def columns(self) -> Iterator[Comparison]:
        """Yield each column of a table by itself."""
        [x] = self.operands

        def text(column: int) -> Callable[[Any], str]:
            return lambda at: self.text((*at, column))

        for n in range(x.shape[1]):
            yield self._replace(
                actual=self.actual[:, n], expected=self.expected[:, n], operands=[x[:, n]],
                text=text(n), whole=self.whole // x.shape[1],
            )  # fmt: skip


def of_elements(name: str, operands: Sequence[Any], result: Any, at: int = 0) -> Comparison | None:
    """Compare what an operator, or a function of elements, gave; also a matrix product.

    Args:
        name: what the catalogue calls it.
        operands: numbers, or arrays of any library.
        result: what came out.
        at: which of its elements is to be among those that are compared.
    """
    values, found = [number(value) for value in operands], as_numpy(result)
    name, compute = _of_matrices(name, operands) or (name, _in_floats(name))
    if compute is None or found is None or not found.size or any(v is None for v in values):
        return None
    whole, is_product = found.size, name == "matmul"
    if is_product and _work(values) > _MOST_WORK:
        return None
    if not is_small(found, *values):
        parts = None if is_product else start(*values, found, at=at)
        if parts is None:
            return None
        *values, found = parts
    if not all(map(_is_real, values)):
        return None
    of = sys.modules["numpy"].result_type(*values)

    def text(index: Any) -> str:
        if is_product:
            return f"a sum of {values[0].shape[-1]:,} products"
        if name == "matrix_power":
            return f"the matrix power {values[1]}"
        return written(name, [element(v, index) for v in values])

    def again(*others: Any) -> Any:
        return compute(*map(wide, others))

    width = min(of.itemsize, found.dtype.itemsize)
    return _same_shape(Comparison(found, again(*values), values, text, whole, width, again))


def _of_matrices(name: str, operands: Sequence[Any]) -> tuple[str, Callable[..., Any]] | None:
    """Return what an operator of NumPy's matrices is: a product, or a power, of matrices."""
    numpy = sys.modules["numpy"]
    are = [isinstance(x, numpy.matrix) for x in operands]
    if name == "multiply" and all(are):
        return "matmul", numpy.matmul
    is_power = name == "power" and are[0] and type(operands[1]) is int
    return ("matrix_power", lambda x, n: numpy.linalg.matrix_power(x, int(n))) if is_power else None


def of_call(place: Location, operands: Sequence[Any], result: Any) -> Comparison | None:
    """Compare what a sum, a product or the like gave.

    Args:
        place: where it is called.
        operands: its object or module, and its arguments.
        result: what came out.
    """
    if _is_sparse(operands[0]):
        return _of_sparse(place, operands, result)
    called, data = _called_again(place, operands)
    found = as_numpy(result)
    if called is None or found is None or not found.size:
        return None
    if any(isinstance(x, (list, tuple)) and not is_few(len(x) * found.size) for x in data):
        return None
    arrays = [sys.modules["numpy"].asarray(x) for x in data]
    if not all(x.size and _is_real(x) for x in arrays) or not _is_cheap(place, called, arrays):
        return None
    what = f"{place.name} of {_listed(arrays[0])}"
    actual, width = found, found.dtype.itemsize
    compared = Comparison(
        actual, called(*arrays), arrays, lambda _: what, found.size, width, called,
        in_turn=operands[0] is sum,
    )  # fmt: skip
    return _same_shape(compared)


def _is_sparse(value: Any) -> bool:
    """Return whether a value is a sparse array of SciPy, which holds numbers in one of NumPy."""
    return type(value).__module__.startswith("scipy.sparse") and is_array(value)


def _of_sparse(place: Location, operands: Sequence[Any], result: Any) -> Comparison | None:
    """Compare what a sum, or a mean, of a sparse array gave, which are added up in turn."""
    base, *arguments = operands
    found, data = as_numpy(result), as_numpy(getattr(base, "data", None))
    if found is None or data is None or not is_small(data) or not {*place.keywords} <= {"", "axis"}:
        return None
    pairs = [*zip(arguments, place.keywords, strict=True)]

    def again(_: Any, of: Any = None) -> Any:
        method = getattr((base if of is None else of).astype("float64"), place.name)
        given = (x for x, word in pairs if not word)
        return sys.modules["numpy"].asarray(method(*given, **{w: x for x, w in pairs if w}))

    what = f"{place.name} of {_listed(data)}"
    compared = Comparison(
        sys.modules["numpy"].asarray(found), again(data), [data], lambda _: what, found.size,
        found.dtype.itemsize, lambda _: again(_, abs(base)), in_turn=True,
    )  # fmt: skip
    return _same_shape(compared)


def of_cast(value: Any, result: Any) -> Comparison | None:
    """Compare what became of numbers that were cast, or are to be stored as `result` has them."""
    numbers, found = number(value), as_numpy(result)
    if numbers is None or found is None or getattr(numbers, "shape", ()) != found.shape:
        return None
    if not found.size or not _is_real(numbers):
        return None
    at = beyond(numbers, found.dtype) if getattr(numbers, "ndim", 0) else 0
    parts = start(numbers, found, at=at)
    if parts is None:
        return None
    whole, (x, found) = found.size, parts
    x = sys.modules["numpy"].asarray(x)
    # NumPy has those of bfloat16 as float32, too
    is_same = getattr(value, "dtype", x.dtype) == getattr(result, "dtype", found.dtype)
    if x.dtype.kind == "b" or (x.dtype == found.dtype and is_same):
        return None
    expected = wide(x)
    if found.dtype.kind in "iu":
        expected = sys.modules["numpy"].trunc(expected)
    text = lambda index: element(x, index)  # noqa: E731
    return Comparison(found, expected, [x], text, whole, found.dtype.itemsize)


def of_range(place: Location, arguments: Sequence[Any], result: Any) -> Comparison | None:
    """Compare what a call of `arange` gave with the integers that it counts, if it counts any."""
    words = zip(place.keywords, arguments, strict=False)
    named = {word or index: value for index, (word, value) in enumerate(words)}
    ends = [named.get(0, named.get("start", 0)), named.get(1, named.get("stop", named.get("end")))]
    if ends[1] is None:
        ends = [0, ends[0]]
    start, stop, step = *ends, named.get(2, named.get("step", 1))
    if not (type(start) is type(stop) is type(step) is int and step):
        return None
    counted, found = range(start, stop, step), as_numpy(result)
    if found is None or found.shape != (len(counted),):
        return None
    is_first = len(counted) > 0 and abs(counted[0]) > abs(counted[-1])
    some = slice(MOST) if is_first else slice(-MOST, None)  # those that take most digits
    part = counted[some]
    integers = sys.modules["numpy"].arange(part.start, part.stop, part.step)
    return of_cast(integers, found[some])


def of_product_in_place(value: Any, result: Any) -> Comparison | None:
    """Compare a product of integers in place, of which only the result and the factor are known.

    A result that is not a multiple of its factor wrapped around; one that is may have as well.
    """
    numpy = sys.modules["numpy"]
    factor, found = number(value), as_numpy(result)
    if factor is None or found is None or not found.size:
        return None
    parts = start(factor, found)
    if parts is None or numpy.asarray(factor).dtype.kind not in "iu":
        return None
    whole, (factor, found) = found.size, parts
    exact = numpy.broadcast_to(numpy.asarray(factor).astype(found.dtype), found.shape)
    if (exact != factor).any():
        return None
    rest = numpy.where(exact, found % numpy.where(exact, exact, 1), 0)
    text = lambda index: f"a product with {element(exact, index)}"  # noqa: E731
    expected = numpy.where(rest, numpy.inf, wide(found))
    return Comparison(found, expected, [exact], text, whole, found.dtype.itemsize)


def of_places(name: str, into: Any, index: Any, values: Any) -> Comparison | None:
    """Compare what ``np.add.at(into, index, values)`` made of an array of integers.

    Args:
        name: the function whose `at` it is: `add` or `subtract`.
        into: the array, as it is afterwards.
        index: where something was added.
        values: what was.
    """
    numpy = sys.modules["numpy"]
    added = number(values)
    if type(into) is not numpy.ndarray or added is None or not _is_real(added):
        return None
    if not into.size or not is_small(into, added):
        return None
    before, sums = into.copy(), numpy.zeros(into.shape)
    add, remove = numpy.add, numpy.subtract
    (remove if name == "add" else add).at(before, index, added)
    (add if name == "add" else remove).at(sums, index, wide(added))

    def text(i: Any) -> str:
        return f"{element(before, i)} {'+' if sums[i] >= 0 else '-'} {abs(sums[i]):.0f}"

    return Comparison(into, wide(before) + sums, [before], text, into.size, into.dtype.itemsize)


def _same_shape(compared: Comparison) -> Comparison | None:
    expected = sys.modules["numpy"].asarray(compared.expected)
    same = expected.shape == compared.actual.shape
    return compared._replace(expected=expected) if same else None


def _is_real(value: Any) -> bool:
    return sys.modules["numpy"].asarray(value).dtype.kind in _REAL


# what is computed, and of what


_FLOATS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "left_shift": lambda a, b: a * 2.0**b,
    "floor_divide": lambda a, b: sys.modules["numpy"].where(b, a // b, 0),
}
"""Functions of integers that floats have not, or for which zero is something else."""


def _in_floats(name: str) -> Callable[..., Any] | None:
    """Return what computes a function of elements of float64."""
    known = function(name)
    if name in _FLOATS or known is None:
        return _FLOATS.get(name)
    numpy = sys.modules["numpy"]
    found = (getattr(numpy, spelling, None) for spelling in (known.name, *known.spellings))
    return next((f for f in found if type(f) is numpy.ufunc), None)


class _Called:
    """Calls what a place calls, with other operands, and in float64."""

    def __init__(self, called: Any, before: list[Any], after: list[Any], options: Any) -> None:
        self.called, self.before, self.after, self.options = called, before, after, options
        named = parameters_of(called)
        is_late = facts_of(getattr(called, "__name__", "")).has("squares before dtype")
        self.takes_dtype = not is_late and (named is None or "dtype" in named)

    def __call__(self, *arrays: Any) -> Any:
        """Return what it gives: without copies of its operands in float64, if that can be."""
        more = {"dtype": "float64"} if self.takes_dtype else {}
        if not self.takes_dtype:
            arrays = tuple(map(wide, arrays))
        with silence():  # it has warned of what it is to be warned of
            return self.called(*self.before, *arrays, *self.after, **self.options, **more)


def _called_again(place: Location, operands: Sequence[Any]) -> tuple[_Called | None, list[Any]]:
    """Return what calls what a place calls, and its operands: numbers or arrays of NumPy.

    Returns None and an empty list if NumPy cannot make the call again.
    """
    base, *arguments = operands
    has_names = has(type(base), _NUMBERS_AXES) and is_array(base)
    if has_names:
        number_of = getattr(base, _NUMBERS_AXES)
        arguments = [
            number_of(value) if word in ("", "dim") and _are_names(value) else value
            for value, word in zip(arguments, place.keywords, strict=True)
        ]
    is_plain = {"*", "**", "where", "initial"}.isdisjoint(place.keywords)
    if _is_of(base, place.name, functools.reduce):
        base, arguments = _folded(arguments), arguments[1:2]
        place = place._replace(keywords=("",) * len(arguments))
    method = as_numpy(base) is not None
    called = _called(base, place.name) if is_plain and (method or is_library(base)) else None
    data = [base] if method else []
    how = _how(place, base, arguments, data) if called is not None else None
    data = [v if isinstance(v, (list, tuple)) else number(_flat(v)) for v in data]
    if has_names and any(map(_lacks_values, data)):
        return None, []  # which it leaves out
    if how is None or not data or any(v is None for v in data):
        return None, []
    if facts_of(place.name).name.endswith(("std", "var")) and _divides_by_one_less(base):
        how[-1].setdefault("ddof", 1)
    return _Called(called, *how), data


def _flat(value: Any) -> Any:
    """Return the numbers of an array in turn as an array; of other values, themselves."""
    numpy = sys.modules["numpy"]
    is_small_one = type(value) is numpy.flatiter and is_few(value.base.size)
    return numpy.asarray(value) if is_small_one else value


def _are_names(value: Any) -> bool:
    """Return whether an argument is the name of an axis, or names of several."""
    several = value if isinstance(value, (list, tuple)) else [value]
    return bool(several) and all(isinstance(one, str) for one in several)


def _lacks_values(x: Any) -> bool:
    return getattr(x, "ndim", 0) > 0 and x.dtype.kind == "f" and math.isnan(x.max())


def _is_of(base: Any, name: str, function: Any) -> bool:
    """Return whether a call is one of a function of Python, as it is or of its module."""
    return base is function or getattr(base, name, None) is function


def _folded(arguments: Sequence[Any]) -> Any:
    """Return the ufunc that a call of `functools.reduce` folds by, or None.

    What it begins with makes no difference if it is what Python begins sums and products with.
    """
    ufunc, start = _FOLDS.get(arguments[0], ("", 0)) if callable(arguments[0]) else ("", 0)
    begins = all(type(x) is int and x == start for x in arguments[2:])
    return getattr(sys.modules["numpy"], ufunc) if ufunc and begins else None


def _divides_by_one_less(base: Any) -> bool:
    """Return whether the library of an array or a function divides a variance as a sample's."""
    library = _library_of(type(base) if is_array(base) else base)
    return library is not None and library.divides_by_one_less


def _how(
    place: Location, base: Any, arguments: Sequence[Any], data: list[Any]
) -> tuple[list[Any], list[Any], dict[str, Any]] | None:
    """Add the operands of a call; returns what says how to compute before and after them, by name.

    Args:
        place: where it is.
        base: its object or module.
        arguments: what it was given.
        data: its operands.
    """
    most, takes_axis = _operands(place, base), _takes_axis(place.name)
    before: list[Any] = []
    after: list[Any] = []
    options: dict[str, Any] = {}
    for value, keyword in zip(arguments, place.keywords, strict=True):
        if keyword in _LEFT_OUT:
            continue
        if keyword and keyword not in _DATA:
            options[_SPELLED.get(keyword, keyword)] = value
        elif type(value) is str:  # what einsum is to do; how to convolve
            (after if data else before).append(value)
        elif len(data) < most:
            data.append(value)
        elif type(value) not in (int, tuple) and value is not None:
            return None  # an output, or a dtype
        elif takes_axis:
            options["axis"] = value
        else:
            after.append(value)
    return before, after, options


_DATA: Final = frozenset({"a", "x", "input", "b", "other"})
_LEFT_OUT: Final = frozenset({"dtype", "out", DTYPE_OF, "skipna", "keep_attrs"})
_NUMBERS_AXES: Final = "get_axis_num"  # the method of arrays whose axes have names
_SPELLED: Final = {"dim": "axis", "keepdim": "keepdims", "correction": "ddof"}
_MANY: Final = 64
_MOST_SQUARES: Final = 1 << 23  # which take memory once, as they do in NumPy
OF_UFUNCS: Final = {"reduce", "accumulate"}
"""The methods of ufuncs that reduce, as `sum` and `cumsum` do."""

_FOLDS: Final = {
    operator.add: ("add", 0), operator.iadd: ("add", 0),
    operator.mul: ("multiply", 1), operator.imul: ("multiply", 1),
}  # fmt: skip
"""The functions by which `functools.reduce` folds as a ufunc does, and what folds begin with."""

_ON_FLOATS: Final = {"add", "multiply", "subtract"}


def _operands(place: Location, base: Any) -> int:
    """Return how many operands a call takes before what says how to compute."""
    if place.name == "outer" and type(base) is sys.modules["numpy"].ufunc:
        return 2
    known = facts_of(place.name)
    if known.category not in ("contraction", "product", "estimate"):
        return 1
    return known.operands or _MANY


def _takes_axis(name: str) -> bool:
    """Return whether a number after the operands of a function is an axis."""
    known = facts_of(name)
    return known.category in ("", "reduction", "cumulative", "norm")


def is_library(base: Any) -> bool:
    """Return whether a module, or a function, is an array library's, other than of tables."""
    of_python = any(base is f for f in (sum, abs, pow, math, math.prod))
    is_plain = type(base) is sys.modules["numpy"].ufunc or of_python
    library = _library_of(base)
    return is_plain or (library is not None and not library.dtypes_as_text)


def _library_of(owner: Any) -> Library | None:
    """Return the library that a module, a class or a function belongs to."""
    name = owner.__name__ if isinstance(owner, ModuleType) else getattr(owner, "__module__", None)
    return library_of_module(name.partition(".")[0]) if isinstance(name, str) else None


def _called(base: Any, name: str) -> Any:
    numpy = sys.modules["numpy"]
    if type(base) is numpy.ufunc:
        known = name in {*OF_UFUNCS, "outer"} and base.__name__ in _ON_FLOATS
        return getattr(base, name) if known else None
    if base is sum:
        return lambda values: numpy.sum(values, axis=0)
    return next(filter(None, (_of_numpy(numpy, word) for word in _names(name))), None)


def _of_numpy(numpy: Any, name: str) -> Any:
    return getattr(numpy, name, None) or getattr(numpy.linalg, name, None)


def _names(name: str) -> Sequence[str]:
    """Return what NumPy may call a function: products of matrices are all the same one."""
    known = facts_of(name)
    is_product = known.category == "contraction" and known.operands == 2
    return name, *(chain(known.name) if is_product else (known.name,) if known.name else ())


def _is_cheap(place: Location, called: _Called, arrays: Sequence[Any]) -> bool:
    """Return whether a call takes little time and memory once more."""
    known = facts_of(place.name)
    if known.category == "product":
        return _products(called, arrays) <= _MOST_WORK and is_small(*arrays)
    if known.category == "contraction":
        return _work(arrays) <= _MOST_WORK and is_small(*arrays)
    if known.has("squares") and arrays[0].size <= _MOST_SQUARES:
        return True
    in_parts = called.takes_dtype and not known.has("squares") and arrays[0].dtype.kind not in "iub"
    return in_parts or is_small(*arrays)


def _products(called: _Called, arrays: Sequence[Any]) -> int:
    """Return how many products a call takes at most: each of all, but those that einsum names."""
    named = called.before[0] if called.before else None
    if type(named) is str and "." not in named:
        letters = named.partition("->")[0].replace(" ", "").split(",")
        sizes = {n: size for of, x in zip(letters, arrays, strict=False)
                 for n, size in zip(of, x.shape, strict=False)}  # fmt: skip
        return math.prod(sizes.values())
    return math.prod(x.size for x in arrays)


def _work(arrays: Sequence[Any]) -> int:
    """Return about how many multiplications a product of two arrays takes."""
    columns = arrays[-1].shape[-1] if getattr(arrays[-1], "ndim", 0) > 1 else 1
    return int(getattr(arrays[0], "size", 1)) * columns


# how it is written


_SIGNS: Final = {
    "add": "+", "subtract": "-", "multiply": "*", "power": "**", "left_shift": "<<",
    "floor_divide": "//", "true_divide": "/",
}  # fmt: skip
_UNARY: Final = {"negative": "-({})", "square": "{} squared"}


def written(name: str, values: Sequence[str]) -> str:
    """Return how an operation on some elements is written.

    >>> written("multiply", ["3", "-1"]), written("exp", ["3"])
    ('3 * (-1)', 'exp(3)')
    """
    if name in _SIGNS:
        left, right = values
        return f"{left} {_SIGNS[name]} {f'({right})' if right[:1] == '-' else right}"
    return _UNARY.get(name, name + "({})").format(", ".join(values))


def first(changed: Any) -> Any:
    """Return the index of the first element that is true."""
    numpy = sys.modules["numpy"]
    return numpy.unravel_index(int(numpy.argmax(changed)), changed.shape)


def element(values: Any, index: Any) -> str:
    """Return the element of an operand that is at some index of what it is broadcast to."""
    if not getattr(values, "ndim", 0):
        return str(values)
    where = zip(index[len(index) - values.ndim :], values.shape, strict=True)
    return str(values[tuple(i if n > 1 else 0 for i, n in where)])


def _listed(values: Any) -> str:
    if 1 <= values.size <= 4:
        return f"{values.tolist()}"
    return f"{values.size:,} elements"


def count_of(some: int, every: int, whole: int = 0) -> str:
    """Return how many elements something is true of, for the end of a sentence.

    Args:
        some: of how many it is.
        every: how many were looked at.
        whole: how many there are, if there are more.

    >>> count_of(3, 4096), count_of(1, 1), count_of(3, 10, 50)
    (', in 3 of 4,096 elements', '', ', in 3 of the 10 elements sampled')
    """
    if every <= 1:
        return ""
    of = f"the {every:,} elements sampled" if whole > every else f"{every:,} elements"
    return f", in {some:,} of {of}"

"""Integers that wrap around: results beyond the range of their dtype, which keep the lower bits.

The ranges of the operands say whether that can be; only then is the result computed in floats,
from which a result that wrapped around is far away, whatever they round.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.dtypes import dtype as dtype_of
from ...core.functions import chain, function
from ..model.locations import Location
from . import checks
from .exact_values import Change, again, as_numpy, count_of, is_few, is_small, number, start, wide

_SIGNED: Final = ("int16", "int32", "int64")
_SIGNS: Final = {
    "add": "+", "subtract": "-", "multiply": "*", "power": "**", "left_shift": "<<",
    "floor_divide": "//",
}  # fmt: skip

_COMPUTED: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "power": lambda a, b: a**b,
    "left_shift": lambda a, b: a * 2.0**b,
    "floor_divide": lambda a, b: sys.modules["numpy"].where(b, a // b, 0),
    "matmul": lambda a, b: a @ b,
}
"""The operators whose results may be out of range, on floats."""

_UNARY: Final = frozenset({"negative", "abs", "square"})
_DIFFERENCES: Final = frozenset({"diff", "ediff1d", "ptp"})
_OF_UFUNCS: Final = frozenset({"reduce", "accumulate", "outer"})
_POLYNOMIALS: Final = frozenset({"polyadd", "polysub", "polymul", "polyder", "polyval"})
_BEYOND: Final = _POLYNOMIALS | {"matrix_power", "multi_dot", "chain_matmul"}
"""Functions of whose results the ranges of the operands say nothing."""


def may_wrap(name: str) -> bool:
    """Tell whether a function's results may be beyond the range of integers.

    >>> may_wrap("multiply"), may_wrap("outer"), may_wrap("bitwise_and")
    (True, True, False)
    """
    name = name.removeprefix("reduce_")  # as TensorFlow calls them
    if name in _OF_UFUNCS or name in _DIFFERENCES or name in _BEYOND:
        return True
    known = function(name)
    return known is not None and (
        known.name in _COMPUTED
        or known.name in _UNARY
        or known.is_accumulating
        or known.name == "trace"
    )


def of_two(name: str, left: Any, right: Any, result: Any, *, stored: bool = False) -> Change | None:
    """Return what became of an operator's results that have no place in their dtype.

    Args:
        name: the operator.
        left: its first operand, a number or an array of any library.
        right: the other.
        result: what came out, integers.
        stored: whether they were computed in the operands' dtype, and stored in this array then.
    """
    a, b, found = number(left), number(right), as_numpy(result)
    if a is None or b is None or found is None or not found.size:
        return None
    whole = found.size
    if not is_small(a, b, found):
        parts = start(a, b, found) if name != "matmul" else None
        if parts is None:
            return None
        a, b, found = parts
    ranges = [_range(a), _range(b)]
    if name == "left_shift":
        ranges[1] = [1 << n if 0 <= n < 64 else 0 for n in ranges[1]]
    if any(not r for r in ranges) or (name == "power" and ranges[1][1] > 64):
        return None
    bounds = _bounds(name, *ranges)
    if name == "matmul":
        bounds = [bound * a.shape[-1] for bound in bounds]
    if stored:
        within = min(found.dtype, sys.modules["numpy"].result_type(a, b), key=_size)
    else:
        within = found.dtype
    info = sys.modules["numpy"].iinfo(within)
    if info.min <= min(bounds) and max(bounds) <= info.max:
        return None
    expected = _COMPUTED[name](wide(a), wide(b))
    return _compared(
        expected, found, lambda i: _written(name, a, b, i), max(map(abs, bounds)), whole=whole,
        within=within,
    )  # fmt: skip


def _size(d: Any) -> int:
    return int(d.itemsize)


def of_product_in_place(value: Any, result: Any) -> Change | None:
    """Return what became of a product in place, of which only the result and the factor are known.

    A result that is no multiple of its factor wrapped around; one that is may have as well.
    """
    numpy = sys.modules["numpy"]
    factor, found = number(value), as_numpy(result)
    if factor is None or found is None or not found.size or not _range(factor):
        return None
    parts = start(factor, found)
    if parts is None:
        return None
    whole, (factor, found) = found.size, parts
    info = numpy.iinfo(found.dtype)
    if _range(factor)[0] < info.min or _range(factor)[1] > info.max:
        return None
    factor = numpy.broadcast_to(numpy.asarray(factor).astype(found.dtype), found.shape)
    wrapped = numpy.where(factor, found % numpy.where(factor, factor, 1), 0) != 0
    some = int(numpy.count_nonzero(wrapped))
    if not some:
        return None
    first = numpy.unravel_index(int(numpy.argmax(wrapped)), wrapped.shape)
    told = f"a product with {_at(factor, first)} became {_at(found, first)}"
    return Change("wraparound", told + count_of(some, found.size, whole))


def of_at(name: str, into: Any, index: Any, values: Any) -> Change | None:
    """Return what became of an array that ``np.add.at(into, index, values)`` changed.

    Args:
        name: the function whose `at` it is: `add` or `subtract`.
        into: the array, as it is afterwards.
        index: where something was added.
        values: what was.
    """
    numpy = sys.modules["numpy"]
    added = number(values)
    if type(into) is not numpy.ndarray or added is None or not _range(added):
        return None
    if not into.size or not is_small(into, added):
        return None
    before, sums = into.copy(), numpy.zeros(into.shape)
    add, remove = numpy.add, numpy.subtract
    (remove if name == "add" else add).at(before, index, added)
    (add if name == "add" else remove).at(sums, index, wide(added))
    expected = wide(before) + sums

    def told(i: Any) -> str:
        return f"{_at(before, i)} {'+' if sums[i] >= 0 else '-'} {abs(sums[i]):.0f}"

    return _compared(expected, into, told, None)


def of_one(name: str, value: Any, result: Any) -> Change | None:
    """Return what became of the results of a sign, a square or an absolute value. See `of_two`."""
    a, found = as_numpy(value), as_numpy(result)
    if a is None or found is None or not found.size or not (parts := start(a, found)):
        return None
    whole, (a, found) = found.size, parts
    if not _range(a):
        return None
    low, high = _range(a)
    info = sys.modules["numpy"].iinfo(found.dtype)
    bounds = {"negative": (-high, -low), "square": (low * low, high * high)}.get(name, (-low, high))
    if info.min <= min(bounds) and max(bounds) <= info.max:
        return None
    x = wide(a)
    expected = {"negative": -x, "square": x * x}.get(name, abs(x))
    sign = {"negative": "-({})", "square": "{} squared"}.get(name, "abs({})")
    return _compared(
        expected, found, lambda i: sign.format(_at(a, i)), max(map(abs, bounds)), whole=whole
    )


def of_call(place: Location, operands: Sequence[Any], result: Any) -> Change | None:
    """Return what became of the results of a sum, product or the like. See `of_two`.

    Args:
        place: where it is called.
        operands: its object or module, and its arguments.
        result: what came out, integers.
    """
    call, data = again(place, operands)
    found = as_numpy(result)
    if call is None or found is None or not found.size or not is_small(found, *data):
        return None
    if any(isinstance(x, (list, tuple)) and not is_few(len(x) * found.size) for x in data):
        return None
    arrays = [sys.modules["numpy"].asarray(x) for x in data]
    if any(x.dtype.kind not in "iub" for x in arrays) or not is_small(*arrays):
        return None
    info = sys.modules["numpy"].iinfo(found.dtype)
    ranges = [_range(x) or [0, 0] for x in arrays]
    most = prod(max(map(abs, r)) for r in ranges)
    sizes = [x.size for x in arrays]
    size = prod(sizes) if place.name == "einsum" else max(sizes)
    if place.name in _DIFFERENCES or _is_ufunc(operands, "subtract"):
        low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
        times = size if place.name in _OF_UFUNCS else 1
        is_safe = info.min <= (low - high) * times and (high - low) * times <= info.max
        is_safe &= place.name != "diff" or place.keywords == ("",)  # not of a higher order
    else:
        is_safe = most * size <= info.max
    if is_safe and not _multiplies(place, operands):
        return None
    expected = call(*map(wide, arrays))
    what = f"{place.name} of {_listed(arrays[0])}"
    return _compared(expected, found, lambda _: what, None)


def of_cast(value: Any, result: Any) -> Change | None:
    """Return what became of numbers that were cast to integers without a place for them."""
    a, found = number(value), as_numpy(result)
    if a is None or found is None or getattr(a, "shape", ()) != found.shape:
        return None
    parts = start(a, found)
    if parts is None:
        return None
    whole, (a, found) = found.size, parts
    x = sys.modules["numpy"].asarray(a)
    if x.dtype.kind not in "iuf" or x.shape != found.shape or not x.size:
        return None
    if x.dtype.kind == "f":
        low, high = float(x.min()), float(x.max())
    else:
        low, high = _range(x)
    info = sys.modules["numpy"].iinfo(found.dtype)
    if not (low < info.min or high > info.max):  # NaN is no number, and is neither
        return None
    return _compared(
        sys.modules["numpy"].trunc(wide(x)), found, lambda i: _at(x, i), None, whole=whole
    )


def _multiplies(place: Location, operands: Sequence[Any]) -> bool:
    """Tell whether the elements of an array are multiplied with each other."""
    known = function(place.name.removeprefix("reduce_"))
    is_product = place.name in _BEYOND or (known is not None and "prod" in chain(known.name))
    return is_product or (_is_ufunc(operands, "multiply") and place.name != "outer")


def _is_ufunc(operands: Sequence[Any], name: str) -> bool:
    return type(operands[0]).__name__ == "ufunc" and operands[0].__name__ == name


def _bounds(name: str, first: Sequence[int], second: Sequence[int]) -> list[int]:
    if name == "subtract":
        return [first[0] - second[1], first[1] - second[0]]
    if name == "add":
        return [first[0] + second[0], first[1] + second[1]]
    if name == "floor_divide":
        return [-first[0] if second[0] <= -1 <= second[1] else 0]
    if name == "power":
        return [a**b if b >= 0 else 0 for a, b in product(first, second)] + [0]
    return [a * b for a, b in product(first, second)]


def _range(values: Any) -> list[int]:
    """Return the smallest and the largest of some integers; nothing if they are not integers."""
    if isinstance(values, int):
        return [values, values]
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind not in "iub" or not values.size:
        return []
    return [int(values.min()), int(values.max())]


def _compared(
    expected: Any,
    found: Any,
    told: Callable[[Any], str],
    most: int | None,
    *,
    whole: int = 0,
    within: Any = None,
) -> Change | None:
    """Return what became of the results that are far from what is expected.

    Args:
        expected: the results in floats.
        found: what came out, integers.
        told: gives what was computed at an index.
        most: how large the results may be; None if the expected ones say so.
        whole: how many there are, if these are the first ones.
        within: the dtype that they were computed in, if it is another one.
    """
    numpy = sys.modules["numpy"]
    expected = numpy.asarray(expected)
    if expected.shape != found.shape:
        return None
    finite = numpy.isfinite(expected)
    # floats of more than 53 bits round, by much less than what a wraparound changes
    wrapped = abs(expected - wide(found)) > 2.0 ** (8 * (within or found.dtype).itemsize - 1)
    wrapped &= finite | numpy.isinf(expected)
    some = int(numpy.count_nonzero(wrapped))
    if not some:
        return None
    first = numpy.unravel_index(int(numpy.argmax(wrapped)), wrapped.shape)
    became = f"{told(first)} became {_at(found, first)}"
    if most is None:
        most = int(abs(expected[finite]).max()) if finite.all() else 1 << 64
    enough = _enough(most, found)
    return Change("wraparound", became + count_of(some, found.size, whole), enough)


def _enough(most: int, found: Any) -> DType | None:
    """Return the signed dtype that has a place for all results, or None."""
    of = dtype_of(found.dtype)
    for name in _SIGNED:
        wider = by_name(name)
        if most <= wider.max and checks.bits(wider) >= checks.bits(of) and wider is not of:
            return wider
    return None


def _at(values: Any, index: Any) -> str:
    """Return the element of an operand that is at some index of what it is broadcast to."""
    if not getattr(values, "ndim", 0):
        return str(values)
    where = zip(index[len(index) - values.ndim :], values.shape, strict=True)
    return str(values[tuple(i if n > 1 else 0 for i, n in where)])


def _written(name: str, a: Any, b: Any, index: Any) -> str:
    if name == "matmul":
        return f"a sum of {a.shape[-1]:,} products"
    right = _at(b, index)
    return f"{_at(a, index)} {_SIGNS[name]} {f'({right})' if right[:1] == '-' else right}"


def _listed(values: Any) -> str:
    if 1 <= values.size <= 4:
        return f"{values.tolist()}"
    return f"{values.size:,} elements"

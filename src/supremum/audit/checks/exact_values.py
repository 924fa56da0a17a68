"""Values as NumPy has them, and what an operation gives in wider floats.

Only what is at hand is looked at: nothing is computed that is not yet, or waits for a device.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType
from ...core.functions import function
from ..model.locations import Location
from ..model.silence import silence
from .tracked_types import NDARRAY, SCALAR, is_array, kind_of

_MOST: Final = 1 << 20  # elements that are looked at: there are some times as many bytes


class Change(NamedTuple):
    """What became of the values of an operation that its dtype has no place for.

    Attributes:
        kind: the kind of finding.
        told: what to say, with the first such value.
        enough: the dtype that has a place for all of them; None if there is none.
        back: whether the results that were meant have a place in the dtype that came out, so that
            only the way there has to be wider.
        against: which of the operation's operands fares badly.
        cause: the operand whose dtype has to be another one; None for the operation itself.
    """

    kind: str
    told: str
    enough: DType | None = None
    back: bool = False
    against: int = 0
    cause: int | None = None


def as_numpy(value: Any) -> Any:
    """Return a value as an array or a scalar of NumPy, or None if that is not at hand.

    >>> as_numpy([1, 2]) is None
    True
    """
    kind = kind_of(value)
    if kind in (NDARRAY, SCALAR):
        return value
    if not is_array(value):
        return None
    root = type(value).__module__.partition(".")[0]
    if root == "torch":
        return _of_torch(value)
    if root == "pandas" and type(getattr(value, "dtype", None)).__module__.startswith("numpy"):
        return value.to_numpy()
    if root == "tensorflow" and hasattr(value, "numpy") and "CPU" in value.device:
        return value.numpy()
    if root == "jaxlib" and value.is_fully_addressable and _is_on_cpu(value):
        return sys.modules["numpy"].asarray(value)
    return None


def _is_on_cpu(value: Any) -> bool:
    return all(device.platform == "cpu" for device in value.devices())


def _of_torch(value: Any) -> Any:
    torch = sys.modules["torch"]
    plain = type(value) in (torch.Tensor, torch.nn.Parameter) and value.device.type == "cpu"
    if not plain or value.layout is not torch.strided or torch.compiler.is_compiling():
        return None
    value = value.detach()
    if value.dtype is torch.bfloat16:
        return value.float().numpy()
    return value.resolve_conj().resolve_neg().numpy()


def number(value: Any) -> Any:
    """Return a value that is at hand, a Python number too; None for any other."""
    return value if type(value) in (int, float) else as_numpy(value)


def is_small(*values: Any) -> bool:
    """Tell whether values have few enough elements to look at all of them."""
    return all(is_few(getattr(value, "size", 1)) for value in values)


def is_few(count: int) -> bool:
    """Tell whether so many elements are few enough to look at all of them."""
    return count <= _MOST


def start(*values: Any) -> list[Any] | None:
    """Return the first rows of large arrays of one shape, and numbers as they are.

    Returns None if the arrays are large, and not of one shape.
    """
    if is_small(*values):
        return list(values)
    arrays = [v for v in values if getattr(v, "ndim", 0)]
    if len({v.shape for v in arrays}) > 1:
        return None
    rows = max(1, _MOST // max(arrays[0].size // len(arrays[0]), 1))
    found = [v[:rows] if getattr(v, "ndim", 0) else v for v in values]
    return found if is_small(*(v[:1] for v in arrays)) else None


def wide(value: Any) -> Any:
    """Return a value in float64, which no operation of its own dtype overflows."""
    numpy = sys.modules["numpy"]
    return numpy.asarray(value).astype(numpy.float64)


def again(place: Location, operands: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return a function that calls what a place calls, with other operands, and the operands.

    The function takes them as they are in the list: numbers or arrays of NumPy. Returns None and
    an empty list if the call cannot be made again by NumPy.

    Args:
        place: the place of the call.
        operands: its object or module, and its arguments.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or not {"*", "**", "where", "initial"}.isdisjoint(place.keywords):
        return None, []
    base, *arguments = operands
    method = as_numpy(base) is not None
    if not method and not _is_library(base):
        return None, []
    most = _operands(place, base)
    data = [base] if method else []
    before: list[Any] = []
    after: list[Any] = []
    options = {}
    for value, keyword in zip(arguments, place.keywords, strict=True):
        if keyword in _LEFT_OUT:
            continue
        if keyword and keyword not in _DATA:
            options[_SPELLED.get(keyword, keyword)] = value
        elif type(value) is str:  # what einsum is to do; how to convolve
            (after if data else before).append(value)
        elif len(data) < most:
            data.append(value)
        elif type(value) is not int and value is not None:
            return None, []  # an output, or a dtype
        elif not _has_axis(place.name):
            after.append(value)
        else:
            options["axis"] = value
    data = [v if isinstance(v, (list, tuple)) else number(v) for v in data]
    called = _called(numpy, base, place.name)
    if called is None or not data or any(v is None for v in data):
        return None, []

    def call(*others: Any, **more: Any) -> Any:
        with silence():  # it has warned of what it is to be warned of
            return called(*before, *others, *after, **options, **more)

    return call, data


_DATA: Final = frozenset({"a", "x", "input", "b", "other"})
_LEFT_OUT: Final = frozenset({"dtype", "out", "dtype of"})
_SPELLED: Final = {"dim": "axis", "keepdim": "keepdims", "correction": "ddof"}
_MANY: Final = 64


def _operands(place: Location, base: Any) -> int:
    """Return how many operands a call takes before what says how to compute."""
    if place.name == "outer" and type(base).__name__ == "ufunc":
        return 2
    known = function(place.name)
    if known is None or known.category not in ("contraction", "product", "estimate"):
        return 1
    return known.operands or _MANY


def _has_axis(name: str) -> bool:
    """Tell whether a number after the operands of a function is an axis."""
    known = function(name)
    return known is None or known.category in ("reduction", "cumulative", "norm")


def _is_library(base: Any) -> bool:
    """Tell whether a module, or a function, is an array library's."""
    name = base.__name__ if isinstance(base, ModuleType) else getattr(base, "__module__", None)
    is_plain = type(base).__name__ == "ufunc" or base is sum
    return is_plain or (isinstance(name, str) and name.partition(".")[0] in _LIBRARIES)


_LIBRARIES: Final = frozenset({"numpy", "torch", "jax", "tensorflow"})


def _called(numpy: Any, base: Any, name: str) -> Any:
    if type(base).__name__ == "ufunc":
        known = name in _OF_UFUNCS and base.__name__ in ("add", "multiply", "subtract")
        return getattr(base, name) if known else None
    if base is sum:
        return lambda values: numpy.sum(values, axis=0)
    name = name.removeprefix("reduce_")
    return getattr(numpy, name, None) or getattr(numpy.linalg, name, None)


_OF_UFUNCS: Final = ("reduce", "accumulate", "outer")


def count_of(some: int, every: int, whole: int = 0) -> str:
    """Return how many elements something is true of, for the end of a sentence.

    Args:
        some: of how many it is.
        every: how many were looked at.
        whole: how many there are, if there are more.

    >>> count_of(3, 4096), count_of(1, 1), count_of(3, 10, 50)
    (', in 3 of 4,096 elements', '', ', in 3 of the first 10 elements')
    """
    first = "the first " if whole > every else ""
    return f", in {some:,} of {first}{every:,} elements" if every > 1 else ""

"""Functions of libraries called again on wider arrays, whatever it is that they compute.

The catalogue says of many functions what they do with elements. Those of the packages here are
known to compute on what they are given and to change nothing else, so that they can be asked twice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from ...model.locations import Location
from ...model.silence import silence
from ..calls import is_data
from ..tracked_types import NDARRAY, kind_of
from .at_hand import is_small, wide
from .recompute import Comparison

_PACKAGES: Final = (
    "scipy.ndimage", "scipy.signal", "skimage.exposure", "skimage.filters", "skimage.measure",
    "skimage.morphology", "skimage.transform", "skimage.util",
)  # fmt: skip
_OF_NUMPY: Final = ("histogram",)
_OUTPUTS: Final = ("out", "output")


def may_be(function: Any) -> bool:
    """Return whether a function only computes, and can be called again."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        return False
    if module.partition(".")[0] == "numpy":
        return getattr(function, "__name__", "") in _OF_NUMPY
    return any(module == p or module.startswith(f"{p}.") for p in _PACKAGES)


def of_function(
    function: Any, place: Location, arguments: Sequence[Any], result: Any
) -> Comparison | None:
    """Compare what a function gave with what it gives of the same arrays in float64.

    Args:
        function: what was called.
        place: where it was.
        arguments: what it was given, of which each is named by the place, or not.
        result: an array of NumPy that it gave, or that is among what it gave.
    """
    words = place.keywords
    if not {"*", "**"}.isdisjoint(words) or kind_of(result) != NDARRAY or not result.size:
        return None
    given = [x for x, word in zip(arguments, words, strict=True) if word not in _OUTPUTS]
    arrays = [x for x in given if kind_of(x) == NDARRAY and x.dtype.kind in "iuf"]
    if not arrays or not is_small(result, *arrays) or not all(map(is_data, given)):
        return None
    again = [wide(x) if any(x is a for a in arrays) else x for x in arguments]
    pairs = [*zip(again, words, strict=True)]
    with silence():  # it has warned of what it is to be warned of
        found = function(
            *(x for x, word in pairs if not word),
            **{word: x for x, word in pairs if word and word not in (*_OUTPUTS, "dtype")},
        )
    several = found if type(found) is tuple else (found,)
    alike = [x for x in several if kind_of(x) == NDARRAY and x.shape == result.shape]
    if len(alike) != 1:
        return None
    narrow = [a for a in arrays if a.dtype == result.dtype]
    expected = wide(alike[0])

    def text(at: Any) -> str:
        return f"the result {expected[at]:.7g} of {place.name}"

    return Comparison(result, expected, narrow or arrays, text, result.size, result.itemsize)


def has_fractions(compared: Comparison) -> bool:
    """Return whether a function gives more than whole numbers of floats."""
    numpy = sys.modules["numpy"]
    return bool((numpy.trunc(compared.expected) != compared.expected).any())


def narrowed(values: Sequence[Any], result: Any) -> int:
    """Return which of some values a function has the dtype of its result from."""
    d = getattr(result, "dtype", None)
    return next((i for i, x in enumerate(values) if getattr(x, "dtype", None) == d), 0)

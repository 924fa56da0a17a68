"""What is kept in more bytes than it needs: floats, and integers, that hold one byte alone."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any, Final

from ....core.dtypes import by_name, dtype
from ...kinds import WIDE_STORAGE
from ...model.locations import Location, span_of
from ...model.source_file import source_file
from ...model.wording import size
from ..tracked_types import has, is_array
from .at_hand import as_numpy
from .recompute import Change

_LEAST: Final = 10_000_000  # bytes that are saved: nobody looks for fewer
_OFTEN: Final = 16  # stores
_SAMPLE: Final = 4_096
_BYTE: Final = by_name("uint8")
_FLAG: Final = by_name("int8")  # which may be subtracted, and is no mask
_FLOATS: Final = ("float32", "float64")


def may_be_wide(base: Any, value: Any) -> bool:
    """Return whether a large array has bytes stored in it, of which it may hold nothing else.

    >>> import numpy as np
    >>> [may_be_wide(np.zeros(2_000_000), x) for x in (np.zeros(3, np.uint8), 1, 300, np.ones(3))]
    [True, True, False, False]
    >>> may_be_wide(np.zeros(3), 1)
    False
    """
    return is_array(base) and _is_large(as_numpy(_whole(base))) and _is_of_bytes(value)


def _is_of_bytes(value: Any) -> bool:
    """Return whether a value is small whole numbers, as pixels, flags and classes are."""
    if type(value) in (bool, int):
        return bool(0 <= value <= int(_BYTE.max))
    x: Any = as_numpy(value)
    if x is None or x.dtype.kind not in "biu" or not x.size:
        return False
    return bool(x.dtype.kind == "b" or (x.min() >= 0 and x.max() <= int(_BYTE.max)))


def _is_large(x: Any) -> bool:
    """Return whether floats take so much more than bytes that it is worth a word."""
    return x is not None and x.dtype.name in _FLOATS and bool(x.nbytes - x.size >= _LEAST)


def stores(_place: Location, result: Any, operands: Sequence[Any], times: int) -> Change | None:
    """Return what an array of floats takes if nothing but bytes are stored in it.

    They are stored part by part, or are ones in the places of classes.
    """
    whole = _whole(result)
    x: Any = as_numpy(whole) if times >= _OFTEN or _are_classes(*operands[1:]) else None
    if not _is_large(x) or not x.flags.c_contiguous:
        return None
    some = x.reshape(-1)[:: max(1, x.size // _SAMPLE)]
    is_whole = (some == sys.modules["numpy"].rint(some)) & (some >= 0) & (some <= _BYTE.max)
    if not is_whole.all():
        return None
    takes = f"{size(x.nbytes)} of {dtype(whole.dtype)}"
    hold = f"hold whole numbers of {_BYTE} alone, which take {size(x.size)}"
    return Change(WIDE_STORAGE, f"{takes} {hold}", _BYTE, cause=0)


def _are_classes(value: Any, index: Any = None) -> bool:
    """Return whether one is stored in the column of its class, for each row: ``x[rows, y] = 1``."""
    parts = index if isinstance(index, tuple) else ()
    arrays = [as_numpy(part) for part in parts if is_array(part)]
    are_integers = all(x is not None and x.ndim and x.dtype.kind in "iu" for x in arrays)
    return type(value) in (bool, int) and value == 1 and len(arrays) > 1 and are_integers


def flags(place: Location, value: Any, result: Any) -> Change | None:
    """Return what flags take that are converted to Python's `int`, whose width nobody chose."""
    x, found = as_numpy(value), as_numpy(result)
    is_of_flags = x is not None and x.dtype.kind == "b" and found is not None
    if not is_of_flags or found.dtype.name != "int64" or found.nbytes - x.nbytes < _LEAST:
        return None
    source = source_file(place.file)
    call = source.find(place.span)
    given = [*call.args, *(k.value for k in call.keywords)] if isinstance(call, ast.Call) else []
    if not any(source.text(span_of(argument)).strip("'\"") == "int" for argument in given):
        return None
    takes = f"{size(found.nbytes)} of {dtype(result.dtype)}"
    return Change(WIDE_STORAGE, f"{takes} hold flags alone, which take {size(x.nbytes)}", _FLAG)


def _whole(part: Any) -> Any:
    """Return the array that something is a view of."""
    for name in ("_base", "base"):  # of PyTorch, and of NumPy
        base = getattr(part, name) if has(type(part), name) else None
        if type(base) is type(part):
            return base
    return part

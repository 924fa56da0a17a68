"""Mixed precision: what `torch.autocast` casts, casts in the wrong place, and rounded positions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from ...core.dtypes import DType, dtype
from ..model.locations import Location
from . import known_functions
from .checks import Violation, family, holds
from .tracked_types import is_array

_MOST_INTEGERS: Final = 64


def is_on(result: Any) -> bool:
    """Tell whether PyTorch casts operands by itself, inside `torch.autocast`."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(result, torch.Tensor):
        return False
    return bool(torch.is_autocast_enabled(result.device.type))


def mixed(violations: Sequence[Violation], result: Any) -> Sequence[Violation]:
    """Return what to say of an operation: in `torch.autocast`, only that a wider float is back.

    It is nobody's fault there: the region narrows some operands, and leaves others as they are.
    """
    if not violations or not is_on(result):
        return violations
    return [v._replace(kind="autocast", cause=None) for v in violations if v.kind == "widening"]


def integers_of(place: Location, result: Any, arguments: Sequence[Any]) -> range | None:
    """Return the integers that a call of `arange` makes, if it is one of integers."""
    if place.name != "arange" or not is_array(result):
        return None
    words = zip(place.keywords, arguments, strict=False)
    named = {word or index: a for index, (word, a) in enumerate(words)}
    ends = [named.get(0, named.get("start", 0)), named.get(1, named.get("stop", named.get("end")))]
    if 1 not in named and not named.keys() & {"stop", "end"}:
        ends = [0, ends[0]]
    start, stop, step = *ends, named.get(2, named.get("step", 1))
    if not (type(start) is int and type(stop) is int and type(step) is int and step):
        return None
    found = range(start, stop, step)
    return found if getattr(result, "shape", None) == (len(found),) else None


def rounds(integers: range, d: DType) -> bool:
    """Tell whether a float has no place for some of the integers of a range.

    >>> from supremum import dtype
    >>> rounds(range(2048), dtype("bfloat16")), rounds(range(0, 4096, 16), dtype("bfloat16"))
    (True, False)
    """
    if family(d) != "inexact":
        return False
    ends = [*integers[:_MOST_INTEGERS], *integers[-_MOST_INTEGERS:]]
    return not all(holds(n, d) for n in ends)


def narrowed(place: Location, result: Any, base: Any) -> DType | None:
    """Return the float that a cast makes of integers, or None if it is no such cast."""
    is_cast = place.name in ("type_as", "to") or known_functions.converts(place.name)
    if not is_cast or not is_array(base) or not is_array(result) or result is base:
        return None
    of, into = dtype(base.dtype), dtype(result.dtype)
    return into if family(of) == "integer" and family(into) == "inexact" else None

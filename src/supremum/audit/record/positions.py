"""Positions: a float that makes, or is made of, more integers than it has a place for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...core.dtypes import DType, dtype
from ...core.operands import operand
from ..checks import known_functions
from ..checks.calls import function_of
from ..checks.tracked_types import is_array
from ..libraries.listeners import Event, Findings, Listener
from ..model.dtypes import family, holds
from ..model.locations import Location
from ..model.provenance import Effect

_MOST_INTEGERS: Final = 64
_FLOAT32_BITS: Final = 32


class Positions(Listener):
    """Finds floats that `arange`, or a cast of what it gave, rounds integers to."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._ranges: dict[int, range] = {}

    def called(self, event: Event) -> None:
        """Record a call that rounds some of the integers that it makes, or casts."""
        location, place = event.location, event.place
        integers = integers_of(place, event.result, event.arguments)
        if integers is not None:
            self._ranges[location] = integers
            made: DType | None = dtype(event.result.dtype)
        else:
            made = _narrowed(place, event.result, event.base) if self._ranges else None
            of = self.findings.values.get(event.base) if made is not None else None
            integers = self._ranges.get(of.location) if of is not None else None
        if integers is None or made is None or not rounds(integers, made):
            return
        read = operand(event.result)
        facts = {"library": read.library, "function": function_of(event.base, place.name)}
        facts["explicit"] = True
        enough = "float32" if read.dtype.bits != _FLOAT32_BITS else "float64"
        remark = (
            f"{made} has no place for some of {len(integers):,} integers, which are rounded; "
            f"make them {enough}, and cast what is computed of them"
        )
        effect = Effect("precision-loss", location, (read,), made, 0, remark=remark)
        self.findings.found(self.findings.origin(location, None, made, facts), effect)


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
    return found if result.shape == (len(found),) else None


def rounds(integers: range, d: DType) -> bool:
    """Return whether a float has no place for some of the integers of a range.

    >>> from supremum import dtype
    >>> rounds(range(2048), dtype("bfloat16")), rounds(range(0, 4096, 16), dtype("bfloat16"))
    (True, False)
    """
    if family(d) != "inexact":
        return False
    ends = [*integers[:_MOST_INTEGERS], *integers[-_MOST_INTEGERS:]]
    return not all(holds(n, d) for n in ends)


def _narrowed(place: Location, result: Any, base: Any) -> DType | None:
    """Return the float that a cast makes of integers, or None if it is not such a cast."""
    is_cast = place.name in ("type_as", "to") or known_functions.converts(place.name)
    if not is_cast or not is_array(base) or not is_array(result) or result is base:
        return None
    of, into = dtype(base.dtype), dtype(result.dtype)
    return into if family(of) == "integer" and family(into) == "inexact" else None

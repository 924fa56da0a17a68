"""Where a program introduces wide dtypes, how large these arrays are, and which of them meet.

It runs in a process of its own, which writes what it finds to a file as JSON.
"""

from __future__ import annotations

import json
import sys
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ...core.dtypes import DType, by_name, dtype
from ...core.errors import SupremumError
from ...core.functions import function
from ...core.operands import operand
from ..edits.candidates import applied
from ..edits.causes import Cause, cause_span
from ..kinds import FORBIDDEN
from ..log import calls, stores
from ..log.recorder import Recorder
from ..log.tracked_types import SCALAR, SEQUENCE, Values, is_array, is_tracer, kind_of, size_of
from ..model.dtypes import bits, family
from ..model.locations import LOCATIONS, Span
from ..model.provenance import Effect, Origin
from ..model.source_file import SourceFile, source_file
from ..options import Options
from ..runner import program

_WIDTHS: Final = (8, 16, 32)
_OWN_DTYPE: Final = ("index", "count")
"""The categories of functions that give integers of the default width, whatever they are given."""


@dataclass
class Held:
    """What arrays of one flow take.

    Attributes:
        live: the bytes of those that are alive.
        peak: the most bytes that were alive at a time.
        low: the least integer that was in them.
        high: the largest one.
    """

    live: int = 0
    peak: int = 0
    low: int = 0
    high: int = 0

    def add(self, array: Any) -> None:
        """Count the bytes of an array, until it is gone."""
        size = size_of(array)
        try:
            weakref.finalize(array, self.release, size).atexit = False
        except TypeError:  # a scalar
            self.peak = max(self.peak, self.live + size)
            return
        self.live += size
        self.peak = max(self.peak, self.live)

    def release(self, size: int) -> None:
        """Note that an array is gone."""
        self.live -= size


@dataclass
class Births:
    """Follows a recorder, and notes where wide dtypes are introduced.

    Args:
        recorder: the recorder that it follows.
        to: the dtype that arrays are to have.

    Attributes:
        found: the places of births, by their number.
        flows: for each set of births what the arrays take that come of all of these.
    """

    recorder: Recorder
    to: DType
    target: None = None
    found: dict[int, Origin] = field(default_factory=dict)
    flows: dict[frozenset[int], Held] = field(default_factory=dict)
    _reached: Values[frozenset[int]] = field(default_factory=Values)

    # what the recorder reports

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Follow an operator."""
        self._follow(location, result, (left, right))

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Follow a part of a value, or a sign before it."""
        self._follow(location, result, (whole,))

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Follow a call."""
        try:
            self._called(location, result, base, arguments)
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self.recorder.fail(location, error)

    def _called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        place = LOCATIONS[location]
        given = calls.arrays(base, arguments, place)
        explicit = calls.is_explicit(place, result, base, arguments)
        several = kind_of(result) == SEQUENCE
        for element in calls.elements(result) if several else [result]:
            is_own = explicit or (is_array(element) and self._has_own_dtype(place.name, element))
            self._follow(location, element, None if is_own else given, several=several)

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Follow a call that may store what it is given."""
        given = (base, *arguments)
        for into, value in stores.stored(LOCATIONS[location], result, base, arguments):
            self._stored(given[into], given[value])
        if result is not None:
            self.called(location, result, base, arguments)

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:  # noqa: ARG002  # as it is called
        """Follow an operator in place, whose result keeps its dtype."""
        self._stored(result, result)

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:  # noqa: ARG002  # as it is called
        """Follow what is about to be stored in part of a value."""
        self._stored(base, value)

    # how values come of each other

    def is_wide(self, value: Any) -> bool:
        """Return whether a value is an array or scalar of a dtype that could be narrower."""
        try:
            d = dtype(value.dtype) if is_array(value) else None
        except SupremumError:
            return False
        if d is None or d.weak or not family(d):
            return False
        return family(d) == family(self.to) and bits(d) > bits(self.to)

    def _has_own_dtype(self, name: str, result: Any) -> bool:
        """Return whether a function gives integers of a width of its own, as sums do."""
        known = function(name)
        if known is None or family(self.to) != "integer" or not self.is_wide(result):
            return False
        return known.is_accumulating or known.category in _OWN_DTYPE

    def _follow(
        self, location: int, result: Any, operands: Sequence[Any] | None, *, several: bool = False
    ) -> None:
        """Note what a result comes from; without operands, it has a dtype of its own."""
        try:
            if not self.is_wide(result) or self._reached.get(result) is not None:
                return
            given = operands or ()
            if any(is_tracer(type(value)) and self._is_unknown(value) for value in given):
                return  # of what a compiled function is given, the caller decides
            met = frozenset[int]().union(*map(self._births_of, given))
            if not met and operands is not None:
                met = self._known(result)
            met = met or self._birth(location, result, several=several)
            self.flows.setdefault(met, Held()).add(result)
            whole = getattr(result, "base", None)
            for value in (result, whole) if is_array(whole) else (result,):
                self._reached.put(value, kind_of(value), met)
            self._stored(result, result)
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self.recorder.fail(location, error)

    def _is_unknown(self, value: Any) -> bool:
        return self.is_wide(value) and self._reached.get(value) is None

    def _births_of(self, value: Any) -> frozenset[int]:
        """Return the births that a value comes from, as far as they are known."""
        if not self.is_wide(value):
            return frozenset()
        known: Any = self._reached.get(value)
        if known is not None:
            return known  # type: ignore[no-any-return]  # it is what was put
        origin = self._origin(value)
        return self._found(origin) if origin is not None else frozenset()

    def _known(self, result: Any) -> frozenset[int]:
        """Return the birth of a result that the recorder knows, as that of a table's column."""
        origin = self._origin(result)
        is_known = origin is not None and origin.index in self.found
        return frozenset([origin.index]) if origin is not None and is_known else frozenset()

    def _origin(self, value: Any) -> Origin | None:
        """Return the origin of a value's own dtype that the recorder knows, or None."""
        origin = self.recorder.values.get(value)
        return origin if origin is not None and origin.dtype is dtype(value.dtype) else None

    def _found(self, origin: Origin) -> frozenset[int]:
        self.found.setdefault(origin.index, origin)
        return frozenset([origin.index])

    def _birth(self, location: int, result: Any, *, several: bool) -> frozenset[int]:
        origin = self.recorder.values.get(result)
        if origin is None or origin.location != location:
            facts = {"library": operand(result).library, "scalar": kind_of(result) == SCALAR}
            origin = self.recorder.origin(location, None, dtype(result.dtype), facts)
        origin.several |= several
        return self._found(origin)

    def _stored(self, base: Any, value: Any) -> None:
        """Note the range of integers that an array is to hold."""
        if family(self.to) != "integer" or not self.is_wide(base):
            return
        known: Any = self._reached.get(base)
        if known:
            held, (low, high) = self.flows.setdefault(known, Held()), _range(value)
            held.low, held.high = min(held.low, low), max(held.high, high)

    # what it found

    def wanted(self, origin: Origin) -> DType | None:
        """Return the dtype that is enough for what comes of a birth alone, or None if none is."""
        d = origin.dtype
        if family(d) == "inexact":
            return _named(f"complex{2 * bits(self.to)}") if d.kind == "complex" else self.to
        held = self.flows.get(frozenset([origin.index]), Held())
        sign = "u" if "unsigned" in (d.kind, self.to.kind) else ""
        ladder = [by_name(f"{sign}int{b}") for b in _WIDTHS if bits(self.to) <= b < bits(d)]
        fits = (n for n in ladder if n.min <= held.low and held.high <= n.max)
        return next(fits, None)

    def described(self) -> dict[str, Any]:
        """Return what was found, as JSON has it."""
        numbers = {index: n for n, index in enumerate(self.found)}
        return {
            "operations": self.recorder.log.operations,
            "births": [self._described(origin) for origin in self.found.values()],
            "flows": [
                [sorted(numbers[i] for i in met), held.peak, held.low, held.high]
                for met, held in self.flows.items()
            ],
        }

    def _described(self, origin: Origin) -> dict[str, Any]:
        place, span = LOCATIONS[origin.location], cause_span(origin)
        source = source_file(place.file)
        want = self.wanted(origin)
        here = place._replace(span=span)
        first, _, last, end = span
        held = self.flows.get(frozenset([origin.index]), Held())
        reach = f"its values reach {max(held.high, -held.low):,}"
        return {
            "file": place.file,
            "start": (first, here.column),
            "end": (last, len(source.text((last, 0, last, end))) + 1),
            "text": here.text,
            "dtype": origin.dtype.name,
            "wanted": want.name if want else "",
            **(_changes(source, span, origin, want) if want else {"why": reach}),
        }


def _named(name: str) -> DType | None:
    try:
        return by_name(name)
    except SupremumError:
        return None


def _range(value: Any) -> tuple[int, int]:
    """Return the least and the largest integer of an array or a number."""
    try:
        if is_array(value):
            return int(value.min()), int(value.max())
        return (value, value) if type(value) is int else (0, 0)
    except (TypeError, ValueError, RuntimeError):  # it is empty, or traced
        return 0, 0


def _changes(source: SourceFile, span: Span, origin: Origin, want: DType) -> dict[str, str]:
    """Return what to type for a narrower dtype, or why nothing can be typed."""
    node = source.find(span)
    place = LOCATIONS[origin.location]
    if node is None or (origin.operand is not None and place.spans[origin.operand] is None):
        return {"why": "it has no place of its own, as in an f-string; assign it to a name first"}
    if origin.several:
        return {"why": "its expression gives several arrays"}
    effect = Effect(f"{FORBIDDEN}:{origin.dtype}", origin.location, (), origin.dtype, 0)
    cause = Cause(source, node, origin, effect, want)
    ways = {"narrow": cause.narrower(), "cast": cause.cast(), "rounded": cause.rounded()}
    texts = {name: applied(source, node, way) for name, way in ways.items() if way is not None}
    if not texts.get("narrow"):
        return {"why": "no change is known to be right"}
    return {**texts, "needs": ways["narrow"].needs if ways["narrow"] else ""}


def main(words: Sequence[str]) -> int:
    """Run a program, and write down what was found.

    Args:
        words: the file to write, the dtype, the packages to look inside with commas, whether the
            program is a module, its name, and its arguments.
    """
    output, to, include, as_module, name, *arguments = words
    found = (program.module if as_module == "1" else program.script)(name, arguments)
    recorder = Options().recorder()
    births = Births(recorder, by_name(to))
    recorder.follow(births)  # type: ignore[arg-type]  # nothing else asks it anything
    finder = program.finder(found, [word for word in include.split(",") if word])
    failure = ""
    try:
        return program.run_here(found, recorder, finder)
    except BaseException as error:
        failure = f"{type(error).__name__}: {error}"
        raise
    finally:
        report = {**births.described(), "failure": failure}
        Path(output).write_text(json.dumps(report), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

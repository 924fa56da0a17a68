"""The operands of an expression, sorted into classes that every rule treats alike.

What the page answers is exhausted: Python is asked about each pair of classes. Arrays and dtypes
make a class for each dtype; of Python's numbers there are infinitely many, so that these are cut at
every bound at which some rule changes its mind, and a few of each piece are asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from ...core.common_steps import is_single
from ...core.dtypes import DType
from ...core.operands import Operand, operand

FORMS: Final = ("array", "0-d array", "dtype")
"""What an operand of a dtype is; the page has them by their places."""

_BITS = (2, 4, 8, 16, 32, 64, 128)
# Beyond these, floats are not exact or not finite, or integers round to infinity.
_OF_FLOATS = {
    *(2**e + 1 for e in (8, 11, 24, 53)),
    65000, 65505, 65520,
    2**128 - 2**120 + 1, 2**128 - 2**119, 2**128 - 2**104 + 1, 2**128 - 2**103,
    2**1024 - 2**971 + 1, 2**1024 - 2**970, 2**1024,
}  # fmt: skip
_HALVES = {1 << (b - 1) for b in _BITS}
_STARTS = sorted(
    {0, 1, *(1 << b for b in _BITS), *_HALVES, *_OF_FLOATS}
    | {-b for b in _HALVES}
    | {1 - b for b in _OF_FLOATS}
)
_SIZES = (65000.0, 65504.0, 65520.0, 3.38953e38, 3.4e38, 3.4028234e38, 3.4028236e38, 1.7e308)
_SINGLES = (65001.0, 65505.0, 65521.0, *(2.0**128 - 2.0**e for e in (120, 116, 104)))


class Class(NamedTuple):
    """A class of operands that have a dtype: which one, whether they are weak, and their form."""

    dtype: DType
    weak: bool
    form: str

    def operand(self, text: str) -> Operand:
        """Return an operand of the class."""
        rank = {"array": 1, "0-d array": 0, "dtype": None}[self.form]
        form = "dtype" if self.form == "dtype" else "array"
        return Operand(text, self.dtype, self.weak, form).ranked(rank)


class Numbers(NamedTuple):
    """A class of Python's numbers.

    Attributes:
        kind: their type.
        low: of ints the lowest, of floats the least size, of complex numbers that of the larger
            part; of bools which; None for ints without a lowest.
        high: the first beyond, or None.
        single: of floats whether float32 holds them exactly; None for either.
    """

    kind: str
    low: complex | None
    high: complex | None
    single: bool | None = None

    def some(self) -> list[Operand]:
        """Return some of them, for ints many, since some rules cut them to fewer bits."""
        if self.kind == "bool":
            return [operand(bool(self.low))]
        if self.kind == "int":
            found = _ints(self.low, self.high)  # type: ignore[arg-type]  # so they are made
            return [operand(value) for value in found]
        ends: Any = self.low, self.high
        if self.kind == "float":
            return [operand(value) for value in _floats(*ends) if self._has(value)]
        sizes = [x for x in _floats(*ends) if not x < 0][:3]
        return [operand(complex(0, sizes[0])), *(operand(complex(value, 1)) for value in sizes)]

    def _has(self, value: float) -> bool:
        return self.single is None or self.single == is_single(value)


def numbers() -> list[Numbers]:
    """Return the finest classes of Python's numbers, those of each type in rising order."""
    found = [Numbers("bool", False, None), Numbers("bool", True, None)]
    found += [Numbers("int", *ends) for ends in pairwise([None, *_STARTS, None])]
    pieces: list[Any] = [*pairwise([0.0, *_SIZES, math.inf, None])]
    for low, high in pieces:
        has_singles = any(map(is_single, _floats(low, high)))
        parts = (True, False) if has_singles else (None,)
        found += [Numbers("float", low, high, single) for single in parts]
    return [*found, *(Numbers("complex", *ends) for ends in pieces)]


def merged(found: Sequence[Numbers], signature: Callable[[Numbers], object]) -> list[Numbers]:
    """Return fewer classes: those of one type that come one after the other with one signature."""
    kept = [(own, signature(own)) for own in found]
    for together in (_piece, _run):
        parts, kept = kept, []
        for own, own_signature in parts:
            last, last_signature = kept[-1] if kept else (None, None)
            whole = together(last, own) if last and own_signature == last_signature else None
            if whole is not None:
                kept.pop()
            kept.append((whole or own, own_signature))
    return [own for own, _ in kept]


def _piece(last: Numbers, own: Numbers) -> Numbers | None:
    """Return both floats of a piece, those that float32 holds exactly and the others."""
    is_piece = last.kind == own.kind == "float" and last.low == own.low
    return own._replace(single=None) if is_piece else None


def _run(last: Numbers, own: Numbers) -> Numbers | None:
    """Return two classes that are one after the other."""
    is_run = last.kind == own.kind != "bool" and last.single is own.single
    return last._replace(high=own.high) if is_run else None


def _floats(low: float, high: float | None) -> list[float]:
    """Return floats of a piece, of those that float32 holds exactly and of others."""
    if not low:
        return [1.5, 0.0, 1.0, 0.1, -1.5, -0.1]
    if low == math.inf:
        return [math.inf, math.nan, -math.inf]
    above = low * (1 + 2**-30)
    return [above, -above, *(x for x in _SINGLES if low <= x < (high or math.inf))]


def _ints(low: int | None, high: int | None) -> list[int]:
    """Return integers of a piece: its ends, and those that are zero or negative in fewer bits."""
    low = -(2**1030) if low is None else low
    high = 2**1030 if high is None else high
    return [v for v in dict.fromkeys(_tried(low, high)) if low <= v < high]


def _tried(low: int, high: int) -> Iterator[int]:
    yield from ((low + high) // 2 | 1, low, high - 1)
    size = (high - low).bit_length()
    for bits in (64, 32, 16, 8, 4, 2):
        if bits < size:
            multiple = (low + high) // 2 >> bits << bits
            yield from (multiple, multiple + (1 << bits - 1))

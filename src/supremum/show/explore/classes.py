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


class Class(NamedTuple):
    """A class of operands that have a dtype: which one, whether they are weak, and their form."""

    dtype: DType
    weak: bool
    form: str

    def operand(self, text: str) -> Operand:
        """Return an operand of the class."""
        rank = {"array": 1, "0-d array": 0, "dtype": None}[self.form]
        form = "dtype" if self.form == "dtype" else "array"
        return Operand(text, self.dtype, self.weak, form, rank=rank)


class Numbers(NamedTuple):
    """A class of Python's numbers.

    Attributes:
        kind: their type.
        low: of ints the lowest, of floats the least size, of complex numbers that of the larger
            part; of bools which; None for ints without a lowest.
        high: the first beyond, or None.
    """

    kind: str
    low: complex | None
    high: complex | None

    def some(self) -> list[Operand]:
        """Return some of them, for ints many, since some rules cut them to fewer bits."""
        if self.kind == "bool":
            return [operand(bool(self.low))]
        if self.kind == "int":
            found = _ints(self.low, self.high)  # type: ignore[arg-type]  # so they are made
            return [operand(value) for value in found]
        size: Any = self.low
        least = [1.5, 0.0, 1.0] if not size else [size * (1 + 2**-30)]
        sizes = least if size < math.inf else [math.inf, math.nan]
        if self.kind == "float":
            return [operand(value) for value in (*sizes, -sizes[0])]
        return [operand(complex(0, sizes[0])), *(operand(complex(value, 1)) for value in sizes)]


def numbers() -> list[Numbers]:
    """Return the finest classes of Python's numbers, those of each type in rising order."""
    found = [Numbers("bool", False, None), Numbers("bool", True, None)]
    found += [Numbers("int", *ends) for ends in pairwise([None, *_STARTS, None])]
    for kind in ("float", "complex"):
        found += [Numbers(kind, *ends) for ends in pairwise([0.0, *_SIZES, math.inf, None])]
    return found


def merged(found: Sequence[Numbers], signature: Callable[[Numbers], object]) -> list[Numbers]:
    """Return fewer classes: those of one type that come one after the other with one signature."""
    kept: list[tuple[Numbers, object]] = []
    for own in found:
        own_signature = signature(own)
        last, last_signature = kept[-1] if kept else (None, None)
        if last and own.kind == last.kind != "bool" and own_signature == last_signature:
            kept[-1] = (last._replace(high=own.high), own_signature)
        else:
            kept.append((own, own_signature))
    return [own for own, _ in kept]


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

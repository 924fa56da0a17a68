"""Whether the operations of two runs gave the same, by samples of their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from ...core.errors import plural
from ..log.samples import Sample, SampledRow
from .comparison import DIGITS, Tolerance, close, merged, range_of

_EXACT: Final = frozenset("biu")
_GROSS: Final = 2.0**-7  # of the largest number
_NOISE: Final = 8  # roundings
_OF_RANGE: Final = 4  # tolerances, of the range of numbers that are far from zero


class Agreement(NamedTuple):
    """What comparing two runs gave.

    Attributes:
        compared: how many operations gave the same.
        others: how many could not be compared.
        difference: the first that gave something else, in words, or ``""``.
        gross: the first that gave something else which no rounding explains: numbers that merged,
            or that are apart by a hundredth of the largest of the array; or ``""``.
    """

    compared: int = 0
    others: int = 0
    difference: str = ""
    gross: str = ""

    def __bool__(self) -> bool:
        return self.compared > self.others and not self.difference


def agreement(
    before: Sequence[SampledRow],
    after: Sequence[SampledRow],
    within: Tolerance,
    *,
    goes_on: bool = False,
) -> Agreement:
    """Return whether the operations that two runs have in common gave the same.

    Operations are those of the same functions in the same order. What one of the runs alone has is
    not compared: a change may leave an operation out, or add one.

    Args:
        before: the samples of a run.
        after: those of another one.
        within: how far numbers may be apart.
        goes_on: whether the first run ended early, so that more may follow.
    """
    compared, difference = 0, ""
    for one, other in _pairs(before, after):
        if not one.samples:
            continue
        if gross := _grossly_differ(one, other, within):
            gross = f"line {one.line}: {one.name}: {gross}"
            return Agreement(compared, difference=difference or gross, gross=gross)
        if not difference and (why := _rows_differ(one, other, within, goes_on=goes_on)):
            difference = f"line {one.line}: {why}"
        compared += not difference
    return Agreement(compared, 0 if difference else len(before) - compared, difference)


def steady(before: Sequence[SampledRow], again: Sequence[SampledRow]) -> list[SampledRow]:
    """Return the rows of a run, without the samples that another run does not repeat exactly."""
    same = {id(one) for one, other in _pairs(before, again) if one == other}
    return [row if id(row) in same else row._replace(samples=[]) for row in before]


def _pairs(
    before: Sequence[SampledRow], after: Sequence[SampledRow]
) -> Iterator[tuple[SampledRow, SampledRow]]:
    one, other = ([(row.file, row.name) for row in rows] for rows in (before, after))
    if one == other:  # as it is nearly always, and fast
        yield from zip(before, after, strict=True)
        return
    for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks():
        for n in range(block.size):
            yield before[block.a + n], after[block.b + n]


def _rows_differ(one: SampledRow, other: SampledRow, within: Tolerance, *, goes_on: bool) -> str:
    times = [[sample.time for sample in row.samples] for row in (one, other)]
    if goes_on:
        times[1] = times[1][: len(times[0])]
    if times[0] != times[1]:
        most = [plural(max(found, default=0), "time") for found in times]
        return f"{one.name} is computed {most[0]} or more, and then {most[1]}"
    pairs = zip(one.samples, other.samples, strict=False)
    return next((f"{one.name}: {why}" for a, b in pairs if (why := _differ(a, b, within))), "")


def _grossly_differ(one: SampledRow, other: SampledRow, within: Tolerance) -> str:
    """Return where floats differ by more than rounding, in words, or ``""``."""
    for a, b in zip(one.samples, other.samples, strict=False):
        if {a.kind, b.kind} <= _EXACT or a.time != b.time or len(a.values) != len(b.values):
            continue
        noise = _NOISE * within.epsilon * a.scale  # what rounding leaves of terms that cancel
        is_left = any(abs(x) > noise for x in (*a.values, *b.values))
        if is_left and (why := merged(a.values, b.values, within)):
            return why
        # in half precision, what varies by little may become equal
        spread = range_of(a.values) if within.epsilon <= DIGITS else 0.0
        beside = _OF_RANGE * within.relative * spread
        for x, y in zip(a.values, b.values, strict=True):
            allowed = max(_GROSS, within.relative) * max(a.scale, b.scale, abs(x), abs(y))
            if abs(x - y) > (min(allowed, beside) if beside else allowed):
                return f"{x:.9g} became {y:.9g}"
    return ""


def _differ(a: Sample, b: Sample, within: Tolerance) -> str:
    if a.shape != b.shape or len(a.values) != len(b.values):
        return f"the shape {tuple(a.shape)} became {tuple(b.shape)}"
    is_exact = {a.kind, b.kind} <= _EXACT
    for x, y in zip(a.values, b.values, strict=True):
        if x != y and (is_exact or not close(x, y, within, a.scale)):
            return f"{x:.6g} became {y:.6g}"
    return ""

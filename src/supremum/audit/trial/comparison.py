"""Whether what a program gives is the same, apart from the rounding of a narrower dtype.

Each public function yields where two outputs differ, in words; nothing, if they agree. Nothing here
knows where an output comes from: a program, a file, a cell of a notebook, or a function.
"""

from __future__ import annotations

import cmath
import io
import json
import math
import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby, pairwise, zip_longest
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name, names

_EPSILONS: Final = 512
_ELEMENT_EPSILONS: Final = 16
_NOISE: Final = (2.0**-62, 2.0**-43)
_FEWEST: Final = 6  # different numbers, of which it matters that they became equal
_KEPT: Final = 0.75  # of them
_SAME: Final = 2.0**-20  # of the largest of some numbers: those that are as near are no series
_FINE: Final = 2.0**-9  # of the range of some numbers: less is seldom seen
_FAR: Final = 2.0**-8  # of the largest of some numbers: their range, if they are far from zero
_SAMPLE: Final = 4_096
_WHOLE: Final = 2.0**53  # beyond it, every float is whole
_MOST_COLUMNS: Final = 64
_NUMBER: Final = (
    r"(?<![\w.])[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+"
    r"|inf(?:inity)?\b|nan\b)(?!\w*[(])"
)
_DTYPE: Final = (
    r"(?:b?(?P<float>float)(?:16|32|64)|(?P<complex>complex)(?:64|128)"
    r"|u?(?P<integer>int)(?:8|16|32|64))"
)
_PIECE: Final = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<open>[\[(])|(?P<close>[\])])|\w+|[^\w\s]", re.IGNORECASE
)
_SIZE: Final = r"(?:[kKMGT]i?)?B|(?:kilo|mega|giga)?bytes?"
_UNIT: Final = re.compile(rf"{_SIZE}|[munµμ]?s|sec(?:onds?)?|min(?:utes?)?")
_MEASURED: Final = re.compile(
    rf"\d\s*(?:{_SIZE})\b|\b[kMGT]i?B\b|\b(?:kilo|mega|giga)?bytes\b|nbytes|itemsize|memory|traced?\b|traces\b|retrac|compil"
    r"|elapsed|\btook\b|\bCPU times|\bwall\b|per loop|duration|runtime",
    re.IGNORECASE,
)
_TIMED: Final = re.compile(r"\b(?:in|after) [\d.]+ ?(?:[munµμ]?s|sec\w*|min\w*)\b")
_OF_ERROR: Final = re.compile(
    r"\w*Error\b.*\b(?:dtypes?|types?|Double|Float|Half|BFloat16|Long|Int|u?int\d+|b?float\d+)\b"
)
_VERDICT: Final = re.compile(
    r"true|false|yes|no|not|ok|okay|good|bad|fine|wrong|right|correct|incorrect|pass(?:es|ed)?"
    r"|fail(?:s|ed|ure)?|error|warning|same|different|differs?|equal|unequal|match(?:es|ed)?"
    r"|mismatch(?:es|ed)?|widen(?:s|ed)?|narrow(?:s|ed)?|wider?|double|single|half|kept?|keeps|lost"
    r"|promoted|upcast|stable|unstable|exact|inexact|\W|[a-z]+ dtype",
    re.IGNORECASE,
)
_CHECK: Final = re.compile(
    r"\b(?:all ?close|agrees?|close|consistent|correct|equal|exact|identical|lossless|match(?:es)?"
    r"|ok|passe?[sd]|round[ -]?trips?|same|valid)\b",
    re.IGNORECASE,
)
_FAILING: Final = (("True", "False"), ("yes", "no"), ("ok", "failed"), ("passed", "failed"))
_NAMED: Final = re.compile(r"\bdtype|\b(?:b?float|complex|u?int)\d+\b")
_UNNAMED: Final = re.sub("[(][?]P<[a-z]+>", "(?:", _DTYPE)
_MORE: Final = rf"""['"]?[)]?,\s*(?:dtype[(])?['"]?(?:torch\.)?{_UNNAMED}\b"""
_DTYPES: Final = re.compile(rf"\b{_DTYPE}\b(?P<more>(?:{_MORE})+)")
_OF_DTYPE: Final = re.compile(rf",\s*dtype=(?:torch\.)?{_DTYPE}\b")


_NARROWER: Final = (2, 4, 8)  # times: float64 beside float32, float16 and bytes

DIGITS: Final = 2.0**-23
"""The epsilon of single precision, which is taken for the digits that it has."""


class Tolerance(NamedTuple):
    """How far two numbers may be apart.

    Attributes:
        relative: the difference, as a part of the larger number.
        epsilon: the distance from one to the next number of the narrower dtype.
        dtype: that dtype, or ``""`` if the tolerance was given.
        of_print: whether the last of few digits that are printed may be another one, too.
        of_noise: whether a number by itself may be rounding noise, which becomes other noise.
        of_kind: whether a dtype that is named may be one of another kind, as whole numbers are kept
            in integers rather than floats.
    """

    relative: float
    epsilon: float
    dtype: str = ""
    of_print: bool = True
    of_noise: bool = True
    of_kind: bool = False

    def __str__(self) -> str:
        of = f", the tolerance for {self.dtype}" if self.dtype else ""
        return f"{self.relative:.2g}{of}"


def tolerance(dtype: str, given: float | None = None) -> Tolerance:
    """Return how far numbers may be apart that were computed in a dtype.

    That is 512 times its epsilon, and no more than the square root of it: 6.1e-05 for float32,
    0.031 for float16.

    Args:
        dtype: the narrower dtype, or ``""`` for float64.
        given: what the user wants instead.

    >>> tolerance("float32").relative
    6.103515625e-05
    """
    precision = by_name(dtype).part.precision if dtype in names() else None
    epsilon = 2.0 ** (1 - (precision or 53))
    if given is not None:
        return Tolerance(given, min(given, epsilon))
    return Tolerance(min(_EPSILONS * epsilon, math.sqrt(epsilon)), epsilon, dtype or "float64")


def close(before: complex, after: complex, within: Tolerance, scale: float | None = None) -> bool:
    """Return whether two numbers differ by rounding alone.

    Args:
        before: the number as it was.
        after: the number as it is.
        within: the tolerance.
        scale: the largest number of the array that it is an element of, or None. What is rounding
            noise of float64 beside it may become noise of the narrower dtype.
    """
    if cmath.isnan(before) or cmath.isnan(after):
        return cmath.isnan(before) and cmath.isnan(after)
    size = 1.0 if scale is None else scale
    least, most = _NOISE
    is_noise = before == 0 or least * size <= abs(before) <= most * size
    if is_noise and (within.of_noise or scale is not None) and abs(after) <= within.relative * size:
        return True
    allowed = 0.0 if scale is None else _ELEMENT_EPSILONS * within.epsilon * scale
    return cmath.isclose(before, after, rel_tol=within.relative, abs_tol=allowed)


def _scale(numbers: Iterable[float]) -> float:
    return max((abs(number) for number in numbers if math.isfinite(number)), default=1.0)


def merged(before: Sequence[float], after: Sequence[float], within: Tolerance) -> str:
    """Return how many numbers became equal that a narrower dtype has no place for, or ``""``.

    So it is with times, identifiers and coordinates in float32, of which each by itself is as near
    as its digits allow. In half precision any numbers do so.

    Args:
        before: the numbers as they were.
        after: the same as they are.
        within: the tolerance.

    >>> merged([5e6 + 0.1 * n for n in range(6)], [5e6, 5e6, 5e6, 5e6, 5e6 + 0.5, 5e6 + 0.5],
    ...        tolerance("float32"))
    'of 6 different numbers, 2 are left'
    """
    known = [pair for pair in zip(before, after, strict=False) if math.isfinite(pair[0])]
    numbers = [number for number, _ in known]
    different, left = len(set(numbers)), len({number for _, number in known})
    if different < _FEWEST or left > _KEPT * different or within.epsilon > DIGITS:
        return ""
    steps = [b - a for a, b in pairwise(numbers)]
    is_series = all(step > 0 for step in steps) or all(step < 0 for step in steps)
    spread = max(numbers) - min(numbers)
    is_rounding = max(abs(a - b) for a, b in known) <= _FINE * spread
    if is_rounding or (not is_series and spread <= _SAME * _scale(numbers)):
        return ""  # they are the same but for rounding
    return f"of {different:,} different numbers, {left:,} {'is' if left == 1 else 'are'} left"


def range_of(numbers: Sequence[float]) -> float:
    """Return the range of numbers that lie far from zero beside it, such as coordinates; or zero.

    >>> range_of([4e6 + n for n in range(8)]), range_of([0.0, 1.0]), range_of([1.0] * 8)
    (7.0, 0.0, 0.0)
    """
    finite = [x for x in numbers if math.isfinite(x)]
    if len(set(finite)) < _FEWEST:
        return 0.0
    spread, scale = max(finite) - min(finite), _scale(finite)
    return spread if _SAME * scale < spread < _FAR * scale else 0.0


class _Word(NamedTuple):
    """A word of a text, or a number.

    Attributes:
        text: the word, where a dtype is its kind; ``"a number"`` for any number.
        start: where it starts.
        number: the number as it is written, or ``""``.
        group: the number of the brackets around it, or 0.
    """

    text: str
    start: int
    number: str = ""
    group: int = 0

    @property
    def shown(self) -> str:
        return self.text if self.number else repr(self.text[:40])


def text_differences(
    before: str, after: str, within: Tolerance, *, goes_on: bool = False
) -> Iterator[str]:
    """Yield where two texts differ, once a line: words must be the same, numbers near each other.

    White space counts as one blank. Dtypes may be named with another width, as that is the aim, and
    what states a size, a time, a count of traces, or whether a dtype is some other, may change with
    it. Another number without a point is a count, and must stay. In brackets, numbers are held
    against the largest of them, as the elements of an array.

    Args:
        before: the text as it was.
        after: the text as it is.
        within: the tolerance.
        goes_on: whether the program ended early before, so that more may follow.
    """
    if before == after:
        return
    before, after = _without_errors(before, after)
    one, other = _words(before), _words(after)
    lines = before.split("\n"), after.split("\n")
    if len(one) == len(other) or len(lines[0]) != len(lines[1]) or len(lines[0]) == 1:
        yield from _differences((before, one), (after, other), within, goes_on=goes_on)
        return
    for number, (line, now) in enumerate(zip(*lines, strict=True), 1):  # words shift in one of them
        for why in _differences((line, _words(line)), (now, _words(now)), within):
            yield f"line {number}{why.removeprefix('line 1')}"


_Read = tuple[str, Sequence[_Word]]
"""A text, and its words."""


def _differences(
    first: _Read, second: _Read, within: Tolerance, *, goes_on: bool = False
) -> Iterator[str]:
    """Yield where two texts differ, word by word."""
    (before, one), (after, other) = first, second
    groups: dict[int, list[float]] = {}
    for word in one:
        if word.group and word.number:
            groups.setdefault(word.group, []).append(float(word.number))
    scales = {group: _scale(numbers) for group, numbers in groups.items()}
    last = ""
    for n, (a, b) in enumerate(zip(one, other, strict=False)):
        is_alike = a.text == b.text
        if is_alike and _shown_alike(a.number, b.number, within, scales.get(a.group)):
            continue
        if within.of_kind and a.text.endswith(" dtype") and b.text.endswith(" dtype"):
            continue
        unit = one[n + 1].text if n + 1 < len(one) else ""
        if _is_of_dtypes(a, b, unit, _line(before, a), _line(after, b)):
            continue
        where = _line_of(before, a)
        became = (a.number, b.number) if is_alike else (a.shown, b.shown)
        if where != last:
            yield f"{where}: {became[0]} became {became[1]}"
        last = where
    if not last:
        yield from _merged_columns(before, one, other, within)
    longer, text, what = (
        (one, before, "missing") if len(one) > len(other) else (other, after, "new")
    )
    rest = longer[min(len(one), len(other)) :]
    if rest and not (goes_on and longer is other):
        yield f"{_line_of(text, rest[0])}: {rest[0].shown} is {what}"


def alike(before: str, after: str, within: Tolerance) -> int:
    """Return how many lines of a text are the same in another one, apart from rounding.

    >>> alike("in 36336.0 ms, 2", "in 36330.5 ms, 2", tolerance("float64"))
    0
    """
    count = 0
    for line, now in zip(before.split("\n"), after.split("\n"), strict=False):
        one, other = _words(line), _words(now)
        count += bool(line.strip()) and len(one) == len(other) and all(
            a.text == b.text and _shown_alike(a.number, b.number, within, None)
            for a, b in zip(one, other, strict=True)
        )  # fmt: skip
    return count


def _merged_columns(
    text: str, before: Sequence[_Word], after: Sequence[_Word], within: Tolerance
) -> Iterator[str]:
    """Yield where numbers merged that are in brackets, or below each other on several lines."""
    pairs = [(a, b) for a, b in zip(before, after, strict=False) if a.number and b.number]
    ends = [n for n, character in enumerate(text) if character == "\n"]
    for group, inside in groupby(pairs, lambda pair: pair[0].group):
        found = [*inside]
        columns = [found]
        if not group:
            lines = [[*of] for _, of in groupby(found, lambda pair: bisect(ends, pair[0].start))]
            alike = [[*some] for _, some in groupby(lines, len)]
            columns = [[*column] for some in alike for column in zip(*some, strict=True)]
        for column in columns:
            was, now = ([float(pair[n].number) for pair in column[:_SAMPLE]] for n in (0, 1))
            if why := merged(was, now, within):
                yield f"{_line_of(text, column[0][0])}: {why}"
                return


def failing_check(before: str, after: str) -> str:
    """Return which line says that something holds no more, such as that two results are equal.

    >>> failing_check("lossless: True", "lossless: False")
    "line 1: 'True' became 'False'"
    >>> failing_check("overflows: True", "overflows: False")
    ''
    """
    pairs = zip(before.split("\n"), after.split("\n"), strict=False)
    for number, (line, now) in enumerate(pairs, 1):
        if line == now or not _CHECK.search(line):
            continue
        words = [[w.text for w in _words(text)] for text in (line, now)]
        changed = [(a, b) for a, b in zip(*words, strict=False) if a != b]
        if changed and all(pair in _FAILING for pair in changed):
            return f"line {number}: {changed[0][0]!r} became {changed[0][1]!r}"
    return ""


def _without_errors(before: str, after: str) -> tuple[str, str]:
    r"""Return texts without lines that told an error about dtypes, and tell something else now.

    >>> _without_errors("1.5\nTypeError: dtype int8", "1.5\n2.5")
    ('1.5\n', '1.5\n')
    """
    lines, others = before.split("\n"), after.split("\n")
    if len(lines) != len(others):
        return before, after
    pairs = zip(lines, others, strict=True)
    kept = [a == b or "Error" in b or not _OF_ERROR.search(a) for a, b in pairs]
    one, other = (
        "\n".join(line if is_kept else "" for line, is_kept in zip(text, kept, strict=True))
        for text in (lines, others)
    )
    return one, other


def only_states(before: str, after: str, within: Tolerance) -> bool:
    """Return whether two texts differ in verdicts and sizes alone: all other numbers are the same.

    That says nothing of the results, which have to be compared otherwise.

    >>> only_states("same: False, 800, 0.25", "same: True, 400, 0.25", tolerance("float32"))
    True
    >>> only_states("branch A", "branch B", tolerance("float32"))
    False
    """
    words = [_words(text) for text in (before, after)]
    one, other = ([w.number for w in found if w.number] for found in words)
    pairs = zip(one, other, strict=False)
    return (
        len(one) == len(other)
        and all(_shown_alike(a, b, within, None) or _is_smaller(a, b) for a, b in pairs)
        and all(_VERDICT.fullmatch(word) for word in _words_alone(*words))
    )


def _words_alone(before: Sequence[_Word], after: Sequence[_Word]) -> Iterator[str]:
    """Yield the words, other than numbers, that one of two texts has alone."""
    one, other = (Counter(w.text for w in found if not w.number) for found in (before, after))
    yield from one - other
    yield from other - one


def _is_smaller(before: str, after: str) -> bool:
    """Return whether a number may be a size, or a ratio of sizes, of arrays that are narrower.

    >>> _is_smaller("0.55", "0.27"), _is_smaller("80", "40"), _is_smaller("3.0", "1.0")
    (True, True, False)
    """
    if _is_count(before) or _is_count(after):
        return _is_smaller_count(before, after)
    return _is_smaller_size(before, after)


def _is_smaller_count(before: str, after: str) -> bool:
    """Return whether a count may be that of the bytes of a narrower dtype."""
    is_count = _is_count(before) and _is_count(after)
    return is_count and float(before) in [n * float(after) for n in _NARROWER]


def _is_smaller_size(before: str, after: str) -> bool:
    """Return whether a number of bytes, as it is printed, may be that of a narrower dtype.

    >>> _is_smaller_size("1.38", "0.69"), _is_smaller_size("1.38", "0.7")
    (True, True)
    >>> _is_smaller_size("0.1", "0.0"), _is_smaller_size("3.0", "2.0")
    (False, False)
    """
    a, b = float(before), float(after)
    within = (n for n in _NARROWER if abs(a - n * b) <= (_unit(before) + n * _unit(after)) / 2)
    return b != 0 and any(within)


def _is_of_dtypes(a: _Word, b: _Word, unit: str, *lines: str) -> bool:
    """Return whether what changed states something of the dtypes, and not of the values.

    Args:
        a: a word as it was.
        b: the same as it is.
        unit: the word after it.
        lines: the lines that they are in.

    >>> [*text_differences("float64, 80 bytes", "float32, 40 bytes", tolerance("float32"))]
    []
    >>> [*text_differences("bytes: -1294967296", "bytes: 3000000000", tolerance("float64"))]
    ['line 1: -1294967296 became 3000000000']
    """
    if not (a.number and b.number):
        is_truth = {a.text, b.text} == {"True", "False"}
        is_named = is_truth and any(_NAMED.search(line) for line in lines)
        return is_named or bool(_UNIT.fullmatch(a.text) and _UNIT.fullmatch(b.text))
    if a.group or b.group or float(a.number) < 0 or float(b.number) < 0:
        return False
    if _UNIT.fullmatch(unit) and all(_TIMED.search(line) for line in lines):
        return True
    if all(_MEASURED.search(line) for line in lines):
        are_counts = _is_count(a.number) and _is_count(b.number)
        has_unit = _UNIT.fullmatch(unit) or _follows_unit(lines, (a.number, b.number))
        return bool(has_unit) or are_counts or _is_smaller_size(a.number, b.number)
    return _is_smaller_count(a.number, b.number) and all(map(_NAMED.search, lines))


def _follows_unit(lines: Sequence[str], numbers: Sequence[str]) -> bool:
    """Return whether a unit of size stands before a number in each of some lines.

    >>> _follows_unit(["held MB: 28.3", "held MB: 6.29"], ["28.3", "6.29"])
    True
    """
    pairs = zip(lines, numbers, strict=True)
    return all(re.search(rf"\b(?:{_SIZE})\W+{re.escape(n)}(?!\d)", line) for line, n in pairs)


def _line(text: str, word: _Word) -> str:
    """Return the line that a word is in."""
    return text[text.rfind("\n", 0, word.start) + 1 :].partition("\n")[0]


def _words(text: str) -> list[_Word]:
    found = []
    depth = group = 0
    text = _OF_DTYPE.sub(lambda dtype: " " * len(dtype[0]), text)
    text = _DTYPES.sub(_one_of_alike, text)
    for piece in _PIECE.finditer(text):
        if piece["number"]:
            found.append(_Word("a number", piece.start(), piece[0], group if depth else 0))
            continue
        if piece["open"]:
            group += depth == 0
            depth += 1
        elif piece["close"]:
            depth = max(depth - 1, 0)
        dtype = re.fullmatch(_DTYPE, piece[0])
        found.append(_Word(f"{dtype.lastgroup} dtype" if dtype else piece[0], piece.start()))
    return found


def _one_of_alike(found: re.Match[str]) -> str:
    """Return the first of several dtypes of one kind that are listed: two may become one."""
    kinds = {one.lastgroup for one in re.finditer(_DTYPE, found[0])}
    more = found["more"]
    return found[0].removesuffix(more) + " " * len(more) if len(kinds) == 1 else found[0]


def _shown_alike(before: str, after: str, within: Tolerance, scale: float | None) -> bool:
    """Return whether two numbers as they are printed differ by rounding, that of printing too."""
    if before == after:
        return True
    if _is_count(before) and _is_count(after):
        return int(before) == int(after)
    a, b = float(before), float(after)
    if (_is_count(before) or _is_count(after)) and _WHOLE <= abs(a) < math.inf:
        return int(Decimal(before)) == int(Decimal(after))  # floats have no place for its digits
    is_close = close(a, b, within, scale)
    if is_close or not within.of_print:
        return is_close
    # what is printed with few digits may change in the last of them, by much less than that
    unit = max(map(_unit, _with_digits(before, after)))
    largest = _ELEMENT_EPSILONS * within.relative * max(abs(a), abs(b))
    return abs(a - b) <= 1.01 * unit <= 1.01 * largest < math.inf


def _is_count(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def _with_digits(*numbers: str) -> Sequence[str]:
    """Return those of some numbers that end in a digit, if any do: NumPy leaves out zeros."""
    return [number for number in numbers if not number.endswith(".")] or numbers


def _unit(text: str) -> float:
    digits, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def _line_of(text: str, word: _Word) -> str:
    return f"line {text.count(chr(10), 0, word.start) + 1}"


class _Part(NamedTuple):
    """A part of a value, and where it is in it; `scale` as in `close`."""

    where: str
    value: Any
    scale: float | None = None


def value_differences(
    before: Any, after: Any, within: Tolerance, where: str = "the result"
) -> Iterator[str]:
    """Yield where two values differ: numbers, arrays, texts, and containers of them."""
    for one, other in zip_longest(_parts(before, where), _parts(after, where)):
        if one is None or other is None or one.where != other.where:
            yield _became(where, before, after)
            return
        yield from _part_differences(one, other, within)


def _parts(value: Any, where: str) -> Iterator[_Part]:
    """Yield the parts of a value: of a container its size, and what is in it."""
    if isinstance(value, Mapping):
        yield _Part(f"the keys of {where}", tuple(value))
        for key, inner in value.items():
            yield from _parts(inner, f"{where}[{key!r}]")
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        yield _Part(f"the length of {where}", len(value))
        if all(isinstance(inner, float) for inner in value):
            scale = _scale(value)
            yield from (_Part(f"{where}[{n}]", inner, scale) for n, inner in enumerate(value))
        else:
            for n, inner in enumerate(value):
                yield from _parts(inner, f"{where}[{n}]")
    elif hasattr(value, "__dict__") and not hasattr(value, "__array__"):
        yield from _parts(vars(value), where)
    else:
        yield _Part(where, value)


def _part_differences(one: _Part, other: _Part, within: Tolerance) -> Iterator[str]:
    """Yield where two parts differ that are at the same place."""
    where, before, after = one.where, one.value, other.value
    if isinstance(before, str) and isinstance(after, str):
        yield from (f"{where}: {why}" for why in text_differences(before, after, within))
        return
    if isinstance(before, int) and isinstance(after, int):
        same = before == after
    elif isinstance(before, (int, float, complex)) and isinstance(after, (int, float, complex)):
        same = close(before, after, within, one.scale)
    elif hasattr(before, "__array__") and hasattr(after, "__array__"):
        yield from _array_differences(before, after, within, where)
        return
    else:
        same = repr(before) == repr(after)
    if not same:
        yield _became(where, before, after)


def _array_differences(before: Any, after: Any, within: Tolerance, where: str) -> Iterator[str]:
    import numpy as np  # the program has it, as its result is an array

    one, other = np.asarray(before), np.asarray(after)
    if one.shape != other.shape:
        yield _became(f"the shape of {where}", one.shape, other.shape)
        return
    kinds = {one.dtype.kind, other.dtype.kind}
    if one.dtype.names or not kinds <= set("biufcV"):  # bfloat16 is of V
        yield from value_differences(one.tolist(), other.tolist(), within, where)
        return
    scale = None
    if kinds <= set("biu"):
        doubtful = one != other
    else:
        wide = np.complex128 if "c" in kinds else np.float64
        one, other = one.astype(wide), other.astype(wide)
        doubtful = ~np.isclose(one, other, within.relative, 0, equal_nan=True)
        scale = float(np.max(np.abs(one), initial=0, where=np.isfinite(one)))
    for at in map(tuple, np.argwhere(doubtful).tolist()):
        a, b = one[at].item(), other[at].item()
        if scale is None or not close(a, b, within, scale):
            yield _became(f"{where}[{', '.join(map(str, at))}]" if at else where, a, b)
            return  # one says that it differs
    if doubtful.size and scale is not None and one.dtype.kind != "c":
        yield from (f"{where}{why}" for why in _merged_in(one, other, within))


def _merged_in(one: Any, other: Any, within: Tolerance) -> Iterator[str]:
    """Yield which columns of two arrays, or whether all of an array, have numbers that merged."""
    is_table = one.ndim == 2 and one.shape[1] <= _MOST_COLUMNS
    parts = [(one.ravel(), other.ravel())]
    if is_table:
        parts = [(one[:, n], other[:, n]) for n in range(one.shape[1])]
    for n, (was, now) in enumerate(parts):
        if why := merged(was[:_SAMPLE].tolist(), now[:_SAMPLE].tolist(), within):
            yield f"{f'[:, {n}]' if is_table else ''}: {why}"
            return


def file_differences(name: str, before: bytes, after: bytes, within: Tolerance) -> Iterator[str]:
    """Yield where two versions of a file differ: arrays of NumPy, JSON, or text with numbers.

    Args:
        name: the name of the file, whose suffix says what it holds.
        before: what it held.
        after: what it holds.
        within: the tolerance.
    """
    if before == after:
        return
    try:
        one, other = (_read(name, content) for content in (before, after))
    except (ValueError, OSError, EOFError, ImportError):  # it is not what its name says
        yield f"{name} has other bytes"
    else:
        yield from value_differences(one, other, within, name)


def can_compare(name: str, content: bytes) -> bool:
    """Return whether what a file holds can be read: arrays of NumPy, JSON, or text."""
    try:
        _read(name, content)
    except (ValueError, OSError, EOFError, ImportError):
        return False
    return True


def _read(name: str, content: bytes) -> Any:
    if name.lower().endswith((".npy", ".npz")):
        import numpy as np  # nothing else needs it

        found = np.load(io.BytesIO(content), allow_pickle=False)
        return dict(found) if hasattr(found, "files") else found
    text = content.decode()
    return json.loads(text) if name.lower().endswith(".json") else text


def _became(where: str, before: Any, after: Any) -> str:
    """Return in words what became of a value."""
    return f"{where}: {_shown(before)} became {_shown(after)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

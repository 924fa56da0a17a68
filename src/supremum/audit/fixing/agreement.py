"""Whether what a program gives is the same, apart from the rounding of a narrower dtype.

Each function returns where two outputs differ, in words, or ``""`` if they agree. Nothing here
knows where an output comes from: a program, a file, a cell of a notebook, or a function.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name, names

_EPSILONS: Final = 512
FLIP: Final = 16
NOISE: Final = (2.0**-62, 2.0**-43)
_A_NUMBER: Final = "\0"

_NUMBER: Final = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+"
    r"|inf(?:inity)?\b|nan\b)(?!\w*[(])",
    re.IGNORECASE,
)
_NAMES: Final = r"(?:bfloat16|float(?:16|32|64)|complex(?:64|128))\b"
_DTYPE: Final = re.compile(rf"\b{_NAMES}")
_OF_DTYPE: Final = re.compile(rf",\s*dtype=(?:torch\.)?{_NAMES}")


class Tolerance(NamedTuple):
    """How far two numbers may be apart.

    Attributes:
        relative: the difference, as a part of the larger number.
        epsilon: the distance from one to the next number of the narrower dtype.
        dtype: that dtype, or ``""`` if the tolerance was given.
    """

    relative: float
    epsilon: float
    dtype: str = ""

    def __str__(self) -> str:
        of = f", that of {self.dtype}" if self.dtype else ""
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


def close(before: float, after: float, within: Tolerance, scale: float = 1.0) -> bool:
    """Tell whether two numbers differ by rounding alone.

    Args:
        before: the number as it was.
        after: the number as it is.
        within: the tolerance.
        scale: the size of what they were computed from, such as the largest number of an array.
            What is rounding noise of float64 beside it may become noise of the narrower dtype.
    """
    if math.isnan(before) or math.isnan(after):
        return math.isnan(before) and math.isnan(after)
    if math.isinf(before) or math.isinf(after):
        return before == after
    if abs(before - after) <= within.relative * max(abs(before), abs(after)):
        return True
    least, most = NOISE
    is_noise = before == 0 or least * scale <= abs(before) <= most * scale
    return is_noise and abs(after) <= within.relative * scale


def texts_differ(before: str, after: str, within: Tolerance) -> str:
    """Return where two texts differ: words must be the same, numbers near each other.

    White space counts as one blank. Dtypes may be named with another width, as that is the aim. A
    number without a point is a count, and must stay. In brackets, numbers are held against the
    largest of them, as the elements of an array.
    """
    if before == after:
        return ""
    one, other = _read(before), _read(after)
    for number, (a, b) in enumerate(zip(one.words, other.words, strict=False)):
        if a != b:
            return f"{_line_of(before, one.starts[number])}: {_brief(a)} became {_brief(b)}"
    if len(one.words) != len(other.words):
        more, longer = (before, one) if len(one.words) > len(other.words) else (after, other)
        at = min(len(one.words), len(other.words))
        what = "is missing" if longer is one else "is new"
        return f"{_line_of(more, longer.starts[at])}: {_brief(longer.words[at])} {what}"
    scales = _scales(one)
    for (at, a), b in zip(one.numbers.items(), other.numbers.values(), strict=True):
        if not _shown_alike(a, b, within, scales.get(at)):
            return f"{_line_of(before, one.starts[at])}: {a} became {b}"
    return ""


class _Text(NamedTuple):
    """A text as words, one and the same for all numbers.

    Attributes:
        words: the words.
        starts: where each starts in the text.
        numbers: the numbers as they are written, by the index of their word.
        groups: the number of the brackets around each number, for those in brackets.
    """

    words: list[str]
    starts: list[int]
    numbers: dict[int, str]
    groups: dict[int, int]


_PIECE: Final = re.compile(
    rf"(?P<number>{_NUMBER.pattern})|(?P<open>[\[(])|(?P<close>[\])])|\s+|\w+|[^\w\s]",
    re.IGNORECASE,
)


def _read(text: str) -> _Text:
    read = _Text([], [], {}, {})
    depth = group = 0
    text = _OF_DTYPE.sub(lambda found: " " * len(found[0]), text)
    for found in _PIECE.finditer(text):
        word = found[0]
        if word.isspace():
            continue
        at = len(read.words)
        if found["number"]:
            read.numbers[at] = word
            if depth:
                read.groups[at] = group
            word = _A_NUMBER
        elif found["open"]:
            group += depth == 0
            depth += 1
        elif found["close"]:
            depth = max(depth - 1, 0)
        read.words.append(_DTYPE.sub(lambda d: _KINDS[d[0]], word))
        read.starts.append(found.start())
    return read


_KINDS: Final = {
    name: "complex dtype" if name.startswith("complex") else "float dtype"
    for name in ("bfloat16", "float16", "float32", "float64", "complex64", "complex128")
}


def _scales(read: _Text) -> dict[int, float]:
    """Return, for each number in brackets, the largest number there."""
    largest: dict[int, float] = {}
    for at, group in read.groups.items():
        value = abs(float(read.numbers[at]))
        if math.isfinite(value):
            largest[group] = max(largest.get(group, 0.0), value)
    return {at: largest.get(group, 1.0) for at, group in read.groups.items()}


def _shown_alike(before: str, after: str, within: Tolerance, scale: float | None) -> bool:
    """Tell whether two numbers as they are printed differ by rounding, that of printing too."""
    if before == after:
        return True
    a, b = float(before), float(after)
    if _is_count(before) and _is_count(after):
        return a == b
    if close(a, b, within, 1.0 if scale is None else scale):
        return True
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    if scale is not None and abs(a - b) <= FLIP * within.epsilon * scale:
        return True
    # what is printed with few digits may change in the last of them, by much less than that
    unit = max(_unit(before), _unit(after))
    return abs(a - b) <= 1.01 * unit <= 1.01 * FLIP * within.relative * max(abs(a), abs(b))


def _is_count(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def _unit(text: str) -> float:
    digits, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def _line_of(text: str, offset: int) -> str:
    return f"line {text.count(chr(10), 0, offset) + 1}"


def _brief(word: str) -> str:
    return "a number" if word == _A_NUMBER else repr(word[:40])


def values_differ(before: Any, after: Any, within: Tolerance, where: str = "the result") -> str:
    """Return where two values differ: numbers, arrays, texts, and containers of them."""
    if _is_array(before) and _is_array(after):
        from .arrays import arrays_differ

        return arrays_differ(before, after, within, where)
    if isinstance(before, str) and isinstance(after, str):
        told = texts_differ(before, after, within)
        return f"{where}: {told}" if told else ""
    if isinstance(before, (bool, int)) and isinstance(after, (bool, int)):
        return "" if before == after else became(where, before, after)
    if isinstance(before, (int, float, complex)) and isinstance(after, (int, float, complex)):
        pairs = zip(_parts(before), _parts(after), strict=True)
        return "" if all(close(a, b, within) for a, b in pairs) else became(where, before, after)
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        if list(before) != list(after):
            return f"{where} has other keys: {_shown(list(before))} became {_shown(list(after))}"
        return _first(values_differ(before[k], after[k], within, f"{where}[{k!r}]") for k in before)
    if _is_sequence(before) and _is_sequence(after):
        if len(before) != len(after):
            return f"{where} has another length: {len(before)} became {len(after)}"
        return _sequences_differ(before, after, within, where)
    if type(before) is type(after) and hasattr(before, "__dict__"):
        return values_differ(vars(before), vars(after), within, where)
    return "" if repr(before) == repr(after) else became(where, before, after)


def _sequences_differ(before: Any, after: Any, within: Tolerance, where: str) -> str:
    """Compare lists; those of floats alone as arrays, whose elements share a scale."""
    if all(isinstance(v, float) for v in (*before, *after)):
        scale = max((abs(v) for v in before if math.isfinite(v)), default=1.0)
        for i, (a, b) in enumerate(zip(before, after, strict=True)):
            if not _element_close(a, b, within, scale):
                return became(f"{where}[{i}]", a, b)
        return ""
    pairs = enumerate(zip(before, after, strict=True))
    return _first(values_differ(a, b, within, f"{where}[{i}]") for i, (a, b) in pairs)


def _element_close(before: float, after: float, within: Tolerance, scale: float) -> bool:
    if close(before, after, within, scale):
        return True
    return abs(before - after) <= FLIP * within.epsilon * scale < math.inf


def files_differ(name: str, before: bytes, after: bytes, within: Tolerance) -> str:
    """Return where two versions of a file differ: arrays of NumPy, JSON, or text with numbers.

    Args:
        name: the name of the file, whose suffix says what it holds.
        before: what it held.
        after: what it holds.
        within: the tolerance.
    """
    if before == after:
        return ""
    suffix = name.rpartition(".")[2].lower()
    try:
        if suffix in ("npy", "npz"):
            from .arrays import loaded

            return values_differ(loaded(before), loaded(after), within, name)
        if suffix == "json":
            return values_differ(json.loads(before), json.loads(after), within, name)
        told = texts_differ(before.decode(), after.decode(), within)
    except (ValueError, OSError, EOFError, ImportError):  # it is not what its name says
        return f"{name} has other bytes"
    return f"{name}, {told}" if told else ""


def _parts(number: Any) -> tuple[float, float]:
    return (number.real, number.imag) if isinstance(number, complex) else (number, 0.0)


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and (hasattr(value, "__array__") or hasattr(value, "shape"))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _first(told: Iterator[str] | Iterable[str]) -> str:
    return next(filter(None, told), "")


def became(where: str, before: Any, after: Any) -> str:
    """Return in words what became of a value."""
    return f"{where}: {_shown(before)} became {_shown(after)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

"""What a value may lose when it is taken from one dtype to another.

Weak dtypes have no width of their own, so nothing is said of the range or precision of those.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, Final

from .dtypes import DType

# What a dtype can hold a component of; integers of either sign count as one.
_COMPONENTS = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 3}
_DROPPED = {3: "the imaginary part", 2: "the fraction", 1: "all but whether it is zero"}

_COMMON = 256
_WRAPPING: Final[Mapping[str, tuple[str, Callable[..., int]]]] = MappingProxyType(
    {
        "add": ("{} + {}", operator.add),
        "subtract": ("{} - {}", operator.sub),
        "multiply": ("{} * {}", operator.mul),
        "negative": ("-{}", operator.neg),
    }
)


def dropped(source: DType, target: DType) -> str | None:
    """Return the component of a value that `target` has no place for, or None.

    >>> from supremum import dtype
    >>> dropped(dtype("complex64"), dtype("float32"))
    'the imaginary part'
    """
    source_rank, target_rank = _COMPONENTS[source.kind], _COMPONENTS[target.kind]
    return _DROPPED[source_rank] if source_rank > target_rank else None


def overflows(source: DType, target: DType) -> bool:
    """Return whether some finite value of `source` is beyond the range of `target`.

    >>> from supremum import dtype
    >>> overflows(dtype("int64"), dtype("float16")), overflows(dtype("int64"), dtype("float32"))
    (True, False)
    """
    if source.weak or target.weak:
        return False
    return bool(source.max > target.max or source.min < target.min)


def loses_precision(source: DType, target: DType) -> bool:
    """Return whether `target` has fewer significand bits than `source`.

    >>> from supremum import dtype
    >>> loses_precision(dtype("int32"), dtype("float32"))
    True
    """
    if source.precision is None or target.precision is None:
        return False
    return source.precision > target.precision


def widens(sources: Iterable[DType], target: DType) -> bool:
    """Return whether `target` is wider than each of `sources`, by the bits of one part.

    So complex128 is no wider than float64. Weak dtypes have no width and do not count.

    >>> from supremum import dtype
    >>> widens([dtype("int8"), dtype("uint8")], dtype("int16"))
    True
    """
    widths = [d.part.bits for d in sources if d.part.bits is not None]
    return bool(widths) and target.part.bits is not None and target.part.bits > max(widths)


def describe(sources: Iterable[DType], target: DType) -> list[str]:
    """Return a sentence for each way in which a value of `sources` may not survive in `target`.

    >>> from supremum import dtype
    >>> describe([dtype("int32")], dtype("float32"))
    ['May lose precision: int32 carries 31 bits, float32 carries 24.']
    """
    sentences = []
    distinct = list(dict.fromkeys(sources))
    for source in distinct:
        if what := dropped(source, target):
            sentences.append(f"Drops {what} of {source}.")
        elif loses_precision(source, target):
            bits = f"{source} carries {source.precision} bits, {target} carries {target.precision}"
            sentences.append(f"May lose precision: {bits}.")
    for source in distinct:
        if not dropped(source, target) and overflows(source, target):
            end = "max" if source.max > target.max else "min"
            ends = [f"{d} reaches {_shown(getattr(d, end))}" for d in (source, target)]
            sentences.append(f"May overflow: {', '.join(ends)}.")
    if widens(distinct, target):
        width = max(d.part.bits or 0 for d in distinct)
        sentences.append(
            f"Wider than every operand: {target.part.bits} bits, where they have {width}."
        )
    return sentences


def wrapped(value: int, d: DType) -> int:
    """Return what a whole number becomes in an integer dtype that may not hold it.

    >>> from supremum import dtype
    >>> wrapped(300, dtype("uint8")), wrapped(-1, dtype("uint8"))
    (44, 255)
    """
    low, high = int(d.min), int(d.max)
    return (value - low) % (high - low + 1) + low


@lru_cache(1024)
def common_overflow(op: str, given: tuple[int | DType, ...], d: DType) -> str:
    """Return a computation with numbers up to 256 that wraps around in a dtype, or ``""``.

    Args:
        op: the function.
        given: the value of each operand, or its dtype if it may have any value.
        d: the dtype of the result.

    >>> from supremum import dtype
    >>> uint8 = dtype("uint8")
    >>> common_overflow("subtract", (uint8, uint8), uint8)
    '0 - 1 is 255'
    >>> common_overflow("multiply", (uint8, 100), uint8)
    '3 * 100 is 44'
    """
    if op not in _WRAPPING or d.kind not in ("signed", "unsigned") or d.weak:
        return ""
    text, compute = _WRAPPING[op]
    # with two operands of any value, that of the second is the same, or the next
    for n, more in product(range(_COMMON + 1), (0, 1)):
        values = [n + more * place if isinstance(x, DType) else x for place, x in enumerate(given)]
        held = all(
            value <= int(x.max)
            for value, x in zip(values, given, strict=True)
            if isinstance(x, DType) and not x.weak
        )
        if held and not d.min <= (exact := compute(*values)) <= d.max:
            return f"{text.format(*values)} is {wrapped(exact, d)}"
    return ""


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    # long doubles reach beyond what a float, or a line, can hold
    return str(value) if abs(value) < 1 << 128 else f"2**{value.bit_length()}"

"""What the audit finds: each kind, with its severity and what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...core.dtype_names import by_name
from ...core.errors import DTypeError, RulesError, did_you_mean


class Kind(NamedTuple):
    """A kind of finding: how bad it is (``"warning"`` or ``"note"``), and what it means."""

    severity: str
    meaning: str


KINDS: Final = {
    "widening": Kind("warning", "a result is wider than an operand of its kind"),
    "narrowing-store": Kind("warning", "a value is stored where there is less room for it"),
    "value-changed": Kind("warning", "a Python number becomes another value in the array's dtype"),
    "overflow-risk": Kind("warning", "an operand's range is beyond that of the result"),
    "precision-loss": Kind("warning", "a result has fewer significand bits than an operand needs"),
    "weak-lost": Kind("warning", "a Python number became a strong array, which decides dtypes"),
    "other-dtype": Kind("warning", "the rules of the target give another dtype, or refuse"),
    "mixed-kind": Kind("note", "signed integers meet unsigned 64-bit ones, and become floats"),
    "larger-integer": Kind("note", "an integer result is wider than an operand"),
    "wide-total": Kind("note", "scalars are added to a total of a wider dtype that is named"),
}
"""The kinds, the ones that tell most first."""

FORBIDDEN: Final = "forbidden"


def read_kinds(text: str | Sequence[str]) -> frozenset[str]:
    """Return the kinds that a text such as ``widening,mixed-kind`` names; ``all`` is all of them.

    Raises:
        RulesError: for an unknown one.

    >>> sorted(read_kinds("widening, weak-lost"))
    ['weak-lost', 'widening']
    """
    words = _words(text, "kinds")
    found = set()
    for word in (word.strip() for word in words):
        if word == "all":
            found |= {*KINDS, FORBIDDEN}
        elif word in KINDS or word == FORBIDDEN:
            found.add(word)
        elif word:
            hint, close = did_you_mean(word, [*KINDS, FORBIDDEN, "all"])
            known = hint or f"; there are {', '.join(KINDS)}, {FORBIDDEN} and all"
            raise RulesError(f"there is no kind of finding {word!r}{known}", word, close)
    return frozenset(found)


def read_dtypes(text: str | Sequence[str]) -> frozenset[str]:
    """Return the dtypes that a text such as ``float64,complex128`` names.

    Raises:
        DTypeError: for an unknown one.

    >>> sorted(read_dtypes("float64,complex128"))
    ['complex128', 'float64']
    """
    words = _words(text, "dtypes")
    found = [by_name(word.strip()) for word in words if word.strip()]
    if weak := [d for d in found if d.weak]:
        raise DTypeError(f"{weak[0]} is weak, and no array's dtype; name one of a width", weak[0])
    return frozenset(d.name for d in found)


def _words(text: Any, what: str) -> list[str]:
    words = text.split(",") if isinstance(text, str) else text
    if not isinstance(words, (list, tuple, set, frozenset)) or not all(
        isinstance(word, str) for word in words
    ):
        raise RulesError(f"{what} are a text with commas or a list of texts, not {text!r}", text)
    return list(words)


def family(kind: str) -> str:
    """Return the part of a kind that a report counts by: ``forbidden`` of ``forbidden:float64``."""
    return kind.partition(":")[0]


def rank(kind: str) -> int:
    """Return how early a kind is told: what was forbidden first."""
    return -1 if family(kind) == FORBIDDEN else list(KINDS).index(kind)

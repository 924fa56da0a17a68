"""What the audit finds: each kind, with its severity and what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name
from ...core.errors import DTypeError, RulesError, did_you_mean

PAGES: Final = "https://supremum.readthedocs.io/en/latest/kinds"
"""Where the documentation has a page for each kind, which reports link to."""


class Kind(NamedTuple):
    """A kind of finding.

    Attributes:
        severity: ``"error"``, ``"warning"`` or ``"note"``.
        meaning: what has happened.
        remedy: what to do about it in general; a finding says what to type.
    """

    severity: str
    meaning: str
    remedy: str


STOPPED: Final = "stopped"
FORBIDDEN: Final = "forbidden"

KINDS: Final = {
    STOPPED: Kind(
        "error",
        "an operation on arrays was refused for their dtypes",
        "cast the operand that was refused, or make it in another dtype",
    ),
    "other-meta": Kind(
        "warning",
        "a lazy array says one dtype, and computes another",
        "name the dtype that the blocks have, in the call that says it",
    ),
    "widening": Kind(
        "warning",
        "a result is wider than an operand of its kind",
        "make the wider value in the narrower dtype, on the line that introduces it",
    ),
    "narrowing-store": Kind(
        "warning",
        "a value is stored where there is less room for it",
        "compute in the dtype of the array that it is stored in, or make that array wider",
    ),
    "value-changed": Kind(
        "warning",
        "a Python number becomes another value in the array's dtype",
        "give the array a dtype that holds the number, or choose another number",
    ),
    "overflow-risk": Kind(
        "warning",
        "an operand's range is beyond that of the result",
        "cast to a dtype that holds both ranges before the operation",
    ),
    "wraparound": Kind(
        "warning",
        "integers are beyond the range of the result, and wrap around",
        "cast to a dtype that holds the result before the operation",
    ),
    "precision-loss": Kind(
        "warning",
        "a result has fewer significand bits than an operand needs",
        "cast to a dtype with enough significand bits before the operation",
    ),
    "accumulation": Kind(
        "warning",
        "a sum overflows in few bits, stops growing, or loses digits",
        "name a wider dtype to accumulate in",
    ),
    "weak-lost": Kind(
        "warning",
        "a Python number became a strong array, which decides dtypes",
        "leave the number a Python number, or name the dtype of the array made from it",
    ),
    "retracing": Kind(
        "warning",
        "a function is compiled again for an argument of another dtype",
        "give the argument of the first call the dtype that it has later",
    ),
    "other-dtype": Kind(
        "warning",
        "the rules of the target give another dtype or value, or none",
        "name the dtype of the result, so that both rules give it",
    ),
    "mixed-kind": Kind(
        "note",
        "integers become floats: they meet unsigned 64-bit ones, or rows without a value",
        "cast the integers to the dtype that is meant, which may be a nullable one",
    ),
    "larger-integer": Kind(
        "note",
        "an integer result is wider than an operand",
        "nothing, if the integers need the room; otherwise name the dtype of the larger operand",
    ),
    "widening-store": Kind(
        "note",
        "an array is wider than all that is stored in it",
        "make the array in the dtype of what is stored in it",
    ),
    "wide-total": Kind(
        "note",
        "a total has a wider dtype, as it is named, than what it adds",
        "nothing, if the total needs the precision; otherwise name the dtype of what it adds",
    ),
    "autocast": Kind(
        "note",
        "in a region of `torch.autocast`, a wider float comes back",
        "nothing, if the result needs the precision; otherwise compute in the narrower dtype",
    ),
}
"""The kinds, the most important first; the dtypes of `forbidden` are the user's."""

ALL_KINDS: Final = {
    **KINDS,
    FORBIDDEN: Kind(
        "warning",
        "a dtype occurs that you have ruled out",
        "make the value in another dtype, on the line that introduces it",
    ),
}

KIND_WORDS: Final = (*ALL_KINDS, "all", "none")
"""What names kinds, in options and settings."""


def page(kind: str) -> str:
    """Return the address of the page on a kind, such as ``forbidden:float64``.

    >>> page("widening")
    'https://supremum.readthedocs.io/en/latest/kinds/widening.html'
    """
    return f"{PAGES}/{family(kind)}.html"


REFUSED: Final = "refused"
"""What stands in place of a dtype where the rules of a target give none."""

UNANSWERED: Final = "not answered"
"""What stands there where it is not known what they give."""


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
            found |= set(ALL_KINDS)
        elif word in ALL_KINDS:
            found.add(word)
        elif word and word != "none":
            hint, close = did_you_mean(word, KIND_WORDS)
            known = hint or f"; there are {', '.join(ALL_KINDS)}, all and none"
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

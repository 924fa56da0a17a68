"""What the audit finds: the kinds of finding, by the names that settings and reports have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from ...core.dtypes import names, spelled
from ...core.errors import DTypeError, RulesError, did_you_mean
from ...version import SITE
from .kind import Kind, Wanted
from .table import TABLE

__all__ = [
    "KINDS", "KNOWN", "Kind", "Wanted", "find", "kind_of", "page", "read_dtypes", "read_kinds",
]  # fmt: skip

PAGES: Final = f"{SITE}kinds"
"""Where the documentation has a page for each kind, which reports link to."""

STOPPED: Final = "stopped"
FORBIDDEN: Final = "forbidden"
PORTED: Final = "port-mismatch"
WIDE_STORAGE: Final = "wide-storage"

REFUSED: Final = "refused"
"""What stands in place of a dtype if the rules of a target give none."""

UNANSWERED: Final = "not answered"
"""What stands there if it is not known what they give."""


KNOWN: Final = {kind.name: kind for kind in TABLE}
"""The kinds and their notes, such as ``widening-store``, by name: what effects are recorded as."""

KINDS: Final = {name: kind for name, kind in KNOWN.items() if not kind.note_of}
"""The kinds by name, the most important first; the dtypes of ``forbidden`` are the user's."""

KIND_WORDS: Final = (*KINDS, "all", "none")
"""What names kinds, in options and settings."""

_FORMER: Final = {kind.former_name: name for name, kind in KNOWN.items() if kind.former_name}
_RANKS: Final = {name: rank for rank, name in enumerate(KNOWN)}
_GONE: Final = ("autocast", "cancellation")


def find(name: str) -> Kind:
    """Return a kind, or a note, by the name that an effect has, such as ``forbidden:float64``.

    >>> find("forbidden:float64").name, find("widening").severity
    ('forbidden', 'warning')
    """
    return KNOWN[base_name(name)]


def kind_of(name: str) -> str:
    """Return the kind that is reported for the name that an effect has.

    >>> kind_of("widening-store"), kind_of("forbidden:float64")
    ('widening', 'forbidden:float64')
    """
    return find(name).note_of or name


def base_name(name: str) -> str:
    """Return the part of a name that a report counts by: ``forbidden`` of ``forbidden:float64``."""
    return name.partition(":")[0]


def rank(name: str) -> int:
    """Return how early a kind is reported, by the name that an effect has."""
    return _RANKS[base_name(name)]


def page(name: str) -> str:
    """Return the address of the page on a kind, or a note, by the name that an effect has.

    >>> page("widening-store")
    'https://supremum.readthedocs.io/en/latest/kinds/widening.html#widening-store'
    """
    kind = find(name)
    anchor = f"#{kind.name}" if kind.note_of else ""
    return f"{PAGES}/{kind.note_of or kind.name}.html{anchor}"


@cache
def _tell(remark: str) -> None:
    """Print a remark once."""
    print(f"supremum: {remark}", file=sys.stderr)  # noqa: T201  # a remark


def read_kinds(
    text: str | Sequence[str], *, notes: bool = True, tell: Callable[[str], None] = _tell
) -> frozenset[str]:
    """Return what a text such as ``widening,mixed-kind`` names: kinds, and names of notes.

    ``all`` is all of them. Former names, such as ``weak-lost``, name what they are called now.

    Args:
        text: the text, or its words.
        notes: whether a kind stands for its notes, too.
        tell: takes what there is to say of words that name something else than they did.

    Raises:
        RulesError: for an unknown one.

    >>> sorted(read_kinds("widening, weak-lost", notes=False))
    ['weak-type-lost', 'widening']
    """
    found = set()
    for word in (word.strip() for word in _words(text, "kinds")):
        name = _FORMER.get(word, word)
        if name == "all":
            found |= set(KNOWN)
        elif name in KINDS:
            found |= {name, *(note for note in KNOWN if notes and kind_of(note) == name)}
        elif name in KNOWN:
            found.add(name)
            tell(f"{word!r} is a note of {kind_of(name)} now")
        elif name in _GONE:
            tell(f"{name!r} is not a kind of finding any more; leave it out")
        elif name and name != "none":
            hint, close = did_you_mean(name, KIND_WORDS)
            if name in names():
                hint = f", but a dtype; type --forbid {name} --fail-on {FORBIDDEN}"
            known = hint or f"; there are {', '.join(KINDS)}, all and none"
            raise RulesError(f"{name!r} is not a kind of finding{known}", name, close)
    return frozenset(found)


def read_dtypes(text: str | Sequence[str]) -> frozenset[str]:
    """Return the dtypes that a text such as ``float64,complex128`` names.

    Raises:
        DTypeError: for an unknown one.

    >>> sorted(read_dtypes("float64,complex128"))
    ['complex128', 'float64']
    """
    words = _words(text, "dtypes")
    found = [spelled(word.strip()) for word in words if word.strip()]
    if weak := [d for d in found if d.weak]:
        raise DTypeError(f"{weak[0]} is weak, and no array's dtype; name one of a width", weak[0])
    return frozenset(d.name for d in found)


def _words(text: Any, what: str) -> list[str]:
    words = text.split(",") if isinstance(text, str) else text
    if not isinstance(words, (list, tuple, set, frozenset)) or not all(
        isinstance(word, str) for word in words
    ):
        msg = f"{what} must be a comma-separated string or a list of strings, not {text!r}"
        raise RulesError(msg, text)
    return list(words)

"""What can go wrong, and what each error carries.

Every message says what was asked, why there is no answer, and what to type instead. The same
facts are attributes, so that a program never has to read the message.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class SupremumError(Exception):
    """The base of every error that Supremum raises on purpose."""


class DTypeError(SupremumError, TypeError):
    """Something that is no dtype of the catalogue, or a short code with two readings.

    Attributes:
        given: what was passed.
        candidates: the names that it may have meant, best first.
    """

    def __init__(self, message: str, given: object = None, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.given = given
        self.candidates = tuple(candidates)


class PromotionError(SupremumError, TypeError):
    """The rules give no dtype for these operands.

    Attributes:
        operands: the operands as they were read.
        system: the name of the rules.
        setting: the options of the rules, such as ``{"x64": True}``.
        candidates: the dtypes between which the rules cannot choose; empty where there is none.
    """

    def __init__(
        self,
        message: str,
        operands: Sequence[Any] = (),
        system: str = "",
        setting: dict[str, Any] | None = None,
        candidates: Sequence[Any] = (),
    ) -> None:
        super().__init__(message)
        self.operands = tuple(operands)
        self.system = system
        self.setting = dict(setting or {})
        self.candidates = tuple(candidates)


class RulesError(SupremumError, ValueError):
    """An unknown set of rules, an option it does not have, or a file that does not describe one.

    Attributes:
        given: the name, option or path that was passed.
        candidates: what may have been meant, best first.
    """

    def __init__(self, message: str, given: object = None, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.given = given
        self.candidates = tuple(candidates)


class LatticeError(SupremumError, ValueError):
    """A question that an order cannot answer, or arrows that make no lattice.

    Attributes:
        nodes: the nodes in question.
        candidates: their minimal upper bounds, where there is more than one.
        line: the line of the arrow text, where there was one.
    """

    def __init__(
        self,
        message: str,
        nodes: Sequence[Any] = (),
        candidates: Sequence[Any] = (),
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.nodes = tuple(nodes)
        self.candidates = tuple(candidates)
        self.line = line


class CycleError(LatticeError):
    """Arrows that lead from a node back to itself."""


class NoJoinError(LatticeError):
    """Nodes that have no upper bound in common."""


class AmbiguousJoinError(LatticeError):
    """Nodes with two or more least upper bounds, none of them below the others."""


def did_you_mean(given: str, known: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the tail of a message for a misspelt name, and the names close to it.

    >>> did_you_mean("flaot32", ["float32", "int8"])
    ('; did you mean float32?', ('float32',))
    >>> did_you_mean("zebra", ["float32", "int8"])
    ('', ())
    """
    from difflib import get_close_matches  # slow to import, and only errors need it

    close = tuple(get_close_matches(given, known, n=3, cutoff=0.6))
    return (f"; did you mean {' or '.join(close)}?" if close else "", close)

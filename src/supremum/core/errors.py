"""The errors, and what each one carries.

Every message says what was asked, why there is no answer, and what to type instead. The same
facts are attributes, so that a program never has to read the message.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

LONGEST_MESSAGE = 2000
"""How many characters of a message are kept: what it quotes may be of any length."""


class SupremumError(Exception):
    """The base of every error that Supremum raises on purpose.

    Attributes:
        line: the line of the text that has a mistake, if there is one.
    """

    line: int | None = None

    def __init__(self, message: str, *rest: object) -> None:
        super().__init__(shorten(message, LONGEST_MESSAGE), *rest)


class DTypeError(SupremumError, TypeError):
    """Something that is not a dtype of the catalogue, or a short code with two readings.

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
        candidates: the dtypes between which the rules cannot choose; empty if there are none.
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

    def __getattr__(self, name: str) -> NoReturn:
        has = "it has operands, system, setting and candidates, and its text says what to type"
        message = f"a PromotionError has no attribute {name!r}; {has}"
        raise AttributeError(message, name=name, obj=self)


class RulesError(SupremumError, ValueError):
    """Unknown rules, an option they do not have, or a description of rules that has a mistake.

    Attributes:
        given: the name, option, string or path that was passed.
        candidates: what may have been meant, best first.
        line: the line of the text that has the mistake, if there is one.
    """

    def __init__(
        self,
        message: str,
        given: object = None,
        candidates: Sequence[str] = (),
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.given = given
        self.candidates = tuple(candidates)
        self.line = line


class ExpressionError(SupremumError, ValueError):
    """A string that is not an expression, or one with something that is not understood.

    Attributes:
        text: the expression.
        column: where the mistake is, counted from 0.
        candidates: what may have been meant, best first.
    """

    def __init__(
        self, message: str, text: str = "", column: int = 0, candidates: Sequence[str] = ()
    ) -> None:
        is_shown = 0 < len(text) <= 200
        shown = f"{message}\n  {text}\n  {' ' * column}^" if is_shown else message
        super().__init__(shown)
        self.text = text
        self.column = column
        self.candidates = tuple(candidates)
        self._message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._message, self.text, self.column, self.candidates)


class LatticeError(SupremumError, ValueError):
    """A question that an order cannot answer, or arrows that do not make a lattice.

    Attributes:
        nodes: the nodes in question.
        candidates: their minimal upper bounds, if there is more than one.
        line: the line of the arrow text, if there is one.
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
    """Nodes that have no common upper bound, or no answer under some rules."""


class AmbiguousJoinError(LatticeError):
    """Nodes with two or more least upper bounds, none of them below the others."""


def did_you_mean(given: str, known: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the tail of a message about a misspelt name, and the names close to it.

    >>> did_you_mean("flaot32", ["float32", "int8"])
    ('; did you mean float32?', ('float32',))
    >>> did_you_mean("zebra", ["float32", "int8"])
    ('', ())
    """
    from difflib import get_close_matches  # slow to import, and only errors need it

    close = get_close_matches(given[:100], known, n=3, cutoff=0.6)
    if not close:  # INT8
        lower = {name.lower(): name for name in known}
        close = [lower[n] for n in get_close_matches(given[:100].lower(), lower, n=3, cutoff=0.6)]
    return (f"; did you mean {' or '.join(close)}?" if close else "", tuple(close))


def shorten(text: str, length: int = 60) -> str:
    """Return a string, or its start if it is longer than that.

    >>> shorten("abcdefgh", 6)
    'abc...'
    """
    return text if len(text) <= length else f"{text[: length - 3]}..."


def short(x: object) -> str:
    """Return how a message names any object, however long it is."""
    if isinstance(x, int) and x.bit_length() > 10_000:  # Python refuses to print such ints
        return f"an int of {x.bit_length():,} bits"
    try:
        text = repr(x)
    except (AttributeError, LookupError) as error:  # some libraries cannot print all their dtypes
        at = error.__traceback__ and error.__traceback__.tb_next
        if at is None or at.tb_frame.f_code.co_name != "__repr__":  # a signal handler's
            raise
        text = f"<{type(x).__module__}.{type(x).__name__} object>"
    return shorten(text.replace("\n", " "))


def plural(count: int, what: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "line"), plural(1200, "line")
    ('1 line', '1,200 lines')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def sentence(text: str) -> str:
    """Return a remark as a sentence, or ``""`` for none.

    >>> sentence("the dtype is kept"), sentence("")
    ('The dtype is kept.', '')
    """
    return f"{text[0].upper()}{text[1:]}." if text else ""


def listed(names: Sequence[object], word: str = "and", most: int = 40) -> str:
    """Return names as a sentence lists them; of very many, the first.

    >>> listed(["a", "b", "c"]), listed("abcd", most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    texts = [str(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(texts)} {word} {len(names) - most:,} more"
    *first, last = texts or ["nothing"]
    return f"{', '.join(first)} {word} {last}" if first else last


def refuse_calls(module: str, instead: str) -> None:
    """Have a module say what to type where it is called.

    Args:
        module: its name.
        instead: what stands after ``supremum.`` there.
    """

    def refuse(self: ModuleType, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(f"{self.__name__} is a module; type supremum.{instead}")

    sys.modules[module].__class__ = type("Module", (ModuleType,), {"__call__": refuse})

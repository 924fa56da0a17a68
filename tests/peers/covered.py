"""How many of a library's functions its rules know, and why the others are left out.

    python tests/peers/covered.py [SYSTEM ...]

The library that is installed is asked for its public names, so that those of a new release show. A
name counts if it is callable, and neither a class nor a module; ``NAME.reduce`` and
``NAME.accumulate`` count for functions of two operands that have them. A method counts where no
function has its name. It is known if there is a rule of it that the library is asked about, of each
result if it has several. Files beside this one, in ``left_out``, say which names depend on no dtype
of an operand, or cannot be asked about, and why.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

from supremum.conformance.library import Library, load
from supremum.conformance.questions import asked_functions
from supremum.core.errors import RulesError, did_you_mean, listed
from supremum.core.functions import FUNCTIONS, canonical, results
from supremum.core.systems import system

LISTS = Path(__file__).parent / "left_out"
_DECLARED = ("array-api",)  # what is not in its __all__ are helpers of its own
_METHODS = ("reduce", "accumulate")
_TITLES = ("library", "release", "public", "left out", "dtype-dependent", "known", "percent")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The public names of a library, and what its rules make of them.

    Attributes:
        system: the name of the rules.
        installed: the release that was asked.
        written_for: the release that the rules were measured on.
        names: all of its public names.
        known: those that the rules know, each with its functions of the catalogue.
        left_out: those that are left out, by the reason.
        stale: what is left out and known too, or left out and not there.
    """

    system: str
    installed: str
    written_for: str
    names: tuple[str, ...]
    known: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, tuple[str, ...]]
    stale: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The names that are neither known nor left out."""
        out = {*self.known, *self._left}
        return tuple(name for name in self.names if name not in out)

    @property
    def dependent(self) -> int:
        """How many names are not left out: their results depend on dtypes."""
        return len(self.names) - len(self._left)

    @property
    def percent(self) -> float:
        """How many of these are known, of a hundred."""
        return 100 * len(self.known) / self.dependent if self.dependent else 100.0

    @property
    def _left(self) -> list[str]:
        return [name for names in self.left_out.values() for name in names]


def coverable() -> tuple[str, ...]:
    """Return the names of the rules whose library can be asked for its functions."""
    return tuple(sorted(path.stem for path in LISTS.glob("*.txt")))


def coverage(name: str) -> Coverage:
    """Return how many functions of a live library its rules know.

    Args:
        name: the rules, one of `coverable`.

    Raises:
        RulesError: if there is no list of what its library leaves out, or no library.
    """
    if name not in coverable():
        hint, close = did_you_mean(name, coverable())
        more = hint or f"; there is one for {listed(coverable())}"
        raise RulesError(f"there is no list of functions for the rules {name!r}{more}", name, close)
    library = load(name)
    try:
        installed = library.version()
        names = tuple(public_names(library))
    except ImportError as error:
        pinned = library.distribution.partition(" ")[0]
        what = f"the library of the rules {name!r} is not installed; pip install {pinned}"
        raise RulesError(what, name) from error
    asked = set(asked_functions(library, system(library.system)))
    functions = {public: functions_of(library, public) for public in names}
    ruled = {n: found for n, found in functions.items() if found and asked.issuperset(found)}
    reasons = left_out(name)
    left = {reason: _matching(patterns, names) for reason, patterns in reasons.items()}
    known = {n: f for n, f in ruled.items() if not any(n in names for names in left.values())}
    stale = tuple(_stale(reasons, names, ruled))
    return Coverage(name, installed, library.pinned[1], names, known, left, stale)


def public_names(library: Library) -> Iterator[str]:
    """Yield the public names of a library, with the part that they are in: ``linalg.inv``."""
    first, *others = library.namespaces()
    found = set()
    for root in (first, *others):
        part = "" if root is first else f"{root.__name__.rpartition('.')[2].lstrip('_')}."
        is_class = isinstance(root, type)
        for name in _callables(root, declared=library.system in _DECLARED):
            if is_class and name in found:
                continue
            found.add(name)
            yield f"{part}{name}"
            yield from (f"{part}{name}.{m}" for m in _methods_of(getattr(root, name)))


def _callables(root: Any, *, declared: bool) -> list[str]:
    names = root.__all__ if declared and hasattr(root, "__all__") else dir(root)
    found = {name: getattr(root, name, None) for name in sorted(names) if name[0] != "_"}
    others = (type, ModuleType)
    return [n for n, value in found.items() if callable(value) and not isinstance(value, others)]


def _methods_of(function: Any) -> Sequence[str]:
    counts = getattr(function, "nin", 0), getattr(function, "nout", 0)
    along = counts == (2, 1) and not getattr(function, "signature", None)
    return [name for name in _METHODS if along and hasattr(function, name)]


def functions_of(library: Library, name: str) -> tuple[str, ...]:
    """Return the functions of the catalogue that a public name stands for, one for each result.

    Args:
        library: how it is asked, whose ``names`` has the names that are something else's there.
        name: one of `public_names`.
    """
    for function, path in library.names.items():
        if name == function.partition("[")[0] != path:
            return ()
    found = canonical(name) or canonical(f"{name}[0]")
    if found is None:
        return ()
    whole = found.removesuffix("[0]")
    return (found,) if FUNCTIONS[whole].category != "several" else results(whole)


def left_out(name: str) -> dict[str, tuple[str, ...]]:
    """Return the names that some rules leave out, by the reason; a star stands for any letters."""
    found: dict[str, tuple[str, ...]] = {}
    reason = ""
    for line in (LISTS / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            reason = line.removesuffix(":")
            found[reason] = ()
        else:
            found[reason] += tuple(line.split())
    return found


def _matching(patterns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n in names if any(fnmatchcase(n, pattern) for pattern in patterns))


def _stale(
    reasons: Mapping[str, Sequence[str]], names: Sequence[str], ruled: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Yield what is listed and is not there, is known, or is listed twice."""
    seen: dict[str, str] = {}
    for patterns in reasons.values():
        for pattern in patterns:
            matching = _matching([pattern], names)
            if not matching:
                yield f"{pattern} is not there"
            yield from (f"{name} is known" for name in matching if name in ruled)
            again = [f"{name} is listed twice" for name in matching if name in seen]
            yield from again
            seen.update(dict.fromkeys(matching, pattern))


def covered(found: Sequence[Coverage]) -> str:
    """Return a table of coverages, and the names that are missing."""
    rows = [_TITLES, *map(_row, found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first = [text.ljust(width) for text, width in zip(row[:2], widths, strict=False)]
        rest = [text.rjust(width) for text, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join(first + rest))
    for one in found:
        lines.append("")
        if one.missing:
            names = textwrap.fill(" ".join(one.missing), 96, break_on_hyphens=False)
            lines += [f"{one.system} has no rule for:", textwrap.indent(names, "    ")]
        else:
            lines.append(f"{one.system} has a rule or a reason for every name.")
    return "\n".join(lines)


def _row(one: Coverage) -> tuple[str, ...]:
    counts = len(one.names), len(one.names) - one.dependent, one.dependent, len(one.known)
    # never rounded up to a hundred
    percent = f"{int(one.percent * 10) / 10:.1f}"
    return (one.system, one.installed, *(f"{count:,}" for count in counts), percent)


if __name__ == "__main__":
    print(covered([coverage(name) for name in sys.argv[1:] or coverable()]))

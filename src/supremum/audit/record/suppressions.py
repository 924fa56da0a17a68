"""What is allowed: by a comment on a line, in ``pyproject.toml``, or by a baseline."""

from __future__ import annotations

import linecache
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from typing import Any, NamedTuple

from ...core.errors import RulesError
from ..model.kinds import read_kinds
from ..model.locations import Site

_OURS = re.compile(r"#\s*supremum:")
_COMMENT = re.compile(
    r"#\s*supremum:\s*allow\s+(?P<kinds>[\w-]+(\s*,\s*[\w-]+)*)\s*(?P<reason>.*)$"
)


class Allowance(NamedTuple):
    """Kinds that are allowed in some files, or on one line of one.

    Attributes:
        kinds: the kinds.
        file: a pattern for paths, such as ``src/*/legacy.py``.
        line: the line, or 0 for every line.
        reason: why.
    """

    kinds: frozenset[str]
    file: str
    line: int = 0
    reason: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: allow {', '.join(sorted(self.kinds))}" + (
            self.reason and f" ({self.reason})"
        )


class Allowances:
    """Tells what is allowed where, and which allowances were of no use.

    Args:
        settings: those of ``pyproject.toml``.

    Attributes:
        mistakes: the comments that allow nothing as they are, with the reason.
    """

    def __init__(self, settings: Iterable[Allowance] = ()) -> None:
        self._settings = list(settings)
        self._of_file: dict[str, list[Allowance]] = {}
        self._used: set[Allowance] = set()
        self.mistakes: list[str] = []

    def allows(self, site: Site, kind: str) -> Allowance | None:
        """Return what allows a kind at a place, or None."""
        for allowance in self._settings:
            if kind in allowance.kinds and _matches(site.file, allowance.file):
                return allowance
        first, last = site.spot[0], site.spot[2]
        for allowance in self.in_file(site.file):
            if kind in allowance.kinds and first <= allowance.line <= last:
                return allowance
        return None

    def covers(self, site: Site, kind: str) -> bool:
        """Tell whether a kind is allowed at a place, and remember that the allowance was used."""
        allowance = self.allows(site, kind.partition(":")[0])
        if allowance is not None:
            self._used.add(allowance)
        return allowance is not None

    def in_file(self, file: str) -> list[Allowance]:
        """Return what the comments of a file allow."""
        if file not in self._of_file:
            self._of_file[file] = list(self._read(file))
        return self._of_file[file]

    def _read(self, file: str) -> Iterator[Allowance]:
        for number, comment in _comments(file):
            found = _COMMENT.search(comment)
            told = f"{file}:{number}: {comment.strip()}"
            if found is None:
                self.mistakes.append(f"{told}: write it as # supremum: allow KINDS reason")
                continue
            try:
                kinds = read_kinds(found["kinds"])
            except RulesError as error:
                self.mistakes.append(f"{told}: {error}")
            else:
                yield Allowance(kinds, file, number, found["reason"].strip(" :()-"))

    def unused(self, files: Iterable[str]) -> list[Allowance]:
        """Return the allowances, in some files and in the settings, that nothing needed."""
        known = [*self._settings, *(a for file in sorted(files) for a in self.in_file(file))]
        return [allowance for allowance in known if allowance not in self._used]

    @property
    def used(self) -> list[Allowance]:
        """The allowances that something needed."""
        return sorted(self._used)


def from_settings(entries: Sequence[Any]) -> list[Allowance]:
    """Return the allowances that ``pyproject.toml`` lists.

    Raises:
        RulesError: where an entry has another form, or names an unknown kind.
    """
    found = []
    for entry in entries:
        if not isinstance(entry, dict) or not {"file", "kinds"} <= set(entry) <= {
            "file",
            "kinds",
            "reason",
        }:
            form = '{file = "src/old.py", kinds = ["widening"], reason = "..."}'
            raise RulesError(f"an allowance is written as {form}, not as {entry!r}", entry)
        found.append(
            Allowance(read_kinds(entry["kinds"]), entry["file"], 0, entry.get("reason", ""))
        )
    return found


def _comments(file: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a file that are for us, each from where it is, with its line."""
    lines = linecache.getlines(file)
    if not any(map(_OURS.search, lines)):
        return
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(iter(lines).__next__):
            found = _OURS.search(token.string) if token.type == tokenize.COMMENT else None
            if found:
                yield token.start[0], token.string[found.start() :]


def _matches(file: str, pattern: str) -> bool:
    return fnmatch(file, pattern) or fnmatch(file, f"*/{pattern}")

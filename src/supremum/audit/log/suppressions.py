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
from ..kinds import KINDS, kind_of, read_kinds
from ..model.cells import home
from ..model.locations import Location

_OURS = re.compile(rf"#\s*supremum:|#\s*noqa:\s*({'|'.join(KINDS)})\b")
_COMMENT = re.compile(
    r"#\s*supremum:\s*allow\s+(?P<kinds>[\w-]+(\s*,\s*[\w-]+)*)\s*(?P<reason>.*)$"
)


class Suppression(NamedTuple):
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
        kinds = sorted({*map(kind_of, self.kinds)})
        named = "all" if len(kinds) == len(KINDS) else ", ".join(kinds)
        return f"{where}: allow {named}{self.reason and f' ({self.reason})'}"


class Suppressions:
    """Tells what is allowed where, and which suppressions were of no use.

    Args:
        settings: those of ``pyproject.toml``.

    Attributes:
        mistakes: the comments that allow nothing as they are, or by an old name, with what to say.
    """

    def __init__(self, settings: Iterable[Suppression] = ()) -> None:
        self._settings = list(settings)
        self._of_file: dict[str, list[Suppression]] = {}
        self._used: set[Suppression] = set()
        self.mistakes: list[str] = []

    def allows(self, location: Location, kind: str) -> Suppression | None:
        """Return what allows a kind at a place, or None."""
        for suppression in self._settings:
            if kind in suppression.kinds and _matches(home(location.file), suppression.file):
                return suppression
        first, last = location.span[0], location.span[2]
        for suppression in self.in_file(location.file):
            if kind in suppression.kinds and first <= suppression.line <= last:
                return suppression
        return None

    def covers(self, location: Location, kind: str) -> bool:
        """Return whether a kind is allowed at a place, and note that the suppression was used."""
        suppression = self.allows(location, kind.partition(":")[0])
        if suppression is not None:
            self._used.add(suppression)
        return suppression is not None

    def in_file(self, file: str) -> list[Suppression]:
        """Return what the comments of a file allow."""
        if file not in self._of_file:
            self._of_file[file] = list(self._read(file))
        return self._of_file[file]

    def _read(self, file: str) -> Iterator[Suppression]:
        for number, comment in _comments(file):
            found = _COMMENT.search(comment)
            where = f"{file}:{number}: {comment.strip()}"
            if found is None:
                self.mistakes.append(f"{where}: write it as # supremum: allow KINDS reason")
                continue
            said: list[str] = []
            try:
                kinds = read_kinds(found["kinds"], tell=said.append)
            except RulesError as error:
                kinds, said = frozenset(), [str(error)]
            self.mistakes += [f"{where}: {remark}" for remark in said]
            if kinds:
                yield Suppression(kinds, file, number, found["reason"].strip(" :()-"))

    def unused(self, files: Iterable[str]) -> list[Suppression]:
        """Return the suppressions, in some files and in the settings, that nothing needed."""
        known = [*self._settings, *(a for file in sorted(files) for a in self.in_file(file))]
        return [suppression for suppression in known if suppression not in self._used]

    @property
    def used(self) -> list[Suppression]:
        """The suppressions that something needed."""
        return sorted(self._used)


def from_settings(entries: Sequence[Any]) -> list[Suppression]:
    """Return the suppressions that ``pyproject.toml`` lists.

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
            raise RulesError(f"a suppression is written as {form}, not as {entry!r}", entry)
        if kinds := read_kinds(entry["kinds"]):
            found.append(Suppression(kinds, entry["file"], 0, entry.get("reason", "")))
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

"""Reports that were saved as JSON: read back, merged, and read again when they change."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ...core.errors import SupremumError, plural
from ..model.locations import Span
from ..report.places import Introduction, Mark, Place
from ..report.report import VERSION, Finding
from ..report.wording import introductions

_T = TypeVar("_T")
_DIGITS = 8  # of the checksum of a line


class ReportError(SupremumError):
    """A file that is not a report of ours, or not of this version."""


class Seen(NamedTuple):
    """What stands somewhere in a file, and its dtypes."""

    span: Span
    dtypes: tuple[str, ...]


class File(NamedTuple):
    """What a report says of one file.

    All spans count lines from 1, and columns in characters from 1.

    Attributes:
        path: the path of the file.
        lines: the checksum of each line, as it was.
        findings: the findings whose cause is in it.
        seen: the dtypes that were observed.
    """

    path: str
    lines: tuple[str, ...]
    findings: tuple[Finding, ...]
    seen: tuple[Seen, ...]


@lru_cache(maxsize=4096)
def key(path: str | os.PathLike[str]) -> str:
    """Return what a file is known by, however its path is written."""
    return os.path.normcase(os.path.realpath(path))


def read(path: Path) -> dict[str, File]:
    """Return what a report says, by the keys of the files.

    Raises:
        OSError: if it cannot be read.
        ReportError: if it is not a report, or one of another version.
    """
    again = f"write it with supremum audit --output {path} SCRIPT"
    try:
        report = json.loads(path.read_bytes())
        version, tool = _member(report, "version", int), _member(report, "tool", str)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ReportError(f"{path} is not a report of the audit as JSON; {again}") from None
    if version != VERSION:
        raise ReportError(
            f"{path} has version {version} of the report, written by {tool}; this is for version "
            f"{VERSION}; {again}"
        )
    if "sources" not in report:
        raise ReportError(f"{path} was written by {tool}, which did not note the lines; {again}")
    try:
        findings: dict[str, list[Finding]] = {}
        for row in _member(report, "findings", list):
            findings.setdefault(key(_member(row, "file", str)), []).append(_finding(row))
        files = [_file(row, findings) for row in _member(report, "sources", list)]
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise ReportError(f"{path} is damaged ({error}); {again}") from None
    return {key(file.path): file for file in files}


class SavedReports:
    """The reports of some files, which are read again when they change.

    Args:
        tell: called with each thing that somebody should know, and whether it is a fault.

    Attributes:
        files: what the reports say of each file: where several do, what the newest says.
    """

    def __init__(self, tell: Callable[[str, bool], None]) -> None:
        self._tell = tell
        self._states: dict[Path, tuple[int, int] | None] = {}
        self._read: dict[Path, dict[str, File]] = {}
        self._damaged: dict[Path, tuple[int, int] | None] = {}
        self.files: dict[str, File] = {}

    def refresh(self, paths: Sequence[Path]) -> bool:
        """Read what has changed since the last time; tell whether anything has."""
        changed = False
        for path in self._states.keys() - set(paths):
            del self._states[path]
            changed |= self._read.pop(path, None) is not None
        for path in paths:
            state = state_of(path)
            if path not in self._states or state != self._states[path]:
                changed |= self._read_anew(path, state)
        if changed:
            self.files = {}
            newest = sorted(self._read, key=lambda path: self._states.get(path) or (0, 0))
            for path in newest:
                self.files.update(self._read[path])
        return changed

    def _read_anew(self, path: Path, state: tuple[int, int] | None) -> bool:
        if state is None:
            if path not in self._states:
                self._tell(
                    f"there is no report {path} yet; write it with "
                    f"supremum audit --output {path} SCRIPT",
                    False,
                )
            self._states[path] = state
            return self._read.pop(path, None) is not None
        try:
            self._read[path] = found = read(path)
        except (OSError, ReportError) as error:
            if self._damaged.get(path) == state:  # it is not being written just now
                self._states[path] = state
                self._tell(str(error), True)
            self._damaged[path] = state
            return False
        self._states[path] = state
        if not found:
            self._tell(f"{path} says nothing of any file", False)
        elif not any(map(os.path.exists, found)):
            first = next(iter(found.values())).path
            told = f"{path} names files that are not on this machine, such as {first}"
            self._tell(f"{told}; audit them here", True)
        else:
            count = sum(len(file.findings) for file in found.values())
            self._tell(f"{path} has {plural(count, 'finding')}", False)
        return True


def state_of(path: Path) -> tuple[int, int] | None:
    """Return what is another if a file is another: when it was written, and its size."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _member(row: Any, name: str, kind: type[_T]) -> _T:
    """Return a member of an object.

    Raises:
        KeyError, TypeError: if there is none, or it is of another type.
    """
    value = row[name]
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}")
    return value


def _texts(row: Any, name: str) -> tuple[str, ...]:
    found = _member(row, name, list)
    if not all(isinstance(text, str) for text in found):
        raise TypeError(f"{name} is {found!r}")
    return tuple(found)


def _span(row: Mapping[str, Any]) -> Span:
    first, start = _member(row, "line", int), _member(row, "column", int)
    last, end = _member(row, "end_line", int), _member(row, "end_column", int)
    if not 1 <= first <= last or min(start, end) < 1:
        raise ValueError(f"there is no line {first} to {last}")
    return first, start, last, end


def _file(row: Any, findings: Mapping[str, Iterable[Finding]]) -> File:
    path, digits = _member(row, "file", str), _member(row, "lines", str)
    lines = tuple(digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS))
    seen = [Seen(_span(o), _texts(o, "dtypes")) for o in _member(row, "observed", list)]
    return File(path, lines, tuple(findings.get(key(path), ())), tuple(seen))


def _finding(row: Any) -> Finding:
    cause, span = _member(row, "cause", dict), _span(row)
    places = tuple(map(_place, _member(row, "places", list)))
    if not places:
        raise ValueError("a finding has no place")
    finding = Finding(
        kind=_member(row, "kind", str),
        also=_texts(row, "also"),
        file=_member(row, "file", str),
        span=span,
        line=span[0],
        column=span[1],
        text=_member(cause, "text", str),
        dtype=_member(cause, "dtype", str),
        elsewhere=_member(cause, "elsewhere", bool),
        count=_member(row, "count", int),
        bytes=_member(row, "bytes", int),
        suggestion=_member(row, "suggestion", str),
        needs=_member(row, "needs", str),
        explanation=_member(row, "explanation", str),
        places=places,
    )
    # what is shown of it can be made, or it is damaged
    _ = finding.severity, finding.headline, [(p.effect, introductions(p)) for p in places]
    return finding


def _place(row: Any) -> Place:
    span = _span(row)
    return Place(
        file=_member(row, "file", str),
        span=span,
        line=span[0],
        column=span[1],
        kind=_member(row, "kind", str),
        text=_member(row, "text", str),
        operands=tuple(map(_mark, _member(row, "operands", list))),
        result=None if row["result"] is None else _member(row, "result", str),
        count=_member(row, "count", int),
        told=_member(row, "told", str),
    )


def _mark(row: Any) -> Mark:
    born = row["born"]
    if born is not None:
        span = _span(born)
        born = Introduction(_member(born, "file", str), span, *span[:2], _member(born, "text", str))
    return Mark(_member(row, "text", str), _member(row, "dtype", str), None, born)

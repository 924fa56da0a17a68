"""What asking about stubs has found: how many cells are exact, and which are not, in groups."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...core.display import displayed
from ...core.errors import RulesError
from ...core.table import REFUSED
from ..measured import first_groups
from .cells import BAD, VERDICTS, Cell

Known = frozenset[tuple[str, ...]]
"""Differences: the stubs, the checker, the expression and the verdict of each."""

_COLUMNS = ("stubs", "checker", "cell", "verdict")


class Group(NamedTuple):
    """The differences of one cause: of functions that differ alike, and of kinds of operands.

    Attributes:
        verdict: one of `BAD`.
        operands: the kinds of the operands.
        functions: the functions.
        cells: the differences.
    """

    verdict: str
    operands: tuple[str, ...]
    functions: tuple[str, ...]
    cells: tuple[Cell, ...]

    def line(self, library: str) -> str:
        """Return the group in one line, with the first of its cells."""
        first, count = self.cells[0], len(self.cells)
        stated = "rejected" if self.verdict == "rejected" else first.stated
        gives = "refuses" if first.library == REFUSED else f"gives {first.library}"
        rules = f" (the rules say {first.rules})" if first.rules not in ("", first.library) else ""
        where = f"in {count:,} cells of" if count > 1 else "in"
        names = f"{len(self.functions)} functions" if self.functions[1:] else self.functions[0]
        return (
            f"{self.verdict}: {first.text} is {stated}, {library} {gives}{rules}, {where} {names}"
        )


def grouped(cells: Iterable[Cell]) -> list[Group]:
    """Return the differences among cells in groups, the wrong ones and the largest first."""
    alike: dict[tuple[str, tuple[str, ...], str], list[Cell]] = {}
    for cell in cells:
        if cell.verdict in BAD:
            alike.setdefault((cell.verdict, cell.kinds, cell.function), []).append(cell)
    causes: dict[Any, dict[str, list[Cell]]] = {}
    for (verdict, kinds, function), found in alike.items():
        same = tuple((cell.operands, cell.stated, cell.library) for cell in found)
        causes.setdefault((verdict, kinds, same), {})[function] = found
    groups = [
        Group(verdict, kinds, tuple(found), tuple(c for each in found.values() for c in each))
        for (verdict, kinds, _), found in causes.items()
    ]
    return sorted(groups, key=lambda group: (BAD.index(group.verdict), -len(group.cells)))


@displayed
@dataclass(slots=True)
class StubsMeasured:
    """What became of asking one type checker about some stubs.

    Attributes:
        system: what was asked about, such as ``stubs:numpy``.
        checker: the type checker.
        library: the library that the stubs describe.
        installed: the release of the library, or ``""``.
        release: the release of the checker, or ``""``.
        cells: the cells.
        known: the differences that are left out, from a baseline.
        reason: why nothing was measured, or ``""``.
    """

    system: str
    checker: str
    library: str
    installed: str = ""
    release: str = ""
    cells: Sequence[Cell] = ()
    known: Known = field(default=frozenset())
    reason: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """How many cells there are of each verdict, with those that a baseline lists."""
        found = Counter(cell.verdict for cell in self.cells)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def entry(self, cell: Cell) -> tuple[str, ...]:
        """Return what a cell is known by in a baseline."""
        return self.system, self.checker, cell.text, cell.verdict

    @property
    def differences(self) -> list[Cell]:
        """The cells that are wrong, rejected or accepted, without those of the baseline."""
        bad = [cell for cell in self.cells if cell.verdict in BAD]
        return [cell for cell in bad if self.entry(cell) not in self.known]

    @property
    def groups(self) -> list[Group]:
        """The differences in groups of one cause."""
        return grouped(self.differences)

    @property
    def verdict(self) -> str:
        """``"agrees"``, ``"differs"``, or ``"not measured"``."""
        if self.reason:
            return "not measured"
        return "differs" if self.differences else "agrees"

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as plain lists and texts, as ``--format json`` prints it."""
        names = ("system", "checker", "verdict", "library", "installed", "release", "counts",
                 "reason")  # fmt: skip
        groups = [{**g._asdict(), "cells": [cell.text for cell in g.cells]} for g in self.groups]
        cells = [
            {**cell._asdict(), "stated": cell.stated, "verdict": cell.verdict}
            for cell in self.differences
        ]
        return {n: getattr(self, n) for n in names} | {"groups": groups, "differences": cells}

    def __str__(self) -> str:
        head = f"{self.system} by {self.checker}"
        if self.reason:
            return f"{head}: not measured: {self.reason}"
        counts = ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts.items())
        head += f" {self.release}: {counts}, of {len(self.cells):,} cells with "
        head += f"{self.library} {self.installed}"
        groups = self.groups
        lines = (group.line(self.library) for group in groups)
        return "\n".join([head, *first_groups(lines, [len(group.cells) for group in groups])])


def write_baseline(path: str, found: Iterable[StubsMeasured]) -> None:
    """Write differences down, so that later measurements leave them out.

    Raises:
        OSError: if the file cannot be written.
    """
    entries = sorted(one.entry(cell) for one in found for cell in one.differences)
    rows = [dict(zip(_COLUMNS, entry, strict=True)) for entry in entries]
    text = json.dumps({"version": 1, "differences": rows}, indent=1)
    Path(path).write_text(text + "\n", encoding="utf-8")


def read_baseline(path: str) -> Known:
    """Return the differences that a baseline lists.

    Raises:
        RulesError: if the file cannot be read, or is not a baseline file.
    """
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["differences"]
        return frozenset(tuple(row[column] for column in _COLUMNS) for row in rows)
    except (OSError, ValueError, KeyError, TypeError):
        what = f"{path!r} is not a baseline file that can be read; write one with --write-baseline"
        raise RulesError(what, path) from None

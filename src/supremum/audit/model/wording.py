"""Words that every kind of finding and every form of a report shares."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ...core.errors import plural
from .cells import CELLS

__all__ = [
    "as_module", "introduced", "is_inside", "location_name", "near", "plain_dtype", "plural",
    "size", "times",
]  # fmt: skip


def size(count: int) -> str:
    """Return a number of bytes in a unit that suits it.

    >>> size(512), size(2_500_000)
    ('512 bytes', '2.5 MB')
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return plural(count, "byte")


def times(place: Any) -> str:
    """Return how often something happened, after a comma, or ``""`` if it did once."""
    return f", {plural(place.count, 'time')}" if place.count > 1 else ""


def plain_dtype(mark: Any) -> str:
    """Return the dtype of an operand without its shape."""
    return str(mark.dtype).partition("[")[0].removesuffix("()")


def introduced(finding: Any) -> str:
    """Return that a dtype is introduced where a finding is, first seen there, or leaks there."""
    if any(mark.born and mark.dtype.startswith(finding.dtype) for mark in _operands_at(finding)):
        return f"{finding.dtype} meets a narrower dtype here"
    return f"{finding.dtype} is {'first seen' if finding.elsewhere else 'introduced'} here"


def _operands_at(finding: Any) -> Any:
    """Return the operands of the first place of a finding, if that is what it names."""
    place = finding.places[0] if finding.places else None
    if place is None or (place.file, place.span) != (finding.file, finding.span):
        return ()
    return place.operands


def near(file: str) -> str:
    """Return a path relative to the working directory if it lies inside it."""
    cell = CELLS.get(file)
    if cell is not None and cell.is_old:
        return f"{file} (run again since)"
    try:
        return str(Path(file).resolve().relative_to(Path.cwd()))
    except ValueError:
        return os.fspath(file)


def location_name(file: str, line: int, column: int = 0, *, seen_from: str = "") -> str:
    """Return how a location is named: ``program.py:3:7``, or ``cell [3], line 7``.

    Args:
        file: the file, or the cell.
        line: its line.
        column: its column, or 0 to leave it out.
        seen_from: the file that it is named beside; cells of the same notebook are named by number.
    """
    cell, beside = CELLS.get(file), CELLS.get(seen_from)
    if cell is not None:
        same = cell.notebook and beside is not None and beside.notebook == cell.notebook
        return f"{f'cell {cell.number}' if same else near(file)}, line {line}"
    return f"{near(file)}:{line}:{column}" if column else f"{near(file)}:{line}"


def is_inside(finding: Any, place: Any) -> bool:
    """Return whether the code to change is part of what is written at a place."""
    first, last = finding.span[:2], finding.span[2:]
    return bool(finding.file == place.file and place.span[:2] <= first and last <= place.span[2:])


def as_module(path: Path) -> tuple[Path, str]:
    """Return the folder that a module at a path is imported from, and its dotted name."""
    path = path.parent if path.name == "__init__.py" else path
    root = next(p for p in path.parents if not (p / "__init__.py").exists())
    return root, ".".join(path.relative_to(root).with_suffix("").parts)


def swept(path: Path) -> str:
    """Return what to type so that the functions of a module at a path are swept."""
    root, name = as_module(path)
    before = "" if root == Path.cwd() else f"go to {root}, and "
    return f"{before}type supremum sweep {name}"

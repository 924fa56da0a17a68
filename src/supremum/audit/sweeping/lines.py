"""The line inside a package at which the dtype of a result is introduced."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from ..api import Watch, watch
from ..model.locations import LOCATIONS
from .calling import repeat
from .conversions import Leaf, leaves
from .subjects import Subject
from .target import Target


class Line(NamedTuple):
    """A line of a package.

    Attributes:
        file: its file, from the folder on that has the package.
        line: its number.
        text: what is written there.
        dtype: the dtype that is introduced.
        how: ``"introduced"``, or ``"returned"`` if no line inside of the package introduces it.
    """

    file: str
    line: int
    text: str
    dtype: str
    how: str = "introduced"


def introduced(
    subject: Subject, arguments: Sequence[Any], target: Target, path: str
) -> Line | None:
    """Return the line that introduces a dtype which is wider than asked.

    Args:
        subject: the function, in a package that is watched.
        arguments: its arguments, and its keywords as the last.
        target: the dtype that was asked for.
        path: where in the result the wide dtype is.
    """
    root = _root(subject)
    with watch() as heard, _returns(root) as returned:
        result = repeat(subject.call, arguments)
    wide = {x.path: x for x in leaves(result, subject.root) if target.is_wider(x.dtype)}
    if not wide:
        return None
    leaf = wide.get(path) or next(iter(wide.values()))
    for place in _places(heard, leaf):
        if Path(place.file).is_relative_to(root):
            several = place.text if place.span[0] < place.span[2] else ""
            return _line(place.file, place.line, leaf.dtype, root, several)
    itself = [(file, line) for value, file, line in returned if value is leaf.array]
    last = itself[:1] or [(file, line) for _, file, line in returned[-1:]]
    return _line(*last[0], leaf.dtype, root)._replace(how="returned") if last else None


def _root(subject: Subject) -> Path:
    """Return the folder of the package of a subject, or the file of its module."""
    package = sys.modules[subject.root]
    file = Path(str(package.__file__))
    return file.parent if hasattr(package, "__path__") else file


def _places(heard: Watch, leaf: Leaf) -> Iterator[Any]:
    """Yield where an array was made, as far as the audit knows; then where its dtype came up."""
    # of a column or an array with names, what it holds is known better than itself
    for part in (getattr(leaf.array, "values", None), leaf.array):
        origin = heard.recorder.values.get(part)
        if origin is not None and origin.operand is None:
            yield LOCATIONS[origin.location]
    yield from (finding for finding in heard.findings if finding.dtype == leaf.dtype)


def _line(file: str, line: int, dtype: str, root: Path, several: str = "") -> Line:
    """Return a line; of what stands on several lines, all of it on one."""
    text = several or linecache.getline(file, line).strip()
    return Line(Path(file).relative_to(root.parent).as_posix(), line, text, dtype)


@contextmanager
def _returns(root: Path) -> Iterator[list[tuple[Any, str, int]]]:
    """Note what the functions of a package return, and on which line, inside a ``with`` block."""
    found: list[tuple[Any, str, int]] = []
    inside = f"{root}"

    def note(frame: FrameType, event: str, value: Any) -> None:
        file = frame.f_code.co_filename
        if event == "return" and file.startswith(inside) and hasattr(value, "dtype"):
            found.append((value, file, frame.f_lineno))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)

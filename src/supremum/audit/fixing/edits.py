"""Changes of a source text: what a report suggests, typed in; all other text stays as it is.

Nothing here knows of files: a text may as well be a cell of a notebook.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name, names
from ..model.locations import on_one_line

_WRONG: Final = ("stopped", "wraparound", "precision-loss", "accumulation", "value-changed")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_WORD: Final = re.compile(r"[a-z]+\d+(?:_\w+)?")


class EditError(Exception):
    """A change that cannot be made: what it is of is not there, or no Python comes of it."""


class Change(NamedTuple):
    """What a finding suggests to type, and where; lines and columns are from 1, in characters.

    Attributes:
        file: the path of the file.
        line: the line in which the old text starts.
        column: the column of its first character.
        end_line: the line in which it ends.
        end_column: the column after its last character.
        text: the old text, on one line.
        suggestion: the new text.
        needs: the import that the file lacks for it, or ``""``.
        kind: the kind of the finding.
        dtypes: the inexact dtypes that met there, and those that the suggestion names.
        cell: the number of the cell of a notebook that the lines are of, or 0.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    suggestion: str
    needs: str
    kind: str
    dtypes: frozenset[str] = frozenset()
    cell: int = 0

    @property
    def mends(self) -> bool:
        """Whether results were wrong without it, so that they are to change."""
        return self.kind in _WRONG

    @property
    def start(self) -> tuple[int, int]:
        """Where the old text starts."""
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        """Where the old text ends."""
        return self.end_line, self.end_column


def changes(findings: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return what the findings of a report in JSON suggest, in their order, each once."""
    found: dict[Change, None] = {}
    for f in findings:
        if f["suggestion"]:
            words = [f["suggestion"], *(o["dtype"] for p in f["places"] for o in p["operands"])]
            dtypes = {word for text in words for word in _WORD.findall(text) if _is_inexact(word)}
            places = (f["line"], f["column"], f["end_line"], f["end_column"])
            told = (f["cause"]["text"], f["suggestion"], f["needs"], f["kind"])
            found.setdefault(Change(f["file"], *places, *told, frozenset(dtypes), f.get("cell", 0)))
    return list(found)


def _is_inexact(name: str) -> bool:
    return name in names() and by_name(name).kind in ("float", "complex")


def narrowest(chosen: Iterable[Change]) -> str:
    """Return the dtype with the fewest significand bits that changes are about, or ``""``."""
    found = {name for change in chosen for name in change.dtypes}
    return min(found, key=lambda name: (by_name(name).part.precision or 0, name), default="")


def apart(chosen: Iterable[Change]) -> list[Change]:
    """Return the changes that have no text in common with one before them."""
    kept: list[Change] = []
    for change in chosen:
        others = [k for k in kept if (k.file, k.cell) == (change.file, change.cell)]
        if all(change.end <= k.start or k.end <= change.start for k in others):
            kept.append(change)
    return kept


def edited(
    text: str, chosen: Sequence[Change], parse: Callable[[str], ast.Module] = ast.parse
) -> str:
    """Return a text with changes made in it, and the imports that they need.

    Args:
        text: the text, with its own line ends.
        chosen: the changes, none of which overlap.
        parse: what reads the text as Python.

    Raises:
        EditError: if the text is not what a change was suggested for, or no Python comes of it.
    """
    starts = _starts(text)
    line_end = found[0] if (found := _LINE_END.search(text)) else "\n"
    edits = []
    for change in chosen:
        start, end = (_offset(starts, *at) for at in (change.start, change.end))
        if start is None or end is None or _on_one_line(text[start:end]) != change.text:
            raise EditError(f"{change.text!r} is not at line {change.line} any more")
        edits.append((start, end, _LINE_END.sub(lambda _: line_end, change.suggestion)))
    imports = dict.fromkeys(change.needs for change in chosen if change.needs)
    if imports:
        where, blank = _place_of_imports(text, starts, parse)
        head = line_end if blank else ""
        if where == len(text) and not text.endswith(("\r", "\n")):
            head += line_end
        edits.append((where, where, head + "".join(f"{line}{line_end}" for line in imports)))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    try:
        parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise EditError(f"it would not be Python any more: {error}") from None
    return text


def _on_one_line(text: str) -> str:
    return on_one_line(_LINE_END.sub("\n", text))


def is_typed(text: str, change: Change) -> bool:
    """Tell whether the suggestion of a change stands around its place already."""
    starts = _starts(text)
    start, end = (_offset(starts, *at) for at in (change.start, change.end))
    if start is None or end is None:
        return False
    first, last = max(start - len(change.suggestion), 0), end + len(change.suggestion)
    at = text.find(change.suggestion, first, last)
    while at >= 0:
        if at <= start and end <= at + len(change.suggestion):
            return True
        at = text.find(change.suggestion, at + 1, last)
    return False


def _starts(text: str) -> list[int]:
    """Return the offset at which each line starts, and that of the end."""
    found = [0, *(end.end() for end in _LINE_END.finditer(text))]
    return found if found[-1] == len(text) else [*found, len(text)]


def _offset(starts: Sequence[int], line: int, column: int) -> int | None:
    if not 0 < line <= len(starts):
        return None
    offset = starts[line - 1] + column - 1
    return offset if line == len(starts) or offset <= starts[line] else None


def _place_of_imports(
    text: str, starts: Sequence[int], parse: Callable[[str], ast.Module]
) -> tuple[int, bool]:
    """Return where imports are added, and whether a blank line comes first.

    That is before the first import, else after the docstring and ``from __future__ import``.
    """
    last, following = 0, None
    for number, node in enumerate(parse(text).body):
        is_docstring = (
            number == 0
            and isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_docstring or is_future):
            following = node
            break
        last = node.end_lineno or node.lineno
    if following is None:
        return starts[min(last, len(starts) - 1)], bool(last)
    decorators = getattr(following, "decorator_list", [])
    first = min([following.lineno, *(d.lineno for d in decorators)])
    if first > last and (not last or isinstance(following, (ast.Import, ast.ImportFrom))):
        return starts[first - 1], False
    return starts[min(last, len(starts) - 1)], True

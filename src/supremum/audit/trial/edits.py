"""Changes of a source text: what a report suggests, typed in; all other text stays as it is."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name, names
from ..kinds import find
from ..model.locations import on_one_line

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_WORD: Final = re.compile(r"[a-z]+\d+(?:_\w+)?")

Position = tuple[int, int]
"""A line, and a column in characters, both from 1."""


class EditError(Exception):
    """A change that cannot be made: what it is of is not there, or no Python comes of it."""


class Change(NamedTuple):
    """What a finding suggests to type, and where.

    Attributes:
        file: the path of the file.
        start: where the old text starts.
        end: where it ends: the column after its last character.
        text: the old text, on one line.
        suggestion: the new text.
        needs: the import that the file lacks for it, or ``""``.
        kind: the kind of the finding.
        dtypes: the inexact dtypes that met there, and those that the suggestion names.
        cell: the number of the cell of a notebook that the lines are of, or 0.
        is_of_lost_values: whether values were lost where something was stored.
        told: what the finding says of values, or ``""``.
        others: the changes that have to be made with it.
        note: what the finding is in particular, or ``""``.
    """

    file: str
    start: Position
    end: Position
    text: str
    suggestion: str
    needs: str
    kind: str
    dtypes: frozenset[str] = frozenset()
    cell: int = 0
    is_of_lost_values: bool = False
    told: str = ""
    others: tuple[Change, ...] = ()
    note: str = ""

    @property
    def line(self) -> int:
        """The line in which the old text starts."""
        return self.start[0]

    @property
    def is_of_wrong_results(self) -> bool:
        """Whether results were wrong without it, so that they are to change."""
        return self.is_of_lost_values or find(self.kind).changes_values

    @property
    def key(self) -> tuple[str, int, str, str]:
        """What it is known by when lines have been added above it."""
        return self.file, self.cell, self.text, self.suggestion


class Replacement(NamedTuple):
    """A part of a text, and what takes its place."""

    start: Position
    end: Position
    text: str


def candidates(finding: Mapping[str, Any]) -> list[Change]:
    """Return the changes of which a trial decides, for a finding of a report in JSON."""
    lost = _loses_values(finding)
    return [_change(finding, x, x["text"], lost=lost) for x in finding.get("candidates", ())]


def _change(
    finding: Mapping[str, Any], place: Mapping[str, Any], text: str, *, lost: bool
) -> Change:
    """Return what is suggested at a place for a finding."""
    new = place["suggestion"]
    words = [new, *(o["dtype"] for p in finding["places"] for o in p["operands"])]
    dtypes = {word for said in words for word in _WORD.findall(said) if _is_inexact(word)}
    start, end = (place["line"], place["column"]), (place["end_line"], place["end_column"])
    told = next((p["told"] for p in finding["places"] if p["told"]), "")
    about = place["needs"], finding["kind"], frozenset(dtypes), place.get("cell", 0), lost, told
    others = (_change(finding, x, x["text"], lost=lost) for x in place.get("others", ()))
    return Change(
        place["file"], start, end, text, new, *about, tuple(others), finding.get("note", "")
    )


def _loses_values(finding: Mapping[str, Any]) -> bool:
    return find(finding["kind"]).keeps_effect and any(p["told"] for p in finding["places"])


def changes(findings: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return what the findings of a report in JSON suggest, in their order, each once.

    What several findings suggest is about the dtypes of all, and of the kind of the first of those
    whose results are wrong.
    """
    found: dict[tuple[Any, ...], Change] = {}
    for f in findings:
        if f["suggestion"]:
            change = _change(f, f, f["cause"]["text"], lost=_loses_values(f))
            start, end = change.start, change.end
            known = found.get((change.key, start, end), change)
            kind = known.kind if known.is_of_wrong_results else change.kind
            both = known.dtypes | change.dtypes
            lost = known.is_of_lost_values or change.is_of_lost_values
            found[change.key, start, end] = known._replace(
                kind=kind, dtypes=both, is_of_lost_values=lost
            )
    return list(found.values())


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


def edited(text: str, chosen: Sequence[Change]) -> str:
    """Return a text with changes made in it, and the imports that they need.

    Args:
        text: the text, with its own line ends.
        chosen: the changes, none of which overlap.

    Raises:
        EditError: if the text is not what a change was suggested for, or no Python comes of it.
    """
    new = applied(text, replacements(text, chosen))
    parsed(new)
    return new


def replacements(text: str, chosen: Sequence[Change]) -> list[Replacement]:
    """Return what has to be replaced in a text for changes, and the imports that they need.

    Raises:
        EditError: if the text is not what a change was suggested for, or not Python.
    """
    line_end = found[0] if (found := _LINE_END.search(text)) else "\n"
    made = []
    for change in chosen:
        start, end = _offsets(text, change.start, change.end)
        if on_one_line(_LINE_END.sub("\n", text[start:end])) != change.text:
            raise EditError(f"{change.text!r} is not at line {change.line} any more")
        new = _LINE_END.sub(lambda _: line_end, change.suggestion)
        made.append(Replacement(change.start, change.end, new))
    imports = dict.fromkeys(change.needs for change in chosen if change.needs)
    tree = parsed(text) if imports else ast.Module([], [])
    known = {ast.unparse(node) for node in tree.body if isinstance(node, ast.Import)}
    if missing := [line for line in imports if line not in known]:
        line, is_apart = _line_of_imports(tree)
        (at,) = _offsets(text, (line, 1))
        is_cut = at == len(text) and not text.endswith(("\r", "\n"))
        head = line_end * (is_apart + is_cut)
        new = head + "".join(f"{statement}{line_end}" for statement in missing)
        made.append(Replacement((line, 1), (line, 1), new))
    return made


def applied(text: str, replaced: Iterable[Replacement]) -> str:
    """Return a text with replacements made in it, none of which overlap."""
    for start, end, new in sorted(replaced, reverse=True):
        first, last = _offsets(text, start, end)
        text = text[:first] + new + text[last:]
    return text


def is_typed(text: str, change: Change) -> bool:
    """Return whether the suggestion of a change stands around its place already."""
    first, last = _offsets(text, change.start, change.end)
    found = (m.start() for m in re.finditer(f"(?={re.escape(change.suggestion)})", text))
    return any(at <= first and last <= at + len(change.suggestion) for at in found)


def _offsets(text: str, *positions: Position) -> list[int]:
    """Return how many characters are before each position; those after the end are at the end."""
    lines = io.StringIO(text, newline="").readlines()
    starts = [0, *accumulate(map(len, lines))]
    return [starts[min(line, len(starts)) - 1] + column - 1 for line, column in positions]


def parsed(text: str) -> ast.Module:
    """Return the syntax tree of a text, or raise an EditError that says why there is none."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise EditError(f"it would not be Python: {error}") from None


def _line_of_imports(tree: ast.Module) -> tuple[int, bool]:
    """Return before which line imports are added, and whether a blank line comes first.

    That is before the first import, else after the docstring and ``from __future__ import``.
    """
    body = tree.body[ast.get_docstring(tree, clean=False) is not None :]
    while body and isinstance(body[0], ast.ImportFrom) and body[0].module == "__future__":
        body = body[1:]
    head = max(
        (node.end_lineno or 0 for node in tree.body[: len(tree.body) - len(body)]), default=0
    )
    if body:
        decorators = getattr(body[0], "decorator_list", [])
        first = min(node.lineno for node in (body[0], *decorators))
        if first > head and (not head or isinstance(body[0], (ast.Import, ast.ImportFrom))):
            return first, False
    return head + 1, bool(head)

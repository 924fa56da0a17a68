"""Notebook files: their cells of code, where these stand in the file, and the file with others.

A notebook is JSON. What is written back differs from what was read in the lines of source that
were changed alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from json.decoder import scanstring  # type: ignore[attr-defined]  # it is documented nowhere
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import RulesError

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")
_CHARACTER = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)

Path_ = tuple[str | int, ...]


class Value(NamedTuple):
    """Where a value stands in the text of a file of JSON, from its first character to its last."""

    start: int
    end: int


class CodeCell(NamedTuple):
    """A cell of code.

    Attributes:
        nth: which of the notebook's cells it is, from 0.
        source: what is written in it.
        tags: its tags.
    """

    nth: int
    source: str
    tags: tuple[str, ...]


class Notebook:
    """A notebook file.

    Args:
        path: its path.
        text: what is in it; by default, the file is read.

    Attributes:
        cells: its cells of code.
        language: what they are written in.

    Raises:
        RulesError: if it cannot be read, or is not a notebook.
    """

    def __init__(self, path: str, text: str | None = None) -> None:
        self.path = path
        try:
            self.text = Path(path).read_bytes().decode("utf-8") if text is None else text
        except OSError as error:
            raise RulesError(f"{path} cannot be read: {error.strerror}", path) from None
        except UnicodeDecodeError:
            raise _no_notebook(path, "it is not text in UTF-8") from None
        try:
            found: Any = json.loads(self.text)
        except (ValueError, RecursionError) as error:
            raise _no_notebook(path, f"{error}") from None
        if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
            raise _no_notebook(path, "it has no list of cells", found)
        self.language = _language(found.get("metadata"))
        self.cells = tuple(_code_cells(found["cells"]))

    def _values(self) -> dict[Path_, Value]:
        return dict(_walk(self.text, 0, ()))

    def position(self, index: int, line: int, column: int) -> tuple[int, int]:
        """Return the line and column in the file of a place in a cell; all count from 1."""
        values = self._values()
        path: Path_ = ("cells", index, "source")
        if (*path, line - 1) in values:
            at, characters = values[*path, line - 1].start, column - 1
        else:
            source = json.loads(self.text[slice(*values[path])])
            before = "".join(source).splitlines(keepends=True)[: line - 1]
            at, characters = values[path].start, sum(map(len, before)) + column - 1
        at += 1
        for _ in range(characters):
            found = _CHARACTER.match(self.text, at)
            if found is None:
                break
            at = found.end()
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def with_sources(self, sources: Mapping[int, str]) -> str:
        """Return the text of the file with other sources in some of its cells.

        Args:
            sources: for the index of a cell, its new source.
        """
        values, text = self._values(), self.text
        for index in sorted(sources, reverse=True):
            path: Path_ = ("cells", index, "source")
            here = values[path]
            text = (
                text[: here.start] + self._written(values, path, sources[index]) + text[here.end :]
            )
        return text

    def _written(self, values: Mapping[Path_, Value], path: Path_, source: str) -> str:
        """Return a source as JSON, such that lines that were there before are as they were."""
        before = self.text[slice(*values[path])]
        as_ascii = self.text.isascii()
        if not before.startswith("["):
            return json.dumps(source, ensure_ascii=as_ascii)
        known: dict[str, str] = {}
        for number in range(len(json.loads(before))):
            literal = self.text[slice(*values[*path, number])]
            known.setdefault(json.loads(literal), literal)
        lines = [
            known.get(line) or json.dumps(line, ensure_ascii=as_ascii)
            for line in source.splitlines(keepends=True)
        ]
        if not lines:
            return "[]"
        opening = _SPACE.match(before, 1)
        assert opening is not None  # noqa: S101  # it matches nothing, too
        gap = opening.group() if known else ""
        ending = before[len(before.removesuffix("]").rstrip()) : -1] if known else ""
        return f"[{gap}{f',{gap}'.join(lines)}{ending}]" if gap else f"[{', '.join(lines)}]"


def edited(source: str, shown: str, new: str) -> str:
    """Return the source of a cell, edited as its Python was.

    Args:
        source: what is written in the cell, magics and all.
        shown: the Python of it that `linecache` has, which has the same lines but for magics.
        new: that Python, edited.

    Raises:
        RulesError: if a line was edited that is written otherwise in the cell.
    """
    raw, before, after = (text.splitlines(keepends=True) for text in (source, shown, new))
    made: list[str] = []
    for kind, first, last, start, end in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind != "equal" and [r.rstrip() for r in raw[first:last]] != [
            b.rstrip() for b in before[first:last]
        ]:
            msg = f"line {first + 1} of the cell is not plain Python; edit it by hand"
            raise RulesError(msg, source)
        made += raw[first:last] if kind == "equal" else after[start:end]
    text = "".join(made)
    return text if source.endswith("\n") else text.removesuffix("\n")


def _no_notebook(path: str, why: str, found: Any = None) -> RulesError:
    if isinstance(found, dict) and "worksheets" in found:
        how = f"jupyter nbconvert --to notebook --inplace {path}"
        return RulesError(
            f"{path} is a notebook of an old format; bring it up to date: {how}", path
        )
    return RulesError(f"{path} is not a notebook: {why}", path)


def _language(metadata: Any) -> str:
    found = metadata if isinstance(metadata, dict) else {}
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        told = found.get(part)
        if isinstance(told, dict) and isinstance(told.get(name), str):
            return str(told[name])
    return "python"


def _code_cells(cells: list[Any]) -> Iterator[CodeCell]:
    for index, cell in enumerate(cells):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source", "")
            metadata = cell.get("metadata")
            tags = metadata.get("tags") if isinstance(metadata, dict) else None
            text = source if isinstance(source, str) else "".join(map(str, source))
            yield CodeCell(index, text, tuple(map(str, tags)) if isinstance(tags, list) else ())


def _walk(text: str, at: int, path: Path_) -> Iterator[tuple[Path_, Value]]:
    """Yield where each value of some JSON is: its path, from the outside, and its place."""
    at = _after_space(text, at)
    start = at
    if text[at] in "{[":
        is_object, closing = text[at] == "{", "}" if text[at] == "{" else "]"
        at, count = _after_space(text, at + 1), 0
        while text[at] != closing:
            key: str | int = count
            if is_object:
                key, at = scanstring(text, at + 1)
                at = _after_space(text, at) + 1  # the colon
            for found in _walk(text, at, (*path, key)):
                yield found
                if found[0] == (*path, key):
                    at = found[1].end
            at, count = _after_space(text, at), count + 1
            if text[at] == ",":
                at = _after_space(text, at + 1)
        at += 1
    elif text[at] == '"':
        _, at = scanstring(text, at + 1)
    else:
        scalar = _SCALAR.match(text, at)
        at = scalar.end() if scalar is not None else at + 1
    yield path, Value(start, at)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at

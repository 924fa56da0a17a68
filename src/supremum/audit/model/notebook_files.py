"""Notebook files: their cells of code, where these stand in the file, and the file with others.

They are read and written as JSON: nbformat would sort the members of a file, and add some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import RulesError


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
            self._content: Any = json.loads(self.text)
        except OSError as error:
            raise RulesError(f"{path} cannot be read: {error.strerror}", path) from None
        except (ValueError, RecursionError) as error:
            raise RulesError(f"{path} is not a notebook: {error}", path) from None
        found = self._content
        if isinstance(found, dict) and "worksheets" in found:
            how = f"jupyter nbconvert --to notebook --inplace {path}"
            raise RulesError(f"{path} is a notebook of an old format; bring it up to date: {how}")
        if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
            raise RulesError(f"{path} is not a notebook: it has no list of cells", path)
        self.language = _language(_members(found.get("metadata")))
        self.cells = tuple(_code_cells(found["cells"]))

    def run_cell(self, number: int) -> CodeCell:
        """Return a cell by its number, as IPython counts them: those without code are not run.

        Raises:
            RulesError: if there is none.
        """
        run = [cell for cell in self.cells if cell.source.strip()]
        if not 0 < number <= len(run):
            raise RulesError(f"there is no cell {number} any more", number)
        return run[number - 1]

    def position(self, nth: int, line: int, column: int) -> tuple[int, int]:
        """Return the line and column in the file of a place in a cell; all count from 1.

        Raises:
            ValueError: if the file writes its cells in some other way than is known.
        """
        name = '"source":'  # in a text, the quotation marks would have backslashes
        parts = self.text.split(name)
        if len(parts) != len(self._content["cells"]) + 1:
            raise ValueError(f"other members are called {name}")
        at = len(name.join(parts[: nth + 1])) + len(name)
        lines = _source(self._content["cells"][nth]).splitlines(keepends=True)
        for above in lines[: line - 1]:
            at = self.text.index(self._literal(above), at) + len(self._literal(above))
        here = lines[line - 1] if line <= len(lines) else ""
        at = self.text.index(self._literal(here), at) + len(self._literal(here[: column - 1]))
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def _literal(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self.text.isascii())[1:-1]

    def with_sources(self, sources: Mapping[int, str]) -> str:
        """Return the text of the file with other sources in some of its cells.

        Args:
            sources: for the index of a cell, its new source.
        """
        content = json.loads(self.text)
        for nth, source in sources.items():
            is_split = isinstance(content["cells"][nth].get("source"), list)
            content["cells"][nth]["source"] = source.splitlines(True) if is_split else source
        indent = re.match(r"\{\s*\n( +|\t+)", self.text)
        text = json.dumps(
            content, ensure_ascii=self.text.isascii(), indent=indent[1] if indent else None
        )
        return text + self.text[len(self.text.rstrip()) :]


def _members(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _language(metadata: dict[str, Any]) -> str:
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        language = _members(metadata.get(part)).get(name)
        if isinstance(language, str):
            return language
    return "python"


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def _code_cells(cells: list[Any]) -> Iterator[CodeCell]:
    for nth, cell in enumerate(map(_members, cells)):
        if cell.get("cell_type") == "code":
            tags = _members(cell.get("metadata")).get("tags")
            found = tuple(map(str, tags)) if isinstance(tags, list) else ()
            yield CodeCell(nth, _source(cell), found)

"""Changes of a file: of a notebook, in the source of its cells alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.errors import RulesError
from ..model.notebook_files import Notebook
from ..probes.cells import lines_in_cell
from .edits import Change, EditError, applied, edited, is_typed, parsed, replacements


def changed(file: str, text: str, chosen: Sequence[Change]) -> str:
    """Return the text of a file with changes made in it. See `edited`.

    Args:
        file: the path of the file.
        text: what is in it.
        chosen: the changes of this file.

    Raises:
        EditError: if a change cannot be made.
    """
    if not _is_notebook(file):
        return edited(text, chosen)
    try:
        notebook = Notebook(file, text)
        sources = {}
        for number in dict.fromkeys(change.cell for change in chosen):
            cell = notebook.run_cell(number)
            here = [change for change in chosen if change.cell == number]
            sources[cell.nth] = _edited_cell(cell.source, here)
    except RulesError as error:
        raise EditError(str(error)) from None
    return notebook.with_sources(sources)


def is_there(text: str, change: Change) -> bool:
    """Return whether the suggestion of a change stands around its place in a file already."""
    if _is_notebook(change.file):
        try:
            text = Notebook(change.file, text).run_cell(change.cell).source
        except RulesError:  # which is said when the change is made
            return False
    return is_typed(text, change)


def _is_notebook(file: str) -> bool:
    return Path(file).suffix == ".ipynb"


def _edited_cell(source: str, chosen: Sequence[Change]) -> str:
    """Return the source of a cell with changes made in it, which leave its magics as they are."""
    lines = source.removesuffix("\n").split("\n")
    python = _as_python(lines)
    for change in chosen:
        for number in range(change.line, min(change.end[0], len(lines)) + 1):
            if python[number - 1].rstrip() != lines[number - 1].rstrip():
                raise EditError(f"line {number} of the cell is not plain Python; edit it by hand")
    text = "\n".join(python)
    made = replacements(text, chosen)
    parsed(applied(text, made))
    return applied(source, made)


def _as_python(cell: list[str]) -> list[str]:
    """Return the lines of a cell as Python, one for each: magics as the calls that they are.

    >>> _as_python(["%%time", "x = 1", "%ls"])
    ['', 'x = 1', "get_ipython().run_line_magic('ls', '')"]
    """
    from IPython.core.inputtransformer2 import TransformerManager

    head = next((number for number, line in enumerate(cell) if line.strip()), 0)
    if cell[head:] and cell[head].startswith("%%"):
        return [""] * (head + 1) + _as_python(cell[head + 1 :])
    transformer: Any = TransformerManager
    source = transformer().transform_cell("\n".join([*cell, ""])).splitlines()
    found = [""] * len(cell)
    for text, line in zip(source, lines_in_cell(cell, source), strict=True):
        found[line - 1] = text
    return found

"""Changes of a file: of a notebook, in the source of its cells alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.errors import RulesError
from ..instrument.cells import lines_in_cell
from ..model.notebook_files import CodeCell, Notebook
from ..model.notebook_files import edited as edited_cell
from .edits import Change, EditError, edited, is_typed


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
    sources: dict[int, str] = {}
    notebook = _notebook(file, text)
    for number in dict.fromkeys(change.cell for change in chosen):
        cell = _cell(notebook, number)
        here = [change for change in chosen if change.cell == number]
        sources[cell.nth] = _edited_cell(cell.source, here)
    return notebook.with_sources(sources)


def is_there(text: str, change: Change) -> bool:
    """Tell whether the suggestion of a change stands around its place in a file already."""
    if _is_notebook(change.file):
        try:
            text = _cell(_notebook(change.file, text), change.cell).source
        except EditError:  # which is told when the change is made
            return False
    return is_typed(text, change)


def _is_notebook(file: str) -> bool:
    return Path(file).suffix == ".ipynb"


def _notebook(file: str, text: str) -> Notebook:
    try:
        return Notebook(file, text)
    except RulesError as error:
        raise EditError(str(error)) from None


def _cell(notebook: Notebook, number: int) -> CodeCell:
    """Return a cell by its number, as IPython counts them: those without code are not run."""
    run = [cell for cell in notebook.cells if cell.source.strip()]
    if not 0 < number <= len(run):
        raise EditError(f"there is no cell {number} any more")
    return run[number - 1]


def _edited_cell(source: str, chosen: Sequence[Change]) -> str:
    """Return the source of a cell with changes made in it.

    What is edited is the Python of it, where an import has its place and which is checked.
    """
    raw = source.splitlines(keepends=True)
    shown = _as_python([line.rstrip("\r\n") for line in raw])
    for change in chosen:
        for number in range(change.line, min(change.end_line, len(raw)) + 1):
            if shown[number - 1] != raw[number - 1].rstrip("\r\n"):
                raise EditError(f"line {number} of the cell is not plain Python; edit it by hand")
    ends = [line[len(line.rstrip("\r\n")) :] for line in raw]
    python = "".join(f"{line}{end}" for line, end in zip(shown, ends, strict=True))
    try:
        return edited_cell(source, python, edited(python, chosen))
    except RulesError as error:
        raise EditError(str(error)) from None


def _as_python(raw: list[str]) -> list[str]:
    """Return the lines of a cell as Python, one for each: magics as the calls that they are.

    >>> _as_python(["%%time", "x = 1", "%ls"])
    ['', 'x = 1', "get_ipython().run_line_magic('ls', '')"]
    """
    head = next((number for number, line in enumerate(raw) if line.strip()), 0)
    if raw[head:] and raw[head].startswith("%%"):
        return [""] * (head + 1) + _as_python(raw[head + 1 :])
    source = _python("\n".join([*raw, ""])).splitlines()
    found = [""] * len(raw)
    for text, line in zip(source, lines_in_cell(raw, source), strict=True):
        found[line - 1] = text
    return found


def _python(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    made: Any = TransformerManager
    return str(made().transform_cell(source))

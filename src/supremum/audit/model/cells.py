"""The cells of notebooks: what their code is called in places, and where it stands.

The code of a cell has the name that IPython gave it. Its places have another, such as ``cell [3]``
or ``/folder/notebook.ipynb: cell 3``, under which `linecache` has what was written in the cell,
line for line, with each magic as the Python that IPython makes of it.
"""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Final, NamedTuple

from .locations import Span


class Cell(NamedTuple):
    """A cell that was run.

    Attributes:
        number: its number, as IPython counts those that are run.
        notebook: the path of its notebook, or ``""`` in a session.
        nth: which of the notebook's cells it is, from 0, Markdown cells too; -1 in a session.
        is_old: whether it was run again since.
    """

    number: int
    notebook: str = ""
    nth: int = -1
    is_old: bool = False


class Block(NamedTuple):
    """Where the lines of code that IPython compiles stand in a cell.

    Attributes:
        file: what the cell is called.
        lines: for each line of the code, its line in the cell.
        indent: the number of bytes that the cell has before each of these lines.
    """

    file: str
    lines: Sequence[int]
    indent: int = 0

    def span(self, span: Span) -> Span:
        """Return where a span of the code is in the cell."""
        first, start, last, end = span
        return self.line(first), start + self.indent, self.line(last), end + self.indent

    def line(self, number: int) -> int:
        """Return where a line of the code is in the cell."""
        return self.lines[min(number, len(self.lines)) - 1] if self.lines else number


CELLS: Final[dict[str, Cell]] = {}
"""The cells, by what the files of their places are called."""


BLOCKS: Final[dict[str, Block]] = {}
"""The code of cells, by what IPython calls it, which is the file of code objects and tracebacks."""


def written(file: str, span: Span) -> tuple[str, Span]:
    """Return where code stands by the file and span that a traceback has: of a cell, in that."""
    block = BLOCKS.get(file)
    return (file, span) if block is None else (block.file, block.span(span))


def home(file: str) -> str:
    """Return the file that a user knows: of a cell, its notebook, if that is a file."""
    cell = CELLS.get(file)
    return cell.notebook if cell is not None and cell.notebook else file


def before(file: str) -> list[str]:
    """Return the cells of the same notebook or session that were run before a cell."""
    if file not in CELLS:
        return []
    names = list(CELLS)
    return [
        name for name in names[: names.index(file)] if CELLS[name].notebook == CELLS[file].notebook
    ]


def write(file: str, lines: Sequence[str]) -> None:
    """Let `linecache` have the source of a cell, whose lines have no line breaks."""
    text = [f"{line}\n" for line in lines]
    linecache.cache[file] = (sum(map(len, text)), None, text, file)


def retire(file: str) -> None:
    """Note that a cell was run again."""
    if file in CELLS:
        CELLS[file] = CELLS[file]._replace(is_old=True)

"""Cells of a notebook are one program: what one imports, those after it see."""

import linecache

import pytest

from supremum.audit.model import cells
from supremum.audit.model.names import Names
from supremum.audit.model.source_file import source_file


@pytest.fixture
def run_cells(monkeypatch):
    """Return a function that runs cells of a notebook, and gives what their files are called."""
    monkeypatch.setattr(cells, "CELLS", {})

    def run(*texts, notebook=""):
        files = [f"{notebook}: cell {n}" for n in range(len(texts))]
        for number, (file, text) in enumerate(zip(files, texts, strict=True)):
            cells.CELLS[file] = cells.Cell(number, notebook)
            monkeypatch.setitem(linecache.cache, file, (0, None, text.splitlines(True), file))
        return files

    return run


def imported(file):
    source = source_file(file)
    return Names(source, source.tree).imported


def test_a_cell_sees_what_cells_before_it_import(run_cells):
    first, second, third = run_cells("import numpy as np\n", "a = np.ones(4)\n", "import math\n")
    assert imported(first) == {"np": "numpy"}
    assert imported(second) == {"np": "numpy"}
    assert imported(third) == {"np": "numpy", "math": "math"}


def test_a_cell_does_not_see_other_notebooks_nor_what_is_no_python(run_cells):
    run_cells("import numpy as np\n", notebook="a.ipynb")
    assert imported(run_cells("%%bash\nimport math", "b = 1\n", notebook="b.ipynb")[1]) == {}

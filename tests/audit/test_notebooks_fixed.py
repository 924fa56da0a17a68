"""Notebooks that stop for their dtypes, and notebooks that ``supremum fix`` changes."""

import json
import os
import subprocess
import sys

import nbclient
import nbformat
import pytest

from supremum import audit

pytestmark = pytest.mark.thorough

LOAD = "%load_ext supremum\nimport numpy as np"
STOPS = "'a line before'\ntotal += counts * 0.5\nprint('no')"
TOTAL = "counts = np.arange(4)\ntotal = np.zeros(4, np.int64)"


def notebook_of(*cells):
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A title"), *made])


def executed(folder, *cells):
    """Return what each cell of a notebook that a kernel has run shows."""
    notebook = notebook_of(*cells)
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=120, allow_errors=True, resources=resources).execute()
    return [cell.outputs for cell in notebook.cells[1:]]


@pytest.fixture
def save(tmp_path):
    """Return a function that writes a notebook, and gives its path."""

    def write(*cells, name="work.ipynb"):
        path = tmp_path / name
        nbformat.write(notebook_of(*cells), path)
        return path

    return write


@pytest.fixture
def command(tmp_path):
    """Return a function that runs ``supremum`` in the folder of the test."""

    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "supremum", *words],
            env={**os.environ, "PYTHONIOENCODING": "utf-8"}, stdin=subprocess.DEVNULL,
            cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip

    return run


# a cell that stops


@pytest.mark.parametrize(
    ("cell", "where", "text"),
    [
        (STOPS, "cell [4], line 2", "total += counts * 0.5"),
        ("%precision 3\n\ntotal += counts * 0.5", "cell [4], line 3", "total += counts * 0.5"),
        ("%time total += counts * 0.5", "cell [4], line 1", "total += counts * 0.5"),
        ("add()", "cell [3], line 3", "total += counts * 0.5"),
    ],
)  # fmt: skip
def test_a_cell_that_stops_is_explained_below_its_traceback(tmp_path, cell, where, text):
    function = "def add():\n    global total\n    total += counts * 0.5"
    cells = [TOTAL, function, cell]
    outputs = executed(tmp_path, LOAD, *cells)
    plain = executed(tmp_path, "import numpy as np\n", *cells)
    error = next(dict(o) for o in outputs[3] if o.output_type == "error")
    assert error["ename"] == "UFuncTypeError"
    assert error["traceback"] == next(o.traceback for o in plain[3] if o.output_type == "error")
    said = "".join(o.text for o in outputs[3] if o.get("name") == "stderr").splitlines()
    assert said[0].startswith("cell [2], line 2: stopped: int64 is introduced here, and stops ")
    assert f"stops {where}: UFuncTypeError" in said[0]
    assert f"  it is used at {where}:" in said
    assert f"     {where.split()[-1]} | {text}" in said
    assert said[-1] == "  type instead: np.zeros(4, np.float64)"


def test_the_report_of_a_notebook_that_stopped_is_shown(save):
    path = save("import numpy as np", TOTAL, STOPS)
    with pytest.raises(TypeError):
        audit.run(str(path))
    report = audit.last_report()
    assert [finding.kind for finding in report.findings] == ["stopped"]
    assert "total += counts * 0.5" in report._repr_html_()


def test_a_notebook_that_stops_says_so_first(command, save):
    path = save("import numpy as np\nwide = np.hanning(4) * np.ones(4, np.float32)", TOTAL, STOPS)
    result = command("audit", "-f", "json", "-o", "report.json", path.name)
    assert result.returncode == 1
    assert "Cell In[3], line 2" in result.stderr
    first, second = json.loads((path.parent / "report.json").read_text())["findings"]
    assert (first["kind"], first["cell"], first["line"]) == ("stopped", 2, 2)
    assert [(p["cell"], p["line"]) for p in first["places"]] == [(3, 2)]
    assert second["kind"] == "widening"
    said = command("why", path.name)
    assert (said.returncode, said.stdout) == (1, "")
    where = (
        "work.ipynb: cell 2, line 2: stopped: int64 is introduced here, and stops cell 3, line 2"
    )
    assert where in said.stderr


# a notebook that is fixed

SIGNAL = "import numpy as np\nsignal = np.ones(8, np.float32)"
WINDOW = "%precision 3\n\nwindow = np.hanning(8)  # \N{GREEK SMALL LETTER ALPHA}"
BLUR = "blurred = signal * window\nblurred = blurred * np.linspace(0, 1, 8)"
SHOW = "print('sum', blurred.sum())\nblurred.dtype"
CAST = ".astype(np.float32, copy=False)"


def saved_with_outputs(save):
    """Write a notebook whose cells have outputs, as a kernel left them; returns its path."""
    path = save(SIGNAL, WINDOW, "", BLUR, SHOW)
    notebook = nbformat.read(path, 4)
    cell = notebook.cells[-1]
    cell.execution_count = 7
    cell.outputs = [nbformat.v4.new_output("stream", text="sum 1.75\n")]
    nbformat.write(notebook, path)
    return path


def lines_changed(before, after):
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    return [(a.strip(), b.strip()) for a, b in pairs if a != b]


def test_causes_in_two_cells_are_fixed_and_all_else_is_as_it_was(command, save):
    path = saved_with_outputs(save)
    before = path.read_text(encoding="utf-8")
    patch = command("fix", "--diff", path.name)
    assert path.read_text(encoding="utf-8") == before
    result = command("fix", path.name)
    assert result.returncode == 0, result.stdout + result.stderr
    after = path.read_text(encoding="utf-8")
    alpha = "  # \N{GREEK SMALL LETTER ALPHA}"
    assert lines_changed(before, after) == [
        (f'"window = np.hanning(8){alpha}"', f'"window = np.hanning(8){CAST}{alpha}"'),
        (
            '"blurred = blurred * np.linspace(0, 1, 8)"',
            '"blurred = blurred * np.linspace(0, 1, 8, dtype=np.float32)"',
        ),
    ]
    said = result.stdout.splitlines()
    assert "work.ipynb: cell 2, line 3: np.hanning(8)" in said
    assert "work.ipynb: cell 3, line 2: np.linspace(0, 1, 8)" in said
    assert "2 fixes in 1 file" in result.stdout
    assert [line.split()[0] for line in said if line.startswith("  ")][-1] == "float64"
    assert [line for line in patch.stdout.splitlines() if line.startswith("--- ")] == [
        "--- a/work.ipynb"
    ]
    again = command("fix", path.name)
    assert (again.returncode, again.stdout[:14]) == (0, "Nothing to fix")
    assert path.read_text(encoding="utf-8") == after


def test_lines_that_are_magics_are_left(command, save):
    cells = "%%capture\n%time out = signal * np.hanning(8)", "%%capture\nw = np.hamming(8)"
    path = save(SIGNAL, *cells, "out = signal * w")
    before = path.read_text(encoding="utf-8")
    result = command("fix", path.name)
    assert result.returncode == 1
    assert lines_changed(before, path.read_text(encoding="utf-8")) == [
        ('"w = np.hamming(8)"', f'"w = np.hamming(8){CAST}"')
    ]
    said = result.stdout.splitlines()
    assert said.count("  line 2 of the cell is not plain Python; edit it by hand") == 1
    assert "left: work.ipynb: cell 2, line 2: np.hanning(8)" in said


def test_a_cell_with_numbers_that_need_their_digits_is_no_finding(command, save):
    counts = "import numpy as np\ncounts = np.array([3, 5, 7], dtype=np.float32)"
    ids = "ids = counts * 0 + np.array([16777217.0, 16777219.0, 16777221.0])"
    path = save(counts, ids, "print('first', int(ids[0]))")
    before = path.read_bytes()
    result = command("fix", path.name)
    assert (result.returncode, path.read_bytes()) == (0, before)
    assert result.stdout.startswith("Nothing to fix: nothing found in ")


def test_a_notebook_that_stopped_goes_on(command, save):
    path = save(f"import numpy as np\n{TOTAL}", STOPS, "print(total.sum())")
    before = path.read_text(encoding="utf-8")
    result = command("fix", path.name)
    assert result.returncode == 0, result.stdout + result.stderr
    assert lines_changed(before, path.read_text(encoding="utf-8")) == [
        ('"total = np.zeros(4, np.int64)"', '"total = np.zeros(4, np.float64)"')
    ]
    assert "  the program ends with exit status 1" in result.stdout


def test_a_notebook_that_loads_the_extension_is_fixed(command, save):
    path = save(LOAD, "out = np.ones(8, np.float32) * np.hanning(8)\nprint(out.sum())")
    result = command("fix", path.name)
    assert result.returncode == 0, result.stdout + result.stderr
    assert CAST in path.read_text(encoding="utf-8")


def test_notebooks_that_must_not_be_changed_are_refused(command, save):
    path = save(SIGNAL, "out = signal * np.hanning(8)")
    path.chmod(0o444)
    result = command("fix", path.name)
    line = "nothing is changed: work.ipynb is not writable\n"
    assert (result.returncode, result.stderr) == (2, f"supremum: {line}")
    path.chmod(0o644)
    subprocess.run(["git", "init", "-q"], cwd=path.parent, check=True)
    result = command("fix", path.name)
    assert "work.ipynb is not committed to git; commit it, or use --force" in result.stderr
    path = save(
        SIGNAL, "from pathlib import Path\nPath('work.ipynb').touch()", "signal * np.ones(8)"
    )
    result = command("fix", "--force", path.name)
    assert "work.ipynb has changed since the program was started; run fix again" in result.stderr

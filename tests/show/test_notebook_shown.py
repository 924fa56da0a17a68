"""A notebook that shows one of each result, run by a kernel."""

import nbclient
import nbformat
import pytest

pytestmark = pytest.mark.thorough

CELLS = {
    'supremum.explain("int32", "float16", 1.0)': "every float is above every integer",
    'supremum.explain("(int32[3] + 1.5) / uint8[3]", system="torch")': "of a higher kind",
    'supremum.compare("int32", "float32", systems=["numpy", "jax", "torch"])': "differs",
    'supremum.diff("numpy", "jax", "int8", "uint32", "float32")': "wider in numpy",
    'supremum.laws("jax-original")': "associativity",
    'supremum.laws("jax-original")["associativity"]': "fails",
    'supremum.custom.criteria("jep9407-option1")': "precision loss",
    'supremum.table("jax", "int8", "uint8")': "int8 with uint8 gives int16",
    'supremum.system("jax")': "<svg",
    'supremum.system("jax").lattice': "<svg",
    'supremum.custom.Lattice("a -> b, c -> d")': "<svg",
    'supremum.system("jax").draw(highlight=["int32", "float16"])': "",
    "import numpy as np; np.ones(3, np.float32) * np.hanning(3)": "float64",
    'supremum.compare_function(lambda x: x * 2, "int8[3]", systems=["jax", "numpy"])': "int8",
}


def test_each_result_is_shown(tmp_path):
    cells = ["import supremum\n%load_ext supremum", *CELLS, "%audit_report"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=resources).execute()
    for cell, said in zip(notebook.cells[1:], [*CELLS.values(), "np.hanning(3)"], strict=True):
        shown = [output.get("data", {}) for output in cell.outputs]
        html = "".join(data.get("text/html", "") for data in shown)
        drawings = "".join(data.get("image/svg+xml", "") for data in shown)
        assert html or drawings.startswith("<svg"), cell.source
        assert said in html, cell.source
        assert " object at 0x" not in html

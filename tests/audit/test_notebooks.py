"""Notebooks: ``%load_ext supremum`` in a kernel, and ``supremum audit notebook.ipynb``."""

import json
import re
import subprocess
import sys

import nbclient
import nbformat
import pytest

from supremum import RulesError, audit
from supremum.audit.model.notebook_files import Notebook

pytestmark = pytest.mark.thorough

LOAD = "%load_ext supremum\nimport numpy as np"
WINDOW = "window = np.hanning(8)\n\ndef blur(image):\n    return image * window"
SIGNAL = "signal = np.ones(8, np.float32)"


def notebook_of(*cells):
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A title"), *made])


def executed(folder, *cells):
    """Return the cells of a notebook that a kernel has run, each with what it shows of ours."""
    notebook = notebook_of(*cells)
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=120, allow_errors=True, resources=resources).execute()
    return [[dict(output) for output in cell.outputs] for cell in notebook.cells[1:]]


def is_ours(output):
    html = output.get("data", {}).get("text/html", "")
    return "supremum-audit" in html or "Nothing found" in html or "Nothing was" in html


def shown(outputs):
    """Return what we show in each cell, as text."""
    return [
        "\n".join(o["data"]["text/plain"] for o in cell if is_ours(o)).splitlines()
        for cell in outputs
    ]


def printed(outputs):
    texts = ("".join(o.get("text", "") for o in cell) for cell in outputs)
    return [re.sub("\x1b\\[\\d*m", "", text) for text in texts]  # colours


def test_the_command_and_what_it_explains_are_shown_in_a_cell(tmp_path):
    outputs = executed(
        tmp_path, LOAD, "%supremum explain int8 float16", "%supremum flop",
        "import supremum\nsupremum.explain('int8', 'float16')",
    )  # fmt: skip
    said = printed(outputs)
    assert said[1].startswith("float16   ")
    assert "there is no command 'flop'" in said[2]
    [text] = [o["data"]["text/plain"] for o in outputs[3] if "data" in o]
    assert " ".join(said[1].split()).startswith(" ".join(text.split()))


def test_findings_are_beside_the_cell_in_which_they_were_found(tmp_path):
    outputs = executed(
        tmp_path, LOAD, WINDOW, SIGNAL, "blurred = blur(signal)", "1 + 1", "signal * window",
        "%%audit\nsum([1, 2])", "%audit_report",
    )  # fmt: skip
    said = shown(outputs)
    assert [len(lines) > 1 for lines in said] == [
        False, False, False, True, False, True, False, True,
    ]  # fmt: skip
    assert said[3][0].startswith("cell [2], line 1: widening: ")
    assert "  it widens to float64 at line 4:" in said[3]
    assert "  it widens to float64 at cell [6], line 1:" in said[5]
    assert said[6][0].startswith("Nothing was checked: ")
    assert said[7][-1] == "Watched: 8 cells."
    [html] = [o["data"]["text/html"] for o in outputs[3] if is_ours(o)]
    assert "<strong>cell [2], line 1</strong>" in html
    assert "np.hanning(8).astype(" in html
    assert not re.search("<script|<style|<link|src=|http", html)


T = (
    "class T(__import__('ast').NodeTransformer):\n"
    "    def visit_Constant(self, node):\n"
    "        node.value = node.value + 1 if type(node.value) is int else node.value\n"
    "        return node\n"
    "get_ipython().ast_transformers.append(T())"
)
AS_BEFORE = (
    "import numpy as np\nx = np.ones(4, np.float32)\ny = np.ones(4)",
    "def product(a, b):\n    c = a @ b\n    return c",
    "def f(:\n    pass",
    "\n  \nx * y",
    "import asyncio\nawait asyncio.sleep(0)\nz = x * y\nawait asyncio.sleep(0)\nz.dtype",
    "!echo one\nnames = !echo two three\nnames, x * y",
    "%%capture out\nprint(x * y)",
    "%time a = x * y",
    "%%time\na = x * y\na.sum()",
    "%timeit -n1 -r1 x * y",
    "%%bash\necho from bash",
    "get_ipython().run_cell('x * y')\nprint('after')",
    "import sys\nsys.exit(3)",
    "return 5",
    "product(np.ones((2, 3)), np.ones((2, 3)))",
    "1 / 0",
    "x.unknown + y",
    "{'a': 1}['b'] + x",
    "[product(a, b) for a in [x] for b in [np.ones(5)]]",
    "%%time\nz = 3\nz / 0",
    "%xmode Verbose\nproduct(np.ones((2, 3)), np.ones((2, 3)))",
    "x += 1\nx[0] += 1\ndel y\nx",
    "get_ipython().ast_node_interactivity = 'last_expr_or_assign'",
    "x += 1",
    "get_ipython().ast_node_interactivity = 'all'",
    "for i in range(2):\n    i\nx[1] += 4\nwith open('/dev/null'):\n    x\nx",
    "get_ipython().ast_node_interactivity = 'last_expr'\nawait nothing() + x",
    T,
    "np.arange(3) * np.float32(2)",
    "x.foo",
)
TIMES = re.compile(r"\d+(\.\d+)? ([nμm]?s|µs)\b")


def said(cell):
    """Return what a cell shows, but for what is ours, for times, and for how text came in parts."""
    parts = []
    for output in cell:
        if output["output_type"] == "stream" and parts and parts[-1][0] == output["name"]:
            parts[-1][1] += output["text"]
        elif not is_ours(output):
            is_text = output["output_type"] == "stream"
            parts.append([output["name"], output["text"]] if is_text else [str(output)])
    return TIMES.sub("T", re.sub(r"ipykernel_\d+", "", str(parts)))


def test_cells_show_what_they_show_without_the_audit(tmp_path):
    plain, audited = (
        [said(cell) for cell in executed(tmp_path, first, *AS_BEFORE)[1:]]
        for first in ("pass", "%load_ext supremum")
    )
    assert audited == plain
    assert sum("traceback" in cell for cell in plain) >= 12
    assert sum("execute_result" in cell for cell in plain) >= 8


def test_lines_are_those_of_the_cell(tmp_path):
    x = "x = np.ones(4, np.float32)"
    outputs = executed(
        tmp_path, LOAD, x, "\n\nx * np.hanning(4)", "%%time\nx * np.blackman(4)",
        "%time y = x * np.bartlett(4)", "%%capture\n# a comment\nx * np.hamming(4)",
        "%%audit\n%%time\n# a comment\nx * np.kaiser(4, 1)",
        "!echo \\\n  a \\\n  b\nx * np.sinc(np.ones(4))",
    )  # fmt: skip
    said = [re.findall(r"^cell \[(\d)\], line (\d)", "\n".join(lines)) for lines in shown(outputs)]
    assert said[2:] == [
        [("3", "3")], [("4", "2")], [("5", "1")], [("6", "3")], [("7", "4")], [("8", "4")],
    ]  # fmt: skip


def test_cells_that_are_run_again_replace_what_was_found(tmp_path):
    bad = "taps = np.hanning(4)"
    outputs = executed(
        tmp_path, LOAD, "x = np.ones(4, np.float32)", bad, "y = x * taps", "report = %audit_report",
        "print(len(report.findings))", bad, "print(len((get_ipython().run_line_magic("
        "'audit_report', '')).findings))", "y = x * taps", "%audit_report",
    )  # fmt: skip
    assert [printed(outputs)[i].strip() for i in (5, 7)] == ["1", "0"]
    assert shown(outputs)[8][0].startswith("cell [7], line 1: widening")
    last = "\n".join(shown(outputs)[9])
    assert "1 cause" in last
    assert "cell [3]" not in last


def test_a_function_of_a_cell_that_was_run_again_is_marked(tmp_path):
    cell = "def f(x):\n    return x * np.hanning(4)"
    outputs = executed(
        tmp_path, LOAD, cell, "old = f", cell, "old(np.ones(4, np.float32)).dtype"
    )  # fmt: skip
    assert shown(outputs)[4][0].startswith("cell [2] (run again since), line 2: widening")


def test_magics_take_options_and_say_what_is_wrong_with_them(tmp_path):
    outputs = executed(
        tmp_path, LOAD, "%%audit --forbid float64\nq = np.zeros(4)",
        "%%audit --forbod float64\nprint('not run')", "%%audit --forbid floot64\nprint('not run')",
        "%audit bogus", "%audit off\nnp.ones(4, np.float32) * np.hanning(4)",
        "%audit quiet\nnp.ones(4, np.float32) * np.kaiser(4, 1)",
        "%audit on --target jax\nnp.ones(4, np.int32) * np.ones(4, np.float32)",
        "%audit_report report.html", "%audit_report report.doc",
        "%unload_ext supremum", "np.ones(4, np.float32) * np.hanning(4)", "%load_ext supremum",
        "%load_ext supremum", "%%audit\nnp.ones(4, np.float32) * np.blackman(4)",
    )  # fmt: skip
    said, text = shown(outputs), printed(outputs)
    assert "forbidden:float64" in said[1][0]
    assert re.match(r"UsageError: .*--forbod.*; there are --kinds, .*--baseline\n", text[2])
    assert text[3].startswith("UsageError: 'floot64' is not the name of a dtype; did you mean")
    assert text[4].startswith("UsageError: 'bogus' is not known here; type %audit on, %audit off")
    assert said[5] == said[6] == []
    assert "cell [8], line 2" in said[7][0]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "np.kaiser(4, 1)" in page
    assert text[9].startswith("UsageError: %audit_report takes one file, whose name ends in .txt")
    assert said[11] == []
    assert "np.blackman(4)" in "\n".join(said[14])


def test_one_cell_is_watched_where_others_are_not(tmp_path):
    x = "np.ones(4, np.float32) * np.{}(4)"
    outputs = executed(
        tmp_path, LOAD, "%audit off", x.format("hanning"), f"%%audit\n{x.format('hamming')}",
        x.format("bartlett"), f"%%audit --kinds widening\n{x.format('blackman')}",
        x.format("hanning"), "%audit", "%audit 'on",
    )  # fmt: skip
    assert [bool(lines) for lines in shown(outputs)[:7]] == [
        False, False, False, True, False, True, False,
    ]  # fmt: skip
    assert printed(outputs)[7].startswith("The audit is off; type %audit on")
    assert printed(outputs)[8] == 'UsageError: "\'on": No closing quotation\n'


def test_modules_and_scripts_are_watched(tmp_path):
    source = "import numpy as np\n\ndef f(x):\n    return x * np.hanning(4)\n"
    (tmp_path / "kernel.py").write_text(source, encoding="utf-8")
    (tmp_path / "script.py").write_text(
        "from __future__ import annotations\nimport numpy as np\n"
        "np.ones(4, np.float32) * np.kaiser(4, 1)\n",
        encoding="utf-8",
    )
    outputs = executed(
        tmp_path, LOAD, "import kernel\nkernel.f(np.ones(4, np.float32))", "%run script.py",
        "def g(x: undefined_name): pass", "with __import__('supremum').audit.watch() as found:\n"
        "    np.ones(4, np.float32) * np.bartlett(4)\nfound",
    )  # fmt: skip
    said = shown(outputs)
    assert said[1][0].startswith("kernel.py:4:16: widening")
    assert said[2][0].startswith("script.py:3:26: widening")
    assert "NameError" in str(outputs[3])  # the script's future is its own
    assert "np.bartlett(4)" in "\n".join(said[4])


def test_a_watch_without_the_extension_says_what_to_type(tmp_path):
    [output] = executed(
        tmp_path, "from supremum import audit\nwith audit.watch() as found:\n    pass\nprint(found)"
    )
    assert "type %load_ext supremum, then run the cells again" in output[0]["text"]


def test_what_a_finding_raises_shows_the_cell_alone(tmp_path):
    outputs = executed(
        tmp_path, LOAD, "%audit on --on-finding raise\n1 + np.ones(3, np.float32) * np.hanning(3)"
    )
    [error] = [o for o in outputs[1] if o["output_type"] == "error"]
    assert error["ename"] == "AuditStop"
    assert "hooks.py" not in "\n".join(error["traceback"])
    assert "np.hanning" in "\n".join(error["traceback"])


def test_arrays_are_not_kept_after_an_error(tmp_path):
    cell = (
        "import weakref\nkept = []\n"
        "def big():\n    a = np.ones(1000)\n    kept.append(weakref.ref(a))\n    return a\n"
        "try:\n    big() * big().unknown\nexcept AttributeError: pass"
    )
    look = "import gc; gc.collect()\nprint([one() is None for one in kept])"
    broken = "big() * int('x')"
    clean = "import sys\nsys.last_value = sys.last_traceback = sys.last_exc = None"
    outputs = executed(tmp_path, LOAD, cell, look, broken, clean, look)
    assert printed(outputs)[2] == "[True, True]\n"


# the command


@pytest.fixture
def command(tmp_path):
    """Return a function that runs the command in the folder of the test."""

    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "supremum", "audit", *words],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def save(tmp_path):
    """Return a function that writes a notebook, and gives its path."""

    def write(*cells, name="work.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        nbformat.write(notebook_of(*cells), path)
        return path

    return write


IMPORT = "import numpy as np"


def test_a_notebook_is_run_and_reported_by_cell(command, save, tmp_path):
    path = save(IMPORT, WINDOW, SIGNAL, "print('out', blur(signal).dtype)\nsignal.dtype")
    before = path.read_bytes()
    result = command("work.ipynb")
    assert (result.returncode, result.stdout) == (0, "out float64\nOut[4]: dtype('float32')\n")
    lines = result.stderr.splitlines()
    assert lines[0].startswith("work.ipynb: cell 2, line 1: widening: ")
    assert lines[-1] == "Watched: 4 cells."
    assert path.read_bytes() == before
    assert command("--fail-on", "widening", "work.ipynb").returncode == 3
    names = ["r.json", "r.sarif", "r.html", "r.github"]
    command(*(word for name in names for word in ("-o", name)), "work.ipynb")
    found, sarif, page, github = ((tmp_path / name).read_text(encoding="utf-8") for name in names)
    [finding] = json.loads(found)["findings"]
    assert finding["file"] == str(path)
    assert [finding["cell"], finding["line"]] == [2, 1]
    assert [finding["places"][0]["cell"], finding["places"][0]["line"]] == [2, 4]
    rows = before.decode().splitlines()
    [row] = [n for n, text in enumerate(rows, 1) if "np.hanning(8)" in text]
    column = rows[row - 1].index("np.hanning") + 1
    region = json.loads(sarif)["runs"][0]["results"][0]["locations"][0]
    assert region["physicalLocation"]["region"] == {
        "startLine": row, "startColumn": column, "endLine": row, "endColumn": column + 13,
    }  # fmt: skip
    assert region["physicalLocation"]["artifactLocation"]["uri"] == "work.ipynb"
    assert region["logicalLocations"][0]["name"] == "cell 2"
    assert f"file=work.ipynb,line={row},col={column}" in github
    assert "::cell 2, line 1: float64 is introduced here" in github
    assert "work.ipynb: cell 2, line 1" in page


@pytest.mark.parametrize(
    ("cells", "end", "said"),
    [
        (["import sys", "sys.exit(3)", "print('no')"], (3, ""), ""),
        (["exit()", "print('no')"], (0, ""), ""),
        (["print('a')", "def f(:", "print('no')"], (1, "a\n"), "Cell In[2], line 1"),
        (["def f():\n    1 / 0", "f()", "print('no')"], (1, ""), "ZeroDivisionError: division"),
        (["import os, signal\nos.kill(os.getpid(), signal.SIGINT)"], (-2, ""), "KeyboardInterrupt"),
        (["print(__name__)\nimport atexit\n_ = atexit.register(print, x := 7)"],
         (0, "__main__\n7\n"), ""),
        (["%load_ext supremum", "%%audit\nprint(1)", "_ = %audit_report\n!echo 2"],
         (0, "1\n2\n"), ""),
    ],
)  # fmt: skip
def test_a_notebook_ends_as_it_says(command, save, cells, end, said):
    save(*cells)
    result = command("work.ipynb")
    assert (result.returncode, result.stdout) == end
    assert said in result.stderr
    assert result.stderr.count("Traceback") == ("ZeroDivision" in said or "Keyboard" in said)


def test_a_cell_that_may_fail_does_not_end_the_notebook(command, save):
    path = save("1 / 0", "print('goes on')")
    said = json.loads(path.read_text(encoding="utf-8"))
    said["cells"][1]["metadata"]["tags"] = ["raises-exception"]
    path.write_text(json.dumps(said), encoding="utf-8")
    result = command("work.ipynb")
    assert (result.returncode, result.stdout) == (0, "goes on\n")


def test_what_asks_for_windows_is_run_without_any(command, save):
    found = command(save("%gui qt\nimport numpy as np", "%autosave 0", "print('the end')"))
    assert "the end" in found.stdout
    assert found.returncode == 0


def test_a_notebook_runs_in_its_own_folder(command, save):
    save("from pathlib import Path\nprint(Path('work.ipynb').exists())", name="sub/work.ipynb")
    assert command("sub/work.ipynb").stdout == "True\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "is not a notebook: Expecting value"),
        ('{"cells": 3}', "is not a notebook: it has no list of cells"),
        ('{"worksheets": []}', "is a notebook of an old format; bring it up to date: jupyter"),
        ('{"cells": []}', "has no cell of code to run"),
        ('{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}', "in R, not in Python"),
    ],
)
def test_what_is_no_notebook_is_refused_in_one_line(command, tmp_path, text, said):
    (tmp_path / "bad.ipynb").write_text(text, encoding="utf-8")
    result = command("bad.ipynb")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


def test_ipython_is_asked_for_where_it_is_missing(save, monkeypatch):
    path = save("1")
    monkeypatch.setitem(sys.modules, "IPython", None)
    with pytest.raises(RulesError, match=r'pip install "supremum\[notebook\]"'):
        audit.run(str(path))


def test_two_notebooks_in_one_process_are_apart(save, capsys):
    one = save(IMPORT, "np.ones(4, np.float32) * np.hanning(4)", "1 / 0", name="one.ipynb")
    two = save(IMPORT, "'get_ipython' in dir(), 'one' in dir()", name="two.ipynb")
    with pytest.raises(ZeroDivisionError):
        audit.run(str(one))
    [finding] = audit.last_report().findings
    assert (finding.file, finding.line) == (f"{one}: cell 2", 1)
    assert audit.run(str(two)).findings == ()
    assert "Out[2]: (True, False)" in capsys.readouterr().out


# the file


@pytest.mark.parametrize("split", [True, False], ids=["lines", "text"])
@pytest.mark.parametrize(
    "style", [{"indent": 1}, {"indent": 4}, {}, {"indent": 1, "ensure_ascii": True}], ids=str
)
def test_a_notebook_is_written_back_as_it_was_but_for_what_changed(tmp_path, style, split):
    source = 'x = "é\\n"\n\ny = x * 2\n'
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": "# A title"},
        {"cell_type": "code", "metadata": {"a": [1, -2.5e3, None, {}]}, "outputs": [],
         "source": source.splitlines(keepends=True) if split else source},
        {"cell_type": "code", "source": [] if split else ""},
    ]  # fmt: skip
    said = {"cells": cells, "metadata": {}, "nbformat": 4}
    text = json.dumps(said, **{"ensure_ascii": False, **style}) + "\n"
    path = tmp_path / "n.ipynb"
    path.write_bytes(text.encode())
    notebook = Notebook(str(path))
    assert [cell.source for cell in notebook.cells] == [source, ""]
    assert notebook.with_sources({c.nth: c.source for c in notebook.cells}) == text
    new = source.replace("* 2", '* 3  # "ü"') + "z = 1"
    written = notebook.with_sources({1: new})
    read = json.loads(written)["cells"]
    assert "".join(read[1]["source"]) == new
    path.write_bytes(written.encode())
    assert Notebook(str(path)).with_sources({1: source}) == text
    for line, column, here in ((3, 5, "x * 2"), (1, 7, "\\\\n")):
        row, at = notebook.position(1, line, column)
        assert text.splitlines()[row - 1][at - 1 :].startswith(here)

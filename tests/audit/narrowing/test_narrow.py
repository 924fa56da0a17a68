"""Which arrays of a program may be narrower: what is found, what is refused, what is written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from supremum import audit
from supremum.core.errors import SupremumError

pytestmark = pytest.mark.thorough

PROGRAM = """\
import numpy as np

n = 20_000
x = np.linspace(0.0, 1.0, n)
weights = np.array([0.25, 0.5, 0.25])
smooth = np.convolve(x, weights)
stamps = 1.7e9 + np.arange(n) / 1000
print(f"{smooth.mean():.6f} {np.diff(stamps).mean():.6f}")
"""
REFUSED = {
    "an unknown dtype": (PROGRAM, {"to": "flaot32"}),
    "a weak dtype": (PROGRAM, {"to": "float*"}),
    "a complex dtype": (PROGRAM, {"to": "complex64"}),
    "a tolerance that is none": (PROGRAM, {"to": "float32", "within": -1.0}),
    "no wide arrays": (PROGRAM, {"to": "float64"}),
    "a program that fails": ("raise ValueError('no data')\n", {"to": "float32"}),
    "no seed": (
        "import numpy as np\nx = np.random.default_rng().normal(size=999)\nprint(x.sum())\n",
        {"to": "float32"},
    ),
    "no file to compare": (PROGRAM, {"to": "float32", "compare": ["out.npy"]}),
    "no file": (None, {"to": "float32"}),
    "a wrong expression": (PROGRAM, {"to": "float32", "check": "nothing"}),
    "a command that is not there": (PROGRAM, {"to": "float32", "check": "frobnicate --all"}),
    "no numbers": ("import numpy as np\nx = np.ones(999)\nprint('x')\n", {"to": "float32"}),
    "no numbers, and a file": (
        "import numpy as np\nnp.save('rates.npy', np.ones(999))\n",
        {"to": "float32"},
    ),
    "times": (
        "import time, numpy as np\nx = np.ones(999)\nprint(time.perf_counter_ns() * 1.0)\n",
        {"to": "float32", "within": 1e-17},
    ),
    "os._exit": ("import os\nos._exit(0)\n", {"to": "float32"}),
}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a function that writes a program, and returns its path."""
    monkeypatch.chdir(tmp_path)

    def write(text, name="program.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def names(found):
    """Return the variables that are narrowed, by the lines of a program."""
    lines = PROGRAM.splitlines()
    return sorted(lines[n.place.start[0] - 1].partition(" = ")[0] for n in found.narrowed)


@pytest.mark.parametrize(("text", "given"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused(program, text, given, golden):
    path = program(text) if text is not None else "nope.py"
    with pytest.raises(SupremumError) as refused:
        audit.narrow(path, **given)
    golden(re.sub(r"-?\d+\.\d+|\d+e-\d+", "NUMBER", str(refused.value)))


def test_what_is_enough_is_found_and_nothing_is_written(program):
    path = program(PROGRAM)
    found = audit.narrow(path, to="float32", within=1e-5)
    assert names(found) == ["weights", "x"]
    assert {(n.place.dtype, n.place.wanted) for n in found.narrowed} == {("float64", "float32")}
    assert all(n.saved > 0 for n in found.narrowed)
    (place, why) = found.wide[0]
    assert (place.text, len(found.wide)) == ("np.arange(n) / 1000", 1)
    assert why
    assert found.change <= 1e-5
    assert (found.written, found.is_partial) == (False, False)
    assert Path(path).read_text(encoding="utf-8") == PROGRAM
    assert found.patch.count(b"\n+x = ") == found.patch.count(b"\n+weights = ") == 1


def test_the_changes_are_written_and_hold(program):
    path = program(PROGRAM)
    found = audit.narrow(path, to="float32", within=1e-5, write=True)
    assert found.written
    text = Path(path).read_text(encoding="utf-8")
    assert text.count("dtype=np.float32") == 2
    again = audit.narrow(path, to="float32", within=1e-5)
    assert (again.narrowed, len(again.wide)) == ((), 1)


def test_a_write_is_undone_if_the_program_gives_something_else(program):
    text = f"{PROGRAM}print(__import__('pathlib').Path(__file__).read_text())\n"
    path = program(text)
    with pytest.raises(SupremumError, match="undone"):
        audit.narrow(path, to="float32", within=1e-5, write=True)
    assert Path(path).read_text(encoding="utf-8") == text


def test_several_inputs_hold_together(program):
    text = PROGRAM.replace("n = 20_000", "import sys\nn, last = int(sys.argv[1]), sys.argv[2]")
    path = program(text.replace("x = np.linspace(0.0, 1.0, n)", "x = np.full(n, float(last))"))
    one = audit.narrow(path, ["20000", "1.0"], to="float16", within=1e-2)
    both = audit.narrow(path, to="float16", within=1e-2, inputs=[["20000", "1"], ["9000", "1e6"]])
    assert len(one.narrowed) == 2
    assert [n.place.text for n in both.narrowed] == []
    assert (one.inputs, both.inputs) == (1, 2)


def test_the_own_arguments_and_further_inputs_hold_together(program):
    path = program(
        "import numpy as np, sys\n"
        "x = np.linspace(0, 1, 9_000) if sys.argv[1] == 'a' else np.full(9_000, 0.1)\n"
        "print(f'{x.mean():.5f}')\n"
    )
    found = audit.narrow(path, ["a"], to="float32", inputs=[["b"]])
    assert (len(found.narrowed), found.inputs) == (2, 2)


def test_a_program_that_runs_without_arguments_counts_with_its_inputs(program):
    path = program(
        "import sys\nimport numpy as np\n"
        "n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000\n"
        "a = np.arange(n * 100) % 1000\nb = a * 3\nprint(b.sum(), b.max())\n"
    )
    found = audit.narrow(path, to="int16", inputs=[["5"]])
    assert (found.inputs, [one.place.wanted for one in found.narrowed]) == (2, ["int32"])


TINY = """\
import numpy as np

t = np.linspace(0, 1e-6, 9_000)
print(f"{(t + 1e-15 - t).mean():.3e} {(t + 5e-14 - t).mean():.3e}")
"""
CACHED = """\
import os
import numpy as np

if os.path.exists("cache.npy"):
    t = np.load("cache.npy").tolist()
else:
    t = np.diff(1.7e9 + np.arange(9_000) * 0.01)
    np.save("cache.npy", t)
print(f"{sum(t) / len(t):.6f}")
"""


@pytest.mark.parametrize("text", [TINY, CACHED])
def test_nothing_is_narrowed_that_changes_small_numbers_or_what_a_first_run_does(program, text):
    found = audit.narrow(program(text), to="float32", within=1e-5)
    assert found.narrowed == ()
    assert len(found.wide) == 1


def test_what_the_program_writes_is_that_of_the_program_as_it_is(program, tmp_path):
    np = pytest.importorskip("numpy")
    program("1\n", "log.txt")
    path = program(
        "import numpy as np\n"
        "x = np.linspace(0.0, 1.0, 9_000)\n"
        "np.save('out.npy', x)\n"
        "print(f'{x.mean():.6f}')\n"
    )
    found = audit.narrow(path, to="float32")
    assert len(found.narrowed) == 1
    assert "out.npy" in found.note
    assert np.load(tmp_path / "out.npy").dtype == np.float64
    assert (tmp_path / "log.txt").read_text() == "1\n"


def test_an_exit_status_is_a_result(program):
    text = "import sys\n" + PROGRAM + "sys.exit(3)\n"
    assert len(audit.narrow(program(text), to="float32", within=1e-5).narrowed) == 2


def test_an_object_is_compared_by_its_attributes(program):
    text = (
        "import numpy as np\n"
        "class Model:\n"
        "    def __init__(self):\n"
        "        self.w = np.linspace(0.0, 1.0, 9_000)\n"
        "model = Model()\n"
    )
    found = audit.narrow(program(text), to="float32", check="model")
    assert len(found.narrowed) == 1
    exact = audit.narrow(program(text), to="float32", check="model", within=1e-12)
    assert exact.narrowed == ()


def test_dates_beside_arrays_are_no_obstacle(program):
    text = (
        "import numpy as np\n"
        "days = np.arange(5_000) * np.timedelta64(1, 's')\n"
        "x = np.linspace(0.0, 1.0, 9_000)\n"
        "print(days.max(), f'{x.mean():.5f}')\n"
    )
    assert len(audit.narrow(program(text), to="float32").narrowed) == 1


CHECKED = """\
import numpy as np

x = np.linspace(0.0, 1.0, 20_000)
np.save("out.npy", x[:3])
big = x * 1e30
"""


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({"check": "big.max()"}, 1),
        ({"check": "(big * 1e10).max()"}, 0),
        ({"compare": ["out.npy"]}, 1),
        ({"compare": ["out.npy"], "within": 1e-12}, 0),
        ({"check": "python -c \"import numpy; print(numpy.load('out.npy').dtype.itemsize)\""}, 0),
    ],
)
def test_what_is_compared_decides(program, given, count):
    assert len(audit.narrow(program(CHECKED), to="float32", **given).narrowed) == count


def test_integers_become_as_narrow_as_their_values_allow(program):
    path = program(
        "import numpy as np\n"
        "labels = np.arange(30_000) % 200\n"
        "ids = np.arange(30_000) * 5\n"
        "print(labels.max(), ids.max())\n"
    )
    found = audit.narrow(path, to="int16")
    assert {p.place.wanted for p in found.narrowed} <= {"int16", "int32"}
    large = program("import numpy as np\nids = np.arange(30_000) * 10**12\nprint(ids.max())\n")
    tight = audit.narrow(large, to="int16")
    assert tight.narrowed == ()
    assert any("values reach" in why for _, why in tight.wide)


def test_an_interrupt_gives_what_was_found_so_far(program):
    def interrupt(line):
        if line.startswith("measuring"):
            raise KeyboardInterrupt

    found = audit.narrow(program(PROGRAM), to="float32", within=1e-5, progress=interrupt)
    assert found.is_partial
    assert names(found) == ["weights", "x"]


def test_a_loop_that_never_ends_with_a_change_is_ended(program, monkeypatch):
    monkeypatch.setattr("supremum.audit.trial.inputs._PATIENCE", (3.0, 1.0))
    path = program(
        "import numpy as np\n"
        "x = np.linspace(1.0, 2.0, 5_000)\n"
        "while abs(x[1] - 1.0) > 1e-3 or x.dtype == np.float32:\n"
        "    x = x - 1e-4 * (x - 1.0)\n"
        "print(round(float(x[0]), 3))\n"
    )
    found = audit.narrow(path, to="float32")
    assert found.narrowed == ()
    assert "does not end" in found.wide[0][1]


def test_a_module_of_a_package_is_narrowed_from_its_texts(program, tmp_path):
    (tmp_path / "package").mkdir()
    program("", "package/__init__.py")
    program("import numpy as np\n\ndef make(n):\n    return np.ones(n)\n", "package/core.py")
    program("from package.core import make\nprint(make(9_000).sum())\n", "package/__main__.py")
    found = audit.narrow("package", to="float32", as_module=True)
    assert [n.place.file for n in found.narrowed] == [str(tmp_path / "package" / "core.py")]


def test_the_command_prints_a_table_and_a_patch(program):
    path = program(PROGRAM)
    words = [sys.executable, "-m", "supremum", "fix", "--to", "float32", "--within", "1e-5", path]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n+") == 3
    assert "This holds for the input" in done.stdout
    alone = subprocess.run([*words[:4], "--diff", *words[4:]], capture_output=True, check=False)
    assert alone.stdout.startswith(b"--- a/program.py")


@pytest.mark.parametrize("words", [["--write"], ["--check", "x"]])
def test_options_that_go_with_a_dtype_are_refused_without_one(run, program, words, golden):
    found = run("fix", *words, program(PROGRAM))
    assert found.exit_code == 2
    golden(found.stderr)


def test_births_describe_where_arrays_meet(program, tmp_path):
    words = [str(tmp_path / "births.json"), "float32", "", "0", program(PROGRAM)]
    called = [sys.executable, "-m", "supremum.audit.trial.births", *words]
    assert subprocess.run(called, capture_output=True, check=False).returncode == 0
    report = json.loads((tmp_path / "births.json").read_text(encoding="utf-8"))
    texts = [birth["text"] for birth in report["births"]]
    flows = {frozenset(texts[n] for n in met) for met, *_ in report["flows"]}
    x, weights = "np.linspace(0.0, 1.0, n)", "np.array([0.25, 0.5, 0.25])"
    assert {frozenset([x]), frozenset([weights]), frozenset([x, weights])} <= flows

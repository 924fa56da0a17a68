"""What is predicted of NumPy 2 under 1.26 is what NumPy 2 does, and the other way round."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LEGACY = ROOT / ".venv-legacy" / "bin" / "python"
ERRORS = ("TypeError", "OverflowError", "ValueError")

if not LEGACY.exists():
    pytest.skip("make .venv-legacy/.legacy installs NumPy 1.26", allow_module_level=True)


def run(python, *words, check=True):
    return subprocess.run(
        [python, "-W", "ignore", *words],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=check, timeout=900,
    )  # fmt: skip


@pytest.fixture(scope="module")
def asked():
    script = HERE / "numpy_operators.py"
    of_one = json.loads(run(LEGACY, script, "numpy").stdout)
    of_two = json.loads(run(sys.executable, script, "numpy-legacy").stdout)
    return of_one, of_two


@pytest.mark.parametrize("under", [0, 1], ids=["under NumPy 1", "under NumPy 2"])
def test_every_operator_is_predicted(asked, under, count):
    predicted, there = asked[under], asked[1 - under]
    wrong, total = Counter(), 0
    for operation, (_, expected) in predicted.items():
        if expected is None:  # nothing came out here, or an object
            continue
        total += 1
        came = there[operation][0]
        if expected != ("refused" if came in ERRORS else came):
            wrong[operation] = f"predicted {expected}, came {came}"
    count(f"{total:,} operations of another NumPy predicted, {len(wrong)} wrong")
    assert total > 50_000
    assert not wrong, list(wrong.items())[:20]


@pytest.mark.parametrize("under", [0, 1], ids=["under NumPy 1", "under NumPy 2"])
def test_programs_of_public_issues_are_predicted(under, count):
    script = HERE / "numpy_programs.py"
    runs = [(LEGACY, "numpy"), (sys.executable, "numpy-legacy")]
    ours, theirs = (json.loads(run(p, script, t).stdout) for p, t in (runs[under], runs[1 - under]))
    wrong, changed = [], 0
    for line, (dtype, value, there, is_found) in ours.items():
        if there is None:  # it stops here: `supremum why` is for that
            continue
        came, came_value, *_ = theirs[line]
        differs = [dtype, value] != [came, came_value]
        changed += differs
        if there != came or is_found != differs:
            wrong.append(f"{line}: {value} of {dtype}, predicted {there}, came {came_value} {came}")
    count(f"{len(ours)} lines of programs, {changed} differ in another NumPy, {len(wrong)} wrong")
    assert not wrong


def test_the_page_shows_what_numpy_1_prints(tmp_path):
    file = "survey.py"
    page = (ROOT / "docs/howto/after-weak-and-warn.md").read_text("utf-8")
    program = page.split(f'```python title="{file}"\n')[1].split("```")[0]
    (tmp_path / file).write_text(program, encoding="utf-8")
    command, _, shown = page.split("```text\n$ supremum ")[1].split("```")[0].partition("\n")
    done = subprocess.run(
        [LEGACY, "-W", "ignore", "-m", "supremum", *command.split()],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout + done.stderr == shown


HEADER = "import numpy as np\na, u = np.ones(3, np.float32), np.ones(3, np.uint8)\n"
SAID = {
    "np.uint8(200) + 100": ("warns", True),
    "a / np.sqrt(2)": ("warns", True),
    "np.maximum(a, np.float64(0))": ("warns", True),
    "np.float32(0.1) == 0.1": ("silent", True),
    "np.percentile(a, 50)": ("silent", True),
    "np.array([100], np.int8) + 200": ("warns, then an OverflowError", True),
    "u[0] = -1": ("an OverflowError", True),
    "np.uint8(300)": ("an OverflowError", True),
    "np.full(3, -1, np.uint16)": ("silent", True),
    "np.result_type(a, np.float64(1))": ("warns", False),
    "np.add.at(a, [0], np.float64(1))": ("warns", False),
}
"""Lines of NumPy 1: what its old warning makes of each, and whether the audit finds it."""

WARNED = """
import json, sys, warnings
import numpy as np
np._set_promotion_state("weak_and_warn")
header, lines = json.loads(sys.stdin.read())
said, names = {}, {}
exec(header, names)
for line in lines:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        ended = ""
        try:
            exec(line, names)
        except OverflowError:
            ended = "an OverflowError"
    warned = "warns" if any("dtype changed" in str(w.message) for w in heard) else ""
    said[line] = ", then ".join(filter(None, (warned, ended))) or "silent"
print(json.dumps(said))
"""


def test_the_page_says_what_the_old_warning_and_the_audit_find(tmp_path):
    page = (ROOT / "docs/howto/after-weak-and-warn.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    asked = json.dumps([HEADER, [*SAID]])
    warned = subprocess.run(
        [LEGACY, "-c", WARNED], input=asked, capture_output=True, text=True, check=True
    )
    program = tmp_path / "lines.py"
    program.write_text(HEADER + "\n".join(SAID) + "\n", "utf-8")
    report = tmp_path / "report.json"
    words = ("--target", "numpy", "--kinds", "port-mismatch", "-o", str(report), str(program))
    run(LEGACY, "-m", "supremum", "audit", *words)
    first = HEADER.count("\n") + 1
    lines = {f["line"] - first for f in json.loads(report.read_text("utf-8"))["findings"]}
    found = {line: i in lines for i, line in enumerate(SAID)}
    assert {n: (s, found[n]) for n, s in json.loads(warned.stdout).items()} == SAID
    for line, (said, is_found) in SAID.items():
        cells = next(row for row in rows if f"`{line.partition('(a, [')[0]}`" in row).split(" | ")
        assert cells[1].startswith(said)
        assert cells[2].startswith("finds it") == is_found

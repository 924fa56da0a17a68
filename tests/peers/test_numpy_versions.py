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


@pytest.mark.parametrize(
    ("page", "file"),
    [("move-to-another-library", "readout.py"), ("after-weak-and-warn", "survey.py")],
)
def test_the_page_shows_what_numpy_1_prints(page, file, tmp_path):
    page = (ROOT / f"docs/howto/{page}.md").read_text("utf-8")
    program = page.split(f'```python title="{file}"\n')[1].split("```")[0]
    (tmp_path / file).write_text(program, encoding="utf-8")
    command, _, shown = page.split("```text\n$ supremum ")[1].split("```")[0].partition("\n")
    done = subprocess.run(
        [LEGACY, "-W", "ignore", "-m", "supremum", *command.split()],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout + done.stderr == shown

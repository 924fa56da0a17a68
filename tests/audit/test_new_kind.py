"""A new kind of finding is one function, which finds it, and one row, with all that is said."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent

FUNCTION = '''
def _half_pair(operation: Operation) -> Iterator[Violation]:
    """Yield the first of two operands of float16."""
    if operation.is_known and [op.dtype.name for op in operation.operands] == ["float16"] * 2:
        yield Violation("half-pair", 0, 0)
'''

ROW = """
    Kind(
        name="half-pair",
        severity="warning",
        meaning="two arrays of float16 meet",
        remedy="compute in float32",
        former_name="two-halves",
        effect=operands_give,
        of_operation=_half_pair,
    ),
"""

FOUND = 3  # the exit status

PROGRAM = """\
import numpy as np

h = np.ones(8, np.float16)
total = h + h
np.multiply(h, h)
fine = h * 2
"""


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """Return a function that audits a program where the package has one more kind."""
    folder = tmp_path_factory.mktemp("kind")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE, folder / "supremum", ignore=ignore)
    table = folder / "supremum" / "audit" / "kinds" / "table.py"
    text, begin = table.read_text(encoding="utf-8"), "TABLE: Final = ("
    table.write_text(text.replace(begin, f"{FUNCTION}\n\n{begin}{ROW}"), encoding="utf-8")

    def run(*words, program=PROGRAM):
        (folder / "program.py").write_text(program, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "supremum", "audit", *words, "program.py"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
        )

    run.folder = folder
    return run


@pytest.fixture(scope="module")
def report(audited):
    """Return what is reported of the program as data."""
    ran = audited("-o", "report.json")
    assert ran.stderr == ""
    return json.loads((audited.folder / "report.json").read_text(encoding="utf-8"))


def test_it_is_found(report):
    (finding,) = report["findings"]
    assert (finding["kind"], finding["severity"], finding["line"]) == ("half-pair", "warning", 3)
    assert [place["line"] for place in finding["places"]] == [4, 5]


@pytest.mark.parametrize("suffix", ["txt", "sarif", "html"])
def test_each_report_names_it(audited, suffix):
    audited("-o", f"report.{suffix}")
    told = (audited.folder / f"report.{suffix}").read_text(encoding="utf-8")
    assert "half-pair" in told
    assert "float16 with float16" in told.replace("<code>", "").replace("</code>", "")


@pytest.mark.parametrize("name", ["half-pair", "two-halves"])
def test_a_comment_allows_it_by_its_name_or_a_former_one(audited, name):
    allowed = PROGRAM.replace("np.float16)", f"np.float16)  # supremum: allow {name}")
    ran = audited("-o", "report.json", program=allowed)
    assert ran.returncode == 0
    report = json.loads((audited.folder / "report.json").read_text(encoding="utf-8"))
    assert report["findings"] == []


def test_settings_choose_it(audited):
    assert audited("--fail-on", "half-pair").returncode == FOUND
    assert audited("--fail-on", "widening").returncode == 0

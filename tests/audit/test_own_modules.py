"""A program's modules and the audit's own do not hide each other."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.thorough

NAMES = [
    "click", "platform", "signal", "rich", "json", "tomllib", "dataclasses", "pickle", "linecache",
    "operands", "tempfile", "multiprocessing", "secrets", "html", "textwrap", "csv",
    "graphlib", "shutil", "traceback", "unicodedata",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_program_imports_its_own_module_and_the_audit_keeps_its_own(write, command, name):
    write("MINE = 7\n", f"{name}.py")
    write(f"import {name}\nprint({name}.MINE)\n")
    plain = subprocess.run(
        [sys.executable, "program.py"], capture_output=True, text=True, check=True
    )
    assert plain.stdout == "7\n"
    result = command("-f", "json", "program.py")
    assert (result.returncode, result.stderr) == (0, "7\n")
    assert '"files": 2' in result.stdout


@pytest.mark.parametrize("format", ["text", "compact", "json", "sarif", "html", "github"])
def test_each_report_is_written_beside_modules_of_a_program_that_have_names_of_ours(
    write, command, format
):
    for name in ("click", "html", "rich", "tomllib", "sysconfig"):
        write("MINE = 7\n", f"{name}.py")
    write(
        "import click\nimport numpy as np\n"
        "print(click.MINE, (np.ones(8, np.float32) * np.hanning(8)).dtype)\n"
    )
    result = command("-f", format, "program.py")
    printed, report = result.stdout, result.stderr
    if format not in ("text", "github"):
        printed, report = report, printed
    assert (result.returncode, printed) == (0, "7 float64\n")
    assert "np.hanning(8)" in report

"""Programs written from public issues: the line that was changed there comes first.

The documents have a table of them, which `issue_programs.py` writes down.
"""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ISSUES = runpy.run_path(str(Path(__file__).with_name("issue_programs.py")))


def test_nine_in_ten_are_found_and_mended(count):
    programs = ISSUES["programs"](ISSUES["FOLDERS"][0])
    assert sum(not program.innocent for program in programs) >= 40
    assert sum(program.innocent for program in programs) >= 10
    ISSUES["check"](programs, count)

"""Programs of other libraries, written from public issues as those of NumPy are."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ISSUES = runpy.run_path(str(Path(__file__).parents[1] / "audit" / "issue_programs.py"))


def test_three_in_four_are_found_and_mended(count):
    programs = ISSUES["programs"](ISSUES["FOLDERS"][1])
    assert sum(not program.innocent for program in programs) >= 30
    ISSUES["check"](programs, count, least=0.75)

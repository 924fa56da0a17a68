"""What stands in `golden` and in the files of programs is asked for: nothing is left behind."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
GOLDEN = TESTS / "golden"
HEADINGS = re.compile(r"^=== (.*)$", re.MULTILINE)


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.txt")), ids=lambda p: p.stem)
def test_every_section_is_of_a_test(path):
    module = (TESTS / path.relative_to(GOLDEN)).with_suffix(".py").read_text("utf-8")
    sections = {re.match(r"\w+", name)[0] for name in HEADINGS.findall(path.read_text("utf-8"))}
    assert {name for name in sections if f"def {name}(" not in module} == set()


@pytest.mark.parametrize("path", sorted(TESTS.glob("*/programs/*.txt")), ids=lambda p: p.stem)
def test_every_program_has_a_name_of_its_own_and_an_outcome(path):
    text = path.read_text("utf-8")
    names = [name for name in HEADINGS.findall(text) if name != "HEAD"]
    assert len({*names}) == len(names) == len(re.findall(r"^--\n.", text, re.MULTILINE))

"""What the audit finds in programs: each section of each file of `programs` is a test."""

import sys
from pathlib import Path

import pytest

from .programs import found, in_folder, outcomes  # noqa: F401  # fixtures

PROGRAMS = in_folder(Path(__file__).with_name("programs"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found(name, outcomes, monkeypatch):  # noqa: F811  # the fixture
    program = PROGRAMS[name][1]
    if "torch" not in program.head + program.source:  # which other tests may have imported
        monkeypatch.delitem(sys.modules, "torch", raising=False)
    outcome, expected = outcomes(*PROGRAMS[name])
    assert outcome == expected

"""What the audit finds in programs of other libraries, as in `tests/audit/test_programs.py`."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))

from programs import found, in_folder, outcomes  # noqa: F401  # fixtures

PROGRAMS = in_folder(Path(__file__).with_name("programs"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found(name, outcomes):  # noqa: F811  # the fixture
    outcome, expected = outcomes(*PROGRAMS[name])
    assert outcome == expected

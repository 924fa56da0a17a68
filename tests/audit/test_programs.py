"""What the audit finds in programs: each section of each file of `programs` is a test."""

from pathlib import Path

import pytest

from . import programs

FILES = sorted(Path(__file__).with_name("programs").glob("*.txt"))
PROGRAMS = {f"{path.stem}: {p.name}": (path, p) for path in FILES for p in programs.read(path)}


@pytest.fixture(scope="module")
def found(request):
    """Return the outcomes by file and name, which are written down if they are renewed."""
    found = {}
    yield found
    if request.config.getoption("renew_golden"):
        programs.renew(found)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found(name, found, request, tmp_path, monkeypatch):
    path, program = PROGRAMS[name]
    for library in program.imported & programs.LIBRARIES:
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    outcome = found[path, program.name] = programs.outcome(program, tmp_path)
    if not request.config.getoption("renew_golden"):
        assert outcome == program.outcome

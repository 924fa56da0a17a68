"""The program that runs the public suite: what it takes for the suite, and how it counts."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")


def load():
    spec = spec_from_file_location("run", RUN)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run = load()
GIT = ("git", "-c", "user.name=me", "-c", "user.email=me@example.org")


def commit(folder):
    subprocess.run([*GIT, "init", "-q", folder], check=True)
    subprocess.run([*GIT, "-C", folder, "commit", "-qm", "one", "--allow-empty"], check=True)
    asked = [*GIT, "-C", folder, "rev-parse", "HEAD"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout[:7]


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "array_api_tests").mkdir()
    (tmp_path / "array-api" / "src").mkdir(parents=True)
    return tmp_path


def test_a_folder_that_is_no_suite(tmp_path):
    assert run.missing("") == "no SUITE was given"
    assert run.missing(tmp_path) == f"{tmp_path} has no array_api_tests"
    (tmp_path / "array_api_tests").mkdir()
    assert run.missing(tmp_path) == f"{tmp_path}/array-api, the standard, is empty"


def test_a_suite_at_another_commit(suite, monkeypatch):
    at = commit(suite)
    assert run.missing(suite) == f"{suite} is at {at}, not at 55fcc60"
    monkeypatch.setattr(run, "SUITE_COMMIT", at)
    spec = commit(suite / "array-api")
    assert run.missing(suite) == f"{suite}/array-api is at {spec}, not at 5f847a3"
    monkeypatch.setattr(run, "SPEC_COMMIT", spec)
    assert run.missing(suite) == ""


def test_a_suite_with_changes(suite, monkeypatch):
    monkeypatch.setattr(run, "SPEC_COMMIT", commit(suite / "array-api"))
    commit(suite)
    changed = suite / "array_api_tests" / "test_it.py"
    changed.write_text("", "utf-8")
    subprocess.run([*GIT, "-C", suite, "add", changed], check=True)
    subprocess.run([*GIT, "-C", suite, "commit", "-qm", "two"], check=True)
    asked = [*GIT, "-C", suite, "rev-parse", "HEAD"]
    head = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    monkeypatch.setattr(run, "SUITE_COMMIT", head)
    assert run.missing(suite) == ""
    changed.write_text("assert True\n", "utf-8")
    assert run.missing(suite) == f"{suite} has changes of its own"


@pytest.mark.parametrize("options", [(), ("--check",)])
def test_what_to_type_where_the_suite_is_missing(options, tmp_path):
    command = [sys.executable, RUN, tmp_path, *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"array-api-tests: {tmp_path} has no array_api_tests; nothing was counted. To get it:\n"
        "  git clone https://github.com/data-apis/array-api-tests SUITE\n"
        "  git -C SUITE checkout 55fcc60\n"
        "  git -C SUITE submodule update --init\n"
    )


REPORT = """\
<testsuites><testsuite>
<testcase classname="array_api_tests.test_a" name="test_b[x -&gt; -0]"
 file="array_api_tests/test_a.py"/>
<testcase classname="array_api_tests.test_a.TestC" name="test_d" file="array_api_tests/test_a.py">
<failure message="AssertionError: no">Traceback</failure></testcase>
<testcase classname="array_api_tests.test_a" name="test_e" file="array_api_tests/test_a.py">
<error message="broken">Traceback</error></testcase>
<testcase classname="array_api_tests.test_a" name="test_f" file="array_api_tests/test_a.py">
<skipped message="not here">why</skipped></testcase>
</testsuite></testsuites>
"""


def test_a_report_is_read(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT, "utf-8")
    assert run.outcomes(report) == {
        "array_api_tests/test_a.py::test_b[x -> -0]": ("passed", ""),
        "array_api_tests/test_a.py::TestC::test_d": ("failure", "AssertionError: no"),
        "array_api_tests/test_a.py::test_e": ("failure", "broken"),
        "array_api_tests/test_a.py::test_f": ("skipped", "not here"),
    }


@pytest.mark.parametrize(
    ("how", "cause", "judged"),
    [
        ("passed", None, (1, 0, 0, [], [], [])),
        ("skipped", None, (0, 0, 1, [], [], [])),
        ("failure", None, (0, 0, 0, ["t"], [], [])),
        ("failure", "a cause", (0, 1, 0, [], [], [])),
        ("failure", "at times: a cause", (0, 1, 0, [], [], [])),
        ("passed", "a cause", (1, 0, 0, [], ["t"], [])),
        ("passed", "at times: a cause", (1, 0, 0, [], [], ["t"])),
        ("skipped", "a cause", (0, 0, 1, [], ["t"], [])),
        (None, "a cause", (0, 0, 0, [], ["t"], [])),
        (None, "at times: a cause", (0, 0, 0, [], ["t"], [])),
    ],
)
def test_how_a_test_is_judged(how, cause, judged):
    ended = {"t": (how, "")} if how else {}
    assert run.judge(ended, {"t": cause} if cause else {}) == judged


def test_every_file_of_causes_is_of_a_run():
    names = {name for rules, backend in run.RUNS for name in run.files(rules, backend)}
    assert {path.stem for path in run.XFAILS.iterdir()} <= names


@pytest.mark.parametrize(("rules", "backend"), run.RUNS)
def test_every_test_that_may_fail_has_a_cause(rules, backend):
    for test, cause in run.causes(rules, backend).items():
        assert test.startswith("array_api_tests/test_")
        assert cause.strip() == cause != ""
        assert "  # " not in cause


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("array_api_tests/test_a.py::test_b\n", "has no cause"),
        ("a.py::b  # c\na.py::b  # d\n", "is named twice"),
    ],
)
def test_a_line_that_is_wrong(text, told, tmp_path, monkeypatch):
    (tmp_path / "numpy.txt").write_text(text, "utf-8")
    monkeypatch.setattr(run, "XFAILS", tmp_path)
    with pytest.raises(AssertionError, match=told):
        run.causes("jax", "numpy")

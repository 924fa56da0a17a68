"""The program that runs the suites of others: what it takes for them, and how it counts."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def suites(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    spec = spec_from_file_location("suites", HERE / "suites.py")
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "suites", module)
    spec.loader.exec_module(module)
    return module


def test_what_to_type_where_a_checkout_is_missing(tmp_path):
    command = [sys.executable, HERE / "suites.py", tmp_path, "--only", "array-api-extra"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    at = tmp_path / "array-api-extra"
    assert done.stderr == (
        f"array-api-extra: {at} is at no commit, not at 693b257; git clone "
        f"https://github.com/data-apis/array-api-extra {at} && git -C {at} checkout 693b257\n"
    )
    assert done.returncode == 2


def test_what_comes_with_a_package_is_not_missing(suites, tmp_path):
    assert suites.missing("scipy", tmp_path) == ""
    assert suites.missing("array-api-tests", tmp_path).endswith("submodule update --init")


FAILED, PASSED = ("failure", "no"), ("passed", "")


@pytest.mark.parametrize(
    ("ended", "strict", "known", "judged"),
    [
        (PASSED, PASSED, None, ([], [], [])),
        (FAILED, FAILED, None, ([], [], [])),
        (FAILED, PASSED, None, (["a::b[c]"], ["a::b[c]"], [])),
        (FAILED, ("skipped", ""), None, (["a::b[c]"], ["a::b[c]"], [])),
        (FAILED, None, None, (["a::b[c]"], ["a::b[c]"], [])),
        (FAILED, PASSED, "a::b", (["a::b[c]"], [], [])),
        (FAILED, PASSED, "a::c", (["a::b[c]"], ["a::b[c]"], ["a::c"])),
        (PASSED, PASSED, "a::b", ([], [], ["a::b"])),
        (FAILED, FAILED, "a::b", ([], [], ["a::b"])),
    ],
)
def test_how_a_test_is_judged(suites, ended, strict, known, judged):
    of = [suites.Cause("s", "*/*", known, "why")] if known else []
    strict = {"a::b[c]": strict} if strict else {}
    new, told, idle = suites.judge({"a::b[c]": ended}, strict, of)
    assert (new, told, [cause.tests for cause in idle]) == judged


def test_every_cause_is_of_a_suite(suites):
    found = suites.causes(suites.DIFFERS.read_text("utf-8"))
    assert {cause.suite for cause in found} <= set(suites.SUITES)
    assert all(cause.why.strip() == cause.why != "" for cause in found)
    assert len({cause[:3] for cause in found}) == len(found)
    with pytest.raises(AssertionError, match="has no cause"):
        suites.causes("scipy.fft */* a::b\n")


def test_causes_of_the_public_suite_have_the_names_of_its_reports(suites):
    known, _ = suites.causes_of("array-api-tests", "numpy/torch")
    assert all(".py" not in x.tests.partition("::")[0] for x in known)
    assert any(x.tests.endswith("-> \\u03c0/2 - 0j]") for x in known)


SUITE = """
import array_api_strict as xp

def test_it_is_ours():
    x = xp.asarray(1)
    assert type(x).__module__.startswith("supremum") == {ours}
    assert ("supremum" in x.__array_namespace__().__name__) == {ours}

def test_that_fails():
    assert xp.asarray(1) == 2
"""


@pytest.mark.parametrize("namespace", ["array-api-strict", "jax/numpy"])
def test_a_namespace_stands_in(suites, namespace, tmp_path, monkeypatch):
    pytest.importorskip("array_api_strict")
    pytest.importorskip("pytest_timeout")
    (tmp_path / "try_it.py").write_text(SUITE.format(ours=namespace == "jax/numpy"), "utf-8")
    monkeypatch.setattr(suites, "place", lambda *_: tmp_path)
    ended = suites.run(suites.Suite("", "try_it.py"), namespace, tmp_path, 1, 60)
    how = {test.rpartition("::")[2]: how for test, (how, _) in ended.items()}
    assert how == {"test_it_is_ours": "passed", "test_that_fails": "failure"}

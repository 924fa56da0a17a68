"""``pytest --promotion-audit``: what it finds, what fails for it, and what stays as it was."""

import ast
import json
import re
import subprocess
import sys

import numpy as np  # noqa: F401  # here once: the runs within this process cannot import it again
import pytest

from supremum.audit.log import hooks
from supremum.audit.plugin import modules, run  # noqa: F401  # the same
from supremum.audit.probes import import_hook
from supremum.audit.pytest_plugin import INSTEAD

pytestmark = pytest.mark.thorough

KERNEL = """
    import numpy as np

    def window(n):
        return np.hanning(n)

    def blur(image, weights):
        return image * weights
"""
TESTS = """
    import numpy as np
    import pytest
    import kernel

    IMAGE = np.ones((4, 8), np.float32)

    @pytest.fixture(scope="module")
    def weights():
        return kernel.window(8)

    def test_shape(weights):
        assert weights.shape == (8,)

    def test_blur(weights):
        assert kernel.blur(IMAGE, weights).shape == (4, 8)

    def test_blur_again(weights):
        assert kernel.blur(IMAGE[:2], weights).shape == (2, 8)
"""


@pytest.fixture
def project(pytester):
    """A project with a float64 from a module's fixture, which meets float32 in two tests."""
    pytester.makepyfile(kernel=KERNEL, test_kernel=TESTS)
    return pytester


def section(result, title="promotion audit", sign="="):
    """Return the lines below the last heading of some name, with any number of operations as N."""
    lines = result.stdout.lines
    starts = [i for i, line in enumerate(lines) if line.strip(sign) == f" {title} "]
    assert starts, result.stdout.str()
    below = lines[starts[-1] + 1 :]
    ends = [i for i, line in enumerate(below) if re.match(r"[=_]|(\d+ \w+,? ?)+in \d", line)]
    text = "\n".join(below[: ends[0]] if ends else below).rstrip("\n")
    return re.sub(r"in \d+ operations? on", "in N operations on", text).split("\n")


def outcomes(pytester, *words):
    """Return the outcome of each test by its name."""
    reports = pytester.inline_run(*words).getreports("pytest_runtest_logreport")
    found = {}
    for report in reports:
        if report.when == "call" or not report.passed:
            found[report.nodeid.rpartition("::")[2]] = report.outcome
    return found


# what is found


def test_causes_come_first_each_with_its_tests(project, golden):
    result = project.runpytest("--promotion-audit")
    assert result.ret == 0
    result.assert_outcomes(passed=3)
    golden("\n".join(section(result)))


def test_nothing_happens_without_the_option(project):
    result = project.runpytest_subprocess("-q")
    assert result.ret == 0
    assert "promotion audit" not in result.stdout.str()


def test_nothing_is_loaded_without_the_option(project):
    project.makepyfile(
        test_loaded="""
        import sys

        def test_loaded():
            assert "supremum.audit.pytest_plugin" in sys.modules
            assert "supremum.audit.plugin.run" not in sys.modules
            assert "numpy" not in sys.modules
            assert not [f for f in sys.meta_path if type(f).__module__.startswith("supremum")]
        """
    )
    result = project.runpytest_subprocess("test_loaded.py")
    result.assert_outcomes(passed=1)
    watched = project.runpytest_subprocess("test_loaded.py", "--promotion-audit")
    watched.assert_outcomes(failed=1)
    watched.stdout.fnmatch_lines(["*assert 'supremum.audit.plugin.run' not in *"])


def test_all_is_undone_at_the_end(project):
    before = list(sys.meta_path), hooks.active()
    project.runpytest("--promotion-audit").assert_outcomes(passed=3)
    assert (list(sys.meta_path), hooks.active()) == before


def test_the_modules_of_tests_are_watched_outside_of_tests_too(pytester):
    pytester.makepyfile("""
        import numpy as np

        WIDE = np.ones(3, np.float32) * np.float64(2)

        def test_nothing():
            pass
    """)
    result = pytester.runpytest("--promotion-audit", "-q")
    assert section(result)[0].startswith(
        "test_the_modules_of_tests_are_watched_outside_of_tests_too.py:3:33: widening: "
    )
    assert section(result)[0].endswith("(outside of tests)")


@pytest.mark.parametrize("word", ["-q", "-qq"])
def test_quiet_runs_are_told_less(project, word, golden):
    golden("\n".join(section(project.runpytest("--promotion-audit", word))))


def test_many_tests_and_causes_are_cut_short(pytester):
    lines = "\n".join(f"    x * np.float64({n})" for n in range(12))
    pytester.makepyfile(
        test_many="import numpy as np, pytest\n"
        "x = np.ones(3, np.float32)\n"
        '@pytest.mark.parametrize("n", range(5))\n'
        f"def test_many(n):\n{lines}\n"
    )
    text = "\n".join(section(pytester.runpytest("--promotion-audit")))
    tests = ", ".join(f"test_many.py::test_many[{n}]" for n in range(3))
    assert text.count(f"  in 5 tests: {tests}, ...\n") == 10
    assert "\nAnd 2 causes more: -v shows all.\n" in text
    text = "\n".join(section(pytester.runpytest("--promotion-audit", "-v")))
    assert text.count("  in 5 tests: ") == 12
    assert "more: -v" not in text


# which tests fail


def test_every_test_fails_in_which_it_occurs(project, golden):
    result = project.runpytest("--promotion-fail-on", "widening")
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=2)
    golden("\n".join([*section(result, "test_blur", "_"), *section(result, sign="-")]))
    assert "promotion audit: fail on widening" in result.stdout.lines
    headings = [line for line in result.stdout.lines if line.strip("-") == " promotion audit "]
    assert len(headings) == 2


def test_other_kinds_fail_no_test(project):
    project.runpytest("--promotion-fail-on", "overflow-risk").assert_outcomes(passed=3)


def test_what_an_earlier_test_made_usual_is_found_in_a_later_one(pytester):
    pytester.makepyfile("""
        import numpy as np

        def scale(x):
            return x * np.float64(2)

        def test_often():
            for _ in range(300):
                scale(np.float32(1))

        def test_once():
            scale(np.float32(1))

        def test_never():
            scale(np.float64(1))
    """)
    found = outcomes(pytester, "--promotion-fail-on", "widening")
    assert found == {"test_often": "failed", "test_once": "failed", "test_never": "passed"}


def test_a_test_that_fails_anyhow_keeps_its_failure(project):
    project.makepyfile(
        test_own="""
        import numpy as np
        import kernel

        def test_own():
            total = kernel.blur(np.ones(8, np.float32), kernel.window(8)).sum()
            assert total == 3
        """
    )
    result = project.runpytest("--promotion-fail-on", "widening", "test_own.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E       assert np.float64(3.5) == 3",
            "*- promotion audit -*",
            "kernel.py:4:12: widening*",
        ]
    )


def test_what_is_found_after_a_test_is_an_error_of_it(project):
    project.makepyfile(
        test_after="""
        import numpy as np
        import pytest
        import kernel

        @pytest.fixture
        def late():
            yield
            kernel.blur(np.ones(8, np.float32), kernel.window(8))

        def test_late(late):
            pass
        """
    )
    result = project.runpytest("--promotion-fail-on", "widening", "test_after.py")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["*ERROR at teardown of test_late*", "widening from kernel.py:4: np.hanning(n)"]
    )


def test_what_is_forbidden_is_told_and_fails_where_it_is_to(project):
    result = project.runpytest("--promotion-forbid", "float64", "-q")
    result.assert_outcomes(passed=3)
    assert section(result)[0].startswith("kernel.py:4:12: forbidden:float64: ")
    words = ("--promotion-forbid", "float64", "--promotion-fail-on", "forbidden")
    # the fixture that makes it belongs to the first test; the others compute with it
    with (project.path / "test_kernel.py").open("a", encoding="utf-8") as file:
        file.write("\ndef test_alone(weights):\n    weights * 2\n")
        file.write("\ndef test_not_at_all():\n    IMAGE * 2\n")
    project.runpytest(*words).assert_outcomes(failed=4, passed=1)


def test_an_expected_failure_may_be_a_finding(project):
    project.makepyfile(
        test_expected="""
        import numpy as np
        import pytest
        import kernel

        @pytest.mark.xfail(strict=True)
        def test_expected():
            kernel.blur(np.ones(8, np.float32), kernel.window(8))
        """
    )
    words = ("--promotion-fail-on", "widening", "test_expected.py")
    project.runpytest(*words).assert_outcomes(xfailed=1)
    project.runpytest("--promotion-audit", "test_expected.py").assert_outcomes(failed=1)


# markers

MARKED = """
    import numpy as np
    import pytest
    import kernel

    {module}

    def blur():
        kernel.blur(np.ones(8, np.float32), kernel.window(8))

    {on_class}
    class TestClass:
        {on_test}
        def test_marked(self):
            blur()

    def test_plain():
        blur()
"""


MARKS = """
    widening |                                                      | failed, failed
    widening | on_test = @pytest.mark.promotion(allow="widening")   | passed, failed
    widening | on_class = @pytest.mark.promotion(allow="widening")  | passed, failed
    widening | module = pytestmark = pytest.mark.promotion(allow=["widening"]) | passed, passed
    widening | on_test = @pytest.mark.promotion(audit=False)        | passed, failed
    none | on_test = @pytest.mark.promotion(fail_on="all")          | failed, passed
    none | on_class = @pytest.mark.promotion(fail_on="all")         | failed, passed
    none | on_test = @pytest.mark.promotion(forbid="float64")       | failed, passed
    none | on_test = @pytest.mark.promotion(forbid="complex64")     | passed, passed
"""


@pytest.mark.parametrize("row", MARKS.strip().splitlines(), ids=str.strip)
def test_markers_say_what_fails_a_test(project, row):
    fail_on, mark, outcome = (cell.strip() for cell in row.split("|"))
    place, _, marker = mark.partition(" = ")
    text = MARKED.format(**{"module": "", "on_class": "", "on_test": "", place: marker})
    project.makepyfile(test_marked=text)
    words = ("--promotion-audit", "--promotion-fail-on", fail_on)
    found = outcomes(project, "--strict-markers", "test_marked.py", *words)
    assert [found["test_marked"], found["test_plain"]] == outcome.split(", ")


def test_a_test_that_is_left_out_is_not_told_of(project):
    text = MARKED.format(module="", on_class="", on_test="@pytest.mark.promotion(audit=False)")
    project.makepyfile(test_marked=text)
    result = project.runpytest("--promotion-audit", "-q", "test_marked.py")
    assert section(result)[0].endswith("(in 1 test: test_marked.py::test_plain)")


@pytest.mark.parametrize(
    "marker",
    ['allow="widenin"', 'alow="widening"', '"widening"', 'forbid="f8"'],
)
def test_a_marker_that_makes_no_sense_names_its_test(pytester, marker, golden):
    pytester.makepyfile(
        test_marker=f"""
        import pathlib
        import pytest

        def test_first():
            pathlib.Path("ran").touch()

        @pytest.mark.promotion({marker})
        def test_marker():
            pass
        """
    )
    result = pytester.runpytest("--promotion-audit")
    assert result.ret == 4
    golden(result.stderr.str())
    assert not (pytester.path / "ran").exists()
    assert "promotion audit ==" not in result.stdout.str()
    pytester.runpytest("--strict-markers").assert_outcomes(passed=2)


# options


@pytest.mark.parametrize(
    "words",
    [
        "--promotion-fail-on widenin",
        "--promotion-forbid f8",
        "--promotion-target jx",
        "--promotion-baseline none.json",
        "--promotion-output .",
        "--promotion-output no/report.json",
        "-o promotion_audit=true -o promotion_fail_on=widenin",
    ],
)
def test_bad_values_are_one_line_before_anything_runs(project, words, golden):
    project.makeconftest("import pathlib\npathlib.Path('ran').touch()")
    result = project.runpytest(*words.split())
    assert result.ret == 4
    golden(result.stderr.str().replace(str(project.path), "PATH"))
    assert not (project.path / "ran").exists()


def test_the_configuration_file_has_the_same_options(project):
    project.makeini("[pytest]\npromotion_audit = true\npromotion_fail_on = mixed-kind widening")
    result = project.runpytest()
    result.assert_outcomes(passed=1, failed=2)
    assert "promotion audit: fail on mixed-kind, widening" in result.stdout.lines
    # the command line decides
    project.runpytest("--promotion-fail-on", "mixed-kind").assert_outcomes(passed=3)
    project.runpytest("-o", "promotion_audit=false").assert_outcomes(passed=3)


def test_the_settings_of_the_audit_are_read(project):
    project.makepyprojecttoml('[tool.supremum.audit]\nfail-on = ["widening"]\n')
    project.runpytest().assert_outcomes(passed=3)
    project.runpytest("--promotion-audit").assert_outcomes(passed=1, failed=2)
    project.makepyprojecttoml('[tool.supremum.audit]\nfail = "widening"\n')
    result = project.runpytest("--promotion-audit")
    assert result.ret == 4
    assert result.stderr.str().startswith("ERROR: promotion audit: an audit has no option 'fail'")


def test_a_comment_allows_a_kind_on_its_line(project):
    text = KERNEL.replace("weights\n", "weights  # supremum: allow widening for now\n")
    assert text != KERNEL
    project.makepyfile(kernel=text)
    project.runpytest("--promotion-fail-on", "widening").assert_outcomes(passed=3)


def test_reports_are_written_by_suffix(project):
    words = ["--promotion-output", "found.json", "--promotion-output", "found.txt"]
    result = project.runpytest(*words)
    assert section(result)[-2:] == [
        "Report written: found.json",
        "Report written: found.txt",
    ]
    found = json.loads((project.path / "found.json").read_text("utf-8"))
    assert [f["kind"] for f in found["findings"]] == ["widening"]
    assert found["findings"][0]["places"][0]["count"] == 2
    text = (project.path / "found.txt").read_text("utf-8")
    assert text.startswith("kernel.py:4:12: widening: ")


def test_a_baseline_lets_an_old_suite_start_today(project, golden):
    result = project.runpytest("--promotion-write-baseline", "known.json")
    assert section(result)[-1] == "Baseline written: known.json"
    words = ("--promotion-fail-on", "all", "--promotion-baseline", "known.json")
    result = project.runpytest(*words)
    result.assert_outcomes(passed=3)
    golden("\n".join(section(result)))
    with (project.path / "test_kernel.py").open("a", encoding="utf-8") as file:
        file.write("\ndef test_new(weights):\n    IMAGE * np.float64(2)\n")
    project.runpytest(*words).assert_outcomes(passed=3, failed=1)


def test_the_report_says_what_was_watched_and_what_was_not(project):
    project.makepyfile(early="")
    with (project.path / "test_kernel.py").open("a", encoding="utf-8") as file:
        file.write(ODD)
    words = ("-p", "early", "--promotion-output", "report.json")
    for more in ((), ("-n", "2")):
        if more:
            pytest.importorskip("xdist")
        project.runpytest_subprocess(*words, *more)
        report = json.loads((project.path / "report.json").read_text())
        assert report["watched"] == {
            "files": 2,
            "folders": [str(project.path)],
            "processes": 2 if more else 1,
            "lost": [],
            "cells": 0,
        }
        assert report["unwatched"] == [
            {"file": str(project.path / "early.py"), "reason": "imported before the audit began"},
            {
                "file": str(project.path / "odd.py"),
                "reason": "loaded by NoneType, not by Python's own import",
            },
        ]


ODD = """
def test_odd():
    import pathlib, sys, types
    odd = sys.modules["odd"] = types.ModuleType("odd")
    odd.__file__ = str(pathlib.Path(__file__).with_name("odd.py"))
"""


def test_no_worker_makes_a_warning_of_what_another_one_heard(project):
    pytest.importorskip("xdist")
    result = project.runpytest_subprocess(
        "-n", "2", "--promotion-audit", "--promotion-output=r.json"
    )
    assert result.ret == 0
    assert json.loads((project.path / "r.json").read_text())["warning"] is None


def test_packages_are_looked_into_when_asked(project, monkeypatch):
    location = project.mkdir("site-packages")
    (project.path / "kernel.py").rename(location / "kernel.py")
    monkeypatch.syspath_prepend(location)
    result = project.runpytest("--promotion-audit", "-q")
    # it was introduced where nobody looks, so where it is first seen is all there is to tell
    assert "is introduced here" not in section(result)
    result = project.runpytest("--promotion-include", "kernel", "-q")
    assert section(result)[0].startswith("site-packages/kernel.py:4:12: widening: ")


def test_modules_that_came_too_early_are_named(project):
    project.makepyfile(early="import kernel")
    result = project.runpytest_subprocess("-p", "early", "--promotion-audit", "-q")
    assert section_of_quiet(result) == [
        "Not watched: early.py: imported before the audit began",
        "Not watched: kernel.py: imported before the audit began",
    ]
    result = project.runpytest_subprocess("--promotion-audit", "-q")
    assert section_of_quiet(result) == []


def section_of_quiet(result):
    return [line for line in result.stdout.lines if line.startswith("Not watched: ")]


# the fixture

USES = """
    import numpy as np

    def test_one(promotion_audit):
        import kernel
        assert promotion_audit.findings == ()
        kernel.blur(np.ones(8, np.float32), kernel.window(8))
        assert [f.text for f in promotion_audit.findings] == ["np.hanning(n)"]
        assert promotion_audit.report.operations == {operations}
        assert str(promotion_audit).startswith("kernel.py:4:12: widening: float64 is introduced")
        assert ("Not watched: test_uses.py" in str(promotion_audit)) is {unheard}

    def test_other(promotion_audit):
        assert promotion_audit.findings == ()
"""


def test_the_fixture_has_the_findings_of_its_test(project):
    project.makepyfile(test_uses=USES.format(operations=3, unheard=False))
    result = project.runpytest("--promotion-audit", "test_uses.py")
    result.assert_outcomes(passed=2)


def test_the_fixture_works_alone_and_says_what_it_does_not_hear(project, golden):
    project.makepyfile(test_uses=USES.format(operations=2, unheard=True))
    before = list(sys.meta_path), hooks.active()
    result = project.runpytest("test_uses.py")
    result.assert_outcomes(passed=1, failed=1)  # nothing was watched in the other one
    result.stdout.fnmatch_lines(["promotion_audit saw no operation of this test,*"])
    golden("\n".join(section(result)))
    assert (list(sys.meta_path), hooks.active()) == before


# what stays as it was

SAME = '''
    """
    >>> 1 + 1
    3
    """
    import inspect
    import unittest
    import warnings

    import numpy as np
    import pytest

    class Count:
        def __init__(self, n): self.n = n
        def __repr__(self): return f"Count({self.n})"
        def __add__(self, other): return Count(self.n + other.n)
        def get(self, *words, **named): return self.n

    class TestUnit(unittest.TestCase):
        def setUp(self): self.x = np.ones(3, np.float32)
        def test_equal(self): self.assertEqual(self.x.sum(), 4)
        @unittest.expectedFailure
        def test_expected(self): assert self.x.sum() == 9
        @unittest.skip("no")
        def test_skipped(self): pass

    def test_calls():
        a, b = Count(1), Count(2)
        assert (a + b).get(1, k=2) == a.get() * 2 + len([1, 2]), "the message"
    def test_arrays():
        x = np.arange(3, dtype=np.float32)
        assert (x * np.float64(2.0)).sum() == 7 and x[0] == 0
    def test_either():
        assert -np.float32(2) > 1 or abs(np.float32(3)) < 2
    def test_lists():
        assert [1, 2, 3] == [1, 2, 4]
    def test_chain():
        assert {"a": np.ones(2)}["a"][0] < 0 < 5
    def test_walrus():
        assert (y := Count(2).get() * 2) == 5, f"{y}"
    def test_store():
        x = np.zeros(3)
        x[1:] += 4
        assert x.T[1] in [1, 2], x
    def test_all():
        assert all(i * 2 < 2 for i in range(4))
    def test_locals():
        q = 3 * 4
        assert sorted(k for k in locals() if k[0] != "@") == ["q"]
    def test_source():
        assert "q = 3 * 4" in inspect.getsource(test_locals)
    def test_warned():
        warnings.warn("here", stacklevel=1)
    def test_error():
        np.ones(3) + np.ones(4)
    def test_from():
        try: {}["a"]
        except KeyError as e: raise ValueError("x" * 2) from e
    def test_nothing(nothing): pass
    @pytest.mark.parametrize("n", [1, np.float32(2), pytest.param(3, marks=pytest.mark.xfail)])
    def test_param(n): assert n * 2 < 3
    @pytest.mark.xfail(strict=True)
    def test_strict(): pass
    def test_output(capsys):
        print("hello"); assert capsys.readouterr().out == "hello\\n"
        print("kept")
        assert 0
    @pytest.fixture
    def torn():
        yield 1
        assert 2 * 1 == 3
    def test_torn(torn): pass
    def test_exit(): raise SystemExit(3)
'''


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("-l", "-v"),
        ("--tb=native",),
        ("--assert=plain", "--tb=line"),
        ("--import-mode=importlib", "--doctest-modules", "--tb=short"),
        ("-o", "enable_assertion_pass_hook=true"),
    ],
    ids=" ".join,
)
def test_all_else_is_as_without(pytester, words):
    """Every line is the same, but for addresses, times and the summary of the audit."""
    pytester.makepyfile(test_same=SAME)
    pytester.makepyfile(test_broken="def test_x(:\n    pass\n", test_missing="import nothing_there")
    words = ("--continue-on-collection-errors", "-p", "no:cacheprovider", *words)
    plain, watched = (
        pytester.runpytest_subprocess(*words, *more) for more in ((), ("--promotion-audit",))
    )
    assert plain.ret == watched.ret == 1
    counted = plain.parseoutcomes()
    assert counted["failed"] >= 15
    assert counted == watched.parseoutcomes()
    summary = section(watched)
    assert re.match(r"test_same.py:31:\d+: widening: ", summary[0])
    assert same(plain) == same(watched, len(summary) + 1)


def same(result, summary=0):
    """Return what a run printed, without what differs from run to run, and the summary."""
    lines = list(result.stdout.lines)
    if summary:
        start = next(i for i, line in enumerate(lines) if line.strip("=") == " promotion audit ")
        del lines[start : start + summary]
    text = "\n".join(line for line in lines if not line.startswith("promotion audit: "))
    text = re.sub(r"0x[0-9a-f]+|(?<=_external>:)\d+", "", text)
    return re.sub(r"=* ([^=\n]*) in \d+\.\d+s =*", r"\1", text).splitlines()


def test_asserts_are_explained_where_probes_cannot_be(pytester, monkeypatch):
    def fail(*_):
        raise RecursionError("too deep")

    monkeypatch.setattr(modules, "rewrite", fail)
    monkeypatch.setattr(import_hook, "UNWATCHED", {})
    pytester.makepyfile(test_deep="def test_deep():\n    assert [1, 2] == [1, 3]")
    result = pytester.runpytest("--promotion-audit", "-q")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E         At index 1 diff: 2 != 3"])
    assert section(result)[-1] == ("Not watched: test_deep.py: RecursionError: too deep")


def test_what_pytest_keeps_of_rewritten_modules_has_no_probes(project):
    """The files that pytest caches are for all runs, and this is one of them."""
    project.runpytest_subprocess("--promotion-audit").assert_outcomes(passed=3)
    kept = [p.name for p in (project.path / "__pycache__").glob("*.pyc")]
    assert kept == []
    project.runpytest_subprocess().assert_outcomes(passed=3)
    project.runpytest_subprocess("--promotion-fail-on", "all").assert_outcomes(passed=1, failed=2)


def test_modules_of_tests_are_instrumented_once(project, monkeypatch):
    """What is kept has rewritten asserts and probes, and is for this source alone."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    words = ("-p", "no:cacheprovider", "--promotion-fail-on", "all")
    for _ in range(2):
        project.runpytest_subprocess(*words).assert_outcomes(passed=1, failed=2)
        [kept] = (project.path / "__pycache__").glob("test_kernel*-supremum-*.pyc")
    made = kept.stat().st_mtime_ns
    project.runpytest_subprocess(*words).assert_outcomes(passed=1, failed=2)
    assert kept.stat().st_mtime_ns == made
    source = TESTS.replace("== (8,)", "== (9,)")
    project.makepyfile(test_kernel=source)
    result = project.runpytest_subprocess(*words)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["E       assert (8,) == (9,)"])
    assert kept.stat().st_mtime_ns != made
    project.runpytest_subprocess(*words).stdout.fnmatch_lines(["E       assert (8,) == (9,)"])


# several processes


def test_workers_send_what_they_found(project):
    pytest.importorskip("xdist")
    words = ("-n", "2", "--promotion-fail-on", "widening", "--tb=no")
    result = project.runpytest_subprocess(*words)
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=2)
    lines = section(result)
    # the fixture is made in each worker that needs it, so the sums depend on who ran what
    assert lines[0].startswith("kernel.py:4:12: widening: ")
    assert [line for line in lines if line.endswith(" at line 7, 2 times:")]
    assert [line for line in lines if line.startswith("  in 2 tests: ")]
    assert lines[-3].startswith("1 cause (1 widening) in N operations on arrays; ")
    assert lines[-1] == "Watched: 2 files in this folder, in 2 processes."


def test_a_marker_that_nobody_reads_is_not_silent(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.promotion(fail_on="widening")
        def test_it():
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    assert result.ret == 0
    result.stdout.fnmatch_lines("Not heeded: @pytest.mark.promotion of 1 test; *")
    assert "without an audit" not in pytester.runpytest_subprocess("--promotion-audit").stdout.str()
    pytester.makepyfile("import pytest\n@pytest.mark.promotion_audit\ndef test_it():\n    pass")
    result = pytester.runpytest_subprocess("-W", "ignore")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        "*there is no marker 'promotion_audit'; type @pytest.mark.promotion(*"
    )


def test_a_marker_that_makes_no_sense_is_an_error_of_its_test_among_workers(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile("""
        import pytest

        @pytest.mark.promotion(allow="widenin")
        def test_marker():
            pass
    """)
    result = pytester.runpytest_subprocess("-n", "1", "--promotion-audit")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*::test_marker: 'widenin' is not a kind of finding; *"])


def test_the_plugin_is_found_by_pytest():
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "  --promotion-fail-on=KINDS\n" in told
    markers = subprocess.run(
        [sys.executable, "-m", "pytest", "--markers"], capture_output=True, text=True, check=True
    ).stdout
    assert (
        "@pytest.mark.promotion(allow=KINDS, fail_on=KINDS, forbid=DTYPES, audit=True): " in markers
    )


def test_attributes_that_others_give_to_nodes_of_trees_do_no_harm(pytester):
    kept = ast.parse("x").body[0].value.ctx  # one node stands for it in all trees
    kept.parent = ast.Expr(kept)
    try:
        pytester.makepyfile("def test_one():\n    assert [1] == [1]\n")
        result = pytester.runpytest("--promotion-audit")
    finally:
        del kept.parent
    result.assert_outcomes(passed=1)
    assert "Not watched" not in result.stdout.str()


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("--fail-on=float64", "type --promotion-fail-on instead of --fail-on"),
        ("--audit", "type --promotion-audit instead of --audit"),
        ("--supremum", "type --promotion-audit instead of --supremum"),
        ("--no-float64", "type --promotion-forbid float64 instead of --no-float64"),
        ("--nonesuch", None),
    ],
)
def test_an_option_that_pytest_lacks_is_told_as_the_plugin_has_it(pytester, typed, instead):
    result = pytester.runpytest_subprocess(typed)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"unrecognized arguments: {typed}" in result.stderr.str()
    told = [line for line in result.stderr.lines if "promotion audit" in line]
    assert told == ([f"  promotion audit: {instead}"] if instead else [])


def test_an_option_of_another_plugin_is_its_own(pytester):
    pytester.makeconftest("def pytest_addoption(parser): parser.addoption('--target')")
    pytester.makepyfile("def test(request): assert request.config.getoption('--target') == 'x'")
    result = pytester.runpytest_subprocess("--target", "x")
    result.assert_outcomes(passed=1)
    assert "promotion audit" not in result.stderr.str() + result.stdout.str()


def test_options_that_are_told_are_options(pytester):
    told = {instead.partition(" ")[0] for instead in INSTEAD.values()}
    pytester.makepyfile("def test(): pass")
    known = pytester.runpytest_subprocess("--help").stdout.str()
    assert all(f"{option}" in known for option in told)


def test_a_dtype_that_is_no_kind_is_told_as_the_plugin_has_it(pytester):
    result = pytester.runpytest_subprocess("--promotion-fail-on=float64")
    said = "type --promotion-forbid float64 --promotion-fail-on forbidden"
    assert said in result.stderr.str()

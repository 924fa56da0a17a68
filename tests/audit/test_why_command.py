"""`supremum why`, and what an audit, its formats and pytest say of a program that stopped."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from textwrap import dedent

import pytest
from jsonschema import Draft202012Validator

from supremum import audit

pytestmark = pytest.mark.thorough

STOPS = """
import numpy as np
def word(b):
    return b[1] * 256
print("begins")
print(word(np.frombuffer(b"ab", np.uint8)))
"""


@pytest.fixture
def process(tmp_path):
    """Return a function that runs the command on a program, or Python if no word is given."""

    def run(source, *words, how=("program.py",), arguments=()):
        (tmp_path / "program.py").write_text(dedent(source), encoding="utf-8")
        command = ["-m", "supremum", *words] if words else []
        return subprocess.run(
            [sys.executable, *command, *how, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            check=False,
        )

    return run


@pytest.mark.parametrize("how", [["program.py"], ["-m", "program"]], ids=["script", "module"])
def test_the_traceback_comes_first_and_is_unchanged(process, how, golden):
    plain, told = process(STOPS, how=how), process(STOPS, "why", how=how)
    assert (told.stdout, told.returncode) == (plain.stdout, plain.returncode) == ("begins\n", 1)
    golden(told.stderr.removeprefix(plain.stderr))


NOT_EXPLAINED = {
    "nothing": "print(1)",
    "an exit": "raise SystemExit(4)",
    "a key": "{}['x']",
    "a shape": "import numpy as np\nnp.ones(3) + np.ones(4)",
    "a misspelt dtype": "import numpy as np\nnp.zeros(3, dtype='flaot32')",
    "a dtype in other words": "raise TypeError('only tensors of floating point dtype')",
    "another process": """
        import multiprocessing
        import numpy as np
        def run(x):
            return x * 300
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                pool.map(run, [np.uint8(3)])
        """,
}


@pytest.mark.parametrize("source", NOT_EXPLAINED.values(), ids=NOT_EXPLAINED)
def test_one_line_says_that_there_is_nothing_to_explain(process, source, golden):
    plain, told = process(source), process(source, "why")
    assert told.returncode == plain.returncode
    assert told.stdout == plain.stdout
    assert told.stderr.count("supremum: ") == 1
    golden(told.stderr[told.stderr.index("supremum: ") :])


def test_it_hands_arguments_on_and_refuses_what_is_not_there(process):
    told = process("import sys\nprint(sys.argv[1:])", "why", arguments=["--include", "x"])
    assert told.stdout == "['--include', 'x']\n"
    told = process("", "why", "--include", "nonesuch")
    assert (told.returncode, told.stderr) == (
        2,
        "supremum: there is no package 'nonesuch' to look inside\n",
    )


def test_a_thread_is_explained(process):
    told = process(
        """
        import threading
        import numpy as np
        def run(x):
            return x * 300
        thread = threading.Thread(target=run, args=(np.uint8(3),))
        thread.start()
        thread.join()
        print("done")
        """,
        "why",
    )
    assert (told.stdout, told.returncode) == ("done\n", 0)
    assert "program.py:5:12: stopped: OverflowError" in told.stderr
    assert told.stderr.endswith("type instead: int(x)\n")


def test_a_script_that_is_started_is_explained(process, tmp_path):
    (tmp_path / "other.py").write_text(STOPS, encoding="utf-8")
    told = process(
        """
        import subprocess, sys
        print(subprocess.run([sys.executable, "other.py"]).returncode)
        """,
        "why",
    )
    assert told.stdout == "begins\n1\n"
    assert told.stderr.endswith("  type instead: int(b[1])\n")


def test_an_audit_reports_it_first_and_ends_as_the_program_does(process):
    source = f"import numpy as np\nnp.ones(9, np.float32) * np.ones(9)\n{STOPS}"
    told = process(source, "audit")
    assert told.returncode == 1
    report = told.stderr.partition("for uint8\n")[2]
    assert report.startswith("program.py:6:12: stopped: ")
    assert "program.py:2:26: widening: " in report
    assert process(source, "audit", "--fail-on", "stopped").returncode == 3
    assert "stopped" not in process(source, "audit", "--kinds", "widening").stderr


def test_every_format_has_it(process, tmp_path):
    outputs = [f"report.{suffix}" for suffix in ("json", "sarif", "html", "github", "txt")]
    process(STOPS, "audit", *(word for path in outputs for word in ("-o", path)))
    read = {path: (tmp_path / path).read_text(encoding="utf-8") for path in outputs}
    found = json.loads(read["report.json"])
    schema = files("supremum.audit").joinpath("report.schema.json").read_text(encoding="utf-8")
    Draft202012Validator(json.loads(schema)).validate(found)
    first = found["findings"][0]
    assert (first["kind"], first["severity"], first["line"]) == ("stopped", "error", 4)
    assert first["operands"][0]["born"]["line"] == 6
    assert first["suggestion"] == "int(b[1])"
    result = json.loads(read["report.sarif"])["runs"][0]["results"][0]
    assert (result["ruleId"], result["level"]) == ("stopped", "error")
    assert '<a class="badge error"' in read["report.html"]
    assert "uint8 is introduced here" not in read["report.html"]
    assert read["report.github"].startswith("::error file=program.py,line=4,col=12,")
    assert read["report.txt"].startswith("program.py:4:12: stopped: OverflowError: ")


TESTS = """
import numpy as np
import pytest

def scaled(x):
    return x[0] * 300

def test_stops():
    scaled(np.ones(2, np.uint8))

def test_expects_it():
    with pytest.raises(OverflowError):
        scaled(np.ones(2, np.uint8))

def test_is_wrong():
    assert np.ones(2, np.uint8)[0] == 2

@pytest.fixture
def total():
    counts = np.zeros(3, dtype=np.int32)
    counts += 0.5

def test_uses(total):
    pass

@pytest.mark.promotion(fail_on="widening")
def test_widens():
    np.ones(3, np.float32) * np.ones(3)
"""


@pytest.mark.parametrize("option", ["--promotion-why", "--promotion-audit", ""])
def test_pytest_explains_tests_that_fail(process, option):
    words = ["-p", "no:xdist", "-q", "test_it.py", *filter(None, [option])]
    source = f"""
    import pathlib, sys, pytest
    pathlib.Path("test_it.py").write_text({TESTS!r})
    sys.exit(pytest.main({words!r}))
    """
    told = process(source).stdout
    assert told.count(" supremum why ") == (2 if option else 0)
    assert ("test_it.py:6:12: stopped: OverflowError" in told) is bool(option)
    assert ("type instead: np.zeros(3, dtype=np.float64)" in told) is bool(option)
    assert (" promotion audit " in told) is (option == "--promotion-audit")
    failed = 3 if option == "--promotion-audit" else 2
    assert f"{failed} failed, {5 - 1 - failed} passed, 1 error" in told


def test_the_options_of_an_audit_know_the_kind():
    assert audit.KINDS["stopped"].severity == "error"
    assert list(audit.KINDS)[:2] == ["forbidden", "stopped"]

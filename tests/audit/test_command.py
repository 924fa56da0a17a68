"""The command ``supremum audit``: how it ends, and where things are printed."""

import json
import signal
import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.thorough

WIDENS = """\
import numpy as np
taps = np.hanning(8)
wide = np.ones(8, np.float32) * taps
print("out", wide.dtype)
"""
REPORT = "program.py:2:8: widening: "
NOTHING = "Warning: no operation on arrays was seen"


# how it ends

ENDS = {
    "at its end": ("", 0, ""),
    "exit 0": ("raise SystemExit(0)", 0, ""),
    "exit": ("raise SystemExit", 0, ""),
    "exit 1": ("import sys; sys.exit(1)", 1, ""),
    "exit 7": ("raise SystemExit(7)", 7, ""),
    "exit with a text": ("raise SystemExit('text')", 1, "text\n"),
    "exit -1": ("raise SystemExit(-1)", 255, ""),
    "in a function": ("def f():\n    raise SystemExit(9)\nf()", 9, ""),
    "at exit": ("import atexit; atexit.register(print, 'bye')", 0, ""),
}


@pytest.mark.parametrize(("source", "code", "error"), ENDS.values(), ids=ENDS)
def test_it_ends_as_the_program_does(write, command, source, code, error):
    write("print('out')\n" + source)
    plain = subprocess.run(
        [sys.executable, "program.py"], capture_output=True, text=True, check=False
    )
    result = command("program.py")
    assert (result.returncode, plain.returncode) == (code, code)
    assert result.stdout == plain.stdout
    assert result.stderr.startswith(error + NOTHING)


def test_a_crash_is_the_program_s_own_and_reported(write, command):
    write(WIDENS + "def fail():\n    return 1 / 0\nfail()\n")
    plain = subprocess.run(
        [sys.executable, "program.py"], capture_output=True, text=True, check=False
    )
    result = command("program.py")
    assert result.returncode == plain.returncode == 1
    assert result.stdout == plain.stdout == "out float64\n"
    assert result.stderr.startswith(plain.stderr + REPORT)
    assert "ZeroDivisionError" in plain.stderr


def test_fail_on_is_3_whatever_the_program_gives(write, command):
    write(WIDENS + "raise SystemExit(7)\n")
    assert command("program.py").returncode == 7
    assert command("--fail-on", "mixed-kind,forbidden", "program.py").returncode == 7
    result = command("--fail-on", "narrowing-store,widening", "program.py")
    assert result.returncode == 3
    assert result.stdout == "out float64\n"
    assert result.stderr.startswith(REPORT)


def test_fail_on_does_not_hide_a_crash(write, command):
    write(WIDENS + "raise ValueError('wrong')\n")
    result = command("--fail-on", "all", "program.py")
    assert result.returncode == 3
    assert "ValueError: wrong\n" in result.stderr
    assert f"\n{REPORT}" in result.stderr


def test_fail_on_counts_what_else_came_of_a_cause(audited):
    report = audited(WIDENS + "f = np.ones(8, np.float32)\nf[:] = taps\n")
    assert [f.kind for f in report.of(["narrowing-store"])] == ["widening"]
    assert report.of(["value-changed"]) == []


def test_fail_on_forbidden(write, command):
    write("import numpy as np\nnp.zeros(3)\n")
    result = command("--fail-on", "forbidden", "--forbid", "float64", "program.py")
    assert result.returncode == 3
    said = "program.py:2:1: forbidden:float64: float64 is introduced here\n"
    assert result.stderr.startswith(said)
    assert command("--fail-on", "forbidden", "program.py").returncode == 0


def test_ctrl_c_still_reports(write, tmp_path):
    write(WIDENS + "import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "supremum", "audit", "-o", "report.json", "program.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert [process.stdout.readline() for _ in range(2)] == ["out float64\n", "ready\n"]
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=30)
    assert out == ""
    assert errors.endswith("KeyboardInterrupt\n")
    assert "supremum" not in errors  # the program's own frames alone
    assert process.returncode == -signal.SIGINT
    [finding] = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["findings"]
    assert (finding["line"], finding["kind"]) == (2, "widening")


# where things are printed


def test_a_reader_who_leaves_is_no_error(write):
    write(WIDENS)
    piped = f"{sys.executable} -m supremum audit program.py 2>&1 >/dev/null | head -n 1"
    script = f"{piped}; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.split("\n")[1:] == ["0", ""]
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("code", "instead"),
    [
        ("def test_a():\n    pass\n", "it defines tests: type supremum audit -m pytest program.py"),
        ('"""Tools."""\ndef scale(x):\n    return x\n', "type supremum sweep program"),
        ("def f():\n    pass\nprint(f())\n", "the program imported no array library"),
    ],
)
def test_what_was_not_checked_is_not_green(write, command, code, instead):
    write(code)
    for options, status in (((), 0), (("--fail-on", "widening"), 2)):
        result = command(*options, "program.py")
        assert result.returncode == status
        assert instead in result.stderr


def test_a_program_that_goes_elsewhere(write, command, tmp_path):
    (tmp_path / "else" / "where").mkdir(parents=True)
    write("import os\nos.chdir('else/where')\n" + WIDENS)
    result = command("-o", "r.txt", "--write-baseline", "known.json", "program.py")
    assert (result.returncode, result.stderr) == (0, "")
    report = (tmp_path / "r.txt").read_text(encoding="utf-8")
    assert report.startswith("program.py:4:8: widening: ")
    assert "     4 | taps = np.hanning(8)\n" in report
    [known] = json.loads((tmp_path / "known.json").read_text(encoding="utf-8"))["findings"]
    assert (known["file"], known["text"]) == ("program.py", "np.hanning(8)")


def test_a_program_whose_folder_goes_away(write, command, tmp_path):
    write("import os, shutil\nos.chdir('work')\nshutil.rmtree('../work')\n" + WIDENS)
    (tmp_path / "work").mkdir()
    result = command("program.py")
    assert (result.returncode, result.stdout) == (0, "out float64\n")
    assert result.stderr.startswith("program.py:5:8: widening: ")


# what is asked


def test_kinds_and_forbid(write, command):
    write(WIDENS)
    assert "Nothing found in 3 operations" in command("--kinds", "mixed-kind", "program.py").stderr
    result = command("--kinds", "forbidden", "--forbid", "float64,int8", "program.py")
    said = "program.py:2:8: forbidden:float64: "
    assert result.stderr.startswith(said)


def test_arguments_after_the_script_are_its_own(write, command):
    write("import sys\nprint(sys.argv)\n")
    words = ["--forbid", "nothing", "-o", "x", "--", "-m", "--help", "a b"]
    assert command("program.py", *words).stdout == f"{['program.py', *words]}\n"


def test_a_module_runs_as_python_runs_it(write, command):
    source = """\
        import sys
        from . import part
        print(__name__, __package__, __spec__.name, sys.argv[1:], part.__name__)
        """
    write(source, "package/module.py")
    write("", "package/part.py")
    write("print('init')\n", "package/__init__.py")
    plain = subprocess.run(
        [sys.executable, "-m", "package.module", "--x"], capture_output=True, text=True, check=True
    )
    result = command("-m", "package.module", "--x")
    assert result.stdout == plain.stdout
    assert plain.stdout == "init\n__main__ package package.module ['--x'] package.part\n"


def test_a_package_runs_its_main_module(write, command):
    write(WIDENS, "package/__main__.py")
    write("", "package/__init__.py")
    result = command("-m", "package")
    assert result.stdout == "out float64\n"
    assert result.stderr.startswith("package/__main__.py:2:8: widening: ")


def test_a_folder_runs_its_main_module(write, command):
    write(WIDENS, "app/__main__.py")
    result = command("app")
    assert result.stdout == "out float64\n"
    assert result.stderr.startswith("app/__main__.py:2:8: widening: ")


def test_own_modules_are_watched_and_installed_ones_on_demand(write, command, tmp_path):
    write("import numpy as np\ndef window(n):\n    return np.hanning(n)\n", "site-packages/taps.py")
    write("def blur(x, w):\n    return x * w\n", "lib/blurring.py")
    source = """\
        import sys
        import numpy as np
        sys.path.append("site-packages")
        from lib.blurring import blur
        from taps import window
        blur(np.ones(8, np.float32), window(8))
        """
    write(source)
    outside = command("program.py").stderr
    assert outside.startswith("program.py:6:30: widening: ")
    assert "  it widens to float64 at lib/blurring.py:2:\n" in outside
    path = {"PYTHONPATH": str(tmp_path / "site-packages")}
    inside = command("--include", "taps", "program.py", env=path).stderr
    assert inside.startswith("site-packages/taps.py:3:12: widening: ")


def test_settings_of_the_project(write, command, tmp_path):
    write(WIDENS, "src/program.py")
    settings = """\
        [tool.supremum.audit]
        fail-on = "widening"
        forbid = ["float64"]
        """
    write(settings, "pyproject.toml")
    result = command("program.py", cwd=tmp_path / "src")
    assert result.returncode == 3
    assert result.stderr.startswith("program.py:2:8: forbidden:float64: ")
    # what is given takes its place, option by option
    result = command("--fail-on", "mixed-kind", "src/program.py")
    assert result.returncode == 0
    assert result.stderr.startswith("src/program.py:2:8: forbidden:float64: ")
    assert command("--forbid", "int8", "src/program.py").stderr.startswith(
        "src/program.py:2:8: widening: "
    )


def test_the_nearest_project_counts(write, command):
    write(WIDENS, "src/program.py")
    write("[tool.supremum.audit]\nfail-on = 'all'\n", "pyproject.toml")
    assert command("src/program.py").returncode == 3
    write("[project]\nname = 'inner'\n", "src/pyproject.toml")
    assert command("src/program.py").returncode == 0


def test_the_help_says_what_it_does(run):
    result = run("audit", "--help")
    assert result.exit_code == 0
    told = dedent(result.output)
    assert "SCRIPT prints and ends as it does without the audit." in told
    assert "Exits 3 if a finding is of a kind of --fail-on, else as SCRIPT does." in told


def test_filters_of_the_program_are_not_those_of_the_report(write, command):
    write(WIDENS + "import warnings\nwarnings.simplefilter('error')\n")
    result = command("program.py", env={"PYTHONWARNINGS": "error"})
    assert result.stderr.startswith("program.py:2:8: widening: ")
    assert "type instead: " in result.stderr

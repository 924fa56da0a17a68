"""The command ``supremum audit``: what it refuses, how it ends, and where things are printed."""

import json
import os
import signal
import subprocess
import sys
from textwrap import dedent

import pytest

from supremum import audit
from supremum.audit import command as audit_command
from supremum.audit import load

WIDENS = """\
import numpy as np
taps = np.hanning(8)
wide = np.ones(8, np.float32) * taps
print("out", wide.dtype)
"""
REPORT = """\
program.py:2:8: widening: float64 is born here; 2 results have it from here, 64 bytes more than \
needed
     2 | taps = np.hanning(8)
       |        ^^^^^^^^^^^^^
       |        float64
  it widens to float64 at line 3:
     3 | wide = np.ones(8, np.float32) * taps
       |        ~~~~~~~~~~~~~~~~~~~~~~   ~~~~
       |        float32[8]               float64[8]
  type instead: np.hanning(8).astype(np.float32, copy=False)
  why, by numpy rules: float32 and float64 give float64.

1 cause (1 widening) in 3 operations on arrays; 64 bytes more than needed.
"""
NOTHING = "Nothing found in 0 operations on arrays.\n"
KINDS = (
    "widening, narrowing-store, value-changed, overflow-risk, precision-loss, weak-lost, "
    "other-dtype, mixed-kind, forbidden and all"
)


# bad input

REFUSED = {
    "no script": (
        ["nope.py"],
        "there is no script 'nope.py'; give the path of a file, or -m MODULE",
    ),
    "a folder": (["folder"], "there is no __main__.py in 'folder' to run; name a script"),
    "a syntax error": (["bad.py"], "{here}/bad.py:2: no Python: '(' was never closed"),
    "an unknown kind": (
        ["--kinds", "widning", "program.py"],
        "there is no kind of finding 'widning'; did you mean widening?",
    ),
    "no kind": (
        ["--kinds", "widening,zebra", "program.py"],
        f"there is no kind of finding 'zebra'; there are {KINDS}",
    ),
    "an unknown kind to fail on": (
        ["--fail-on", "forbiden", "program.py"],
        "there is no kind of finding 'forbiden'; did you mean forbidden?",
    ),
    "an unknown dtype": (
        ["--forbid", "float32,flaot64", "program.py"],
        "'flaot64' is not the name of a dtype; did you mean float64 or float16 or bfloat16?",
    ),
    "a short dtype": (
        ["--forbid", "f8", "program.py"],
        "'f8' is float64 in bytes, as NumPy counts; type 'float64'",
    ),
    "a weak dtype": (
        ["--forbid", "float*", "program.py"],
        "float* is weak, and no array's dtype; name one of a width",
    ),
    "an unknown target": (
        ["--target", "nmpy", "program.py"],
        "there are no rules named 'nmpy'; did you mean numpy?",
    ),
    "an unknown action": (
        ["--on-finding", "rais", "program.py"],
        "on_finding is report, warn, raise, pdb, not 'rais'; did you mean raise?",
    ),
    "an unknown format": (
        ["--format", "xml", "program.py"],
        "Invalid value for '-f' / '--format': 'xml' is not one of 'text', 'json', 'sarif', "
        "'html', 'github'",
    ),
    "an unknown option": (
        ["--zebra", "program.py"],
        "No such option '--zebra'",
    ),
    "no program": ([], "Missing argument 'SCRIPT|MODULE'"),
    "no value": (["--include"], "Option '--include' requires an argument"),
    "an unknown package": (
        ["--include", "sicpy", "program.py"],
        "there is no package 'sicpy' to look inside",
    ),
    "an output in no folder": (
        ["-o", "none/report.json", "program.py"],
        "'none/report.json' cannot be written: there is no folder '{here}/none'",
    ),
    "an output that is a folder": (
        ["-o", "report.txt", "-o", "folder", "program.py"],
        "'folder' is a folder; name a file in it",
    ),
    "a baseline in no folder": (
        ["--write-baseline", "none/known.json", "program.py"],
        "'none/known.json' cannot be written: there is no folder '{here}/none'",
    ),
    "no baseline": (
        ["--baseline", "known.json", "program.py"],
        "baseline 'known.json' cannot be read: No such file or directory; "
        "write one with --write-baseline",
    ),
    "a baseline that is no JSON": (
        ["--baseline", "bad.py", "program.py"],
        "'bad.py' is no baseline; write one with --write-baseline",
    ),
    "a baseline that is another JSON": (
        ["--baseline", "other.json", "program.py"],
        "'other.json' is no baseline; write one with --write-baseline",
    ),
    "no module": (["-m", "nope"], "there is no module 'nope' to run; give a script, or -m MODULE"),
    "no module in a package": (
        ["-m", "package.nope"],
        "there is no module 'package.nope' to run; give a script, or -m MODULE",
    ),
    "a package that cannot be run": (
        ["-m", "package"],
        "there is no module 'package' to run; give a script, or -m MODULE",
    ),
    "a module with a syntax error": (
        ["-m", "package.bad"],
        "{here}/package/bad.py:2: no Python: '(' was never closed",
    ),
    "a null byte": (["null.py"], "{here}/null.py: no Python: source code string cannot contain null bytes"),
    "an unknown encoding": (["encoded.py"], "{here}/encoded.py: no Python: unknown encoding: latin-9x"),
}
PROJECTS = {
    "no TOML": ("x =\n", "{here}/pyproject.toml is no TOML: Invalid value (at line 1, column 4)"),
    "an unknown option": (
        "[tool.supremum.audit]\nkind = 'widening'",
        "an audit has no option 'kind'; did you mean kinds?",
    ),
    "an unknown kind": (
        "[tool.supremum.audit]\nfail-on = ['wideing']",
        "there is no kind of finding 'wideing'; did you mean widening?",
    ),
    "another form": (
        "[tool.supremum.audit]\nallow = [{file = 'a', kind = 'widening'}]",
        'an allowance is written as {{file = "src/old.py", kinds = ["widening"], reason = "..."}}, '
        "not as {{'file': 'a', 'kind': 'widening'}}",
    ),
    "an unknown kind in an allowance": (
        "[tool.supremum.audit]\nallow = [{file = 'a', kinds = ['widning']}]",
        "there is no kind of finding 'widning'; did you mean widening?",
    ),
    "no baseline": (
        "[tool.supremum.audit]\nbaseline = 'known.json'",
        "baseline 'known.json' cannot be read: No such file or directory; "
        "write one with --write-baseline",
    ),
    "no table": (
        "[tool]\nsupremum = 3",
        "{here}/pyproject.toml: [tool.supremum.audit] is a table of options",
    ),
    "no table of options": (
        "[tool.supremum]\naudit = 'widening'",
        "{here}/pyproject.toml: [tool.supremum.audit] is a table of options",
    ),
}


@pytest.fixture
def folder(write, tmp_path, monkeypatch):
    """A folder with a program that must not run."""
    write("raise SystemExit('it ran')\n")
    write("\nx = (\n", "bad.py")
    write("\nx = (\n", "package/bad.py")
    write("", "package/__init__.py")
    write("# coding: latin-9x\n", "encoded.py")
    write("[]", "other.json")
    (tmp_path / "null.py").write_bytes(b"\0")
    (tmp_path / "folder").mkdir()

    def ran(*_):
        raise AssertionError

    monkeypatch.setattr(audit_command.program, "run", ran)
    return tmp_path


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_one_line(folder, run, words, message):
    result = run("audit", *words)
    assert result.stderr == f"supremum: {message.format(here=folder)}\n"
    assert (result.stdout, result.exit_code) == ("", 2)
    assert not list(folder.glob("report*"))


@pytest.mark.parametrize(("settings", "message"), PROJECTS.values(), ids=PROJECTS)
def test_bad_settings_are_refused_in_one_line(folder, run, write, settings, message):
    write(settings, "pyproject.toml")
    result = run("audit", "program.py")
    assert result.stderr == f"supremum: {message.format(here=folder)}\n"
    assert (result.stdout, result.exit_code) == ("", 2)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_an_output_that_must_not_be_written_is_refused(folder, run):
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    result = run("audit", "-o", "locked/report.json", "program.py")
    assert result.stderr == "supremum: 'locked/report.json' cannot be written: permission denied\n"
    assert result.exit_code == 2


def test_bad_input_as_a_process(write, command):
    write("open('ran', 'w')\nx = (\n")
    result = command("program.py")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert not os.path.exists("ran")  # noqa: PTH110  # a relative path


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
    plain = subprocess.run([sys.executable, "program.py"], capture_output=True, text=True, check=False)
    result = command("program.py")
    assert (result.returncode, plain.returncode) == (code, code)
    assert result.stdout == plain.stdout
    assert result.stderr == error + NOTHING


def test_a_crash_is_the_program_s_own_and_reported(write, command):
    write(WIDENS + "def fail():\n    return 1 / 0\nfail()\n")
    plain = subprocess.run([sys.executable, "program.py"], capture_output=True, text=True, check=False)
    result = command("program.py")
    assert result.returncode == plain.returncode == 1
    assert result.stdout == plain.stdout == "out float64\n"
    assert result.stderr == plain.stderr + REPORT
    assert "ZeroDivisionError" in plain.stderr


def test_fail_on_is_3_whatever_the_program_gives(write, command):
    write(WIDENS + "raise SystemExit(7)\n")
    assert command("program.py").returncode == 7
    assert command("--fail-on", "mixed-kind,forbidden", "program.py").returncode == 7
    result = command("--fail-on", "narrowing-store,widening", "program.py")
    assert result.returncode == 3
    assert (result.stdout, result.stderr) == ("out float64\n", REPORT)


def test_fail_on_does_not_hide_a_crash(write, command):
    write(WIDENS + "raise ValueError('wrong')\n")
    result = command("--fail-on", "all", "program.py")
    assert result.returncode == 3
    assert "ValueError: wrong\n" in result.stderr
    assert result.stderr.endswith(REPORT)


def test_fail_on_counts_what_else_came_of_a_cause(audited):
    report = audited(WIDENS + "f = np.ones(8, np.float32)\nf[:] = taps\n")
    assert [f.kind for f in report.of(["narrowing-store"])] == ["widening"]
    assert report.of(["value-changed"]) == []


def test_fail_on_forbidden(write, command):
    write("import numpy as np\nnp.zeros(3)\n")
    result = command("--fail-on", "forbidden", "--forbid", "float64", "program.py")
    assert result.returncode == 3
    assert result.stderr.startswith("program.py:2:1: forbidden:float64: float64 is born here\n")
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
    assert process.returncode in (130, -signal.SIGINT)
    [finding] = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["findings"]
    assert (finding["line"], finding["kind"]) == (2, "widening")


# where things are printed


def test_the_report_goes_to_files_by_their_suffixes(write, command, tmp_path):
    write(WIDENS)
    names = ["r.txt", "r.json", "r.sarif", "r.html", "r.github", "r.other"]
    result = command(*(word for name in names for word in ("-o", name)), "program.py")
    assert (result.returncode, result.stdout, result.stderr) == (0, "out float64\n", "")
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    assert texts["r.txt"] == texts["r.other"] == REPORT
    assert json.loads(texts["r.json"])["findings"][0]["line"] == 2
    assert json.loads(texts["r.sarif"])["version"] == "2.1.0"
    assert texts["r.html"].startswith("<!doctype html>")
    assert texts["r.github"].startswith("::warning file=program.py,line=2,")


def test_a_format_holds_for_all_files_and_the_stream(write, command, tmp_path):
    write(WIDENS)
    result = command("-f", "json", "program.py")
    assert result.stdout == "out float64\n"
    assert json.loads(result.stderr)["version"] == 1
    command("-f", "json", "-o", "r.txt", "program.py")
    assert json.loads((tmp_path / "r.txt").read_text(encoding="utf-8")) == json.loads(result.stderr)


def test_a_reader_who_leaves_is_no_error(write, command):
    write(WIDENS)
    script = f"{sys.executable} -m supremum audit program.py 2>&1 >/dev/null | head -n 1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.split("\n")[1:] == ["0", ""]
    assert "Traceback" not in result.stdout + result.stderr


def test_a_program_that_goes_elsewhere(write, command, tmp_path):
    (tmp_path / "else" / "where").mkdir(parents=True)
    write("import os\nos.chdir('else/where')\n" + WIDENS)
    result = command("-o", "r.txt", "--write-baseline", "known.json", "program.py")
    assert (result.returncode, result.stderr) == (0, "")
    report = (tmp_path / "r.txt").read_text(encoding="utf-8")
    assert report.startswith("program.py:4:8: widening: ")
    assert "     4 | taps = np.hanning(8)\n" in report
    [known] = json.loads((tmp_path / "known.json").read_text(encoding="utf-8"))["findings"]
    assert known == {"file": "program.py", "kind": "widening", "text": "np.hanning(8)"}


def test_a_program_whose_folder_goes_away(write, command, tmp_path):
    write("import os, shutil\nos.chdir('work')\nshutil.rmtree('../work')\n" + WIDENS)
    (tmp_path / "work").mkdir()
    result = command("program.py")
    assert (result.returncode, result.stdout) == (0, "out float64\n")
    assert result.stderr.startswith("program.py:5:8: widening: ")


pty = pytest.importorskip("pty") if sys.platform != "win32" else None
SLOW = """\
import time
import numpy as np
x = np.ones(4, np.float32)
end = time.monotonic() + 2.4
while time.monotonic() < end:
    for i in range(64):
        x = x * 1
"""


@pytest.mark.skipif(pty is None, reason="there are no pseudo-terminals")
def test_progress_is_told_to_a_terminal_alone(write, tmp_path, command):
    write(SLOW)
    mine, theirs = pty.openpty()
    words = [sys.executable, "-m", "supremum", "audit", "program.py"]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs)
    piped = command("program.py")
    with process:
        os.close(theirs)
        told = b""
        try:
            while part := os.read(mine, 4096):
                told += part
        except OSError:  # the other end is closed
            pass
        assert process.stdout.read() == b""
    os.close(mine)
    first, _, rest = told.decode().lstrip("\r").partition(" operations on arrays, 0 causes")
    assert first.startswith("supremum: ")
    assert int(first.removeprefix("supremum: ").replace(",", "")) > 1000
    assert "\r\033[KNothing found in " in rest
    assert piped.stderr.startswith("Nothing found in ")
    assert "\r" not in piped.stderr


# what is done at once

ACTS = """\
import numpy as np
def work(image):
    taps = np.hanning(8)
    wide = image * taps
    return wide
for i in range(3):
    work(np.ones(8, np.float32))
print("end")
"""
TOLD = (
    "widening: float64 is born here, 32 bytes more than needed; cause at program.py:3: "
    "np.hanning(8); type instead: np.hanning(8).astype(np.float32, copy=False)"
)


def test_warn_at_once(write, command, tmp_path):
    write(ACTS)
    result = command("--on-finding", "warn", "program.py")
    assert (result.returncode, result.stdout) == (0, "end\n")
    assert result.stderr.startswith(
        f"{tmp_path}/program.py:4: PromotionWarning: {TOLD}\n  wide = image * taps\n"
        "program.py:3:12: widening: float64 is born here; 6 results have it from here"
    )
    assert result.stderr.count("PromotionWarning") == 1


def test_a_warning_that_is_an_error_stops_the_program(write, command):
    write(ACTS)
    result = command("--on-finding", "warn", "program.py", env={"PYTHONWARNINGS": "error"})
    assert (result.returncode, result.stdout) == (1, "")
    assert "    wide = image * taps\n" in result.stderr
    assert f": {TOLD}\n" in result.stderr
    assert "Not judged" not in result.stderr


def test_raise_at_once(write, command):
    write(ACTS)
    result = command("--on-finding", "raise", "program.py")
    assert (result.returncode, result.stdout) == (1, "")
    assert f"supremum.audit.ledger.AuditStop: {TOLD}\n" in result.stderr
    assert "    wide = image * taps\n" in result.stderr
    assert "1 cause (1 widening) in 2 operations on arrays" in result.stderr


def test_what_is_raised_can_be_caught(audited):
    source = """\
        import numpy as np
        from supremum.audit import AuditStop
        try:
            np.ones(8, np.float32) * np.hanning(8)
        except AuditStop as error:
            told = str(error)
        else:
            raise AssertionError
        assert told.startswith("widening: float64 is born here"), told
        """
    assert len(audited(source, on_finding="raise").findings) == 1


def test_what_is_allowed_is_not_raised(audited):
    source = """\
        import numpy as np
        np.ones(8, np.float32) * np.hanning(8)  # supremum: allow widening
        """
    assert audited(source, on_finding="raise").findings == ()


def test_what_is_not_asked_for_is_not_raised(audited):
    source = """\
        import numpy as np
        np.ones(8, np.float32) * np.int16(8)
        """
    assert audited(source, on_finding="raise", kinds="widening").findings == ()


def test_what_is_known_is_not_raised(audited, tmp_path):
    source = "import numpy as np\nx = np.ones(8, np.float32) * np.hanning(8)\n"
    known = {"file": "program.py", "kind": "widening", "text": "np.hanning(8)"}
    path = tmp_path / "known.json"
    path.write_text(json.dumps({"version": 1, "findings": [known]}), encoding="utf-8")
    assert audited(source, on_finding="raise", baseline=str(path)).findings == ()
    with pytest.raises(audit.AuditStop):
        audited(source, on_finding="raise")


def test_the_debugger_opens_in_the_program(write, command):
    write(ACTS)
    result = command(
        "--on-finding", "pdb", "program.py", input="p image.dtype, taps.dtype\nup\nc\n"
    )
    assert result.returncode == 0
    first, *more = result.stdout.split("\n")
    assert first.endswith("program.py(4)work()")
    assert more[0] == "-> wide = image * taps"
    assert more[1] == "(Pdb) (dtype('float32'), dtype('float64'))"
    assert more[2].endswith("program.py(7)<module>()")
    assert result.stdout.endswith("end\n")
    assert result.stderr.startswith(TOLD + "\n")


def test_the_debugger_goes_on_from_there(write, command):
    write(ACTS)
    result = command("--on-finding", "pdb", "program.py", input="n\np wide.dtype\nc\n")
    assert result.returncode == 0
    assert "program.py(5)work()\n-> return wide\n(Pdb) dtype('float64')\n" in result.stdout


def test_a_debugger_that_is_left_ends_the_program(write, command):
    write(ACTS)
    result = command("--on-finding", "pdb", "program.py", input="q\n")
    assert result.returncode == 1
    assert "end" not in result.stdout
    assert "    wide = image * taps\n" in result.stderr
    assert "Not judged" not in result.stderr


# what is asked


def test_kinds_and_forbid(write, command):
    write(WIDENS)
    assert "Nothing found in 3 operations" in command("--kinds", "mixed-kind", "program.py").stderr
    result = command("--kinds", "forbidden", "--forbid", "float64,int8", "program.py")
    assert result.stderr.startswith("program.py:2:8: forbidden:float64: float64 is born here; ")


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
    assert outside.startswith("program.py:6:30: widening: float64 is born here; ")
    assert "  it widens to float64 at lib/blurring.py:2:\n" in outside
    path = {"PYTHONPATH": str(tmp_path / "site-packages")}
    inside = command("--include", "taps", "program.py", env=path).stderr
    assert inside.startswith("site-packages/taps.py:3:12: widening: float64 is born here; ")


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


# in Python


def test_audits_in_one_process_are_apart(audited, write, monkeypatch):
    def fail(tree, file):
        raise RecursionError("too deep")

    with monkeypatch.context() as patched:
        patched.setattr(load, "rewrite", fail)
        report = audited(WIDENS)
    assert report.findings == ()
    [(file, reason)] = report.unwatched
    assert (file.endswith("program.py"), reason) == (True, "RecursionError: too deep")
    write("x = 1\n", "other.py")
    assert audit.run("other.py").unwatched == ()
    report = audited(WIDENS)
    assert report.unwatched == ()
    assert len(report.findings) == 1


def test_a_program_that_has_changed_is_read_anew(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    texts = []
    for head in ("", "# supremum\n\n"):
        path.write_text(head + WIDENS, encoding="utf-8")
        [finding] = audit.run(str(path)).findings
        texts.append((finding.line, finding.text))
    assert texts == [(2, "np.hanning(8)"), (4, "np.hanning(8)")]


def test_what_a_program_raises_is_raised(audited):
    with pytest.raises(ZeroDivisionError):
        audited("1 / 0\n")
    assert audited("raise SystemExit(3)\n").findings == ()


def test_what_is_watched_in_python(write, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    write("import numpy as np\ndef f(x):\n    return x * np.hanning(8)\n", "watched_kernel.py")
    audit.install(roots=[tmp_path])
    try:
        import numpy as np
        import watched_kernel

        x = np.ones(8, np.float32)
        with audit.watch() as found:
            assert found.findings == ()
            watched_kernel.f(x)
            [finding] = found.findings
        watched_kernel.f(x)
        assert [f.count for f in found.findings] == [finding.count] == [2]
        assert str(found).startswith("watched_kernel.py:3:16: widening: float64 is born here")
    finally:
        audit.uninstall()
        sys.path.remove(str(tmp_path))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"kind": "all"}, "an audit has no option 'kind'; did you mean kinds?"),
        ({"kinds": 3}, "kinds are a text with commas or a list of texts, not 3"),
        ({"target": "zebra9"}, "there are no rules named 'zebra9'"),
    ],
)
def test_bad_options_in_python(asked, message):
    from supremum import RulesError

    with pytest.raises(RulesError) as caught:
        with audit.watch(**asked):
            pass
    assert str(caught.value).startswith(message)


def test_the_help_says_what_it_does(run):
    result = run("audit", "--help")
    assert result.exit_code == 0
    told = dedent(result.output)
    assert "What SCRIPT prints, and how it ends, is as without." in told
    assert "Exits 3 where a finding is of a kind of --fail-on, else as SCRIPT does." in told

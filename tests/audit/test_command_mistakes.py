"""What ``supremum audit`` refuses: in one line, with exit code 2, and before anything runs."""

import os

import pytest

from supremum import audit
from supremum.audit import cli as audit_command

KINDS = f"{', '.join(audit.KINDS)}, all and none"


REFUSED = {
    "no script": (
        ["nope.py"],
        "there is no script 'nope.py'; give the path of a file, or -m MODULE",
    ),
    "a folder": (["folder"], "there is no __main__.py in 'folder' to run; name a script"),
    "a syntax error": (
        ["bad.py"],
        "{here}/bad.py:2: not Python: '(' was never closed\n    x = (\n        ^",
    ),
    "an unknown kind": (
        ["--kinds", "widning", "program.py"],
        "'widning' is not a kind of finding; did you mean widening or widening-store?",
    ),
    "no kind": (
        ["--kinds", "widening,zebra", "program.py"],
        f"'zebra' is not a kind of finding; there are {KINDS}",
    ),
    "an unknown kind to fail on": (
        ["--fail-on", "forbiden", "program.py"],
        "'forbiden' is not a kind of finding; did you mean forbidden?",
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
        (
            "Invalid value for '-f' / '--format': 'xml' is not one of 'text', 'json', 'sarif', "
            "'html', 'github'"
        ),
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
        (
            "baseline 'known.json' cannot be read: No such file or directory; "
            "write one with --write-baseline"
        ),
    ),
    "a baseline that is no JSON": (
        ["--baseline", "bad.py", "program.py"],
        "'bad.py' is not a baseline file; write one with --write-baseline",
    ),
    "a baseline that is another JSON": (
        ["--baseline", "other.json", "program.py"],
        "'other.json' is not a baseline file; write one with --write-baseline",
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
        "{here}/package/bad.py:2: not Python: '(' was never closed\n    x = (\n        ^",
    ),
    "a null byte": (
        ["null.py"],
        "{here}/null.py: not Python: source code string cannot contain null bytes",
    ),
    "an unknown encoding": (
        ["encoded.py"],
        "{here}/encoded.py: not Python: unknown encoding: latin-9x",
    ),
}
PROJECTS = {
    "not TOML": (
        "x =\n",
        "{here}/pyproject.toml is not valid TOML: Invalid value (at line 1, column 4)",
    ),
    "an unknown option": (
        "[tool.supremum.audit]\nkind = 'widening'",
        "an audit has no option 'kind'; did you mean kinds?",
    ),
    "an unknown kind": (
        "[tool.supremum.audit]\nfail-on = ['wideing']",
        "'wideing' is not a kind of finding; did you mean widening or widening-store?",
    ),
    "another form": (
        "[tool.supremum.audit]\nallow = [{file = 'a', kind = 'widening'}]",
        (
            'a suppression is written as {{file = "src/old.py", kinds = ["widening"], '
            'reason = "..."}}, '
            "not as {{'file': 'a', 'kind': 'widening'}}"
        ),
    ),
    "an unknown kind in a suppression": (
        "[tool.supremum.audit]\nallow = [{file = 'a', kinds = ['widning']}]",
        "'widning' is not a kind of finding; did you mean widening or widening-store?",
    ),
    "no baseline": (
        "[tool.supremum.audit]\nbaseline = 'known.json'",
        (
            "baseline 'known.json' cannot be read: No such file or directory; "
            "write one with --write-baseline"
        ),
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
def test_bad_input_is_refused(folder, run, words, message):
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
    assert result.stderr.count("\n") == 3
    assert not os.path.exists("ran")  # noqa: PTH110  # a relative path

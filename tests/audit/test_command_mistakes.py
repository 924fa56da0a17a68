"""What ``supremum audit`` refuses: in one line, with exit code 2, and before anything runs."""

import os

import pytest

from supremum.audit import cli as audit_command

REFUSED = {
    "no script": ["nope.py"],
    "a folder": ["folder"],
    "a syntax error": ["bad.py"],
    "an unknown kind": ["--kinds", "widning", "program.py"],
    "no kind": ["--kinds", "widening,zebra", "program.py"],
    "an unknown kind to fail on": ["--fail-on", "forbiden", "program.py"],
    "an unknown dtype": ["--forbid", "float32,flaot64", "program.py"],
    "a short dtype": ["--forbid", "f8", "program.py"],
    "a weak dtype": ["--forbid", "float*", "program.py"],
    "an unknown target": ["--target", "nmpy", "program.py"],
    "an unknown action": ["--on-finding", "rais", "program.py"],
    "an unknown format": ["--format", "xml", "program.py"],
    "a suffix for a format": ["--format", "jsonl", "program.py"],
    "an unknown option": ["--zebra", "program.py"],
    "an option of the program": ["-n", "5", "program.py"],
    "an option of explain": ["--system", "numpy", "program.py"],
    "an option of fix": ["--diff", "program.py"],
    "two kinds as two words": ["--fail-on", "widening", "stopped", "program.py"],
    "a dtype in bits": ["--forbid", "f8", "program.py"],
    "no program": [],
    "no value": ["--include"],
    "an unknown package": ["--include", "sicpy", "program.py"],
    "an output in no folder": ["-o", "none/report.json", "program.py"],
    "an output that is a folder": ["-o", "report.txt", "-o", "folder", "program.py"],
    "a format for a file": ["-o", "github", "program.py"],
    "an option after a program that reads none": ["program.py", "--fail-on", "widening"],
    "a baseline in no folder": ["--write-baseline", "none/known.json", "program.py"],
    "no baseline": ["--baseline", "known.json", "program.py"],
    "a baseline that is no JSON": ["--baseline", "bad.py", "program.py"],
    "a baseline that is another JSON": ["--baseline", "other.json", "program.py"],
    "no module": ["-m", "nope"],
    "no module in a package": ["-m", "package.nope"],
    "a package that cannot be run": ["-m", "package"],
    "a module of a folder below": ["-m", "inner"],
    "a module with a syntax error": ["-m", "package.bad"],
    "a null byte": ["null.py"],
    "an unknown encoding": ["encoded.py"],
}
PROJECTS = {
    "not TOML": "x =\n",
    "an unknown option": "[tool.supremum.audit]\nkind = 'widening'",
    "a setting of other tools": "[tool.supremum.audit]\nexclude = ['tests']",
    "an unknown kind": "[tool.supremum.audit]\nfail-on = ['wideing']",
    "another form": "[tool.supremum.audit]\nallow = [{file = 'a', kind = 'widening'}]",
    "an unknown kind in a suppression": (
        "[tool.supremum.audit]\nallow = [{file = 'a', kinds = ['widning']}]"
    ),
    "an option beside the table": "[tool.supremum]\nfail_on = ['widening']",
    "no baseline": "[tool.supremum.audit]\nbaseline = 'known.json'",
    "no table": "[tool]\nsupremum = 3",
    "no table of options": "[tool.supremum]\naudit = 'widening'",
}


@pytest.fixture
def folder(write, tmp_path, monkeypatch):
    """A folder with a program that must not run."""
    write("raise SystemExit('it ran')\n")
    write("\nx = (\n", "bad.py")
    write("\nx = (\n", "package/bad.py")
    write("", "package/__init__.py")
    write("# coding: latin-9x\n", "encoded.py")
    write("", "project/inner/__main__.py")
    write("[]", "other.json")
    (tmp_path / "null.py").write_bytes(b"\0")
    (tmp_path / "folder").mkdir()

    def ran(*_):
        raise AssertionError

    monkeypatch.setattr(audit_command.program, "run", ran)
    return tmp_path


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused(folder, run, words, golden):
    result = run("audit", *words)
    golden(result.stderr.replace(str(folder), "HERE"))
    assert (result.stdout, result.exit_code) == ("", 2)
    assert not list(folder.glob("report*"))


@pytest.mark.parametrize("settings", PROJECTS.values(), ids=PROJECTS)
def test_bad_settings_are_refused_in_one_line(folder, run, write, settings, golden):
    write(settings, "pyproject.toml")
    result = run("audit", "program.py")
    golden(result.stderr.replace(str(folder), "HERE"))
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

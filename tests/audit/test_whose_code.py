"""Which code is watched: the user's own, however it is run; and what is said of the rest."""

import json
import os
import sys
import sysconfig
from html import unescape
from pathlib import Path

import pytest

from supremum.audit.cli import misplaced
from supremum.audit.runner import user_code

pytestmark = pytest.mark.thorough

LIBRARY = """\
import numpy as np
def smooth(n):
    return np.ones(n, np.float32) * np.hanning(n)
def main():
    print(smooth(8).dtype)
if __name__ == "__main__":
    main()
"""
TEST = """\
import unittest
import mylib
class Smooth(unittest.TestCase):
    def test_smooth(self):
        mylib.smooth(8)
"""
COMMAND = f"""\
#!{sys.executable}
import sys
from mylib import main
sys.exit(main())
"""
RUNNERS = {
    "a module": ["-m", "mylib"],
    "pytest": ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mylib.py"],
    "pytest, warnings are errors": ["-m", "pytest", "-q", "-W", "error", "test_mylib.py"],
    "unittest": ["-m", "unittest", "-q", "test_mylib"],
    "runpy": ["-m", "runpy", "program.py"],
    "timeit": ["-m", "timeit", "-n1", "-r1", "import mylib; mylib.smooth(8)"],
    "cProfile": ["-m", "cProfile", "-m", "mylib"],
    "a script elsewhere": ["tools/run.py"],
    "a command by its path": [".venv/bin/mylib-run"],
    "a command by its name": ["mylib-run"],
    "an entry point": ["mylib-start"],
}


@pytest.fixture
def project(write, tmp_path):
    """A project in a src layout, with an environment of its own; returns what finds its parts."""
    write(LIBRARY, "src/mylib.py")
    write(TEST, "test_mylib.py")
    write("import mylib\nmylib.main()\n", "program.py")
    write("import mylib\nmylib.main()\n", "tools/run.py")
    write("home = /usr/bin\n", ".venv/pyvenv.cfg")
    command = write(COMMAND, ".venv/bin/mylib-run")
    command.chmod(0o755)
    entry = "[console_scripts]\nmylib-start = mylib:main\n"
    write(entry, "other/mylib-1.0.dist-info/entry_points.txt")
    write(
        "Metadata-Version: 2.1\nName: mylib\nVersion: 1.0\n", "other/mylib-1.0.dist-info/METADATA"
    )
    path = [tmp_path / "src", tmp_path / "other", os.environ.get("PYTHONPATH", "")]
    return {
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PATH": f"{tmp_path / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }


@pytest.mark.parametrize("words", RUNNERS.values(), ids=RUNNERS)
def test_a_widening_is_found_whatever_runs_the_code(project, command, tmp_path, words):
    result = command("--fail-on", "widening", "-o", "r.json", *words, env=project)
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    [finding] = report["findings"]
    assert (finding["file"], finding["line"]) == (str(tmp_path / "src/mylib.py"), 3)
    assert report["unwatched"] == []
    assert report["warning"] is None
    assert "Warning:" not in result.stdout + result.stderr
    assert result.returncode == 3


def test_the_tests_of_pytest_are_watched_too(write, command):
    write(
        "import numpy as np\ndef test_it():\n"
        "    assert (np.ones(8, np.float32) * np.hanning(8)).dtype == float\n",
        "test_it.py",
    )
    result = command("--fail-on", "widening", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert result.returncode == 3
    assert "test_it.py:3:" in result.stderr
    assert result.stderr.endswith("Watched: 1 file in this folder.\n")


def test_an_editable_install_is_the_user_s_own(write, tmp_path, monkeypatch):
    write("", "project/src/mine/__init__.py")
    write("", "linked/other/__init__.py")
    write(f"import sys\n# {tmp_path}\n{tmp_path / 'linked'}\n", "site-packages/other.pth")
    told = {"url": (tmp_path / "project").as_uri(), "dir_info": {"editable": True}}
    write(json.dumps(told), "site-packages/mine-1.dist-info/direct_url.json")
    wheel = {"url": tmp_path.as_uri(), "dir_info": {}}
    write(json.dumps(wheel), "site-packages/fixed-1.dist-info/direct_url.json")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site-packages")])
    assert list(user_code.editable()) == [tmp_path / "project", tmp_path / "linked"]


WHY = {
    "own/module.py": "",
    ".venv/lib/python3.11/site-packages/numpy/x.py": (
        "an installed package; --include module watches it"
    ),
    "env/lib/module.py": "outside of the folders that are watched",
    "node_modules/module.py": "outside of the folders that are watched",
    ".tox/py/module.py": "outside of the folders that are watched",
    "../module.py": "outside of the folders that are watched",
    f"{sysconfig.get_path('stdlib')}/json/decoder.py": "a part of Python",
}


@pytest.mark.parametrize(("file", "reason"), WHY.items(), ids=WHY)
def test_why_a_module_is_not_watched(write, tmp_path, file, reason):
    write("", "env/pyvenv.cfg")
    finder = user_code.UserFinder([tmp_path])
    assert finder.disposition("module", str(Path(tmp_path, file))) == (not reason, reason)
    assert user_code.UserFinder([tmp_path], ["module"]).disposition("module.sub", file).watch


# what is said if nothing was seen

NOTHING = {
    "no arrays": "print(1)\n",
    "no operation": "import numpy\n",
    "other processes": (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-I', '-c', '1'])\n"
    ),
    "compiled files": (
        "import numpy, py_compile\npy_compile.compile('part.py', 'lib.pyc')\nimport lib\n"
    ),
}


@pytest.mark.parametrize("source", NOTHING.values(), ids=NOTHING)
def test_no_operation_is_a_warning_that_says_why(write, command, tmp_path, source, golden):
    write(source)
    write("x = 1\n", "part.py")
    forms = ("txt", "json", "sarif", "html", "github")
    command(*(word for form in forms for word in ("-o", f"r.{form}")), "program.py")
    reports = [unescape((tmp_path / f"r.{form}").read_text("utf-8")) for form in forms]
    [warning] = [x for x in reports[0].splitlines() if x.startswith("Warning: ")]
    golden(warning)
    for report in reports:
        assert warning.removeprefix("Warning: n").partition(";")[0] in report
        assert "Nothing found" not in report


def test_each_file_that_is_not_watched_has_its_reason(write, command):
    write("import py_compile\npy_compile.compile('part.py', 'lib.pyc')\nimport lib\n")
    write("x = 1\n", "part.py")
    told = command("program.py").stderr
    assert "Watched: 1 file in this folder.\n" in told
    assert "Not watched: lib.pyc: compiled: there is no Python source to watch\n" in told


def test_options_behind_the_program_are_named(write, command):
    write("import argparse\n")
    result = command("program.py", "--fail-on", "widening")
    assert result.stderr.startswith(
        "supremum: --fail-on stands after the program, which gets it; options of the audit stand "
        "before: supremum audit --fail-on ... program.py\n"
    )
    assert misplaced(["--output", "x", "--", "--fail-on"], {"--fail-on"}) == []

"""What is typed for a program, where that is another one: the message says what to type."""

import subprocess
import sys

import pytest

PACKAGE = {
    "train.py": "print('trained')\n",
    "pack/__init__.py": "",
    "pack/__main__.py": "from .part import f\nf()\n",
    "pack/part.py": "from . import other\n\n\ndef f():\n    pass\n",
    "pack/other.py": "",
    "plain/one.py": "from .two import f\n",
    "plain/two.py": "f = print\n",
}


@pytest.fixture
def said(tmp_path):
    """Return a function that runs ``supremum`` in a folder, and gives its last lines."""
    for name, text in PACKAGE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(*words, folder="."):
        command = [sys.executable, "-m", "supremum", *words]
        where = tmp_path / folder
        return subprocess.run(
            command, cwd=where, capture_output=True, text=True, check=False
        ).stderr

    return run


@pytest.mark.parametrize("command", ["audit", "why", "fix"])
def test_a_program_that_is_not_there_is_said_to_be_one_beside_it(said, command):
    assert "there is no script 'trian.py'; did you mean train.py?" in said(command, "trian.py")


@pytest.mark.parametrize(
    ("typed", "meant"), [("train", "train.py"), ("pack/prat.py", "part.py"), ("zebra.py", "")]
)
def test_what_resembles_no_program_is_not_said_to_be_one(said, typed, meant):
    end = f"did you mean {meant}?" if meant else "give the path of a file, or -m MODULE"
    assert said("audit", typed).rstrip().endswith(end)


@pytest.mark.parametrize(
    ("typed", "folder", "meant"),
    [
        ("pack", ".", "-m pack"),
        ("pack/", ".", "-m pack"),
        ("pack/part.py", ".", "-m pack.part"),
        ("plain/one.py", ".", "-m plain.one"),
        ("part.py", "pack", "-m pack.part, in the folder "),
    ],
)
@pytest.mark.parametrize("command", ["audit", "why"])
def test_a_part_of_a_package_is_run_as_a_module(said, command, typed, folder, meant):
    lines = said(command, typed, folder=folder).splitlines()
    [line] = [line for line in lines if "it is a part of a package; " in line]
    assert line.partition("; type ")[2].removesuffix(".").startswith(meant)

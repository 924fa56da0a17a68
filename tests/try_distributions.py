"""Builds the wheel and the sdist, and tries each in an environment of its own.

Run it with any Python: ``python tests/try_distributions.py``. It changes nothing outside a
temporary folder.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ("explain", "int32", "float16", "1.0")


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel, sdist = build(place)
        check_contents(wheel, sdist)
        try_wheel(wheel, place)
        try_sdist(sdist, place)


def build(place):
    """Build both from the working tree, as a front end does: each by the backend alone."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    python = environment(place / "build", *about["build-system"]["requires"])
    run(python, "-m", "hatchling", "build", "--directory", place / "dist", cwd=ROOT)
    (wheel,) = (place / "dist").glob("*.whl")
    (sdist,) = (place / "dist").glob("*.tar.gz")
    say(f"built {wheel.name} and {sdist.name}")
    return wheel, sdist


def check_contents(wheel, sdist):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0].partition("-")[0] for name in names}
    expect(tops == {"supremum"}, f"the wheel installs {tops}")
    for typed in ("supremum/py.typed", "supremum/arrays/signatures.pyi"):
        expect(typed in names, f"the wheel has no {typed}")
    expect(any(name.endswith("licenses/LICENSE") for name in names), "the wheel has no LICENSE")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    typed = ("src/supremum/py.typed", "hatch_build.py")
    for wanted in ("LICENSE", "README.md", "pyproject.toml", "tests", "docs", *typed):
        expect(any(n == wanted or n.startswith(f"{wanted}/") for n in held), f"no {wanted} in it")
    expect(not any("__pycache__" in n for n in (*names, *held)), "compiled files in them")
    say(f"the wheel holds {len(names)} files, types and LICENSE too; the sdist {len(held)}")


def try_wheel(wheel, place, python=sys.executable):
    python = environment(place / "wheel", wheel, python=python)
    run(python, "-I", "-c", "import supremum; supremum.result_type('int8', 1.0)", cwd=place)
    say("the wheel is imported in an empty environment")
    for command in ((python.parent / "supremum",), (python, "-I", "-m", "supremum")):
        printed = run(*command, *COMMAND, cwd=place)
        expect(printed.startswith("float16 "), printed)
    say(f"supremum {' '.join(COMMAND)}: {printed.split()[0]}")


def try_sdist(sdist, place):
    with tarfile.open(sdist) as archive:
        archive.extractall(place / "sdist", filter="data")
    (source,) = (place / "sdist").iterdir()
    python = environment(place / "tests", source, "--group", f"{source}/pyproject.toml:test")
    where = run(python, "-c", "import supremum; print(supremum.__file__)", cwd=place)
    expect(str(place / "tests") in where, f"supremum was imported from {where}")
    say("the sdist builds and installs")
    pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    collected = run(*pytest, "--collect-only", cwd=source)
    say(f"its tests are all there: {collected.strip().splitlines()[-1]}")
    printed = run(*pytest, *SOME_TESTS, cwd=source)
    say(f"the examples, the commands and the tables, run in it: {printed.strip().splitlines()[-1]}")


# Those of what is installed: `make test` runs all of them, on the same files.
SOME_TESTS = (
    "src/supremum/core",
    "README.md",
    "tests/commands/test_cli.py",
    "tests/audit/test_examples.py",
)


def environment(path, *requirements, python=sys.executable):
    """Return the Python of a new environment, made by another, in which these are installed."""
    run(python, "-m", "venv", path, cwd=path.parent)
    python = path / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-warn-script-location")
    for wanted in (("pip>=25.1",), requirements):  # Python 3.11 brings a pip without groups
        run(python, "-m", "pip", "install", *quiet, *wanted, cwd=path)
    return python


def run(*command, cwd):
    words = [str(word) for word in command]
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(words, cwd=cwd, env=own, capture_output=True, text=True, check=False)
    expect(not ran.returncode, f"{' '.join(words)} failed\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


def expect(holds, otherwise):
    if not holds:
        sys.exit(f"FAILED: {otherwise}")


def say(text):
    print(f"ok  {text}", flush=True)  # a program, that says how far it is


if __name__ == "__main__":
    main()

"""Builds a release into dist/, and tries the wheel on every Python that it is for.

Run it by `make release`. It publishes nothing: `twine upload` takes what is left in dist/.
Each Python is found on the path or among pyenv's.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from try_distributions import ROOT, build, check_contents, environment, expect, run, say, try_wheel

PAGES = ("README.md", "docs/tutorial.md")


def main():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    pythons = {release: found(release) for release in supported}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel, sdist = build(place)
        check_contents(wheel, sdist)
        twine = environment(place / "twine", "twine")
        run(twine, "-m", "twine", "check", "--strict", wheel, sdist, cwd=place)
        say("twine finds nothing to correct")
        for release, python in pythons.items():
            say(f"Python {release}: {python}")
            (place / release).mkdir()
            try_wheel(wheel, place / release, python)
            try_pages(wheel, place / release, python)
        dist = ROOT / "dist"
        shutil.rmtree(dist, ignore_errors=True)
        shutil.copytree(wheel.parent, dist)
    (dist / "recipe.yaml").write_text(recipe(dist / sdist.name), encoding="utf-8")
    say(f"dist/ has {wheel.name} and {sdist.name}; nothing is published")


def found(release):
    """Return the Python of a release."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{release}.*/bin/python"))
    for python in (shutil.which(f"python{release}"), *reversed(pyenv)):
        if (
            python
            and not subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode
        ):
            return str(python)
    return sys.exit(f"FAILED: Python {release} is not installed")


def recipe(sdist):
    """Return the recipe for conda-forge, with the version and the sum of an sdist."""
    text = (ROOT / "packaging/recipe.yaml").read_text(encoding="utf-8")
    version = sdist.name.removeprefix("supremum-").removesuffix(".tar.gz")
    text = text.replace("version: VERSION", f'version: "{version}"')
    return text.replace("SHA256", hashlib.sha256(sdist.read_bytes()).hexdigest())


def try_pages(wheel, place, python):
    """Run the commands and the examples of pages by the wheel, and compare what they print."""
    python = environment(place / "pages", f"{wheel}[arrays]", python=python)
    where = run(python, "-c", "import supremum; print(supremum.__file__)", cwd=place)
    expect(str(place) in where, f"supremum was imported from {where}")
    pages = [ROOT / page for page in PAGES if (ROOT / page).exists()]
    run(python, ROOT / "docs/regenerate.py", "--check", *pages, cwd=place)
    for page in pages:
        run(python, "-m", "doctest", page, cwd=place)
    say(
        f"the commands and examples of {', '.join(page.name for page in pages)} print what they say"
    )


if __name__ == "__main__":
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    main()

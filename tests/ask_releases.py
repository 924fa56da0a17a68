"""Ask every release that rules were measured on, each in an environment of its own.

Run by `make conform-releases`. It writes docs/reference/releases.json, of which the site makes
a page. Exits 1 where a release differs from its rules.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOUND = ROOT / "docs" / "reference" / "releases.json"
FOLDER = ROOT / ".venv-releases"
NEEDS_3_12 = ("numpy==2.5",)

# Those of which the rules of functions are their own; other releases are asked for joins alone.
WITH_FUNCTIONS = ("numpy==2.5.5 ml_dtypes==0.6.0",)

# What is installed: the release that is asked first, then others that its answers depend on.
NUMPY = (
    "numpy==2.5.5 ml_dtypes==0.6.0",
    "numpy==2.4.6 ml_dtypes==0.6.0",
    "numpy==2.4.6 ml_dtypes==0.5.4",
    "numpy==2.4.6 ml_dtypes==0.5.3",
    "numpy==2.4.6 ml_dtypes==0.4.0",
    "numpy==2.3.5 ml_dtypes==0.5.4",
    "numpy==2.2.6 ml_dtypes==0.5.1",
    "numpy==2.1.3 ml_dtypes==0.5.0",
    "numpy==2.0.2 ml_dtypes==0.4.1",
)
JAX = (
    "jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6 ml_dtypes==0.6.0",
    "jax==0.9.2 jaxlib==0.9.2 numpy==2.4.6 ml_dtypes==0.6.0",
    "jax==0.8.3 jaxlib==0.8.3 numpy==2.3.5 ml_dtypes==0.5.4",
    "jax==0.7.2 jaxlib==0.7.2 numpy==2.3.5 ml_dtypes==0.5.4",
    "jax==0.7.1 jaxlib==0.7.1 numpy==2.3.5 ml_dtypes==0.5.4",
    "jax==0.7.0 jaxlib==0.7.0 numpy==2.3.5 ml_dtypes==0.5.4",
    "jax==0.6.2 jaxlib==0.6.2 numpy==2.2.6 ml_dtypes==0.5.1",
    "jax==0.5.3 jaxlib==0.5.3 numpy==2.1.3 ml_dtypes==0.5.1",
)
# Its jax.lax finds operands of two dtypes only in computing, and these questions do not compute.
EARLY_JAX = ("jax==0.4.35 jaxlib==0.4.35 numpy==2.0.2 ml_dtypes==0.4.1",)
ARRAY_API = (
    "array-api-strict==2.6.1 numpy==2.4.6",
    "array-api-strict==2.5 numpy==2.4.6",
    "array-api-strict==2.4.1 numpy==2.3.5",
    "array-api-strict==2.3.1 numpy==2.2.6",
)
ASKED = (
    *((pins, ["numpy"]) for pins in NUMPY),
    *((pins, ["jax", "jax-lax"]) for pins in JAX),
    *((pins, ["jax"]) for pins in EARLY_JAX),
    *((pins, ["array-api"]) for pins in ARRAY_API),
)


def python_for(pins):
    """Return a Python that the releases run on."""
    names = ["python3.12", "python3.13", "python3.14"]
    if not pins.startswith(NEEDS_3_12) or sys.version_info >= (3, 12):
        return sys.executable
    found = next(filter(None, map(shutil.which, names)), None)
    return found or sys.exit(f"{pins} needs one of {', '.join(names)}")


def environment(pins):
    """Return the Python of an environment with these releases, which is made if it is missing."""
    place = FOLDER / pins.replace("==", "-").replace(" ", "-")
    python, done = place / "bin" / "python", place / ".done"
    if not done.exists():
        subprocess.run([python_for(pins), "-m", "venv", "--clear", place], check=True)
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([python, *words, "click", "rich", *pins.split()], check=True)
        done.touch()
    return python


def ask(pins, names):
    """Return what became of asking the releases that are installed."""
    words = ["-m", "supremum", "conform", "--require", "--format", "json"]
    words += [] if pins in WITH_FUNCTIONS else ["--no-functions"]
    ran = subprocess.run(
        [environment(pins), *words, *names],
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": ""},
    )
    if not ran.stdout:
        sys.exit(f"{pins}: {ran.stderr}")
    return json.loads(ran.stdout)


def main():
    """Ask all releases, or those whose pins begin with a word that is given."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="such as jax==0.4; by default all")
    only = tuple(parser.parse_args().only)
    rows, failed = [], False
    for pins, names in ASKED:
        if only and not pins.startswith(only):
            continue
        for measured in ask(pins, names):
            failed = failed or measured["verdict"] != "agrees" or bool(measured["unmeasured"])
            agree = measured["asked"] - len(measured["differences"])
            print(f"{pins}: {measured['system']} {measured['setting']}: {measured['verdict']}")
            for difference in measured["differences"][:20]:
                print(f"    {difference}")
            facts = {key: measured[key] for key in ("system", "setting", "asked", "not_asked")}
            rows.append({"installed": pins, **facts, "lacks": measured["lacks"], "agree": agree})
    if not only:
        lines = ",\n".join(json.dumps(row) for row in rows)
        FOUND.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()

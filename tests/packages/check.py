"""Each program of this folder, audited with its package included, and not: the same in all it says.

    python check.py [PACKAGE ...]

Compares standard output, where a hash stands for the bytes of each result, standard error and the
exit code; prints the first findings. Exits 1 where anything differs, or a program fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
DISTRIBUTIONS = {"skimage": "scikit-image", "sklearn": "scikit-learn", "pywt": "PyWavelets"}
MOST = 5  # findings that are printed


def run(*command):
    """Run a command in this folder, on one thread: sums in parallel differ by their order."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    started = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, *command],
        check=False,
        capture_output=True,
        text=True,
        cwd=HERE,
        env={**os.environ, **threads, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return ended, time.perf_counter() - started


def told(finding):
    """Return a finding as two lines."""
    file = finding["file"].partition("site-packages/")[2] or finding["file"]
    cause = f"{file}:{finding['line']}: {finding['kind']}: {finding['cause']['text']}"
    instead = finding["suggestion"] and f"; type instead: {finding['suggestion']}"
    return f"  {cause}\n      {finding['count']} results{instead}"


def check(package, folder):
    """Run the program of one package both ways, and return what differs."""
    report = Path(folder) / f"{package}.json"
    script = f"use_{package}.py"
    plain, seconds = run(script)
    options = ["--include", package, "-o", str(report)]
    audited, longer = run("-m", "supremum", "audit", *options, script)
    print(f"{package} {version(DISTRIBUTIONS.get(package, package))}: ", end="")
    if not report.exists():
        print(audited.stderr)
        return ["no report was written"]
    found = json.loads(report.read_text())
    print(
        f"{len(plain.stdout.splitlines())} results, {found['operations']:,} operations on arrays, "
        f"{len(found['findings'])} causes; {seconds:.1f} s, audited {longer:.1f} s"
    )
    print(*map(told, found["findings"][:MOST]), sep="\n")
    print(*(f"  not judged: {p}" for p in found["problems"]), sep="\n", end="")
    different = [
        f"{name} differs"
        for name in ("stdout", "stderr", "returncode")
        if getattr(plain, name) != getattr(audited, name)
    ]
    if plain.returncode or not plain.stdout:
        different.append(f"{script} fails: {plain.stderr}")
    if not found["findings"]:
        different.append("nothing was found, so nothing was watched")
    missed = [u for u in found["unwatched"] if not u["reason"].startswith("compiled:")]
    return [*different, *(f"not watched: {u['file']}: {u['reason']}" for u in missed)]


def main():
    packages = sys.argv[1:] or sorted(file.stem[4:] for file in HERE.glob("use_*.py"))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for package in packages:
            for difference in check(package, folder):
                bad += 1
                print(f"  DIFFERENT: {difference}")
    print(f"{len(packages)} packages, {bad} differences")
    return 1 if bad or not packages else 0


if __name__ == "__main__":
    sys.exit(main())

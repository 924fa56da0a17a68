"""Run a package's own tests with the audit looking inside it, and without; compare the outcomes.

    python run_suite.py scipy -- --pyargs scipy.signal

What follows ``--`` is for pytest. Exits 1 where any test ends otherwise, or none ran.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path


class Outcomes:
    """Collects how each test ended, as a plugin of pytest."""

    def __init__(self):
        self.of = {}

    def pytest_collectreport(self, report):
        if not report.passed:
            self.of[report.nodeid] = {"collect": report.outcome, "told": str(report.longrepr)}

    def pytest_runtest_logreport(self, report):
        ended = self.of.setdefault(report.nodeid, {})
        ended[report.when] = "xfail" if hasattr(report, "wasxfail") else report.outcome
        if report.failed:
            ended["told"] = report.longreprtext


def run(package, given, *, audited):
    """Run the tests in this process, and return what is to be compared."""
    import pytest

    from supremum import audit

    outcomes, found = Outcomes(), None
    started = time.perf_counter()
    if audited:
        audit.install(package, roots=[])
    # plain asserts: the modules of the tests are then imported as all others are, and watched
    options = ["-q", "--assert=plain", "-p", "no:cacheprovider", "-c", os.devnull, "--tb=short"]
    with audit.watch() if audited else nullcontext() as watching:
        code = pytest.main([*options, *given], plugins=[outcomes])
    if audited:
        report = watching.report
        found = {
            "operations": report.operations,
            "findings": len(report.findings),
            "unwatched": report.unwatched,
            "problems": report.problems,
        }
    return {
        "code": int(code),
        "outcomes": outcomes.of,
        "seconds": time.perf_counter() - started,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "found": found,
    }


def in_own_process(package, given, folder, *, audited):
    """Run the tests in a process of their own."""
    file = folder / ("audited.json" if audited else "plain.json")
    mode = ["--into", str(file), *(["--audited"] if audited else [])]
    command = [sys.executable, str(Path(__file__).resolve()), *mode, package, "--", *given]
    ended = subprocess.run(command, check=False, cwd=folder)
    if not file.exists():
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}, and wrote nothing down")
    return json.loads(file.read_text())


def summary(result):
    """Return in one line how a run ended."""
    counts = {}
    for ended in result["outcomes"].values():
        word = next((w for w in ("failed", "skipped", "xfail") if w in ended.values()), "passed")
        counts[word] = counts.get(word, 0) + 1
    told = ", ".join(f"{n:,} {word}" for word, n in sorted(counts.items()))
    return f"{told}; {result['seconds']:.0f} s, {result['megabytes']:.0f} MB"


def differences(plain, audited):
    """Return a line for each test that ends otherwise."""
    lines = []
    for test in sorted({*plain, *audited}):
        ended = [
            {k: v for k, v in run.get(test, {}).items() if k != "told"} for run in (plain, audited)
        ]
        if ended[0] != ended[1]:
            told = (audited.get(test) or plain[test]).get("told", "")
            lines.append(f"{test}: {ended[0]} without, {ended[1]} with\n{told}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package")
    parser.add_argument("given", nargs="*", help="for pytest, after --")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--audited", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    given = asked.given or ["--pyargs", asked.package]
    if asked.into:
        result = run(asked.package, given, audited=asked.audited)
        asked.into.write_text(json.dumps(result))
        return 0
    with tempfile.TemporaryDirectory() as name:
        plain = in_own_process(asked.package, given, Path(name), audited=False)
        audited = in_own_process(asked.package, given, Path(name), audited=True)
    print(f"without: {summary(plain)}\nwith:    {summary(audited)}")
    found = audited["found"]
    print(f"{found['operations']:,} operations on arrays, {found['findings']} causes")
    for file, reason in found["unwatched"]:
        print(f"not watched: {file}: {reason}")
    for problem in found["problems"]:
        print(f"not judged: {problem}")
    different = differences(plain["outcomes"], audited["outcomes"])
    told = f"{len(different)} tests end otherwise" if plain["outcomes"] else "no test ran"
    print(*different, told, sep="\n")
    return 1 if different or not plain["outcomes"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Run the public suite array-api-tests on the namespaces, and print what passed, in one table.

    python run.py SUITE [--check] [--only RULES/BACKEND ...] [--examples N] [--seed N]

SUITE is a folder with a checkout of the suite; ``--check`` only tells whether it is the right one.

What may fail is written in the folder ``xfails``, one test a line with its cause: what the
backend's library does in ``BACKEND.txt``, what differs by the rules in ``RULES-BACKEND.txt``. A
cause that begins with ``at times:`` is of a test that fails with some of the values that it draws.

Exits 2 where the suite is not there. Exits 1 where a test fails that has no cause, and where one
passes, or is not in the suite, that has one: then the line has to go.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

XFAILS = Path(__file__).parent / "xfails"
SUITE_COMMIT = "55fcc60"
SPEC_COMMIT = "5f847a3"
HOW = f"""\
  git clone https://github.com/data-apis/array-api-tests SUITE
  git -C SUITE checkout {SUITE_COMMIT}
  git -C SUITE submodule update --init"""
# Values are told as they were drawn: to look for simpler ones takes minutes for each test.
MODULE = """exec('
import hypothesis as h
h.settings.register_profile(
    "quick", phases=[h.Phase.explicit, h.Phase.generate],
    suppress_health_check=[h.HealthCheck.too_slow],
)
h.settings.load_profile("quick")
import {module} as xp
{then}
')"""
NAMESPACE = """xp = xp.namespace("{}", backend="{}")"""
SKIPPED_DTYPES = {"torch": "uint16,uint32,uint64"}  # PyTorch does next to nothing with them
OPTIONS = {"dask": ("--disable-data-dependent-shapes",)}  # it does not know them in advance
STRICT = "array-api-strict"

RUNS = (
    ("array-api", "numpy"),
    ("numpy", "numpy"),
    ("jax", "numpy"),
    ("torch", "numpy"),
    ("array-api", "torch"),
    ("array-api", "dask"),
    ("numpy", "jax"),
    (STRICT, "numpy"),  # the standard's own implementation, for comparison
)
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Judged(NamedTuple):
    """What came of a run, beside the causes that are known."""

    passed: int
    xfailed: int
    skipped: int
    failed: list  # tests without a cause
    stale: list  # tests with a cause that pass, or are not there
    lucky: list  # tests that fail at times, and not this time


def missing(suite):
    """Return what is not right with a checkout of the suite, or ``""``."""
    if not suite:
        return "no SUITE was given"
    suite = Path(suite)
    if not (suite / "array_api_tests").is_dir():
        return f"{suite} has no array_api_tests"
    spec = suite / "array-api"
    if not (spec / "src").is_dir():
        return f"{spec}, the standard, is empty"
    for folder, wanted in ((suite, SUITE_COMMIT), (spec, SPEC_COMMIT)):
        asked = ["git", "-C", folder, "rev-parse", "HEAD"]
        found = subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip()
        if not found.startswith(wanted):
            return f"{folder} is at {found[:7] or 'no commit'}, not at {wanted}"
    changed = ["git", "-C", suite, "diff", "--quiet", "HEAD"]
    if subprocess.run(changed, check=False).returncode:
        return f"{suite} has changes of its own"
    return ""


def skipped_dtypes(rules, backend):
    """Return the dtypes that the suite is to leave out, with commas between them."""
    return SKIPPED_DTYPES.get(rules, SKIPPED_DTYPES.get(backend, ""))


def files(rules, backend):
    """Return the names of the files with causes for a run."""
    return [STRICT] if rules == STRICT else [backend, f"{rules}-{backend}"]


def causes(rules, backend):
    """Return the tests that may fail, each with its cause."""
    found = {}
    for name in files(rules, backend):
        path = XFAILS / f"{name}.txt"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            test, _, cause = line.partition("  # ")
            assert cause, f"{path}: {line!r} has no cause"
            assert test not in found, f"{path}: {test} is named twice"
            found[test] = cause
    return found


def outcomes(report):
    """Return for each test of a JUnit report how it ended, and the first words of why."""
    found = {}
    for case in ET.parse(report).iter("testcase"):
        file = case.get("file")
        within = case.get("classname").removeprefix(file.removesuffix(".py").replace("/", "."))
        test = "::".join([file, *within.split(".")[1:], case.get("name")])
        ended = next((x for x in case if x.tag in ("failure", "error", "skipped")), None)
        how, why = ("passed", "") if ended is None else (ended.tag, ended.get("message", ""))
        found[test] = how.replace("error", "failure"), why
    return found


def judge(ended, known):
    """Return what came of a run: how each test ended, beside the causes that are known."""
    of = {test: how for test, (how, _) in ended.items()}
    count = Counter(of.values())
    idle = [test for test in known if of.get(test) != "failure"]
    lucky = [test for test in idle if test in of and known[test].startswith("at times: ")]
    return Judged(
        passed=count["passed"],
        xfailed=len(known) - len(idle),
        skipped=count["skipped"],
        failed=[test for test, how in of.items() if how == "failure" and test not in known],
        stale=[test for test in idle if test not in lucky],
        lucky=lucky,
    )


def run(suite, rules, backend, examples, seed):
    """Return how each test of the suite ended on a namespace.

    Raises:
        RuntimeError: where pytest ended before the tests did.
    """
    if rules == STRICT:
        module = MODULE.format(module="array_api_strict", then="")
    else:
        module = MODULE.format(module="supremum", then=NAMESPACE.format(rules, backend))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        own = {
            "ARRAY_API_TESTS_MODULE": module,
            "ARRAY_API_TESTS_SKIP_DTYPES": skipped_dtypes(rules, backend),
            "JAX_ENABLE_X64": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": folder,  # nothing is remembered from run to run
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        options = [
            "-q", "--tb=short", "-p", "no:cacheprovider", "-o", "junit_family=xunit1",
            f"--junitxml={report}", "--disable-deadline", f"--max-examples={examples}",
            f"--hypothesis-seed={seed}", *OPTIONS.get(backend, ()),
        ]  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, "array_api_tests"],
            check=False,
            capture_output=True,
            text=True,
            cwd=suite,
            env={**os.environ, **ONE_THREAD, **own},
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(
                f"the suite did not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
            )
        return outcomes(report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suite", metavar="SUITE")
    parser.add_argument("--check", action="store_true", help="only tell whether SUITE is right")
    parser.add_argument("--only", nargs="+", metavar="RULES/BACKEND", help="leave the others out")
    parser.add_argument("--examples", type=int, default=20, metavar="N", help="of each test")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what the values come of")
    given = parser.parse_args()
    if told := missing(given.suite):
        print(f"array-api-tests: {told}; nothing was counted. To get it:\n{HOW}", file=sys.stderr)
        sys.exit(2)
    if given.check:
        return

    lines, wrong = [], False
    for rules, backend in RUNS:
        name = f"{rules}/{backend}"
        if given.only and name not in given.only:
            continue
        library = "array_api_strict" if rules == STRICT else backend
        label = f"{rules:<16}  {backend:<7}  "
        if find_spec(library) is None:
            lines.append(f"{label}  {library} is not installed")
            continue
        print(f"{name}: {given.examples} examples, seed {given.seed}", flush=True)
        ended = run(given.suite, rules, backend, given.examples, given.seed)
        judged = judge(ended, causes(rules, backend))
        for test in judged.failed:
            print(f"  failed: {test}")
            print(*(f"      {line}" for line in ended[test][1].splitlines()[:3]), sep="\n")
        for test in judged.stale:
            what = "passed" if test in ended else "is not in the suite"
            print(f"  {what}, so its xfail has to go: {test}")
        for test in judged.lucky:
            print(f"  passed this time: {test}")
        wrong = wrong or bool(judged.failed or judged.stale)
        counts = (judged.passed, judged.xfailed, len(judged.failed), judged.skipped)
        lines.append(label + "  ".join(f"{n:>7,}" for n in counts) + f"  {version(library)}")
    print()
    print(f"{'rules':<16}  {'backend':<7}   passed  xfailed   failed  skipped  version")
    print(*lines, sep="\n")
    sys.exit(wrong)


if __name__ == "__main__":
    main()

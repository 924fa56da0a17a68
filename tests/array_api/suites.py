"""Run the suites of others on the namespaces, beside array-api-strict, and print one table.

    python suites.py FOLDER [--only SUITE ...] [--on RULES/BACKEND ...] [--examples N]

FOLDER is where the checkouts of `CHECKOUTS` are; the other suites come with what is installed. What
is looked for is tests that fail on a namespace, and not on array-api-strict. Those with a line in
``differs.txt`` are counted: SUITE, RULES/BACKEND, where ``*`` is any, how the test's name begins,
and the cause. Those of array-api-tests have theirs in ``xfails``, for ``run.py``, too. The others
are printed with what they say.

Exits 2 where a suite is not there. Exits 1 where such a test has no cause, and where a cause is of
no test: then the line has to go.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import run as public  # noqa: E402  # it is beside this file

STRICT = public.STRICT
DIFFERS = HERE / "differs.txt"
NAMESPACES = (
    STRICT,
    "numpy/numpy",
    "jax/numpy",
    "torch/numpy",
    "array-api/numpy",
    "numpy/torch",
    "numpy/jax",
    "numpy/dask",
)


class Checkout(NamedTuple):
    """Where a suite is from that does not come with what is installed."""

    url: str
    commit: str
    then: str = ""


CHECKOUTS = {
    "array-api-tests": Checkout(
        "https://github.com/data-apis/array-api-tests",
        public.SUITE_COMMIT,
        " && git -C {0} submodule update --init",
    ),
    "array-api-extra": Checkout("https://github.com/data-apis/array-api-extra", "693b257"),
}


class Suite(NamedTuple):
    """Tests of others.

    Attributes:
        package: the checkout or the installed package that has them; empty for our folder.
        files: where they are in it.
        select: pytest's options that leave out what is not for array-api-strict.
        settings: environment variables.
        skips: backends, and the library for which the suite skips what it skips for them.
    """

    package: str
    files: str
    select: tuple = ()
    settings: tuple = ()
    skips: tuple = ()

    @property
    def is_checkout(self):
        """Whether it is not installed."""
        return self.package in CHECKOUTS


# What SciPy marks as slow has a new length in each test, which XLA compiles and Dask plans anew.
WITHOUT_SLOW = "jax", "dask"
SCIPY = (("-m", "array_api_backends"), (("SCIPY_ARRAY_API", '["array_api_strict"]'),))
SKLEARN = (("-k", "array_api_strict"), (("SCIPY_ARRAY_API", "1"),))

SUITES = {
    "array-api-tests": Suite(
        "array-api-tests",
        "array_api_tests",
        ("--disable-deadline",),
        (("ARRAY_API_TESTS_MODULE", "array_api_strict"),),
    ),
    "array-api-extra": Suite(
        "array-api-extra", "tests/main", ("-k", "array_api_strict and not strictest")
    ),
    "hypothesis": Suite("", "strategies.py"),
    "scipy.cluster": Suite("scipy", "cluster/tests/test_vq.py", *SCIPY),
    "scipy.fft": Suite("scipy", "fft/tests", *SCIPY),
    "scipy.special": Suite(
        "scipy",
        "special/tests/test_logsumexp.py special/tests/test_support_alternative_backends.py",
        *SCIPY,
    ),
    "scipy.signal": Suite(
        "scipy", "signal/tests/test_windows.py signal/tests/test_waveforms.py", *SCIPY
    ),
    "scipy.filters": Suite("scipy", "signal/tests/test_signaltools.py", *SCIPY),
    "scipy.stats": Suite(
        "scipy",
        "stats/tests/test_stats.py stats/tests/test_variation.py stats/tests/test_entropy.py "
        "stats/tests/test_quantile.py stats/tests/test_rank.py stats/tests/test_device_dtype.py",
        *SCIPY,
    ),
    "scipy.optimize": Suite(  # nearly all is skipped for array-api-strict: it cannot x[[0, 1]] = y
        "scipy",
        "optimize/tests/test_bracket.py optimize/tests/test_chandrupatla.py",
        *SCIPY,
        (("dask", "dask.array"), ("*", "torch")),
    ),
    "sklearn": Suite(
        "sklearn",
        "tests/test_naive_bayes.py tests/test_calibration.py tests/test_pipeline.py "
        "tests/test_discriminant_analysis.py decomposition/tests/test_pca.py "
        "linear_model/tests/test_ridge.py linear_model/tests/test_logistic.py "
        "linear_model/tests/test_base.py preprocessing/tests metrics/tests/test_common.py "
        "metrics/tests/test_classification.py utils/tests/test_array_api.py "
        "utils/tests/test_extmath.py utils/tests/test_validation.py utils/tests/test_multiclass.py "
        "utils/tests/test_stats.py mixture/tests/test_gaussian_mixture.py",
        *SKLEARN,
    ),
}


def missing(name, folder):
    """Return what to type where a checkout is not there, or ``""``."""
    wanted = CHECKOUTS.get(name)
    if wanted is None:
        return ""
    if name == "array-api-tests":
        told = public.missing(folder)
    else:
        asked = ["git", "-C", folder, "rev-parse", "HEAD"]
        found = subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip()
        right = found.startswith(wanted.commit)
        told = "" if right else f"{folder} is at {found[:7] or 'no commit'}, not at {wanted.commit}"
    if not told:
        return ""
    then = f"git -C {folder} checkout {wanted.commit}{wanted.then.format(folder)}"
    return f"{name}: {told}; git clone {wanted.url} {folder} && {then}"


def place(suite, folder):
    """Return the folder that has the files of a suite."""
    if not suite.package:
        return HERE
    if suite.is_checkout:
        return Path(folder, suite.package).absolute()
    return Path(find_spec(suite.package).origin).parent


def outcomes(report):
    """Return for each test of a JUnit report how it ended, and what it said."""
    found = {}
    for case in ET.parse(report).iter("testcase"):
        ended = next((x for x in case if x.tag in ("failure", "error", "skipped")), None)
        how, why = ("passed", "") if ended is None else (ended.tag, ended.get("message", ""))
        test = f"{case.get('classname')}::{case.get('name')}"
        found[test] = how.replace("error", "failure"), why
    return found


def run(suite, namespace, folder, examples, timeout):
    """Return how each test of a suite ended on a namespace.

    Raises:
        RuntimeError: where pytest ended before the tests did.
    """
    at = place(suite, folder)
    rules, _, backend = namespace.rpartition("/")
    with tempfile.TemporaryDirectory() as temporary:
        report, ini = Path(temporary, "report.xml"), Path(temporary, "pytest.ini")
        ini.write_text("[pytest]\n", "utf-8")  # or that of a folder above would be taken
        skips_as = (library for name, library in suite.skips if fnmatch(backend, name))
        own = {
            "ARRAY_API_TESTS_SKIP_DTYPES": public.skipped_dtypes(rules, backend),
            "EXAMPLES": str(examples),
            "HYPOTHESIS_STORAGE_DIRECTORY": temporary,  # nothing is remembered from run to run
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join(
                [str(HERE), str(at / "src"), os.environ.get("PYTHONPATH", "")]
            ),
            "SKIPS_AS": next(skips_as, "array_api_strict"),
            "STANDS_IN": "" if namespace == STRICT else namespace,
            **dict(suite.settings),
        }
        options = ["-q", "--tb=short", "-p", "stand_in", "-p", "no:cacheprovider", "-o",
                   "junit_family=xunit1", f"--junitxml={report}", f"--timeout={timeout}",
                   f"--rootdir={at}"]  # fmt: skip
        select = [*suite.select]
        if suite.package == "scipy" and backend in WITHOUT_SLOW:
            select[1] += " and not slow"
        if suite.is_checkout:
            options += ["-o", "xfail_strict=true"]
        else:
            options += ["-c", ini]
        if suite.package == "array-api-tests":
            options += [f"--max-examples={examples}", *public.OPTIONS.get(backend, ())]
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pytest", *options, *select,
             *(at / file for file in suite.files.split())],
            check=False,
            capture_output=True,
            text=True,
            cwd=at if suite.is_checkout else temporary,
            env={**os.environ, **public.ONE_THREAD, **own},
        )  # fmt: skip
        if done.returncode not in (0, 1):
            raise RuntimeError(
                f"the suite did not run:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
            )
        return outcomes(report)


class Cause(NamedTuple):
    """Why tests fail on a namespace that do not fail on array-api-strict."""

    suite: str
    namespaces: str
    tests: str
    why: str


def causes(text):
    """Return the causes that lines tell."""
    found = []
    for line in text.splitlines():
        where, _, why = line.partition("  # ")
        assert why, f"{line!r} has no cause"
        found.append(Cause(*where.split(" ", 2), why))
    return found


def as_reported(test):
    """Return a test of a file by the name that it has in a JUnit report.

    >>> as_reported("folder/test_it.py::test_one[1/2]")
    'folder.test_it::test_one[1/2]'
    """
    file, _, rest = test.partition("::")
    return f"{file.removesuffix('.py').replace('/', '.')}::{rest}"


def causes_of(name, namespace):
    """Return the causes that apply to a suite on a namespace, and whether each is of some test."""
    if name == "array-api-tests":  # where some are of tests that fail on strict, too
        rules, _, backend = namespace.rpartition("/")
        known = {} if namespace == STRICT else public.causes(rules, backend)
        found = [Cause(name, namespace, as_reported(test), why) for test, why in known.items()]
        return found, False
    known = causes(DIFFERS.read_text(encoding="utf-8"))
    return [x for x in known if x.suite == name and fnmatch(namespace, x.namespaces)], True


def judge(ended, strict, known):
    """Return the tests that fail and do not on array-api-strict, and what has no cause.

    Args:
        ended: how each test ended.
        strict: how each ended on array-api-strict.
        known: the causes that apply.

    Returns:
        The tests, those of them without a cause, and the causes that are of no test.
    """
    new = [
        test
        for test, (how, _) in ended.items()
        if how == "failure" and strict.get(test, ("",))[0] != "failure"
    ]
    told = [test for test in new if not any(test.startswith(cause.tests) for cause in known)]
    idle = [cause for cause in known if not any(test.startswith(cause.tests) for test in new)]
    return new, told, idle


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--only", nargs="+", metavar="SUITE", choices=SUITES, default=SUITES)
    parser.add_argument("--on", nargs="+", metavar="RULES/BACKEND", default=NAMESPACES)
    parser.add_argument("--examples", type=int, default=5, metavar="N", help="of each test")
    parser.add_argument("--timeout", type=int, default=120, metavar="S", help="of each test")
    given = parser.parse_args()

    rows, status = [], 0
    for name in given.only:
        suite = SUITES[name]
        if told := missing(suite.package, Path(given.folder, suite.package)):
            print(told, file=sys.stderr)
            status = 2
            continue
        strict = {}
        for namespace in dict.fromkeys((STRICT, *given.on)):
            print(f"{name}: {namespace}", flush=True)
            ended = run(suite, namespace, given.folder, given.examples, given.timeout)
            strict = strict or ended
            of, have_tests = causes_of(name, namespace)
            new, told, idle = judge(ended, strict, of)
            idle = idle if have_tests else []
            for test in told:
                print(f"  {test}")
                print(*(f"      {line}" for line in ended[test][1].splitlines()[:3]), sep="\n")
            for cause in idle:
                print(f"  does not fail, so its line has to go: {cause.tests}")
            status = status or bool(told or idle)
            hows = "passed", "failure", "skipped"
            counts = [sum(h == how for h, _ in ended.values()) for how in hows]
            rows.append((name, namespace, *counts, len(new), len(told)))
    titles = "passed  failed  skipped  not on strict  without a cause"
    print(f"\n{'suite':<16}  {'namespace':<16}  {titles}")
    for name, namespace, passed, failed, skipped, new, told in rows:
        counts = f"{passed:>6,}  {failed:>6,}  {skipped:>7,}  {new:>13,}  {told:>15,}"
        print(f"{name:<16}  {namespace:<16}  {counts}")
    sys.exit(status)


if __name__ == "__main__":
    main()

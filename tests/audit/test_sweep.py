"""The sweep: what is called, with which arrays, and what is said of it."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

from supremum import audit
from supremum.audit.sweeping import calling, conversions, examples, table
from supremum.audit.sweeping.subjects import KINDS, Subject, subjects
from supremum.audit.sweeping.target import Target
from supremum.audit.sweeping.verdicts import CALLED, TO_FAIL_ON, VERDICTS, worst
from supremum.core.errors import DTypeError, RulesError

PACKAGE = '''
"""Functions with known verdicts."""
import ctypes, os, time
import numpy as np

def keeps(x):
    """
    >>> keeps(np.array([1.0, 2.0]))
    """
    return 2 * x

def widens(x):
    """
    >>> widens(np.array([1.0, 2.0]))
    """
    y = x * 2
    return y + np.zeros(len(x))

def widens_one_of_two(x):
    """
    >>> widens_one_of_two(np.array([1.0, 2.0]))
    """
    return x, {"counts": np.linspace(0, 1, 3)}

def wrong(x):
    """
    >>> wrong(np.array([1000.5, 1001.0, 1002.5]))
    """
    return np.mean(x * x) - np.mean(x) ** 2

def refuses(x):
    """
    >>> refuses(np.array([1.0, 2.0]))
    """
    if x.dtype != np.float64:
        raise TypeError("float64 alone")
    return x

def crash(x):
    """
    >>> crash(np.array([1.0, 2.0]))
    """
    if x.dtype != np.float64:
        os.abort()
    return x

def hangs(x):
    """
    >>> hangs(np.array([1.0, 2.0]))
    """
    while x.dtype != np.float64:
        time.sleep(1)
    return x

def counts(x):
    """
    >>> counts(np.array([1.0, 2.0]))
    """
    return np.arange(len(x))

def makes(n):
    """
    >>> makes(3)
    """
    return np.ones(n)

def tried(x, y):
    return x + y

def unknown(*, a):
    return a

def broken(x):
    """
    >>> broken(np.array([1.0, 2.0]))
    """
    raise RuntimeError("always")

def _private(x):
    return x

class Scaler:
    """
    >>> Scaler(2).fit(np.array([[1.0, 3.0]])).transform(np.array([[1.0, 3.0]]))
    """
    def __init__(self, factor=1):
        self.factor = factor

    def fit(self, x, y=None):
        self.mean_ = x.mean()
        return self

    def transform(self, x):
        return self.factor * (x - self.mean_)

    def inverse_transform(self, x):
        return x / self.factor + np.float64(self.mean_)
'''
EXPECTED = {
    "keeps": "keeps", "widens": "widens", "widens_one_of_two": "widens", "wrong": "wrong",
    "refuses": "refuses", "crash": "crash", "hangs": "time limit", "counts": "no arrays",
    "makes": "takes no arrays", "tried": "keeps", "unknown": "not called", "broken": "fails",
    "Scaler.transform": "keeps", "Scaler.inverse_transform": "widens",
}  # fmt: skip
LINES = {
    "widens": "return y + np.zeros(len(x))",
    "widens_one_of_two": 'return x, {"counts": np.linspace(0, 1, 3)}',
    "Scaler.inverse_transform": "return x / self.factor + np.float64(self.mean_)",
}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with a package in it, which processes that start here import."""
    folder = tmp_path_factory.mktemp("swept")
    (folder / "wares").mkdir()
    (folder / "wares" / "__init__.py").write_text(PACKAGE)
    (folder / "empty.py").write_text("from math import pi\n")
    (folder / "raising.py").write_text("raise OSError('no disk')\n")
    before = Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    os.chdir(before)


@pytest.fixture(scope="module")
def swept(package):  # noqa: ARG001  # it is where we are
    return audit.sweep("wares", limit=2, jobs=2)


@pytest.fixture
def command(run, package, monkeypatch):
    """Return a function that runs the command in the folder of the package."""
    monkeypatch.chdir(package)
    return run


def test_each_function_has_its_verdict(swept):
    found = {row.name.removeprefix("wares."): row.verdict for row in swept.rows}
    assert found == EXPECTED


def test_all_verdicts_come_up(swept):
    assert {row.verdict for row in swept.rows} == {*VERDICTS}


def test_the_line_that_widens_is_named(swept):
    found = {r.name.removeprefix("wares."): r.line["text"] for r in swept.rows if r.line}
    assert found == LINES
    line = swept.row("wares.widens", "float32").line
    written = PACKAGE.splitlines()
    assert (line["file"], line["dtype"], line["how"]) == (
        "wares/__init__.py",
        "float64",
        "introduced",
    )
    assert written[line["line"] - 1].strip() == line["text"]


def test_what_is_counted(swept):
    assert swept.counts("float32") == {"functions": 14, "take_arrays": 13, "called": 11, "keep": 3}
    assert swept.row("wares.tried", "float32").call == "tried(float32[10], float32[10])"


@pytest.mark.parametrize("format", table.FORMATS)
def test_rows_in_words(swept, golden, format):
    golden(table.render(swept, format, 90))


def test_rows_are_ordered_by_what_matters(swept):
    order = [list(VERDICTS).index(row.verdict) for row in swept.rows]
    assert order == sorted(order)


def test_a_baseline_is_read_as_it_was_written(swept, tmp_path):
    path = tmp_path / "known.toml"
    table.write_baseline(str(path), swept)
    known = table.read_baseline(str(path))
    assert known == tomllib.loads(path.read_text())
    assert {*known["float32"].values()} == {*TO_FAIL_ON}
    everything = table.Sweep(swept.modules, "", swept.dtypes, swept.rows, known)
    assert everything.new == everything.fixed == ()
    known["float32"]["wares.wrong"] = "widens"
    changed = table.Sweep(swept.modules, "", swept.dtypes, swept.rows, known)
    assert (
        [row.name for row in changed.new] == [row.name for row in changed.fixed] == ["wares.wrong"]
    )
    assert changed.failing({"new"}) == changed.failing({"wrong"}) == changed.new
    assert changed.failing({"widens"}) == ()


@pytest.mark.parametrize(
    "text", ["[float32", "[float32]\na = 1", "[float32]\na = 'x'", "a = 'keeps'"]
)
def test_what_is_no_baseline_is_refused(tmp_path, text):
    path = tmp_path / "known.toml"
    path.write_text(text)
    with pytest.raises(RulesError):
        table.read_baseline(str(path))


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nonesuch"], "there is no module 'nonesuch'"),
        (["empty"], "empty has no public functions"),
        (["raising"], "OSError: no disk"),
        (["wares.nonesuch"], "there is no module 'wares.nonesuch'"),
        (["empty.py"], "'empty.py' is a path, and a sweep takes the name of a module; type"),
        (["./empty.py"], "type supremum sweep empty"),
        (["./wares"], "type supremum sweep wares"),
        (["wares/"], "type supremum sweep wares"),
        (["."], "name one that lies there"),
        (["wares/__init__.py"], "type supremum sweep wares\n"),
        (["./nonesuch.py"], "there is no module './nonesuch.py'"),
        (["wares", "float64"], "'float64' is a dtype, not a module; type --dtype float64"),
        (["wares", "--dtype", "flot32"], "did you mean float32"),
        (["wares", "--dtype", "complex64"], "float and integer dtypes, not complex64"),
        (["wares", "--only", "keep"], "there is no function 'keep'"),
        (["wares", "--examples", "none.py"], "there are no examples at 'none.py'"),
        (["wares", "--baseline", "none.toml"], "write one with --write-baseline"),
        (["wares", "--fail-on", "all"], "--fail-on has no "),
        (["wares", "--write-baseline", "none/a.toml"], "there is no folder"),
    ],
)
def test_a_question_that_cannot_be_asked_is_one_line(command, words, error):
    found = command("sweep", *words)
    assert found.exit_code == 2
    assert error in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_the_command_fails_on_what_is_new(package, command):
    (package / "one.py").write_text("def f(x):\n    return x.astype('f8')\n")
    assert command("sweep", "one").exit_code == 0
    assert command("sweep", "one", "--fail-on", "wrong").exit_code == 0
    assert (
        command("sweep", "one", "--fail-on", "new", "--write-baseline", "one.toml").exit_code == 3
    )
    assert command("sweep", "one", "--fail-on", "new", "--baseline", "one.toml").exit_code == 0
    found = json.loads(command("sweep", "one", "-f", "json", "--dtype", "float16,bfloat16").stdout)
    assert [row["verdict"] for row in found["rows"]] == ["widens"] * 2


def test_the_tests_that_are_written_pass(package, command):
    (package / "two.py").write_text("def f(x):\n    return x + x\n")
    (package / "test_two.py").write_text(command("sweep", "two", "-f", "pytest").stdout)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_two.py"]
    assert subprocess.run(words, check=False, capture_output=True).returncode == 0


def test_an_interrupted_sweep_goes_on(package):
    heard = []

    def interrupt(name, *_):
        heard.append(name)
        if len(heard) == 2:
            raise KeyboardInterrupt

    (package / "three.py").write_text("".join(f"def f{i}(x):\n    return x\n" for i in range(4)))
    first = audit.sweep("three", resume=True, progress=interrupt)
    assert (len(first.rows), first.complete) == (2, False)
    second = audit.sweep("three", resume=True, progress=lambda *said: heard.append(said[0]))
    assert second.complete
    assert heard == [f"three.f{i}" for i in range(4)]
    assert [row.verdict for row in second.rows] == ["keeps"] * 4
    assert not list((package / ".supremum").glob("*.jsonl"))
    assert (package / ".supremum" / ".gitignore").read_text(encoding="utf-8") == "*\n"


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="groups of processes are POSIX's")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_that_is_asked_for_ends_all_processes(package, number, status):
    (package / "five.py").write_text(
        "import time\ndef f(x):\n    '''\n    >>> f(np.ones(3))\n    '''\n"
        "    while time.sleep(0.1) is None:\n        print('.', file=open('alive', 'a'))\n"
    )
    words = [sys.executable, "-m", "supremum", "sweep", "five", "--limit", "60"]
    process = subprocess.Popen(
        words, start_new_session=True, cwd=package, stderr=subprocess.PIPE, text=True
    )
    alive = package / "alive"
    while not alive.exists():
        time.sleep(0.1)
    os.killpg(process.pid, number)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == status
    assert ("goes on from here" in said) == (number == signal.SIGINT)
    size = alive.stat().st_size
    time.sleep(0.5)
    assert alive.stat().st_size == size
    alive.unlink()


@pytest.mark.parametrize("name", ["script.py", "test_more.py"])
def test_calls_are_taken_from_tests_and_scripts(package, name):
    (package / "four.py").write_text("def f(*, x):\n    return x + 1\n")
    call = "import four, numpy as np\ndef test_f():\n    four.f(x=np.ones(3))\n    assert 0\n"
    (package / name).write_text(call if name[0] == "t" else call + "try: test_f()\nexcept: 0\n")
    row = audit.sweep("four", examples=name).row("four.f", "float32")
    assert (row.verdict, row.call) == ("keeps", "f(x=float32[3])")
    assert name in row.source


# what one call does


def measured(function, *arguments, dtype="float32", **keywords):
    subject = Subject(
        "here", getattr(function, "__name__", "f"), "function", function, "", function
    )
    call = examples.Call("a test", arguments, keywords)
    return calling.measure(subject, call, Target(dtype), lambda *_: None)


def drawn(dtype):
    return np.random.default_rng(np.random.randint(10**9)).random(3, dtype)  # noqa: NPY002


X = np.array([1.5, 2.5, 4.0])
MATRIX = np.array([[2.0, 1.0], [1.0, 3.0]])
CALLS = {
    "plain": (lambda x: x + 1, (X,), "keeps"),
    "a list of floats": (lambda x, w: x * np.asarray(w), (X, [0.5, 1.0, 2.0]), "keeps"),
    "integers beside it": (lambda x, n: x * n, (X, np.array([1, 2, 3])), "keeps"),
    "narrow integers beside it": (lambda x, n: x * n, (X, np.array([1, 2, 3], "i4")), "keeps"),
    "a list of integers": (lambda x, n: x * np.asarray(n), (X, [1, 2, 3]), "keeps"),
    "an empty list": (np.append, (X, []), "keeps"),
    "indices": (lambda x, i: x[i], (X, np.array([0, 2])), "keeps"),
    "a NumPy scalar": (lambda x, s: x * s, (X, np.float64(2)), "keeps"),
    "a Python scalar": (lambda x, s: x * s, (X, 2.0), "keeps"),
    "a scalar made an array": (lambda x, s: x * np.asarray(s), (X, 2.0), "widens"),
    "integers alone": (lambda x: x + 1, (np.array([1, 2]),), "keeps"),
    "a tuple of integers": (np.ones, ((2, 3),), "takes no arrays"),
    "a shape beside an array": (np.resize, (X, (2, 3)), "keeps"),
    "a list of tuples": (lambda x: x * np.ones(2), ([(1, 2), (3, 4)],), "widens"),
    "nothing": (np.ones, (3,), "takes no arrays"),
    "text": (lambda x: x, (np.array(["a"]),), "takes no arrays"),
    "a dtype": (lambda x, dtype: x.astype(dtype), (X, np.float64), "not called"),
    "the name of a dtype": (lambda x, dtype: x.astype(dtype), (X, "float64"), "not called"),
    "signs of eigenvectors": (np.linalg.eigh, (MATRIX,), "keeps"),
    "a basis of a null space": (lambda x: np.linalg.svd(x)[2], (np.ones((3, 3)),), "keeps"),
    "ill conditioned": (np.linalg.inv, (np.vander(np.arange(1.0, 8.0)),), "keeps"),
    "cancellation": (lambda x: (x * x).mean() - x.mean() ** 2, (X + 1000,), "wrong"),
    "a large sum": (lambda x: x.cumsum(), (np.full(300, 0.1),), "keeps"),
    "overflow": (lambda x: np.sqrt(x * x), (X * 1e30,), "wrong"),
    "too large for it": (lambda x: x.astype("f8").sum() * x, (X * 1e30,), "widens"),
    "too small for it": (lambda x: (x * 0 + 1e-300).astype(x.dtype), (X,), "keeps"),
    "the largest number": (lambda x: x * 0 + np.finfo(x.dtype).max, (X,), "keeps"),
    "random numbers": (lambda x: np.random.rand(3).astype(x.dtype) * x, (X,), "keeps"),  # noqa: NPY002
    "random in its dtype": (
        lambda x: drawn(x.dtype), (X,), "keeps",
    ),
    "Python numbers": (lambda x: float(x.sum()), (X,), "no arrays"),
    "complex": (np.abs, (X * 1j,), "keeps"),
    "a complex list": (lambda z: np.asarray(z) * 2, ([1j, 2.5],), "keeps"),
    "a masked array": (lambda x: x * x, (np.ma.array(MATRIX, mask=MATRIX > 2),), "keeps"),
}  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "verdict"), CALLS.values(), ids=CALLS)
@pytest.mark.filterwarnings("ignore")
def test_what_a_call_does(function, arguments, verdict):
    assert measured(function, *arguments).verdict == verdict


@pytest.mark.parametrize(
    ("dtype", "function", "arguments", "verdict"),
    [
        ("float16", np.abs, (X * 1j,), "not called"),  # nothing complex is as narrow
        ("float16", np.fft.fft, (X,), "keeps"),  # nor is there another result
        ("float16", np.linalg.inv, (MATRIX,), "refuses"),
        ("float64", lambda x: x * np.float32(1), (X,), "keeps"),
        ("bfloat16", lambda x: x * x, (X,), "keeps"),
        ("uint8", lambda x: x, (np.array([1, 2]),), "keeps"),
        ("uint8", lambda x: x, (np.array([1, 300]),), "not called"),
        ("uint8", lambda x: x / 2, (np.array([1.0, 2.0]),), "widens"),
        ("int8", np.full, ((2, 2), [1, 2]), "keeps"),
        ("int8", lambda x: x, (np.array([-1.0, 2.0]),), "keeps"),
        ("int8", lambda x: x, (np.array([-1.5, 2.0]),), "not called"),
    ],
)
def test_other_dtypes(dtype, function, arguments, verdict):
    assert measured(function, *arguments, dtype=dtype).verdict == verdict


def test_what_the_rules_of_the_library_do_not_give_is_said():
    wrong = Subject("numpy", "exp", "function", np.exp, "", lambda x: np.exp(x.astype("f8")))
    call = examples.Call("a test", (X,), {})
    found = calling.measure(wrong, call, Target("float32"), lambda *_: None)
    assert (found.verdict, found.by_rules) == ("widens", "float32")
    right = wrong._replace(call=np.exp)
    assert calling.measure(right, call, Target("float32"), lambda *_: None).by_rules == ""
    elsewhere = wrong._replace(module="scipy.special")
    assert calling.measure(elsewhere, call, Target("float32"), lambda *_: None).by_rules == ""


@pytest.mark.parametrize(
    ("name", "wider"),
    [("float16", False), ("float32", False), ("float64", True), ("complex64", False),
     ("complex128", True), ("int64", False), ("bool", False), ("object", False)],
)  # fmt: skip
def test_what_is_wider_than_float32(name, wider):
    assert Target("float32").is_wider(name) is wider


@pytest.mark.parametrize("name", ["complex64", "bool", "float*"])
def test_a_target_is_a_float_or_an_integer_dtype(name):
    with pytest.raises(DTypeError):
        Target(name)


def test_results_are_looked_into():
    class Result:
        def __init__(self):
            self.x, self._y, self.many = np.ones(2), np.zeros(3), [np.float32(1), {"a": X}]

    found = conversions.leaves((Result(), None, "text"), Result.__module__.partition(".")[0])
    assert [(leaf.path, leaf.dtype) for leaf in found] == [
        ("[0].x", "float64"), ("[0].many[0]", "float32"), ("[0].many[1]['a']", "float64"),
    ]  # fmt: skip


def test_arguments_are_perturbed_within_the_precision():
    one, other = conversions.perturbed([X, X], 1e-3, 0)
    assert 0 < abs(one / X - 1).max() <= 1.001e-3
    assert (one != other).any()
    assert conversions.perturbed([np.array([1, 2])], 1e-3, 0)[0].tolist() == [1, 2]


def test_verdicts_are_ordered():
    assert worst("keeps", "widens") == worst("widens", "keeps") == "widens"
    assert {*TO_FAIL_ON} < CALLED


@pytest.mark.usefixtures("package")
def test_public_names_of_a_package():
    names = {(s.kind, s.name.partition(".")[0]) for s in subjects("wares")}
    assert names == {("function", n) for n in EXPECTED if "." not in n} | {("estimator", "Scaler")}
    assert [kind.name for kind in KINDS] == ["function", "layer", "estimator", "container"]


def test_a_class_of_arrays_is_swept_by_its_name():
    names = {s.name for s in subjects("numpy.ndarray")}
    assert {"ndarray.mean", "ndarray.cumsum"} <= names


def test_examples_that_take_long_give_what_they_called_until_then(package):
    (package / "slow.py").write_text(
        "import time\ndef f(x):\n    '''\n    >>> f(np.ones(2)); time.sleep(60)\n"
        "    '''\n    return x\n"
    )
    row = audit.sweep("slow", limit=1).row("slow.f", "float32")
    assert row.verdict == "keeps"

"""Expressions that the live libraries evaluate: what is vetted, what is compared, what is drawn."""

import json
import random
import sys
from pathlib import Path

import pytest

import supremum
from supremum import ExpressionError, PromotionError, RulesError, SupremumError
from supremum.conformance import expressions
from supremum.conformance.expressions import Evaluated, confirm, evaluate
from supremum.conformance.library import load

sys.path.insert(0, str(Path(__file__).parent))  # where it lies
from random_expressions import Writer, check

OF_ARRAYS = ["append", "dot", "outer", "kron", "inner"]  # of two
OF_ONE = ["nan_to_num", "ravel"]
LIBRARIES = ["numpy", "jax", "torch"]

ATTACKS = [
    "__import__('os').system('id')",
    "eval('1')",
    "open('x')",
    "getattr(np, 'os')",
    "(lambda: 1)()",
    "(x := 1)",
    "[x for x in (1, 2)]",
    "{1: 2}",
    "f'{1}'",
    "1 if 1 else 2",
    "float32[3] and 1",
    "'{}'.format(1)",
    "'a' * 3",
    "(1).__class__",
    "float32[3].__class__.__bases__",
    "float32[3].ctypes",
    "float32[3].data.obj",
    "float32[3].tofile('x')",
    "float32[3].dump('x')",
    "np",
    "np.add",
    "np.os",
    "np.__builtins__",
    "np.add.__call__(1, 2)",
    "np.os.getcwd()",
    "np.ctypeslib.os.getcwd()",
    "np.linalg.linalg.add(1, 2)",
    "np.testing.add(1, 1)",
    "np.load('x')",
    "np.save('x', float32[3])",
    "np.fromfile('x')",
    "np.loadtxt('x')",
    "np.genfromtxt('x')",
    "np.fromfunction(1, (3,))",
    "np.r_['1']",
    "np.add(*[1, 2])",
    "np.add(**{'a': 1})",
    "np.sum(__import__('os'))",
    "np.sum(float32[3], dtype=np.os)",
    "np.sum(float32[3])[np.os]",
    "float32[3].astype(os)",
    "torch.load('x')",
    "torch.hub.load('x', 'y')",
    "torch.hub.shutil.copy('a', 'b')",
    "torch.ops.load_library('x')",
    "jax.lax.os.getcwd()",
    "math.factorial(9)",
    "9**9**9",
    "(9**9)**9",
    "int(9)**9**9",
    "1 << 10**9",
]


@pytest.fixture(params=LIBRARIES)
def library(request):
    pytest.importorskip(request.param)
    return request.param


@pytest.fixture
def wrong(monkeypatch):
    """Let the rules answer int8, whatever is asked."""
    answer = supremum.explain("int8[3] + 1", system="numpy")
    monkeypatch.setattr(expressions, "explain", lambda *_, **__: answer)


@pytest.mark.parametrize("text", ATTACKS)
def test_what_is_not_known_is_never_evaluated(text, monkeypatch):
    monkeypatch.setattr(expressions, "_run", lambda *_: pytest.fail("it is evaluated"))
    with pytest.raises(ExpressionError):
        evaluate(text, "numpy")
    with pytest.raises(ExpressionError):
        evaluate(text)


@pytest.mark.parametrize(
    ("text", "library", "dtype", "form", "rank"),
    [
        ("float32[2,3][0] * int8[3]", "numpy", "float32", "array", 1),
        ("np.mean(int8[3])", "numpy", "float64", "scalar", 0),
        ("np.array_equal(int8[3], 1)", "numpy", "bool", "Python scalar", 0),
        ("np.linalg.inv(float32[2,2]).T", "numpy", "float32", "array", 2),
        ("np.divide.outer(int8[2], int8[3])", "numpy", "float64", "array", 2),
        ("int8[3].astype(float32) * np.pi", "numpy", "float32", "array", 1),
        ("int8[2][bool[2]] + 1.5", "numpy", "float64", "array", 1),
        ("jnp.mean(int8[3], dtype=jnp.float16)", "jax", "float16", "array", 0),
        ("jax.numpy.zeros(2)", "jax:x64=false", "float32", "array", 1),
        ("torch.zeros(2, 2)[0]", "torch:default_dtype=float64", "float64", "array", 1),
        ("np.mean(float32[3], dtype=np.float64)", "torch", "float64", "array", 0),
        ("np.float64(2) * int8[3]", "torch", "float32", "array", 1),
        ("torch.nn.functional.relu(bfloat16[3])", "torch", "bfloat16", "array", 1),
    ],
)
def test_what_a_library_gives(text, library, dtype, form, rank):
    pytest.importorskip(library.partition(":")[0])
    (found,) = evaluate(text, library).results
    assert (found.dtype, found.form, found.rank) == (dtype, form, rank)


@pytest.mark.parametrize(
    ("text", "is_weak"),
    [("float*[3] * 2", True), ("float*[] * int8[3]", True), ("float*[3] * float16[3]", False)],
)
def test_weak_arrays_are_those_of_jax(text, is_weak):
    pytest.importorskip("jax")
    assert evaluate(text, "jax").results[0].weak is is_weak


def test_several_results_and_what_is_raised_are_told_apart():
    found = evaluate("np.linalg.svd(complex64[2,2])")
    assert found.is_several
    assert [x.dtype for x in found.results] == ["complex64", "float32", "complex64"]
    assert isinstance(evaluate("int8[3] + 300", "numpy").error, OverflowError)
    assert isinstance(evaluate("float32[3].float()", "numpy").error, AttributeError)
    assert isinstance(evaluate("np.relu(float32[3])").error, AttributeError)


def test_live_operands_are_used_as_they_are():
    np = pytest.importorskip("numpy")
    given = {"x": "int8[2]", "y": 1.5}
    assert evaluate("x + y", "torch", given).results[0].dtype == "float32"
    given = {"x": np.ones((2, 2), "float32"), "y": np.float64(2)}
    assert evaluate("x + y", "numpy", given).results[0].dtype == "float64"
    with pytest.raises(ExpressionError):  # which has rules of its own
        evaluate("x + 1.0", "numpy", {"x": np.ma.ones(3, "float32")})


@pytest.mark.parametrize("text", ["float32[2000,2000]", "int32 + float32", "float*[3] * 2"])
def test_operands_that_cannot_be_made_are_refused(text):
    with pytest.raises(SupremumError):
        evaluate(f"np.sin({text})", "numpy")


@pytest.mark.parametrize("system", ["jep9407-option1", "mlx"])
def test_rules_that_no_library_evaluates_are_named(system):
    with pytest.raises(RulesError):
        confirm("int32[3] + 1", system)


def test_right_answers_are_confirmed(library):
    found = confirm("int32[3] * 2 + float16[3]", library)
    assert found.verdict == "right"
    assert found.version == load(library).version()
    assert found.ours.results[0].dtype == found.theirs.results[0].dtype


@pytest.mark.parametrize(
    "function",
    [*OF_ARRAYS, "convolve", "polyadd", "searchsorted", "geomspace", "ldexp"],
)
@pytest.mark.parametrize("array", ["bool[3]", "uint8[3]", "int64[3]", "uint64[3]", "float32[3]"])
def test_arrays_are_made_of_numbers_as_numpy_makes_them(function, array):
    pytest.importorskip("numpy")
    numbers = [True, 300, 2**63, 2**64, -(2**63), 1.5, 2j]
    calls = [f"np.{function}({array}, {x})" for x in numbers]
    calls += [f"np.{function}({x}, {array})" for x in numbers]
    found = [confirm(text) for text in calls]
    assert [each.text for each in found if each.verdict == "wrong"] == []


@pytest.mark.parametrize("system", ["jax", "jax:x64=false"])
@pytest.mark.parametrize(
    "function",
    [*OF_ARRAYS, "hstack", *OF_ONE],
)
def test_numbers_are_weak_arrays_to_jax(function, system):
    pytest.importorskip("jax")
    numbers = [True, 300, 2**31, 2**63, 1.5, 2j]
    calls = [f"jnp.{function}({x})" for x in numbers]
    if function not in OF_ONE:
        pairs = [(x, y) for x in numbers for y in ("int8[3]", "float16[3]", "bool[3]", 1)]
        several = [", ".join(map(str, pair)) for pair in pairs]
        calls = [
            f"jnp.{function}(({x}))" if "stack" in function else f"jnp.{function}({x})"
            for x in several
        ]
    verdicts = {text: confirm(text, system).verdict for text in calls}
    assert {text for text, verdict in verdicts.items() if verdict in ("wrong", "refused")} == set()


def test_what_both_refuse_is_confirmed():
    found = confirm("bool[3] - bool[3]", "numpy")
    assert found.verdict == "right"
    assert isinstance(found.ours.error, PromotionError)
    assert isinstance(found.theirs.error, TypeError)


@pytest.mark.usefixtures("wrong")
def test_a_wrong_answer_is_noticed(library):
    found = confirm("float32[3] + 1", library)
    assert found.verdict == "wrong"
    assert found.to_dict()["live"] == "float32"
    assert confirm("int8[3] + 2", library).verdict == "right"
    assert confirm("int8[3] + float32[2]", "numpy").verdict == "raises"
    checked = check(library, 20, 1)
    assert (checked.verdict, checked.counts.total()) == ("differs", 20)
    assert checked.counts["wrong"] > checked.counts["right"]
    assert checked.found[0].verdict in ("wrong", "raises")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("float32[3]", "float32[]"),
        ("float32[3]", "1.5"),
        ("int64[3]", "int32[3]"),
    ],
)
def test_dimensions_and_python_numbers_are_compared(ours, theirs, monkeypatch):
    pytest.importorskip("torch")
    results = tuple(supremum.core.operands.parse(x) for x in (ours, theirs))
    monkeypatch.setattr(expressions, "evaluate", lambda *_: Evaluated(results[1:]))
    monkeypatch.setattr(
        expressions,
        "explain",
        lambda text, **_: supremum.explain(text, system="torch")._replace(results=results[:1]),
    )
    assert confirm("float32[3] + 1", "torch").verdict == "wrong"


def test_the_library_answers_what_is_refused(monkeypatch):
    def refuse(*_, **__):
        raise PromotionError("no answer")

    monkeypatch.setattr(expressions, "explain", refuse)
    assert confirm("int8[3] + 1", "numpy").verdict == "refused"
    checked = check("numpy", 10, 1)
    assert checked.verdict == "agrees"
    assert checked.reasons == {"no answer": checked.counts["refused"]}


def test_expressions_are_those_of_their_seed(library):
    rules = supremum.system(library)
    drawn = [
        [Writer(rules, random.Random(seed)).expression() for _ in range(5)] for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_most_random_expressions_are_answered(library):
    checked = check(library, 40, 3)
    assert checked.counts.total() == 40
    assert checked.counts["right"] > 20
    assert checked.installed


def test_live_answers_are_shown(run):
    result = run("explain", "np.mean(int8[3]) * 2", "--live", "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["live"]["verdict"] == "right"
    assert run("explain", "int8", "int32", "--live").exit_code == 2
    result = run("explain", "int32[3] + 1", "--live", "-s", "mlx", "--format", "json")
    assert json.loads(result.stdout)["live"]["verdict"] == "not asked"


@pytest.mark.usefixtures("wrong")
def test_a_wrong_answer_changes_the_status(run):
    assert run("explain", "np.mean(int8[3]) * 2", "--live").exit_code == 1


def test_a_library_that_is_missing_is_not_measured(run, monkeypatch):
    def absent():
        raise ModuleNotFoundError(name="numpy")

    monkeypatch.setattr(load("numpy"), "version", absent)
    assert check("numpy", 5).verdict == "not measured"
    assert "not asked" in run("explain", "np.mean(int8[3])", "--live", "-f", "json").stdout

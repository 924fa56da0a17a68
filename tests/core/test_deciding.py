"""Which rules decide if nobody names any."""

import shlex
import subprocess
import sys
from enum import IntEnum
from types import SimpleNamespace

import numpy as np
import pytest

import supremum
from supremum.core.deciding import (
    other_setting,
    rules_as_installed,
    rules_of_operands,
    set_first,
    usual_rules,
)
from supremum.core.operands import parse

INTS, FLOATS = np.ones(3, np.int32), np.ones(3, np.float32)


@pytest.fixture
def usual(monkeypatch, tmp_path):
    """Forget what was usual, in an empty folder."""
    monkeypatch.delenv("SUPREMUM_SYSTEM", raising=False)
    monkeypatch.chdir(tmp_path)
    set_first.cache_clear()
    yield tmp_path
    set_first.cache_clear()


class Image(np.ndarray):
    """An array of a class that a program defines."""


class Level(IntEnum):
    """Integers of a class that a program defines."""

    LOW = 1


def made(kind, module, **attributes):
    """Return a class as a library has it."""
    return type(kind, (), {"__module__": module, **attributes})


def like(module, dtype="int8", shape=(3,)):
    """Return an array of another library, which need not be installed."""
    return made("Array", module, dtype=np.dtype(dtype), shape=shape, ndim=len(shape))()


def dtype_like(module, name="int8"):
    """Return a dtype of another library."""
    return made("DType", module, name=name)()


JAX, CUPY, DASK, PANDAS = map(like, ("jaxlib.x", "cupy", "dask.array", "pandas.core"))
TORCH = made("Tensor", "torch", dtype=dtype_like("torch"), shape=(3,), ndim=1)()
INT8 = {name: dtype_like(name) for name in ("torch", "tensorflow", "mlx.core", "jax")}

DECIDED = [
    # NumPy's own
    ((INTS.view(Image), FLOATS), "numpy"), ((INTS.view(Image), 1.5), "numpy"),
    ((FLOATS, Level.LOW), "numpy"), ((INTS, FLOATS), "numpy"), ((INTS, 1.5), "numpy"),
    ((INTS[0], FLOATS[0]), "numpy"), ((INTS, np.float32), "numpy"), ((INTS, INTS.dtype), "numpy"),
    ((INTS, FLOATS, 1, True), "numpy"), ((np.int32, np.float32), "numpy"),
    ((INTS.dtype, FLOATS.dtype), "numpy"), ((np.int32(1), 1), "numpy"),
    # a name, a number and their classes are of nobody
    (("int32", "float32"), "jax"), ((1, 1.5), "jax"), ((float, "int8"), "jax"), ((), "jax"),
    ((supremum.dtype("int8"), "int8"), "jax"), ((Level.LOW,), "jax"),
    ((INTS, "float32"), "numpy"), ((INTS, supremum.dtype("float32")), "numpy"),
    ((np.int32, float), "numpy"), (("int8", np.int32(1)), "numpy"),
    # a dtype of its own
    ((INT8["torch"], "int8"), "torch"), ((INT8["tensorflow"], "int8"), "tensorflow"),
    ((INT8["mlx.core"], 1), "mlx"), ((parse("torch.int8"), 1), "torch"),
    ((parse("np.int8"), parse("int8")), "numpy"), ((parse("jnp.int8[3]"), 1), "jax"),
    ((parse("tf.int32"), 1), "tensorflow"), ((parse("mx.float16"), 1), "mlx"),
    ((parse("pl.int8"), 1), "polars"), ((parse("xp.int8"), 1), "jax"),
    # NumPy's give way
    ((INTS.dtype, JAX), "jax"), ((np.int32(1), CUPY), "cupy"), ((np.int8, INT8["jax"]), "jax"),
    ((INTS, JAX), "jax"), ((INTS, DASK, 1), "dask"), ((PANDAS, INTS, np.int8), "pandas"),
    ((INTS, TORCH), "torch"), ((parse("np.int8"), parse("jnp.int8")), "jax"),
    # the one with arrays decides
    ((TORCH, np.int32(1)), "torch"), ((INTS, INT8["torch"]), "numpy"),
    ((JAX, INT8["torch"]), "jax"), ((parse("torch.int8[3]"), parse("np.int8")), "torch"),
]  # fmt: skip
UNDECIDED = [
    (np.int8, INT8["torch"]), (np.int8(1), INT8["tensorflow"]), (JAX, TORCH), (CUPY, JAX),
    (INT8["torch"], INT8["tensorflow"]), (INTS, JAX, TORCH),
    (parse("torch.int8"), parse("np.int8")),
]  # fmt: skip


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(("operands", "name"), DECIDED)
def test_operands_say_whose_rules_decide(operands, name):
    rules = supremum.system(name)
    for given in (operands, operands[::-1], tuple(map(supremum.custom.operand, operands))):
        assert rules_of_operands(given) is rules
    if not operands:
        return
    for _ in range(2):  # the second time from a cache
        assert told(supremum.result_type, *operands) == told(rules.result_type, *operands)
    assert told(supremum.explain, *operands) == told(rules.explain, *operands)
    assert told(supremum.can_promote, operands[0], "int64") == told(
        supremum.can_promote, operands[0], "int64", system=rules_of_operands(operands[:1])
    )


def told(ask, *operands, **how):
    """Return what something answers, or its refusal."""
    try:
        return str(ask(*operands, **how))
    except supremum.PromotionError as error:
        return str(error)


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("operands", UNDECIDED)
def test_operands_of_two_libraries_of_which_none_decides_are_refused(operands):
    with pytest.raises(supremum.RulesError, match=r"do not say whose.*system='\w+'.* -s") as caught:
        rules_of_operands(operands)
    for name in caught.value.candidates:
        assert supremum.system(name).title in str(caught.value)
        supremum.system(name)
    for ask in (supremum.result_type, supremum.explain):
        with pytest.raises(supremum.RulesError, match="name them"):
            ask(*operands)


@pytest.mark.usefixtures("usual")
def test_dtypes_of_a_library_are_joined_by_its_rules():
    for _ in range(2):
        assert supremum.promote_types(np.int32, np.float32).name == "float64"
        assert supremum.promote_types(INTS.dtype, FLOATS.dtype).name == "float64"
        assert supremum.promote_types("int32", "float32").name == "float32"
        assert supremum.promote_types("int32", FLOATS.dtype).name == "float64"


def test_an_expression_is_decided_by_what_is_in_it():
    assert supremum.explain("uint8[3] + np.int32(1)").steps[0].system == "numpy"
    assert supremum.explain("x + y", x=INTS, y=FLOATS).system == "numpy"
    # rules that are named are not overridden
    found = supremum.explain("np.uint64(5) - 1", system="numba")
    assert (found.result.name, found.system) == ("int64", "numba")
    assert supremum.explain("np.uint64(5) - 1").result.name == "uint64"
    with pytest.raises(supremum.PromotionError, match="PyTorch rules"):
        supremum.explain("abs(np.float64(3))", system="torch")


COMMANDS = {
    "np.int32 np.float32": ("float64", "numpy rules", ""),
    "torch.int8[3] torch.uint8[3]": ("int16", "torch rules", ""),
    "int32 float32": ("float32", "jax rules", "float64 by numpy; refused by array-api, tensorflow"),
    "int8[3] 1": ("int8", "jax rules", ""),
    "'int32[3] / int32[3]'": ("float32", "jax rules", "float64 by numpy, tensorflow; refused by"),
    "int32 float32 -s jax": ("float32", "jax rules", ""),
    "int32 float32 -s numpy": ("float64", "numpy rules", ""),
    "'jnp.sin(int32[3])'": ("float32", "jax rules", ""),
}


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("words", COMMANDS)
def test_the_command_is_decided_alike_and_says_what_others_give(words, run):
    result, rules, others = COMMANDS[words]
    said = run("explain", *shlex.split(words)).stdout
    assert said.startswith(result)
    assert rules in said.splitlines()[0]
    assert (f"\nelsewhere: {others}" in said) if others else ("elsewhere" not in said)


@pytest.mark.usefixtures("usual")
def test_nothing_is_said_of_others_where_a_setting_names_the_rules(run, monkeypatch):
    monkeypatch.setenv("SUPREMUM_SYSTEM", "jax")
    assert "elsewhere" not in run("explain", "int32", "float32").stdout
    assert run("explain", "torch.int8", "np.int8").exit_code == 2


@pytest.fixture
def jax(monkeypatch):
    """Pretend that JAX is imported, with 64-bit types off."""
    module = SimpleNamespace(config=SimpleNamespace(jax_enable_x64=False))
    monkeypatch.setitem(sys.modules, "jax", module)
    return module


@pytest.mark.usefixtures("usual")
def test_the_setting_of_a_jax_that_is_imported_holds_as_it_is_now(jax, run):
    for x64, result in [(False, "float32"), (True, "float64"), (False, "float32")]:
        jax.config.jax_enable_x64 = x64
        for operands in [("int32", 1.5), (1, 1.5), (supremum.dtype("int8"), 1.5), (1.5,)]:
            for named in ({}, {"system": "jax"}):
                assert supremum.result_type(*operands, **named).name == result
                assert supremum.explain(*operands, **named).result.name == result
                assert supremum.explain("int32[3] + 1.5", **named).result.name == result
        for ask in (supremum.promote_types, supremum.result_type):
            for names in (("int32", "uint32"), ("int8", "int32", "uint32")):
                assert [ask(*names).name for _ in range(2)] == 2 * ["int64" if x64 else "int32"]
        assert supremum.result_type("int32", "uint32", op="add").name == ask("int32", "uint32")
        for words in ("int32 1.5", "int32 1.5 -s jax", "'int32[3] + 1.5'"):
            assert run("explain", *shlex.split(words)).stdout.startswith(result)
        assert supremum.compare("int32", 1.5)[[a.system for a in supremum.compare(1)].index("jax")]
    for explicit in ("jax:x64=true", supremum.system("jax")):
        assert supremum.result_type("int32", 1.5, system=explicit).name == "float64"
    assert run("explain", "int32", "1.5", "-s", "jax:x64=true").stdout.startswith("float64")


@pytest.mark.usefixtures("usual")
def test_an_import_of_jax_changes_what_is_answered_from_then_on(monkeypatch):
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    for _ in range(2):
        assert supremum.result_type("int32", 1.5).name == "float64"
        assert supremum.promote_types("int32", "uint32").name == "int64"
    module = SimpleNamespace(config=SimpleNamespace(jax_enable_x64=False))
    monkeypatch.setitem(sys.modules, "jax", module)
    for _ in range(2):
        assert supremum.result_type("int32", 1.5).name == "float32"
        assert supremum.promote_types("int32", "uint32").name == "int32"
        assert supremum.result_type(np.int32, np.float32).name == "float64"


def test_the_default_dtype_of_a_torch_that_is_imported_holds_as_it_is_now(monkeypatch):
    default = ["torch.float32"]
    torch = SimpleNamespace(__version__="2.13.0", get_default_dtype=lambda: default[0])
    monkeypatch.setitem(sys.modules, "torch", torch)
    for name in ("float32", "float64", "bfloat16", "float32"):
        default[0] = f"torch.{name}"
        for ask in (supremum.result_type, lambda *x: supremum.explain(*x).result):
            assert [ask("torch.int32", 1.5).name for _ in range(2)] == [name, name]


@pytest.mark.usefixtures("usual")
def test_a_jax_that_may_not_be_imported_is_as_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    for ask in (supremum.promote_types, supremum.result_type):
        assert [ask("int32", "uint32").name for _ in range(2)] == ["int64", "int64"]


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(("said", "result"), [("0", "float32"), ("1", "float64"), ("", "float64")])
def test_the_environment_holds_in_commands_and_in_python(said, result, run, monkeypatch):
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    monkeypatch.setenv("JAX_ENABLE_X64", said)
    for words in ("int32 1.5", "int32 1.5 -s jax", "'int32[3] + 1.5'"):
        assert run("explain", *shlex.split(words)).stdout.startswith(result)
    assert rules_of_operands(["int32"]).result_type(1.5).name == result
    line = next(x for x in run("compare", "int32", "1.5").stdout.splitlines() if " jax " in x)
    assert result in line
    assert "With x64" in line


def test_rules_that_are_named_decide():
    assert supremum.result_type(INTS, FLOATS, system="jax") is supremum.dtype("float32")


def test_the_same_types_get_the_same_answer_whatever_was_asked_before():
    pairs = [(INTS, FLOATS), ("int32", "float32"), (INTS, "float32"), (INTS, 1.0), ("int32", 1.0)]
    wanted = [rules_of_operands(pair).result_type(*pair) for pair in pairs]
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]):
        assert [supremum.result_type(*pairs[i]) for i in order] == [wanted[i] for i in order]


@pytest.mark.parametrize(("said", "x64"), [("", False), ("1", True), ("off", False), ("Yes", True)])
def test_rules_as_installed_are_those_of_the_environment(said, x64, monkeypatch):
    monkeypatch.setenv("JAX_ENABLE_X64", said)
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    assert rules_as_installed(supremum.system("jax")) is supremum.system("jax", x64=x64)
    strict = supremum.system("jax", mode="strict")
    assert rules_as_installed(strict) is strict
    assert rules_as_installed(supremum.system("numpy")) is supremum.system("numpy")


def test_the_other_setting_is_told_if_it_differs():
    def told(*operands, **setting):
        rules = supremum.system("jax", **setting)
        return other_setting(
            rules, rules.result_type(*operands), lambda r: r.result_type(*operands)
        )

    assert told("int32", "uint32") == "With x64 off it is int32."
    assert told("int32", "uint32", x64=False) == "With x64 on it is int64."
    assert told("int8", 1) == told("int8", 1, x64=False) == ""
    numpy = supremum.system("numpy")
    assert other_setting(numpy, supremum.dtype("int8"), numpy.result_type) == ""


ASKED = """
import supremum
print(supremum.result_type("int32", "float32"), supremum.promote_types("int32", "float32"))
print(supremum.explain("int32", "float32").system, supremum.explain("int32[3] + 1.5").system)
print(len(supremum.table()))
"""


@pytest.mark.parametrize("where", ["SUPREMUM_SYSTEM", "pyproject.toml"])
def test_settings_hold_for_python_as_for_the_command(where, usual, monkeypatch):
    if where == "pyproject.toml":
        text = '[tool.supremum]\nsystem = "numpy"\n'
        (usual / where).write_text(text, encoding="utf-8")
    else:
        monkeypatch.setenv(where, "numpy")
    words = [sys.executable, "-c", ASKED]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[:2] == ["float64 float64", "numpy numpy"]
    assert usual_rules().text == "numpy"


@pytest.mark.usefixtures("usual")
def test_a_setting_that_names_no_rules_is_refused(monkeypatch):
    monkeypatch.setenv("SUPREMUM_SYSTEM", "nmpy")
    with pytest.raises(supremum.RulesError, match="did you mean numpy"):
        supremum.explain("int8", "int16")

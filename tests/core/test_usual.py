"""Which rules decide if nobody names any."""

import subprocess
import sys
from enum import IntEnum

import numpy as np
import pytest

import supremum
from supremum.core.usual import (
    other_setting,
    rules_as_installed,
    rules_of_operands,
    usual_rules,
    usual_system,
)

INTS, FLOATS = np.ones(3, np.int32), np.ones(3, np.float32)


@pytest.fixture
def usual(monkeypatch, tmp_path):
    """Forget what was usual, in an empty folder."""
    monkeypatch.delenv("SUPREMUM_SYSTEM", raising=False)
    monkeypatch.chdir(tmp_path)
    usual_system.cache_clear()
    yield tmp_path
    usual_system.cache_clear()


class Image(np.ndarray):
    """An array of a class that a program defines."""


class Level(IntEnum):
    """Integers of a class that a program defines."""

    LOW = 1


NUMPY = [
    (INTS.view(Image), FLOATS), (INTS.view(Image), 1.5), (FLOATS, Level.LOW),
    (INTS, FLOATS), (INTS, 1.5), (INTS[0], FLOATS[0]), (INTS, np.float32), (INTS, INTS.dtype),
    (INTS, FLOATS, 1, True),
]  # fmt: skip
NOBODY = [
    ("int32", "float32"), (INTS, "float32"), (INTS, supremum.dtype("float32")), (1, 1.5),
    (INTS.dtype, FLOATS.dtype), (np.int32, np.float32), (INTS, float),
]  # fmt: skip


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("operands", NUMPY)
def test_arrays_of_one_library_are_asked_about_by_its_rules(operands):
    numpy = supremum.system("numpy")
    assert rules_of_operands(operands) is numpy
    for _ in range(2):  # the second time from a cache
        assert supremum.result_type(*operands) is numpy.result_type(*operands)
    assert supremum.explain(*operands).system == "numpy"
    found = supremum.explain("x + y", x=operands[0], y=operands[1])
    assert {step.system for step in found.steps} <= {"numpy"}


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("operands", NOBODY)
def test_other_operands_are_asked_about_by_the_usual_rules(operands):
    assert rules_of_operands(operands) is supremum.system("jax")
    assert supremum.result_type(*operands) is supremum.system("jax").result_type(*operands)


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

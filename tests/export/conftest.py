"""Descriptions of all systems, read once, and what they say."""

import os
from functools import cache
from itertools import product

import pytest

import supremum
from supremum.core.errors import RulesError
from supremum.export.formats import describe
from supremum.export.running import Module


@cache
def _described(name):
    try:
        return describe(name)
    except RulesError:
        return None


@pytest.fixture(scope="session")
def described():
    """Return a function that gives the description of a system, or None if it has none."""
    return _described


@cache
def _answers(name, count):
    said = _described(name)
    module = Module(said)
    return [
        (words, module.result_type(words))
        for words in product(said.words, repeat=count)
        # compiled formats have numbers instead of weak dtypes that are no dtypes of the rules
        if not any(word in said.taken and word not in said.dtypes for word in words)
    ]


@pytest.fixture(scope="session")
def answers():
    """Return a function that gives all answers for a number of operands, by a description."""
    return _answers


REFUSED = ("duckdb", "ndonnx", "numpy-legacy", "polars")
NAMES = [name for name in supremum.systems() if name not in REFUSED]
# One for each way to join and to settle; SUPREMUM_ALL_COMPILED has all of them compiled.
FEW = ["array-api", "jax", "jep9407-categories", "numpy", "tensorflow", "tinygrad", "torch"]
COMPILED = NAMES if "SUPREMUM_ALL_COMPILED" in os.environ else FEW


@pytest.fixture(scope="session")
def compiled_names():
    """Return the names of the systems that are given to compilers."""
    return COMPILED


def pytest_generate_tests(metafunc):
    """Ask each question of every system that can be written, or that is compiled."""
    for fixture, names in (("expressed", NAMES), ("compiled", COMPILED)):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, names)

"""What is read of a system is what it answers, for every pair and triple of operands."""

from itertools import product

import pytest

import supremum
from supremum.custom import Settled
from supremum.export.asking import ask
from supremum.export.formats import describe
from supremum.export.running import Module

pytestmark = pytest.mark.thorough

REFUSED = {"duckdb", "ndonnx", "numpy-legacy", "polars"}


def test_all_systems_are_read_but_those_that_go_by_values(described):
    assert {name for name in supremum.systems() if described(name) is None} == REFUSED


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_refusal_names_the_operands_that_no_table_has(name):
    with pytest.raises(supremum.RulesError, match=r"neither a lattice nor a table.*int"):
        describe(name)


def test_every_triple_of_operands(described, expressed):
    rules, said = supremum.system(expressed), described(expressed)
    module = Module(said)
    triples = product(said.words, repeat=3)
    assert [words for words in triples if ask(rules, words) != module.result_type(words)] == []


@pytest.mark.parametrize(
    "name",
    [
        "jax:x64=false",
        "jax:mode=strict",
        "jax:x64=false,version=0.7.1",
        "keras:backend=jax,floatx=bfloat16",
        "torch:default_dtype=float64",
        "tensorflow:mode=safe",
        "array-api:version=2021.12",
        "numpy:ml_dtypes=0.4.0",
    ],
)
def test_options_are_read(name):
    said, rules = describe(name), supremum.system(name)
    module = Module(said)
    for a, b in product(said.dtypes, repeat=2):
        try:
            wanted = rules.promote_types(a, b).name
        except supremum.PromotionError:
            wanted = None
        assert module.promote_types(a, b) == wanted


def test_what_is_misread_is_refused():
    # as if the rules gave one triple another answer than their pairs do
    rules = supremum.custom.PromotionSystem(
        "odd",
        supremum.custom.Fold(supremum.system("python").dtypes, step=max_by_name),
        settle=lambda node, taken: Settled(taken[0].node if len(taken) == 3 else node),
    )
    with pytest.raises(supremum.RulesError, match="odd rules are neither a lattice nor a table"):
        describe(rules)


def max_by_name(a, b):
    return max(a, b, key=lambda x: getattr(x, "node", x).name)


def test_bounds_of_numbers(described):
    assert described("jax").ints is None
    assert described("torch").ints == (-(2**63), 2**63 - 1)
    assert described("mlx").ints == (0, 127)
    assert described("pyarrow").ints == (-(2**24), 2**24)
    assert described("tensorflow").floats == (-3.4028234e38, 3.4028234e38)

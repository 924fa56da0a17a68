"""Libraries with the exported module in place of their own lattice answer as before."""

import sys
import unittest
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # where it lies
import adopted
from adopted import ADOPTIONS


def answered(function, *operands):
    try:
        return str(function(*operands))
    except (TypeError, ValueError) as error:
        return type(error).__name__


def questions(name):
    """Return the public function of a library, and the operands that it is asked about."""
    if name == "keras":
        import keras
        from keras.src.backend.common import dtypes

        return keras.backend.result_type, [*dtypes.ALLOWED_DTYPES, int, float, None]
    if name == "tinygrad":
        from tinygrad import dtype
        from tinygrad.dtype import dtypes, promo_lattice

        # by the module, which is where callers have it from
        return lambda *ds: dtype.least_upper_dtype(*ds), [  # noqa: PLW0108  # it is replaced
            *promo_lattice,
            dtypes.float64,
        ]
    if name == "array_api_strict":
        import array_api_strict as xp
        from array_api_strict import _dtypes

        return xp.result_type, [*_dtypes._all_dtypes, 1, 1.5, 1j, True]
    import jax.numpy as jnp
    from jax._src import dtypes

    own = [d for d in dtypes._jax_types if d.itemsize * 8 >= 8 or d.kind != "V"]
    return jnp.result_type, [*own, 1, 1.5, 1j, True]


def answers(name):
    function, operands = questions(name)
    return {
        some: answered(function, *[operands[i] for i in some])
        for count in (1, 2, 3)
        for some in product(range(len(operands)), repeat=count)
    }


CASES = ["keras", "tinygrad", "array_api_strict", "jax", "jax, x64 off", "jax, strict"]


@pytest.fixture(params=CASES)
def name(request):
    """A library, in one of its settings."""
    name, _, setting = request.param.partition(", ")
    pytest.importorskip(name)
    if name != "jax":
        yield name
        return
    import jax

    mode = "strict" if setting == "strict" else "standard"
    with jax.enable_x64(setting != "x64 off"), jax.numpy_dtype_promotion(mode):
        yield name


pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype")


def test_every_pair_and_triple_is_as_before(name, monkeypatch):
    before = answers(name)
    ADOPTIONS[name](monkeypatch)
    after = answers(name)
    assert len(set(before.values())) > 5
    assert {k: (v, after[k]) for k, v in before.items() if after[k] != v} == {}


@pytest.mark.parametrize("name", ADOPTIONS)
def test_it_is_the_module_that_answers(name, monkeypatch):
    pytest.importorskip(name)
    function, operands = questions(name)
    pairs = list(product(operands[:12], repeat=2))
    before = [answered(function, *pair) for pair in pairs]
    made = adopted.module

    def wrong(*rules):
        promotion = made(*rules)
        own = promotion.promote_types
        promotion.promote_types = lambda *dtypes: own(dtypes[0], dtypes[0])
        return promotion

    monkeypatch.setattr(adopted, "module", wrong)
    ADOPTIONS[name](monkeypatch)
    assert [answered(function, *pair) for pair in pairs] != before


# These put dtypes of their own into the table of upper bounds, which is gone.
OF_THE_TABLE = {
    "test_empty_lub_in_least_upper_bound",
    "test_least_upper_bound_no_element",
    "test_least_upper_bound_single_element",
    "test_least_upper_bound_with_no_common_upper_bound",
}


def test_keras_own_tests_pass_but_those_of_the_table_that_is_gone(monkeypatch):
    own = pytest.importorskip("keras.src.backend.common.dtypes_test")
    ADOPTIONS["keras"](monkeypatch)
    suite = unittest.defaultTestLoader.loadTestsFromModule(own)
    assert suite.countTestCases() > 100
    result = unittest.TestResult()
    suite.run(result)
    failed = {test.id().rpartition(".")[2] for test, _ in result.failures + result.errors}
    assert failed == OF_THE_TABLE

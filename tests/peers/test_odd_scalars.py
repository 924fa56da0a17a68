"""NumPy's scalars, and objects of classes derived from numbers, beside arrays: rules and live."""

import enum
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import supremum


class One(enum.IntEnum):
    ONE = 1


class Real(float):
    pass


ODD = [One.ONE, Real(1)]
SCALARS = [np.bool_(1), np.uint8(1), np.int64(1), np.float16(1), np.float64(1), np.complex64(1)]
DTYPES = ["bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64", "complex64"]


def live(call, *operands):
    try:
        return str(call(*operands).dtype).removeprefix("torch.")
    except (TypeError, RuntimeError, ValueError):
        return "-"


def ours(system, *operands, op=None):
    try:
        return system.result_type(*operands, op=op).name
    except supremum.PromotionError:
        return "-"


@pytest.mark.parametrize(("name", "odd"), list(product(DTYPES, ODD)), ids=str)
def test_numpy_treats_derived_numbers_as_arrays(name, odd):
    x, rules = np.ones(3, name), supremum.system("numpy")
    assert ours(rules, x, odd) == str(np.result_type(x, odd))
    assert ours(rules, x, odd, op="add") == live(np.add, x, odd)


@pytest.mark.parametrize(("name", "odd"), list(product(DTYPES, ODD)), ids=str)
def test_functions_of_jax_treat_derived_numbers_as_numbers(name, odd):
    with jax.enable_x64(True):
        x, rules = jnp.ones(3, name), supremum.system("jax")
        assert ours(rules, x, odd) == str(jnp.result_type(x, odd))
        assert ours(rules, x, odd, op="add") == live(jnp.add, x, odd)
        assert ours(rules, odd, x, op="multiply") == live(jnp.multiply, odd, x)


@pytest.mark.parametrize(("name", "scalar"), list(product(DTYPES, [*SCALARS, *ODD])), ids=repr)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("shape", [(3,), ()], ids=["vector", "0-d"])
def test_scalars_beside_tensors_are_numbers(name, scalar, shape):
    x, rules = torch.ones(shape, dtype=getattr(torch, name)), supremum.system("torch")
    assert ours(rules, x, scalar) == live(lambda x, y: x * y, x, scalar)
    assert rules.result_type(x, scalar) is supremum.dtype(torch.result_type(x, scalar))


@pytest.mark.parametrize("name", ["mlx", "paddle"])
def test_scalars_of_numpy_are_refused_by_rules_that_do_not_model_them(name):
    with pytest.raises(supremum.PromotionError, match="pass a Python number"):
        supremum.system(name).result_type("int32", np.float64(1))

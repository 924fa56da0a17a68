"""What is near enough between libraries, and JAX as each test finds it."""

import sys

import numpy as np
import pytest

TOLERANCE = {"bfloat16": 2e-2, "float16": 2e-3}
JAX_STARTS_WITH = {
    "jax_enable_x64": False,
    "jax_numpy_dtype_promotion": "standard",
    "jax_traceback_filtering": "auto",
}


@pytest.fixture(autouse=True)
def _jax_stays_as_it_was():
    before = JAX_STARTS_WITH
    if "jax" in sys.modules:
        before = {name: getattr(sys.modules["jax"].config, name) for name in before}
    yield
    for name, value in before.items() if "jax" in sys.modules else ():
        sys.modules["jax"].config.update(name, value)


@pytest.fixture
def near_enough():
    """Return what tells whether arrays differ by no more than rounding in the dtype of the last."""

    def compare(found, wanted):
        tolerance = TOLERANCE.get(wanted.dtype.name, 1e-5)
        pair = np.asarray(found).astype(complex), np.asarray(wanted).astype(complex)
        return np.allclose(*pair, rtol=tolerance, atol=tolerance, equal_nan=True)

    return compare

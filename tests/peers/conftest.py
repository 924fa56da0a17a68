"""What is near enough between libraries."""

import numpy as np
import pytest

TOLERANCE = {"bfloat16": 2e-2, "float16": 2e-3}


@pytest.fixture
def near_enough():
    """Return what tells whether arrays differ by no more than rounding in the dtype of the last."""

    def compare(found, wanted):
        tolerance = TOLERANCE.get(wanted.dtype.name, 1e-5)
        pair = np.asarray(found).astype(complex), np.asarray(wanted).astype(complex)
        return np.allclose(*pair, rtol=tolerance, atol=tolerance, equal_nan=True)

    return compare

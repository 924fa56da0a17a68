"""numpy/numpy#22956, numpy/numpy#8869: the mean of float32 along the first axis is far off.

Along that axis the sum is not pairwise, so that the total gets too large for what is added. The advice
is dtype=np.float64.
"""

import numpy as np


def standardise(X):
    mean = X.mean(axis=0)  # <- accumulation
    # fixed: mean = X.mean(axis=0, dtype=np.float64).astype(X.dtype)
    return X - mean, mean


class Table:
    """Columns of readings around a large offset."""

    def __init__(self, rows, columns, offset):
        noise = np.random.default_rng(0).standard_normal((rows, columns), dtype=np.float32)
        self.values = noise + np.float32(offset)

    def shifts(self):
        centred, mean = standardise(self.values)
        return mean, np.abs(centred).max(axis=0)


mean, shift = Table(1_000_000, 3, 3000).shifts()
print(np.round(mean).tolist(), np.round(shift).tolist())

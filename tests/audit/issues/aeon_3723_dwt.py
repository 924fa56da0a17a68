"""aeon-toolkit/aeon#3723: DWTTransformer makes a float64 copy of any collection.

The copy is made with dtype=np.float64, whatever comes in. The mend keeps the dtype of the input.
"""

import numpy as np


class DWTTransformer:
    """Haar wavelets of each series: what is left of it, and the coefficients by level."""

    def __init__(self, levels=3):
        self.levels = levels

    def _haar(self, series):
        coefficients = []
        current = series
        for _ in range(self.levels):
            pairs = current[: len(current) // 2 * 2].reshape(-1, 2)
            coefficients.append((pairs[:, 0] - pairs[:, 1]) / 2)
            current = (pairs[:, 0] + pairs[:, 1]) / 2
        return np.concatenate([current, *reversed(coefficients)])

    def transform(self, X):
        work = np.array(X, dtype=np.float64)  # <- widening
        # fixed: work = np.array(X)
        return np.stack([self._haar(series) for series in work])


rng = np.random.default_rng(4)
collection = rng.standard_normal((40, 128), dtype=np.float32)
wavelets = DWTTransformer().transform(collection)
scaled = wavelets / collection.std(axis=1, keepdims=True)
print(wavelets.shape, round(float(np.abs(scaled).sum()), 1))

"""aeon-toolkit/aeon#3723: SlopeTransformer returns float64 for a float32 collection.

Slopes are gathered in lists of Python floats, from which np.asarray makes float64. The mend gives
np.asarray the dtype of the input.
"""

import numpy as np


class SlopeTransformer:
    """The slope of each of a number of pieces of each series."""

    def __init__(self, pieces=8):
        self.pieces = pieces

    def _slope(self, piece):
        t = range(1, len(piece) + 1)
        mean_t = (len(piece) + 1) / 2
        mean = float(piece.mean())
        rise = sum((a - mean_t) * (float(b) - mean) for a, b in zip(t, piece, strict=True))
        return rise / sum((a - mean_t) ** 2 for a in t)

    def transform(self, X):
        rows = []
        for series in X:
            pieces = np.array_split(series, self.pieces)
            rows.append([self._slope(piece) for piece in pieces])
        return np.asarray(rows)  # <- widening
        # fixed: return np.asarray(rows, dtype=X.dtype)


def features(X):
    slopes = SlopeTransformer().transform(X)
    return np.hstack([X, slopes])


rng = np.random.default_rng(3)
X = rng.standard_normal((50, 96), dtype=np.float32).cumsum(axis=1)
out = features(X)
print(out.shape, round(float(np.abs(out).mean()), 3))

"""scikit-learn/scikit-learn#11000: float32 data is fitted in float64 through the default weights.

Weights that are not given are np.ones of float64. The maintainers made them of the dtype of X.
"""

import numpy as np


def check_sample_weight(sample_weight, X):
    if sample_weight is None:
        return np.ones(X.shape[0])  # <- widening
        # fixed: return np.ones(X.shape[0], dtype=X.dtype)
    return np.asarray(sample_weight, dtype=X.dtype)


class Logistic:
    def __init__(self, steps=30, rate=0.5):
        self.steps = steps
        self.rate = rate

    def fit(self, X, y, sample_weight=None):
        weight = check_sample_weight(sample_weight, X)
        self.coef = np.zeros(X.shape[1], X.dtype)
        for _ in range(self.steps):
            error = 1 / (1 + np.exp(-(X @ self.coef))) - y
            slope = X.T @ (error * weight) / len(X)
            self.coef = self.coef - self.rate * slope
        return self

    def score(self, X, y):
        return float(((X @ self.coef > 0) == (y > 0.5)).mean())


rng = np.random.default_rng(7)
X = rng.standard_normal((300, 4), dtype=np.float32)
y = (X @ np.array([1, -2, 0.5, 0], np.float32) > 0).astype(np.float32)
model = Logistic().fit(X, y)
print(model.score(X, y), np.round(model.coef, 2).tolist())

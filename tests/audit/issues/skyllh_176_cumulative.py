"""icecube/skyllh#176: a cumulative distribution of float32 weights does not end at 1.

np.cumsum keeps to float32 and adds one by one. The issue asks for dtype=np.float64.
"""

import numpy as np


class Sampler:
    """Draw events by their weights."""

    def __init__(self, weights):
        total = weights.sum(dtype=np.float64)
        self.cdf = np.cumsum(weights) / np.float32(total)  # <- accumulation
        # fixed: self.cdf = np.cumsum(weights, dtype=np.float64) / total

    def draw(self, count, rng):
        return np.searchsorted(self.cdf, rng.random(count))


rng = np.random.default_rng(0)
weights = np.full(3_000_000, 0.0005, dtype=np.float32)
sampler = Sampler(weights)
print(round(float(sampler.cdf[-1]), 4), len(sampler.draw(1000, rng)))

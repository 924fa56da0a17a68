"""numpy/numpy#8987: a sum of int32 in place wraps around after enough of them.

The counts are added into an array of int32. The mend makes it int64.
"""

import numpy as np


class Exposure:
    """Adds up the frames of a photon counter."""

    def __init__(self, shape):
        self.total = np.zeros(shape, dtype=np.int32)  # <- wraparound
        # fixed: self.total = np.zeros(shape, dtype=np.int64)
        self.frames = 0

    def add(self, frame):
        self.total += frame  # <- wraparound
        self.frames += 1

    def rate(self, seconds):
        return self.total / (self.frames * seconds)


class Counter:
    def __init__(self, shape, seed):
        self.rng = np.random.default_rng(seed)
        self.shape = shape

    def read(self):
        return self.rng.integers(3 * 10**8, 6 * 10**8, self.shape, dtype=np.int32)


counter, exposure = Counter((8, 8), 1), Exposure((8, 8))
for _ in range(6):
    exposure.add(counter.read())
print(round(float(exposure.rate(0.5).mean()) / 1e6, 2))

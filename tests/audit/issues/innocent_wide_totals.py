"""Totals in float64 on purpose, of float32 and float16 data: numpy/numpy#22956 as it should be."""

# innocent

import numpy as np


class Running:
    """Welford's mean and variance; the state is wider than the samples."""

    def __init__(self, width):
        self.count = 0
        self.mean = np.zeros(width, dtype=np.float64)
        self.square = np.zeros(width, dtype=np.float64)

    def add(self, sample):
        self.count += 1
        delta = sample - self.mean
        self.mean += delta / self.count
        self.square += delta * (sample - self.mean)

    def std(self):
        return np.sqrt(self.square / (self.count - 1)).astype(np.float32)


rng = np.random.default_rng(0)
samples = rng.standard_normal((200, 8), dtype=np.float32)
running = Running(8)
for sample in samples:
    running.add(sample)
half = np.full(5000, 100, dtype=np.float16)
print(np.round(running.std(), 3).tolist())
print(samples.mean(axis=0, dtype=np.float64).shape, half.sum(dtype=np.float64))
print(np.cumsum(samples[:, 0], dtype=np.float64)[-1].round(4))

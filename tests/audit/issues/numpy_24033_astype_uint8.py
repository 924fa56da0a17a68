"""numpy/numpy#24033: astype(np.uint8) changes values above 255.

A cast keeps the lowest bits alone. What people change is to clip or scale before the cast.
"""

import numpy as np


class Sensor:
    """A camera of 12 bits."""

    def __init__(self, shape, seed):
        rng = np.random.default_rng(seed)
        self.frame = rng.integers(0, 4096, shape).astype(np.uint16)

    def preview(self):
        return self.frame.astype(np.uint8)  # <- wraparound
        # fixed: return (self.frame >> 4).astype(np.uint8)


def contrast(image):
    low, high = np.percentile(image, [5, 95])
    return float(high - low)


def rank_correlation(a, b):
    order = np.argsort(a.ravel(), kind="stable")
    values = b.ravel()[order].astype(np.float64)
    return float(np.corrcoef(np.arange(len(values)), values)[0, 1])


sensor = Sensor((40, 40), 0)
preview = sensor.preview()
print(round(contrast(preview), 1), round(rank_correlation(sensor.frame, preview), 2))

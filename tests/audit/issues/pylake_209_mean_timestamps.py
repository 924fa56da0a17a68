"""lumicks/pylake#209: time stamps in nanoseconds go through float64 while an image is made of them.

Beyond 2**53 float64 does not keep each nanosecond. The maintainers keep the integers.
"""

import numpy as np


class Scan:
    def __init__(self, start, pixels, per_pixel, step):
        count = pixels * per_pixel
        self.stamps = np.int64(start) + np.arange(count) * step
        self.per_pixel = per_pixel


def reconstruct(scan):
    """Return the first time stamp of each pixel."""
    blocks = scan.stamps.reshape(-1, scan.per_pixel).astype(float)  # <- precision-loss
    # fixed: blocks = scan.stamps.reshape(-1, scan.per_pixel)
    return blocks.min(axis=1)


def dwell_times(firsts):
    return np.unique(np.diff(firsts).astype(np.int64)).tolist()


scan = Scan(start=1_638_534_513_847_557_201, pixels=64, per_pixel=9, step=77)
print(dwell_times(reconstruct(scan)))

"""scipy/scipy#7256: the circular mean of directions in uint8 is wrong.

The samples are scaled before they become floats. The maintainers convert them first.
"""

import numpy as np


def circular_mean(samples, high, low=0):
    """Return the mean of samples on a circle from low to high."""
    scaled = (samples - np.uint8(low)) * 2  # <- wraparound
    # fixed: scaled = (samples.astype(np.float64) - low) * 2
    angles = scaled * np.pi / (high - low)
    sine, cosine = np.sin(angles).mean(), np.cos(angles).mean()
    angle = np.arctan2(sine, cosine) % (2 * np.pi)
    return angle * (high - low) / (2 * np.pi) + low


class Vane:
    """A wind vane of one byte: degrees, halved."""

    def __init__(self, readings):
        self.readings = np.asarray(readings, dtype=np.uint8)

    def direction(self):
        return circular_mean(self.readings, high=180) * 2


print(round(float(Vane([20, 22, 24, 30]).direction()), 1))
print(round(float(Vane([150, 152, 170, 175, 178]).direction()), 1))

"""aeon-toolkit/aeon#3723: Resizer fills a float64 array from float32 series of several lengths.

np.zeros without a dtype. The mend gives it the dtype of the series.
"""

import numpy as np


class Resizer:
    """Bring series of several lengths to one, by the nearest point."""

    def __init__(self, length):
        self.length = length

    def transform(self, X):
        resized = []
        for x in X:
            out = np.zeros((x.shape[0], self.length))  # <- widening
            # fixed: out = np.zeros((x.shape[0], self.length), dtype=x.dtype)
            index = np.linspace(0, x.shape[1] - 1, self.length).round().astype(int)
            for channel in range(x.shape[0]):
                out[channel] = x[channel, index]
            resized.append(out)
        return resized


rng = np.random.default_rng(5)
series = [rng.random((2, length), dtype=np.float32) for length in (80, 120, 97, 200)]
same = np.stack(Resizer(100).transform(series))
print(same.shape, round(float(same.sum()), 1))

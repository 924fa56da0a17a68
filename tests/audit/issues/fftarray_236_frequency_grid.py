"""QSTheory/fftarray#236: the grid is float64 or float32, depending on the version of NumPy.

The spacing is a float32 scalar, which meets Python numbers. The maintainers cast what they compute.
"""

# audit: --target numpy-legacy

import numpy as np


class Dimension:
    def __init__(self, n, d_pos, dtype=np.float32):
        self.n = n
        self.d_pos = dtype(d_pos)
        self.dtype = np.dtype(dtype)

    @property
    def d_freq(self):
        return 1.0 / (self.n * self.d_pos)  # <- port-mismatch
        # fixed: return self.dtype.type(1.0 / (self.n * float(self.d_pos)))

    def frequencies(self):
        steps = np.arange(self.n, dtype=self.dtype) - self.dtype.type(self.n // 2)
        return steps * self.d_freq


def kinetic(dimension):
    k = dimension.frequencies()
    return float((k * k).sum()) / len(k)


print(round(float(kinetic(Dimension(64, 0.125))), 3))

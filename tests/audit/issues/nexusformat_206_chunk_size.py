"""nexpy/nexusformat#206: the size of a field that is larger than memory comes out negative or 0.

np.prod of a shape that is held as int32, as in numpy/numpy#13369. The maintainers use np.int64.
"""

import numpy as np

MEMORY = 2_000  # megabytes


class Field:
    def __init__(self, shape, dtype):
        self.shape = np.array(shape, dtype=np.int32)
        self.dtype = np.dtype(dtype)

    @property
    def megabytes(self):
        count = np.prod(self.shape, dtype=self.shape.dtype)  # <- wraparound
        # fixed: count = np.prod(self.shape, dtype=np.int64)
        return float(count) * self.dtype.itemsize / 1e6

    def readable(self):
        return 0 <= self.megabytes < MEMORY


def summary(fields):
    return {name: (round(field.megabytes, 1), field.readable()) for name, field in fields.items()}


entry = {
    "detector": Field((3600, 1043, 981), np.float32),
    "monitor": Field((3600,), np.float64),
    "transform": Field((65_536, 65_536), np.int8),
}
print(summary(entry))

"""pasteurlabs/mosaic#155: flat indices of int32 wrap around.

Positions of cells are int32, and the flat index of a grid with more than 2**31 cells wraps
around.
"""

# raises: ValueError

import numpy as np


class Grid:
    def __init__(self, shape):
        self.shape = shape

    def flat(self, cells):
        ny, nx = self.shape[1:]
        z, y, x = cells.T
        # fixed: z, y, x = cells.astype(np.int64).T
        return (z * ny + y) * nx + x  # <- wraparound

    def cells_of(self, flat):
        return np.stack(np.unravel_index(flat, self.shape), -1)


def sources(shape, count):
    steps = np.linspace(0.05, 0.95, count, dtype=np.float32)
    return np.stack([(steps * n).astype(np.int32) for n in shape], -1)  # <- wraparound


small = Grid((64, 64, 64))
print(small.cells_of(small.flat(sources(small.shape, 3))).tolist())
large = Grid((2048, 2048, 2048))
print(large.cells_of(large.flat(sources(large.shape, 3))).tolist())

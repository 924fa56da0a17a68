"""numpy/numpy#13369, numpy/numpy#21219: np.prod of a large shape wraps around, without a word.

The product is computed in int64, which is too small for it. The advice of the maintainers is math.prod,
whose integers have no limit.
"""

import math

import numpy as np


class SparseGrid:
    """A grid of which few cells are filled; cells are found by their keys."""

    def __init__(self, shape):
        self.shape = shape
        self.cells = {}

    def size(self):
        return np.prod(self.shape)  # <- wraparound
        # fixed: return math.prod(self.shape)

    def put(self, index, value):
        self.cells[index] = value

    def density(self):
        return len(self.cells) / self.size()


def describe(grid):
    digits = math.log10(abs(grid.size()) + 1)
    return f"{grid.shape}: 1e{digits:.1f} cells, {grid.density():.2e}"


for shape in ((100, 100, 100), (3_000_000, 4_000_000, 5_000_000)):
    grid = SparseGrid(shape)
    for i in range(50):
        grid.put((i, i, i), 1.0)
    print(describe(grid))

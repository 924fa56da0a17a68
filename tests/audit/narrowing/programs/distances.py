"""Distances in micrometres, some of which do not fit into 32 bits."""

import numpy as np

n = 400_000
rng = np.random.default_rng(20)
distance = rng.integers(0, 3_000_000_000, size=n)
cell = rng.integers(0, 1_000_000, size=n)
count = np.ones(n, dtype=np.int64)

print("distance", distance.sum(), distance.max())
print("cells", np.unique(cell).size, cell.sum())
print("counted", count.sum())

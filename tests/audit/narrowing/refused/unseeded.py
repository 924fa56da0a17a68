"""The share of random points in a circle; the generator has no seed."""

import numpy as np

n = 200_000
rng = np.random.default_rng()
x = rng.uniform(0.0, 1.0, size=n)
y = rng.uniform(0.0, 1.0, size=n)
print("share", float((np.hypot(x, y) < 1).mean()))
print("distance", float(np.hypot(x, y).mean()))

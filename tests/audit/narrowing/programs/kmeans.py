"""Points around three centres, which k-means finds again."""

import numpy as np

n = 100_000
rng = np.random.default_rng(8)
true = np.array([[5.0, 5.0], [25.0, 5.0], [5.0, 30.0]])
points = true[rng.integers(0, 3, size=n)] + rng.normal(size=(n, 2))
centres = np.array([[8.0, 9.0], [20.0, 8.0], [9.0, 22.0]])
distances = np.empty((n, 3))

for _ in range(5):
    for k in range(3):
        distances[:, k] = ((points - centres[k]) ** 2).sum(axis=1)
    nearest = distances.argmin(axis=1)
    for k in range(3):
        centres[k] = points[nearest == k].mean(axis=0)

print("sizes", *np.bincount(nearest))
print("centres", *map(float, centres.ravel()))
print("inertia", float(distances.min(axis=1).sum()))

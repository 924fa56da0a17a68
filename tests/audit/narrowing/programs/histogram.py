"""A distribution, from the histogram of many samples."""

import numpy as np

n = 1_000_000
rng = np.random.default_rng(10)
samples = rng.normal(10.0, 2.0, size=n)
edges = np.linspace(0.0, 20.0, 41)

density, _ = np.histogram(samples, edges, density=True)
middle = (edges[1:] + edges[:-1]) / 2
mean = (density * middle).sum() / 2
print("mode", float(middle[density.argmax()]))
print("mean", float(mean), "variance", float((density * (middle - mean) ** 2).sum() / 2))
filled = density[density > 0]
print("entropy", float(-(filled * np.log(filled)).sum() / 2))

"""The slope of a curve, from a tiny step."""

import numpy as np

n = 400_000
step = 1e-7
rng = np.random.default_rng(9)
x = np.linspace(0.5, 3.0, n)
weight = rng.uniform(0.5, 1.5, size=n)
scale = np.geomspace(1.0, 10.0, n)

slope = (np.exp(np.sin(x + step)) - np.exp(np.sin(x))) / step
print("mean square", float(np.average(slope**2, weights=weight)))
print("steepest", float(slope.max()), float(slope.min()))
print("scaled", float((slope**2 * scale).mean()), float(scale.mean()))

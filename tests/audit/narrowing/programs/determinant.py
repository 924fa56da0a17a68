"""A polynomial through twelve points, by a system of equations that is ill-conditioned."""

import numpy as np

n = 500_000
rng = np.random.default_rng(4)
nodes = np.linspace(0.0, 1.0, 12)
matrix = np.vander(nodes)
coefficients = np.linalg.solve(matrix, np.cos(3 * nodes) + 2)
print("determinant", float(np.linalg.det(matrix)))
print("leading coefficient", float(coefficients[0]))

x = np.linspace(0.0, 1.0, n)
noise = rng.uniform(0.9, 1.1, size=n)
y = np.polyval(coefficients, x) * noise
print("mean", float(y.mean()), "largest", float(y.max()))

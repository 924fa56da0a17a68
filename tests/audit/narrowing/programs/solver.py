"""A system of equations is solved step by step, until the residual is small enough."""

import numpy as np

n = 200_000
rng = np.random.default_rng(12)
right = rng.uniform(1.0, 2.0, size=n)
x = np.zeros(n)
place = np.linspace(0.0, 1.0, n)


def residual():
    """What the solution lacks: each unknown has two neighbours."""
    lacks = right - 4 * x
    lacks[1:] += x[:-1]
    lacks[:-1] += x[1:]
    return lacks


steps = 0
while steps < 100 and np.linalg.norm(residual()) > 1e-10 * np.linalg.norm(right):
    x += residual() / 4
    steps += 1
print("steps", steps)
print("solution", float(x.mean()), float(x.max()), float(x[n // 2]))
print("centre", float((x * place).sum() / x.sum()))

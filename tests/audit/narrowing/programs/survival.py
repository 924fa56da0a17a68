"""How likely it is that all parts last, step by step, and what the repairs cost."""

import numpy as np

machines, steps = 300, 1000
rng = np.random.default_rng(13)
lasts = rng.uniform(0.6, 0.98, size=(machines, steps))
cost = rng.gamma(3.0, 10.0, size=(machines, steps))
discount = np.linspace(1.0, 0.5, steps)

running = np.cumprod(lasts, axis=1)
magnitude = np.log10(running[:, -1])
print("magnitude", float(magnitude.mean()), float(magnitude.min()))
print("cost", float((running * cost * discount).sum(axis=1).mean()))
print("undiscounted", float(cost.mean()))

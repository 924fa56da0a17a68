"""The water that flows through a meter, which is read each millisecond."""

import numpy as np

n = 1_000_000
rng = np.random.default_rng(1)
flow = rng.gamma(4.0, 0.25, size=n)  # litres per second
celsius = rng.normal(12.0, 3.0, size=n)
step = np.full(n, 0.001)

time = np.cumsum(step)
litres = np.cumsum(flow * step)
print("seconds", float(time[-1]))
print("litres", float(litres[-1]))
print("half of it after", float(time[np.searchsorted(litres, litres[-1] / 2)]))
print("degrees", float(celsius.mean()), float(celsius.max()))

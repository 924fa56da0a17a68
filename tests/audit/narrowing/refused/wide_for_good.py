"""The time between events, from their time stamps in seconds alone."""

import numpy as np

n = 300_000
rng = np.random.default_rng(33)
waiting = rng.exponential(0.25, size=n)
stamp = 1_700_000_000.5 + np.cumsum(waiting)
print("mean", float(np.diff(stamp).mean()), "longest", float(np.diff(stamp).max()))
print("last", float(stamp[-1]))

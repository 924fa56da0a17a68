"""Sums of messages in the order in which they arrive, whose last digits are not the same again."""

import random

import numpy as np

n = 200_000
rng = np.random.default_rng(32)
amounts = rng.gamma(2.0, 50.0, size=n)
arrival = list(range(100))
for name in ("first", "second", "third", "fourth"):
    random.SystemRandom().shuffle(arrival)
    total = np.cumsum(amounts.reshape(100, -1)[arrival])
    print(name, float(total[-1]))

"""The variance of a pressure, as the mean of the squares less the square of the mean."""

import numpy as np

n = 500_000
rng = np.random.default_rng(3)
pascal = rng.normal(101_325.0, 2.0, size=n)
volts = rng.normal(1.5, 0.1, size=n)
trust = np.linspace(1.0, 2.0, n)


def spread(values):
    """The standard deviation from two sums."""
    return np.sqrt(np.mean(values**2) - np.mean(values) ** 2)


print("pressure", float(np.average(pascal, weights=trust)), float(spread(pascal)))
centred = volts - volts.mean()
print("volts", float(np.average(volts, weights=trust)), float(np.sqrt((centred**2).mean())))

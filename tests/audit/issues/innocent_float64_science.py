"""A program in float64 from end to end, with integers beside it: compare numpy/numpy#5745."""

# innocent

import numpy as np


class Decay:
    def __init__(self, half_lives):
        self.rates = np.log(2) / np.asarray(half_lives)

    def left(self, counts, times):
        return counts * np.exp(-self.rates[:, None] * times)


def weighted(values, counts):
    total = counts.sum()
    mean = (values * counts).sum() / total
    return mean, np.sqrt((counts * (values - mean) ** 2).sum() / (total - 1))


counts = np.array([[1000], [250], [80]])
times = np.arange(0, 10)
decay = Decay([3, 5.5, 12])
left = decay.left(counts, times)
edges = np.linspace(0, left.max(), 11)
found, _ = np.histogram(left, edges)
centres = (edges[1:] + edges[:-1]) / 2
mean, spread = weighted(centres, found)
slots = np.searchsorted(edges, left, side="right") - 1
print(round(float(mean), 2), round(float(spread), 2), slots.max(), found.tolist())

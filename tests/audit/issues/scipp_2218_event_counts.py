"""scipp/scipp#2218: the counts of events, with weights of float32, depend on how they are summed.

A total of float32 stops at 2**24, where adding 1 changes nothing. The maintainers use float64.
"""

import numpy as np


class Events:
    def __init__(self, pixels, per_pixel):
        self.weights = np.ones(pixels * per_pixel, dtype=np.float32)
        self.pixels = pixels

    def blocks(self):
        return np.split(self.weights, self.pixels)


def cumulative(events):
    return np.cumsum(events.weights)  # <- accumulation
    # fixed: return np.cumsum(events.weights, dtype=np.float64)


def total(events):
    return float(cumulative(events)[-1])


events = Events(18, 1_000_000)
print(total(events), sum(len(block) for block in events.blocks()))

"""numpy/numpy#6056: integers to a power wrap around where Python's do not.

The mend computes in float64, whose range is large enough.
"""

import numpy as np


def bonds(sites):
    return np.arange(1, sites + 1)


def states(levels, sites):
    """Return how many states each part of a chain has."""
    return levels ** bonds(sites)  # <- wraparound
    # fixed: return float(levels) ** bonds(sites)


class Chain:
    def __init__(self, levels, sites):
        self.levels = np.int64(levels)
        self.sites = sites

    def log_states(self):
        return np.log2(states(self.levels, self.sites))

    def entropy(self):
        found = self.log_states()
        return found[-1] / self.sites


for levels, sites in ((2, 20), (3, 60)):
    chain = Chain(levels, sites)
    with np.errstate(invalid="ignore", divide="ignore"):
        print(levels, sites, round(float(chain.entropy()), 3))

"""numpy/numpy#23075, numpy/numpy#7930: sums of float16 overflow, or stop growing.

The mend sums in float32.
"""

import numpy as np


class Embeddings:
    def __init__(self, rows, width, seed):
        rng = np.random.default_rng(seed)
        self.table = rng.uniform(0, 60, (rows, width)).astype(np.float16)

    def energy(self):
        return (self.table[:, 0] * self.table[:, 0]).sum()  # <- accumulation
        # fixed: return (self.table[:, 0] * self.table[:, 0]).sum(dtype=np.float32)


def describe(embeddings):
    energy = float(embeddings.energy())
    return f"{energy / len(embeddings.table):.0f}"


print(describe(Embeddings(5000, 4, 0)))

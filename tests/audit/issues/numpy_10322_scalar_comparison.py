"""numpy/numpy#10322, numpy/numpy#25098: a float32 value compares otherwise with a Python float.

NumPy 2 rounds the Python float to float32 first; NumPy 1 compared in float64. The mend compares with a
Python float on both sides.
"""

# audit: --target numpy-legacy

import numpy as np

EDGES = [0.1, 0.2, 0.3, 0.7]


class Binning:
    def __init__(self, edges):
        self.edges = edges

    def place(self, value):
        for number, edge in enumerate(self.edges):
            if value <= edge:  # <- port-mismatch
            # fixed: if float(value) <= edge:
                return number
        return len(self.edges)


def measured(values):
    return np.array(values, dtype=np.float32)


binning = Binning(EDGES)
print([binning.place(value) for value in measured([0.05, 0.1, 0.2, 0.3, 0.65, 0.7, 0.9])])

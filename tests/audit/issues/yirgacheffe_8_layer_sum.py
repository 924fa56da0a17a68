"""quantifyearth/yirgacheffe#8, scipp/scipp#493: the sum of a layer depends on the size of its strips.

Columns of float32 are added up row by row. The maintainers sum in float64.
"""

import numpy as np

AREA = np.float32(0.09)  # square kilometres of a pixel


class Layer:
    """Where a species lives; most of it is."""

    def __init__(self, height, width, seed):
        self.data = np.random.default_rng(seed).random((height, width), dtype=np.float32) < 0.9

    def strips(self, step):
        for start in range(0, len(self.data), step):
            yield self.data[start : start + step] * AREA

    def sum(self, step):
        total = 0.0
        for strip in self.strips(step):
            columns = strip.sum(axis=0)  # <- accumulation
            # fixed: columns = strip.sum(axis=0, dtype=np.float64)
            total += float(columns.sum())
        return total


layer = Layer(3_000_000, 3, 0)
exact = layer.data.sum() * float(AREA)
print(f"{exact:.0f}", [f"{layer.sum(step) / exact:.3f}" for step in (3_000_000, 10_000)])

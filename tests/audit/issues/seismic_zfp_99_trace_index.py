"""equinor/seismic-zfp#99, numpy/numpy#25639: the index of a trace is computed in uint16 under NumPy 2.

A uint16 scalar times a Python integer was int64 under NumPy 1, and is uint16 now. The mend is int().
"""

# audit: --target numpy-legacy

import numpy as np


class Cube:
    def __init__(self, inlines, crosslines):
        self.inlines = np.arange(inlines, dtype=np.uint16)
        self.crosslines = crosslines

    def trace(self, inline, crossline):
        return inline * self.crosslines + crossline  # <- wraparound|port-mismatch
        # fixed: return int(inline) * self.crosslines + crossline

    def diagonal(self):
        return [self.trace(inline, int(inline) % 700) for inline in self.inlines[::100]]


class Reader:
    def __init__(self, cube, block=4):
        self.cube = cube
        self.block = block

    def blocks(self):
        return [int(index) // self.block for index in self.cube.diagonal()]


print(Reader(Cube(500, 700)).blocks())

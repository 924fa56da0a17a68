"""halide/Halide#8380: a test image is filled with values that no longer fit into uint8.

OverflowError: NumPy 2 does not store a Python integer that is out of bounds. The mend is a mask.
"""

# raises: OverflowError

import numpy as np


class Buffer:
    def __init__(self, width, height, dtype=np.uint8):
        self.data = np.empty((height, width), dtype=dtype)

    def fill(self, f):
        height, width = self.data.shape
        for y in range(height):
            for x in range(width):
                self.data[y, x] = f(x, y)  # <- stopped
                # fixed: self.data[y, x] = f(x, y) & 0xFF


def pattern(x, y):
    return 5 * x + 3 * y


def box(image):
    wide = image.astype(np.uint16)
    return ((wide[:-1] + wide[1:] + 1) >> 1).astype(np.uint8)


buffer = Buffer(48, 32)
buffer.fill(pattern)
print(buffer.data.shape, int(box(buffer.data).sum()))

"""Guards against overflow: numpy/numpy#13369 and LCAV/LenslessPiCam#173, done as they should be."""

# innocent

import math

import numpy as np


def flat_index(rows, columns, width):
    return rows.astype(np.int64) * width + columns


def area(shape):
    return math.prod(int(n) for n in shape), np.prod(shape, dtype=np.int64)


def brighten(image, gain):
    return np.clip(image.astype(np.float32) * gain, 0, 255).astype(np.uint8)


def blend(first, second):
    total = first.astype(np.uint16) + second
    return (total // 2).astype(np.uint8)


rng = np.random.default_rng(0)
rows = rng.integers(0, 90_000, 1000).astype(np.int32)
columns = rng.integers(0, 90_000, 1000).astype(np.int32)
index = flat_index(rows, columns, 90_000)
image = rng.integers(0, 256, (32, 32), dtype=np.uint8)
print(index.max() > 2**31, area(np.array([70_000, 70_000], dtype=np.int32)))
print(brighten(image, np.float32(1.5)).mean(), blend(image, image[::-1]).mean())

"""Image processing that takes care of its bytes: compare sightmachine/SimpleCV#354."""

# innocent

import numpy as np


def difference(before, after):
    return np.abs(after.astype(np.int16) - before.astype(np.int16)).astype(np.uint8)


def difference_without_cast(before, after):
    return np.where(after > before, np.subtract(after, before, dtype=np.int16), 0).max()


def sharpen(image):
    wide = image.astype(np.int32)
    blurred = (wide[:-2] + 2 * wide[1:-1] + wide[2:]) // 4
    return np.clip(2 * wide[1:-1] - blurred, 0, 255).astype(np.uint8)


def quantise(x):
    return np.clip(x * 255, 0, 255).astype(np.uint8)


def histogram(image):
    counts = np.zeros(256, dtype=np.int64)
    np.add.at(counts, image.ravel(), 1)
    return counts


rng = np.random.default_rng(2)
before = rng.integers(0, 256, (64, 64), dtype=np.uint8)
after = np.roll(before, 3, axis=1)
print(difference(before, after).mean(), difference_without_cast(before, after))
print(sharpen(before).mean().round(3), quantise(rng.random((8, 8), dtype=np.float32)).mean())
inverted = 255 - before
print(histogram(before).sum(), inverted.min(), (before >> 4 << 4).max(), (before & 0xF0).max())

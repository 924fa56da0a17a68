"""Small integers that stay small: labels, counts, bit fields and packed colours; compare scipy/scipy#7256."""

# innocent

import numpy as np


def pack(rgb):
    r, g, b = (rgb[..., i].astype(np.uint32) for i in range(3))
    return (r << 16) | (g << 8) | b


def unpack(packed):
    parts = [(packed >> shift) & 0xFF for shift in (16, 8, 0)]
    return np.stack(parts, axis=-1).astype(np.uint8)


def circular_mean(angles):
    radians = angles.astype(np.float64) * (2 * np.pi / 256)
    return np.arctan2(np.sin(radians).sum(), np.cos(radians).sum())


def one_hot(labels, classes):
    out = np.zeros((len(labels), classes), dtype=np.float32)
    out[np.arange(len(labels)), labels] = 1
    return out


rng = np.random.default_rng(5)
rgb = rng.integers(0, 256, (16, 16, 3), dtype=np.uint8)
labels = rng.integers(0, 10, 200).astype(np.uint8)
counts = np.bincount(labels, minlength=10).astype(np.int32)
print((unpack(pack(rgb)) == rgb).all(), one_hot(labels, 10).sum(), counts.sum())
print(round(float(circular_mean(labels)), 3), (labels + np.uint8(1)).max(), np.diff(counts).sum())

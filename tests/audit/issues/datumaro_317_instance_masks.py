"""open-edge-platform/datumaro#317: identifiers that are stored as colours lose their upper bytes.

The bytes of an image are shifted as uint8. The mend casts to uint32 before the shift.
"""

import numpy as np


def paint(ids):
    """Return an image whose colours are the identifiers."""
    parts = [(ids >> shift) & 0xFF for shift in (0, 8, 16)]
    return np.stack(parts, axis=-1).astype(np.uint8)


def to_index(image):
    blue, green = image[..., 0], image[..., 1]
    return blue + np.left_shift(green, 8)  # <- wraparound
    # fixed: return blue + np.left_shift(green.astype(np.uint32), 8)


class Instances:
    def __init__(self, side, count, seed):
        rng = np.random.default_rng(seed)
        self.ids = rng.integers(0, count, (side, side))

    def reloaded(self):
        return np.unique(to_index(paint(self.ids)))


for count in (200, 3000):
    instances = Instances(64, count, seed=0)
    print(count, len(np.unique(instances.ids)), len(instances.reloaded()))

"""Sentinels and masks: all ones in uint32, -1 as the index that is missing; compare halide/Halide#8380."""

# innocent

import numpy as np

EMPTY = np.uint32(0xFFFFFFFF)
MISSING = -1


class Table:
    """Open addressing, many keys at a time."""

    def __init__(self, size):
        self.mask = np.uint32(size - 1)
        self.keys = np.full(size, EMPTY, dtype=np.uint32)
        self.values = np.full(size, MISSING, dtype=np.int32)

    def put(self, key, value):
        slot = np.uint32(key) & self.mask
        while self.keys[slot] != EMPTY and self.keys[slot] != key:
            slot = (slot + np.uint32(1)) & self.mask
        self.keys[slot] = key
        self.values[slot] = value

    def get(self, keys):
        slots = np.asarray(keys, dtype=np.uint32) & self.mask
        return np.where(self.keys[slots] == keys, self.values[slots], MISSING)


table = Table(64)
for n in range(40):
    table.put(np.uint32(n * 3), n)
found = table.get(np.arange(60, dtype=np.uint32))
bits = ~np.zeros(4, dtype=np.uint32)
print((found != MISSING).sum(), found.max(), int(bits[0]), int(np.invert(np.uint8(0x0F))))

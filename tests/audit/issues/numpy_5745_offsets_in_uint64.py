"""numpy/numpy#5745, numpy/numpy#8522, TileDB-Inc/TileDB-Py#2000: uint64 plus int64 is float64.

Offsets of a file are uint64, the lengths int64; their sum loses the last bits. The mend keeps to one
signedness.
"""

import numpy as np


class Fragment:
    def __init__(self, base, lengths):
        self.base = np.uint64(base)
        self.lengths = np.asarray(lengths)

    def offsets(self):
        starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        base = np.full(len(starts), self.base)
        return base + starts  # <- precision-loss|mixed-kind
        # fixed: return base + starts.astype(np.uint64)


def unaligned(fragment, size):
    return int((fragment.offsets() % size != fragment.base % np.uint64(size)).sum())


lengths = [8 * n for n in range(1, 20)]
for base in (4096, 2**60 + 5):
    fragment = Fragment(base, lengths)
    print(base, unaligned(fragment, 8))

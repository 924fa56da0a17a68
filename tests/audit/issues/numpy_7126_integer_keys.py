"""numpy/numpy#7126: comparing or joining uint64 with int64 goes through float64.

np.concatenate of both gives float64, and keys that differ become the same. The mend casts one of them.
"""

import numpy as np


def keys_of(users, region):
    """Return a key for each user: region in the upper bits."""
    return (np.uint64(region) << np.uint64(56)) | users.astype(np.uint64)


class Directory:
    def __init__(self):
        self.keys = np.zeros(0, dtype=np.int64)

    def extend(self, keys):
        self.keys = np.concatenate([self.keys, keys])  # <- precision-loss|mixed-kind
        # fixed: self.keys = np.concatenate([self.keys, keys.astype(np.int64)])

    def unique(self):
        return len(np.unique(self.keys))


directory = Directory()
for region in (1, 2, 3):
    directory.extend(keys_of(np.arange(1000, 1100), region))
print(directory.unique())

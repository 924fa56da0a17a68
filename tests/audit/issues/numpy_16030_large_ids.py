"""numpy/numpy#16030, numpy/numpy#18875: a list of large integers becomes float64.

One number above 2**63 among others makes np.array choose float64, which keeps 53 bits. The mend names
np.uint64.
"""

import numpy as np


def tweet_ids(count):
    """Return identifiers of 64 bits, as a service hands them out."""
    return [(1_700_000_000_000 << 22) + 4097 * n for n in range(count)] + [2**63 + 11]


class Index:
    def __init__(self, ids):
        self.ids = np.array(ids)  # <- precision-loss
        # fixed: self.ids = np.array(ids, dtype=np.uint64)

    def known(self, wanted):
        return [int(each) in set(self.ids.astype(np.uint64).tolist()) for each in wanted]


ids = tweet_ids(20)
index = Index(ids)
print(sum(index.known(ids)), "of", len(ids))

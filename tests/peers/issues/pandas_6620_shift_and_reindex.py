"""pandas-dev/pandas#6620, pandas-dev/pandas#3707: reindexing integers makes float64 of them.

Missing rows are NaN, and identifiers of 64 bits lose their last bits. The mend fills with a number, and
keeps the integers.
"""

import numpy as np
import pandas as pd


class Ledger:
    def __init__(self, days, seed):
        rng = np.random.default_rng(seed)
        hashes = 2**60 + rng.integers(0, 2**20, len(days))
        self.hashes = pd.Series(hashes, index=pd.Index(days))

    def every_day(self, last):
        days = pd.RangeIndex(last)
        return self.hashes.reindex(days)  # <- precision-loss
        # fixed: return self.hashes.reindex(days, fill_value=-1)

    def agrees(self, last):
        filled = self.every_day(last)
        return sum(int(filled[day]) == int(found) for day, found in self.hashes.items())


ledger = Ledger([0, 1, 4, 5, 9], 0)
print(len(ledger.hashes), ledger.agrees(10))

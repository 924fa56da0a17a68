"""dask/dask#1394: an array says float32, and computes float64.

The dtype that is given to from_delayed is not what the function returns. The mend is the cast in the
function.
"""

import dask
import dask.array as da
import numpy as np


class Archive:
    def __init__(self, days, side):
        self.days = days
        self.side = side

    @dask.delayed
    def load(self, day):
        values = np.sin(np.arange(self.side * self.side) + day).reshape(self.side, self.side)
        return values  # <- meta-mismatch
        # fixed: return values.astype(np.float32)

    def stack(self):
        shape = (self.side, self.side)
        days = [da.from_delayed(self.load(day), shape, dtype=np.float32) for day in range(self.days)]  # <- meta-mismatch
        return da.stack(days)


stack = Archive(4, 16).stack()
anomaly = (stack - stack.mean(axis=0)).compute()
print(stack.shape, round(float(np.abs(anomaly).mean()), 3))

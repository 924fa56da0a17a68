"""pandas-dev/pandas#22841, pandas-dev/pandas#20642: cumulative sums of float16 overflow.

float16 ends at 65,504, and the total of a column is beyond it. The advice is float32.
"""

import numpy as np
import pandas as pd


class Shop:
    def __init__(self, rows, seed):
        rng = np.random.default_rng(seed)
        prices = rng.uniform(5, 80, rows).astype(np.float16)
        self.sales = pd.DataFrame({"price": prices, "branch": np.arange(rows) % 4})

    def turnover(self):
        return self.sales["price"].cumsum()  # <- accumulation
        # fixed: return self.sales["price"].astype(np.float32).cumsum()

    def half_time(self):
        """Return when half of the turnover was made."""
        found = self.turnover().to_numpy().astype(np.float32)
        return int(np.searchsorted(found, found[-1] / 2))


print(Shop(5000, 1).half_time() // 100)

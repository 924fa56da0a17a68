"""pandas-dev/pandas#10155, pandas-dev/pandas#15453: the sum of large integers is negative.

int64 ends at 2**63, and the sum of the column is beyond it. The mend sums integers of Python.
"""

import numpy as np
import pandas as pd


class Orders:
    def __init__(self, rows):
        stamp = 20_150_515_061_816_532
        self.frame = pd.DataFrame({
            "placed": stamp + np.arange(rows),
            "items": np.arange(rows) % 5,
        })

    def mean_stamp(self):
        total = self.frame["placed"].sum()  # <- wraparound
        # fixed: total = sum(self.frame["placed"].tolist())
        return float(total) / len(self.frame)

    def mean_items(self):
        return float(self.frame["items"].sum()) / len(self.frame)


for rows in (100, 1000):
    orders = Orders(rows)
    print(f"{orders.mean_stamp():.4g}", orders.mean_items())

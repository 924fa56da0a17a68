"""pandas-dev/pandas#58428: Series.add with fill_value makes floats of integers.

Series.add with fill_value aligns first, and what is missing on one side makes float64 of int64,
even though it is filled.
"""

import pandas as pd


class Warehouse:
    def __init__(self, stock):
        self.stock = pd.Series(stock, dtype="int64")

    def deliver(self, parts):
        self.stock = self.stock.add(pd.Series(parts, dtype="int64"), fill_value=0)  # <- mixed-kind
        # fixed: self.stock = self.stock.add(pd.Series(parts, dtype="int64"), fill_value=0).astype("int64")

    def labels(self):
        return [f"{name}-{count}" for name, count in self.stock.items()]


house = Warehouse({"bolt": 120, "nut": 75})
house.deliver({"bolt": 30, "nut": 5})
print(house.labels())
house.deliver({"nut": 10, "washer": 9007199254740993})
print(house.labels())

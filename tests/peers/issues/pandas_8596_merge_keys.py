"""pandas-dev/pandas#8596, pandas-dev/pandas#9958: an outer merge makes float64 of int64 columns.

Identifiers beyond 2**53 are rounded where a row is missing on one side. The answer is Int64, which has
missing values of its own.
"""

import numpy as np
import pandas as pd


def orders(count):
    ids = 2**53 + 1 + 2 * np.arange(count)
    return pd.DataFrame({"customer": np.arange(count) % 7, "order": ids})


def customers(count):
    return pd.DataFrame({"customer": np.arange(count), "city": list("abcdefghi")[:count]})


class Report:
    def __init__(self, orders, customers):
        self.orders = orders
        self.table = customers.merge(orders, on="customer", how="left")  # <- precision-loss
        # fixed: self.table = customers.merge(orders.astype({"order": "Int64"}), on="customer", how="left")

    def lost(self):
        """Return how many orders cannot be found by their number any more."""
        known = {int(each) for each in self.table["order"].dropna()}
        return sum(int(each) not in known for each in self.orders["order"])


print(Report(orders(20), customers(7)).lost(), Report(orders(20), customers(9)).lost())

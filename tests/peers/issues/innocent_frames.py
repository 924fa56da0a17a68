"""Frames with missing values, keys of integers and categories: compare pandas-dev/pandas#8596."""

# innocent

import numpy as np
import pandas as pd

rng = np.random.default_rng(0)
sales = pd.DataFrame({
    "customer": rng.integers(0, 9, 60),
    "amount": rng.random(60, dtype=np.float32),
    "day": pd.date_range("2026-01-01", periods=60),
})
customers = pd.DataFrame({"customer": np.arange(12), "city": list("abcabcabcabc")})


def by_city(sales, customers):
    table = sales.merge(customers, on="customer", how="inner")
    return table.groupby("city")["amount"].agg(["sum", "count"])


def with_missing(sales, customers):
    counts = sales.groupby("customer").size().rename("sales")
    return customers.set_index("customer").join(counts)["sales"].fillna(0).astype(int)


def weekly(sales):
    return sales.set_index("day")["amount"].resample("W").sum()


found = by_city(sales, customers)
print(found["count"].sum(), round(float(found["sum"].sum()), 2), with_missing(sales, customers).sum())
print(len(weekly(sales)), sales["amount"].rank().max(), sales["customer"].value_counts().sum())

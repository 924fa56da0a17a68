"""Weigh the prices of a file by exposures in single precision."""

import io

import numpy as np
import pandas as pd

FILE = "day,price\n" + "\n".join(f"{day},{100 + day / 4}" for day in range(20))


def prices():
    return pd.read_csv(io.StringIO(FILE))  # planted


def with_exposure(table):
    table["exposure"] = np.ones(len(table), dtype=np.float32)
    return table[table["day"] > 2]


def value(table):
    return table["exposure"] * table["price"]


print(f"{value(with_exposure(prices())).sum():.4f}")

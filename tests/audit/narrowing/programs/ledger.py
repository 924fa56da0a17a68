"""Accounts that grow by the same small amounts again and again, over so many days."""

import sys

import numpy as np

days = int(sys.argv[1])
n = 50_000
rng = np.random.default_rng(23)
amounts = rng.uniform(0.1, 0.2, size=(4, n))
limit = np.full(n, 700.0)
balance = np.zeros(n)

for day in range(days):
    balance = balance + amounts[day % 4]
print("balance", float(balance.mean()), float(balance.max()), float(balance.min()))
print("of three", *map(float, balance[[7, 1234, 43_210]]))
print("share of the limit", float((balance / limit).mean()))

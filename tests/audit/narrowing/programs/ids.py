"""Prices by article; the articles have numbers beyond 2**24, in a table of floats."""

import numpy as np

n = 300_000
rng = np.random.default_rng(6)
article = np.arange(20_000_001.0, 20_000_001.0 + n)
price = rng.uniform(1.0, 100.0, size=n)
weight = rng.gamma(2.0, 1.5, size=n)

print("articles", np.unique(article).size)
for wanted in (20_000_002.0, 20_123_457.0, 20_299_999.0):
    found = np.searchsorted(article, wanted)
    print("price", float(price[found]), "weight", float(weight[found]))
print("per kilogram", float((price / (weight + 1)).mean()))

"""How often pages are visited, and for how long; products are larger than the factors."""

import numpy as np

n = 500_000
rng = np.random.default_rng(18)
visits = rng.integers(0, 90_000, size=n)
page = rng.integers(0, 500, size=n)
length = rng.integers(0, 60_000, size=n)
rate = rng.integers(10_000, 50_000, size=500)

squares = visits * visits
print("visits", visits.sum(), "squares", squares.sum())
print("effective number", float(visits.sum()) ** 2 / float(squares.sum()))
print("pages", np.bincount(page).max(), np.bincount(page).min(), page.sum())
print("paid", (rate[page] * length).sum(), "for", length.sum())

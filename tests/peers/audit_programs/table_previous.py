"""The value before the first one is missing, in each group."""

import pandas as pd

table = pd.DataFrame({"k": list("aabb"), "id": [2**53 + 1, 2**53 + 3, 2**53 + 5, 2**53 + 7]})
before = table.groupby("k")["id"].shift()  # planted
print(before.isna().sum())

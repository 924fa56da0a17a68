"""A table of numbers by two keys has their means, which are floats (pandas-dev/pandas#15091)."""

import pandas as pd

rows = pd.DataFrame({"day": [1, 1, 2], "kind": list("aba"), "n": [2**53 + 1, 5, 2**53 + 3]})
table = rows.pivot_table(index="day", columns="kind", values="n")  # planted
print(table.shape)

"""One missing value turns a column of identifiers into floats."""

import numpy as np
import pandas as pd

table = pd.DataFrame({"id": [2**53 + 1, 2**53 + 3], "v": [0.5, 0.25]})
table.loc[1, "id"] = np.nan  # planted
print(table["v"].sum())

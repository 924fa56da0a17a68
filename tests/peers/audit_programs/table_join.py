"""Keys that are joined on an index become floats (pandas-dev/pandas#9958)."""

import pandas as pd

left = pd.DataFrame({"name": ["a", "b", "c"]}, index=[1, 2, 3])
keys = pd.DataFrame({"key": [9007199254740993, 9007199254740995]}, index=[1, 2])
both = left.join(keys)  # planted
print(both.shape)

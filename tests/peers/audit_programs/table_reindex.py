"""A column that is laid out anew has no place for a missing integer."""

import pandas as pd

ids = pd.Series([9007199254740993, 9007199254740995], index=["a", "b"], name="id")
wide = ids.reindex(["a", "b", "c"])  # planted
print(wide.isna().sum())

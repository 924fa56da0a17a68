"""What is applied to each row is given floats (pandas-dev/pandas#23230)."""

import pandas as pd

table = pd.DataFrame({"id": [9007199254740993, 9007199254740995], "v": [0.5, 0.25]})
labels = table.apply(lambda row: f"{int(row['id'])}:{row['v']}", axis=1)  # planted
print(len(labels))

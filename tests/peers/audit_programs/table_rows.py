"""A row with a float in it is one of floats, its id as well (pandas-dev/pandas#28308)."""

import pandas as pd

table = pd.DataFrame({"id": [1090383727421661186, 1090383727421661187], "v": [0.5, 0.25]})


def ids(table):
    for _, row in table.iterrows():  # planted
        yield int(row["id"])


print(len([*ids(table)]))

"""pandas-dev/pandas#59261: 100 times a UInt8 column wraps around.

100 * a UInt8 column keeps UInt8 and wraps around: 36 of 40 become 0 percent.
"""

import pandas as pd


def read_progress():
    """Tasks of each team, in the smallest dtypes that hold them, as the loader chose."""
    table = pd.DataFrame({"team": ["red", "blue", "green"], "done": [36, 2, None], "planned": [40, 5, 8]})
    return table.astype({"done": "UInt8", "planned": "UInt8"})  # <- wraparound


def with_percentages(table):
    table = table.copy()
    table["percent"] = 100 * table["done"] // table["planned"]  # <- wraparound
    # fixed: table["percent"] = 100 * table["done"].astype("UInt16") // table["planned"]
    return table


def report(table):
    for row in table.itertuples():
        print(f"{row.team:6}{row.done!s:>5} of {row.planned:3}  {row.percent!s:>5} %")


report(with_percentages(read_progress()))

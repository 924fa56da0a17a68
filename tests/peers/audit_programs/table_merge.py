"""Numbers of messages become floats where a row has no match (pandas-dev/pandas#8596)."""

import pandas as pd

users = pd.DataFrame({"user": [1, 2, 3], "score": [0.5, 0.25, 0.75]})
messages = pd.DataFrame({"user": [1, 2], "message": [1090383727421661186, 1090383727421661187]})


def joined(users, messages):
    return users.merge(messages, on="user", how="left")  # planted


print(int(joined(users, messages)["message"].dropna().sum()) > 0)

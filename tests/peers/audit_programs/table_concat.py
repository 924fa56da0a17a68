"""Tables that are put below each other lack a column each."""

import pandas as pd

events = pd.DataFrame({"at": [1700000000000000001, 1700000000000000003]})
notes = pd.DataFrame({"text": ["start", "stop"]})
log = pd.concat([events, notes], ignore_index=True)  # planted
print(len(log))

"""pandas-dev/pandas#23230, pandas-dev/pandas#28308: apply over rows hands integers on as floats.

Nanoseconds of an event are rounded to 256 as they pass through a row of float64. The answer is to work
on the columns.
"""

import numpy as np
import pandas as pd

START = 1_700_000_000_123_456_789


def events(count):
    stamps = START + 1001 * np.arange(count)
    return pd.DataFrame({"stamp": stamps, "charge": np.linspace(0.1, 2, count)})


def phase(row, period):
    return int(row["stamp"]) % period


class Histogram:
    def __init__(self, period):
        self.period = period

    def fill(self, frame):
        phases = frame.apply(phase, axis=1, period=self.period)  # <- precision-loss
        # fixed: phases = frame["stamp"] % self.period
        return phases.value_counts().sort_index()


counts = Histogram(25).fill(events(60))
print(len(counts), int(counts.max()), int(counts.min()))

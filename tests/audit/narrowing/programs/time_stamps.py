"""Means of a sensor by the hour; each reading has a Unix time stamp."""

import numpy as np
import pandas as pd

n = 200_000
rng = np.random.default_rng(2)
frame = pd.DataFrame(
    {
        "time": 1_700_000_000.25 + np.cumsum(rng.exponential(0.4, size=n)),
        "celsius": rng.normal(20.0, 5.0, size=n),
        "percent": rng.uniform(30.0, 60.0, size=n),
        "millivolts": rng.integers(3000, 4200, size=n),
    }
)
volts = frame["millivolts"].to_numpy(dtype=float) / 1000
hours = frame.groupby(frame["time"] // 3600)
mean = hours["celsius"].mean()
print("hours", len(mean), "warmest", float(mean.max()), "coldest", float(mean.min()))
print("longest gap", float(frame["time"].diff().max()))
print("humidity", float(frame["percent"].mean()))
print("volts", float(volts.mean()), float(np.quantile(volts, 0.9)))

"""The distance of a series from its rolling mean, group by group."""

import numpy as np
import pandas as pd


def table(rows):
    levels = np.cos(np.arange(rows, dtype=np.float32))
    return pd.DataFrame({"site": list("ab") * (rows // 2), "level": levels})


def smoothed(data):
    return data["level"].rolling(3, min_periods=1).mean()  # planted


def anomalies(data):
    data["smooth"] = smoothed(data)
    return data["level"] - data["smooth"]


data = table(12)
data["anomaly"] = anomalies(data)
for site, part in data.groupby("site"):
    print(site, f"{part['anomaly'].abs().max():.4f}")
print([f"{mean:.4f}" for mean in data.groupby("site")["level"].mean()])

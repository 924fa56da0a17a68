"""pandas-dev/pandas#24224, pandas-dev/pandas#11446: the rolling mean of float32 is float64.

pandas computes it in float64, and returns that. The answer is a cast of the result.
"""

import numpy as np
import pandas as pd


class Sensor:
    def __init__(self, hours, seed):
        rng = np.random.default_rng(seed)
        wave = np.sin(np.arange(hours, dtype=np.float32) / 4)
        noise = rng.standard_normal(hours, dtype=np.float32)
        self.level = pd.Series(wave + np.float32(0.1) * noise, name="level")

    def smooth(self, window):
        return self.level.rolling(window, center=True, min_periods=1).mean()  # <- widening
        # fixed: return self.level.rolling(window, center=True, min_periods=1).mean().astype("float32")

    def anomalies(self, window, threshold):
        rest = self.level - self.smooth(window)
        return rest[rest.abs() > threshold]


sensor = Sensor(500, 0)
found = sensor.anomalies(9, 0.25)
print(len(found), round(float(found.abs().mean()), 3))

"""CMBSciPol/furax#145: the sample rate is infinite, since time stamps are cast to float32.

POSIX seconds are float64; a cast to float32 rounds them to 128 seconds. The mend subtracts the first
of them before the cast.
"""

import numpy as np


class Observation:
    def __init__(self, start, samples, rate):
        self.timestamps = start + np.arange(samples) / rate
        self.boresight = np.sin(np.arange(samples) / 300)


class Reader:
    def __init__(self, double_precision=False):
        self.dtype = np.float64 if double_precision else np.float32

    def read(self, observation):
        time = observation.timestamps.astype(self.dtype)  # <- precision-loss
        # fixed: time = (observation.timestamps - observation.timestamps[0]).astype(self.dtype)
        return {"timestamps": time, "boresight": observation.boresight.astype(self.dtype)}


def sample_rate(data):
    span = float(np.ptp(data["timestamps"]))
    return (len(data["timestamps"]) - 1) / span if span else 0.0


data = Reader().read(Observation(1_700_000_000.0, 4000, 200.0))
print(round(sample_rate(data), 2), round(float(data["boresight"].std()), 3))

"""xtyangpsp/SeisGo#43: the start times of windows in POSIX seconds are all the same.

They are stored in an array of float32, which keeps 24 bits: steps of 128 seconds. The mend is float64.
"""

import numpy as np


class Stream:
    def __init__(self, start, rate, count):
        self.start = start
        self.rate = rate
        self.count = count


def slicing(stream, seconds, step):
    """Return the starts of windows."""
    windows = int((stream.count / stream.rate - seconds) // step) + 1
    starts = np.zeros(windows, dtype=np.float32)  # <- precision-loss|value-changed|narrowing-store
    # fixed: starts = np.zeros(windows, dtype=np.float64)
    for i in range(windows):
        starts[i] = stream.start + i * step  # <- precision-loss|value-changed|narrowing-store
    return starts


def gaps(starts):
    return np.unique(np.diff(starts)).tolist()


stream = Stream(start=1_748_229_500.0, rate=20, count=20 * 600)
starts = slicing(stream, seconds=60, step=5)
print(len(starts), len(np.unique(starts)), gaps(starts))

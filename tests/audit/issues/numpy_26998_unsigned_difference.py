"""numpy/numpy#26998, numpy/numpy#2522: the difference of unsigned coordinates is huge where it is negative.

np.diff keeps uint64. The answer of the maintainers is to cast to int64 first.
"""

import numpy as np


def read_counters(blob):
    return np.frombuffer(blob, dtype=np.uint64)


def jitter(stamps, period):
    steps = np.diff(stamps)  # <- wraparound
    # fixed: steps = np.diff(stamps.astype(np.int64))
    return float(np.abs(steps - period).max()), float(steps.mean())


class Channel:
    def __init__(self, period, seed):
        rng = np.random.default_rng(seed)
        ticks = np.arange(500) * period + rng.integers(-2, 3, 500) + 100
        ticks[[30, 31]] = ticks[[31, 30]]  # two packets that came in the wrong order
        self.blob = ticks.astype(np.uint64).tobytes()
        self.period = period

    def report(self):
        worst, mean = jitter(read_counters(self.blob), self.period)
        return f"worst {worst:.0f}, mean {mean:.2f}"


print(Channel(10, 0).report())

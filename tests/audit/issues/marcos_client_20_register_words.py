"""vnegnev/marcos_client#20: differences of time stamps, as uint16 scalars, wrap around under NumPy 2.

NumPy 1 gave int64 for a scalar minus a Python integer. The mend makes Python integers first.
"""

# audit: --target numpy-legacy

import numpy as np


class Channel:
    def __init__(self, times, values):
        self.times = np.asarray(times, dtype=np.uint16)
        self.values = np.asarray(values, dtype=np.uint16)

    def instructions(self, lead):
        """Return how long each value is held back, which may be negative."""
        held = []
        for time, value in zip(self.times, self.values, strict=True):
            delay = time - lead  # <- wraparound|port-mismatch
            # fixed: delay = int(time) - lead
            held.append((int(delay), int(value)))
        return held


def program(channel, lead=40):
    return [(max(delay, 0), value) for delay, value in channel.instructions(lead)]


print(program(Channel([0, 30, 100, 1000], [1, 0, 3, 0])))

"""gwastro/pycbc#4956: a trigger's index minus a delay is out of bounds for uint32 under NumPy 2.

An unsigned scalar minus a larger integer wraps around, where NumPy 1 gave int64. The maintainers make
the indices signed.
"""

# audit: --target numpy-legacy

import numpy as np

DELAYS = {"H1": 0, "L1": 19, "V1": 45}


class Triggers:
    def __init__(self, snr, threshold):
        self.snr = snr
        self.index = np.flatnonzero(snr > threshold).astype(np.uint32)
        # fixed: self.index = np.flatnonzero(snr > threshold).astype(np.int64)


def coincident(triggers, delay):
    """Return the indices in the other detector's segment, and those that are before it."""
    inside, before = [], 0
    for index in triggers.index:
        shifted = index - delay  # <- wraparound|port-mismatch
        if shifted < 0:
            before += 1
        elif shifted < len(triggers.snr):
            inside.append(int(shifted))
    return inside, before


rng = np.random.default_rng(1)
snr = np.abs(rng.standard_normal(400))
snr[[3, 25, 200]] = 9
found = Triggers(snr, 5.0)
for name, delay in DELAYS.items():
    print(name, coincident(found, delay))

"""confusius-tools/confusius#328: interp1d gives float64 for a float32 recording.

Scipy's interp1d gives float64 for a float32 recording, since the times are float64: about 7 times
the memory of the input.
"""

import numpy as np
from scipy.interpolate import interp1d


class Recording:
    """Power of an ultrasound scan: time, depth, width."""

    def __init__(self, power, times):
        self.power = power
        self.times = times

    def resample(self, rate):
        new = np.arange(self.times[0], self.times[-1], 1 / rate)
        interpolate = interp1d(self.times, self.power, axis=0)  # <- widening
        return Recording(interpolate(new), new)  # <- widening
        # fixed: return Recording(interpolate(new).astype(self.power.dtype, copy=False), new)

    def baseline(self):
        return self.power[:10].mean(axis=0)


rng = np.random.default_rng(3)
times = np.sort(rng.uniform(0, 60, 150))
power = rng.gamma(2.0, 1.5, (150, 32, 48)).astype(np.float32)
scan = Recording(power, times)
uniform = scan.resample(rate=4)
change = uniform.power - scan.baseline()
print(uniform.power.shape, uniform.power.dtype, round(float(change.mean()), 3))

"""Random number generators that wrap around on purpose: LCG and xorshift; compare numpy/numpy#8987."""

# innocent

import numpy as np


class Lcg:
    """Knuth's linear congruential generator, many streams at a time."""

    A = np.uint64(6_364_136_223_846_793_005)
    C = np.uint64(1_442_695_040_888_963_407)

    def __init__(self, seeds):
        self.state = np.asarray(seeds, dtype=np.uint64)

    def random(self):
        self.state = self.state * self.A + self.C
        return (self.state >> np.uint64(11)) * 2.0**-53


class XorShift:
    def __init__(self, seeds):
        self.state = np.asarray(seeds, dtype=np.uint32) | np.uint32(1)

    def next(self):
        x = self.state
        x = x ^ (x << np.uint32(13))
        x = x ^ (x >> np.uint32(17))
        x = x ^ (x << np.uint32(5))
        self.state = x
        return x


lcg = Lcg(np.arange(1000))
shift = XorShift(np.arange(1, 9))
for _ in range(5):
    uniform = lcg.random()
    words = shift.next()
print(round(float(uniform.mean()), 3), words[:3].tolist())

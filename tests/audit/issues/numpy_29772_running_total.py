"""numpy/numpy#29772, numpy/numpy#8869: time that is counted in float32 stops.

A clock adds a step of a millisecond to a float32, over and over. The mend counts in float64.
"""

import numpy as np


class Simulation:
    def __init__(self, step):
        self.step = np.float32(step)
        self.time = np.float32(0)  # <- accumulation
        # fixed: self.time = 0.0
        self.samples = []

    def advance(self, count):
        for _ in range(count):
            self.time += self.step  # <- accumulation
            # fixed: self.time += float(self.step)
        self.samples.append(float(self.time))


simulation = Simulation(0.001)
for _ in range(4):
    simulation.advance(50_000)
print([round(sample, 1) for sample in simulation.samples])

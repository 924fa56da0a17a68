"""icecube/skyllh#239: a float32 scalar keeps to float32 under NumPy 2, where it was float64.

An energy that is read from an array of float32 meets Python floats. The mend makes it a Python float.
"""

# audit: --target numpy-legacy

import numpy as np


class PowerLaw:
    def __init__(self, norm, reference, index):
        self.norm = norm
        self.reference = reference
        self.index = index

    def __call__(self, energy):
        ratio = energy / self.reference  # <- port-mismatch
        # fixed: ratio = float(energy) / self.reference
        return self.norm * ratio**-self.index


class Events:
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        self.energy = (10 ** rng.uniform(2, 6, count)).astype(np.float32)

    def flux(self, spectrum):
        return [spectrum(energy) for energy in self.energy]


events = Events(20, 0)
flux = events.flux(PowerLaw(1e-18, 1e5, 2.2))
print(f"{float(np.mean([float(np.log10(x)) for x in flux])):.3f}")

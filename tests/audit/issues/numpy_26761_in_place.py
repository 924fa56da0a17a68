"""numpy/numpy#26761, CroatianMeteorNetwork/RMS#467: int8 += 128 stops under NumPy 2.

OverflowError: Python integer 128 out of bounds for int8. The mend adds in a wider type.
"""

# raises: OverflowError

import numpy as np


def read_samples(blob):
    return np.frombuffer(blob, dtype=np.int8).copy()


def to_unsigned(samples):
    samples += 128  # <- stopped
    # fixed: samples = samples.astype(np.int16) + 128
    return samples.astype(np.uint8)


class Frame:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.blob = rng.integers(-128, 128, 400, dtype=np.int8).tobytes()

    def levels(self):
        samples = read_samples(self.blob)
        return np.histogram(to_unsigned(samples), bins=4, range=(0, 256))[0]


print(Frame(0).levels().tolist())

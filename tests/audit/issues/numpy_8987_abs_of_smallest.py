"""numpy/numpy#8987: the absolute value of the smallest int16 is negative.

numpy/numpy#8987 asks for warnings where integers overflow. What people change is a wider type.
"""

import numpy as np


def decode(blob):
    return np.frombuffer(blob, dtype="<i2")


def peak(samples):
    return np.abs(samples).max()  # <- wraparound
    # fixed: return np.abs(samples.astype(np.int32)).max()


def decibels(samples):
    return 20 * np.log10(np.maximum(peak(samples), 1) / 32768)


class Clip:
    def __init__(self, frequency, gain):
        t = np.arange(4410) / 44_100
        wave = np.sin(2 * np.pi * frequency * t) * gain
        self.blob = np.clip(wave * 32_768, -32_768, 32_767).astype("<i2").tobytes()

    def level(self):
        return round(float(decibels(decode(self.blob))), 3)


quiet, loud = Clip(440, 0.25), Clip(440, -1.2)
print(quiet.level(), loud.level())
silence = np.array([-32_768, 5, 9], dtype="<i2")
print(int(peak(silence)))

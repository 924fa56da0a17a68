"""leswright1977/PyThermalCamera#21: the upper bytes of temperatures are multiplied by 256 as uint8.

OverflowError under NumPy 2, where NumPy 1 gave int64 for a scalar. The mend casts to uint16.
"""

# raises: OverflowError

import numpy as np


def celsius(raw):
    return raw / 64 - 273.15


class Thermal:
    def __init__(self, image):
        self.image = np.asarray(image, dtype=np.uint8)

    def at(self, row, column):
        high, low = self.image[row, column]
        raw = high * 256 + low  # <- stopped
        # fixed: raw = high.astype(np.uint16) * 256 + low
        return celsius(raw)

    def centre(self):
        rows, columns, _ = self.image.shape
        return self.at(rows // 2, columns // 2)


def captured(rows, columns, temperature):
    raw = np.full((rows, columns), int((temperature + 273.15) * 64), dtype=np.uint16)
    return np.stack([raw >> 8, raw & 0xFF], axis=-1)


print(round(float(Thermal(captured(24, 32, 36.6)).centre()), 1))

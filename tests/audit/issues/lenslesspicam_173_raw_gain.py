"""LCAV/LenslessPiCam#173: colour gains on a raw image of 8 bits wrap around.

uint8 times a Python integer stays uint8. The mend converts to float32 first.
"""

import numpy as np


def debayer(raw):
    return np.stack([raw[::2, ::2], raw[::2, 1::2], raw[1::2, 1::2]], axis=-1)


class Camera:
    def __init__(self, red_gain=2, blue_gain=3):
        self.red_gain = red_gain
        self.blue_gain = blue_gain

    def balance(self, raw):
        image = debayer(raw)
        red = image[..., 0] * self.red_gain  # <- wraparound
        # fixed: red = image[..., 0].astype(np.float32) * self.red_gain
        blue = image[..., 2] * self.blue_gain  # <- wraparound
        # fixed: blue = image[..., 2].astype(np.float32) * self.blue_gain
        return np.stack([red, image[..., 1], blue], axis=-1)

    def exposure(self, raw):
        return float(self.balance(raw).mean())


rng = np.random.default_rng(0)
raw = rng.integers(60, 160, (32, 32)).astype(np.uint8)
print(round(Camera().exposure(raw), 2))

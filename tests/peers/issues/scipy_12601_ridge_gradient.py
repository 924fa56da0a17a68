"""scipy/scipy#12601: a derivative of a uint8 image wraps around.

Gaussian_filter of a uint8 image gives uint8, so that the negative slopes of a derivative wrap
around to large values.
"""

import numpy as np
from scipy import ndimage


def fingerprint(size=48):
    """Ridges of a finger, as a scanner gives them."""
    y, x = np.mgrid[:size, :size]
    ridges = 127 + 120 * np.sin((x + 0.3 * y) / 2.5)
    return ridges.astype(np.uint8)  # <- wraparound


class Orientation:
    def __init__(self, sigma):
        self.sigma = sigma

    def gradient(self, image):
        gx = ndimage.gaussian_filter(image, self.sigma, order=[0, 1])  # <- wraparound
        # fixed: gx = ndimage.gaussian_filter(image.astype(np.float32), self.sigma, order=[0, 1])
        gy = ndimage.gaussian_filter(image, self.sigma, order=[1, 0])
        # fixed: gy = ndimage.gaussian_filter(image.astype(np.float32), self.sigma, order=[1, 0])
        return gx, gy

    def angle(self, image):
        gx, gy = (g.astype(np.float32) for g in self.gradient(image))
        return 0.5 * np.arctan2((2 * gx * gy).sum(), (gx**2 - gy**2).sum())


finger = fingerprint()
print("degrees", round(float(np.degrees(Orientation(1.0).angle(finger))), 1), "expected", round(float(np.degrees(np.arctan(0.3))), 1))

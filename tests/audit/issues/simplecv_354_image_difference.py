"""sightmachine/SimpleCV#354: images that get darker show as white in the difference of two frames.

uint8 minus uint8 wraps around. The mend casts to a signed type first.
"""

import numpy as np


class Image:
    def __init__(self, pixels):
        self.pixels = pixels

    def __sub__(self, other):
        return Image(self.pixels - other.pixels)  # <- wraparound
        # fixed: return Image(self.pixels.astype(np.int16) - other.pixels)

    def mean(self):
        return float(self.pixels.mean())


class MotionDetector:
    def __init__(self, first, threshold):
        self.last = first
        self.threshold = threshold

    def moved(self, frame):
        change = (frame - self.last).mean()
        self.last = frame
        return change > self.threshold


rng = np.random.default_rng(0)
scene = rng.integers(40, 200, (48, 64)).astype(np.uint8)
darker = Image(scene - rng.integers(0, 3, scene.shape).astype(np.uint8))
detector = MotionDetector(Image(scene), threshold=20)
print(detector.moved(darker), round((darker - Image(scene)).mean(), 1))

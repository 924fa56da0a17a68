"""numpy/numpy#28472: np.histogram adds uint16 weights in uint16.

Np.histogram adds uint16 weights in uint16, and the counts of a bin wrap around.
"""

import numpy as np


class Detector:
    """Counts in the channels of a multichannel analyser, as its file holds them."""

    def __init__(self, gain, channels):
        self.energy = gain * np.arange(channels)
        self.counts = np.zeros(channels, dtype=np.uint16)  # <- wraparound

    def expose(self, peaks):
        for centre, width, height in peaks:
            self.counts += (height * np.exp(-(((self.energy - centre) / width) ** 2))).astype(np.uint16)

    def spectrum(self, edges):
        rebinned, _ = np.histogram(self.energy, bins=edges, weights=self.counts)  # <- wraparound
        # fixed: rebinned, _ = np.histogram(self.energy, bins=edges, weights=self.counts.astype(np.int64))
        return rebinned


detector = Detector(gain=0.5, channels=512)
detector.expose([(60, 4, 21000), (140, 5, 9000)])
edges = np.linspace(0, 256, 9)
print(detector.spectrum(edges).tolist(), "total", int(detector.counts.sum()))

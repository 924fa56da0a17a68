"""librosa/librosa#580: util.normalize returns float64 for float32 input.

The magnitudes are cast to float, which is float64. The maintainers wrote np.float32 there first, and
kept the input's dtype later.
"""

import numpy as np


def normalize(S, norm=np.inf, axis=0, threshold=None):
    if threshold is None:
        threshold = np.finfo(S.dtype).tiny
    mag = np.abs(S).astype(float)  # <- widening
    # fixed: mag = np.abs(S).astype(S.dtype)
    if norm == np.inf:
        length = np.max(mag, axis=axis, keepdims=True)
    else:
        length = np.sum(mag**norm, axis=axis, keepdims=True) ** (1.0 / norm)
    small = length < threshold
    length[small] = 1.0
    return S / length


class Chroma:
    def __init__(self, bins, frames, seed=0):
        rng = np.random.default_rng(seed)
        self.energy = rng.random((bins, frames), dtype=np.float32)

    def features(self, norm):
        return normalize(self.energy, norm=norm)


chroma = Chroma(12, 400)
for norm in (np.inf, 1, 2):
    print(norm, round(float(chroma.features(norm).sum()), 1))

"""Time and coordinates that are narrowed after their origin is subtracted: CMBSciPol/furax#145, mended."""

# innocent

import numpy as np


def rebase(timestamps):
    """Return seconds since the first, in float32."""
    return (timestamps - timestamps[0]).astype(np.float32)


def local(points):
    centre = points.mean(axis=0)
    return (points - centre).astype(np.float32), centre


def sample_rate(seconds):
    return (len(seconds) - 1) / np.ptp(seconds)


start = 1_748_229_500.0
timestamps = start + np.arange(4000) / 200
seconds = rebase(timestamps)
points = np.random.default_rng(0).uniform(0, 30, (500, 3)) + [682_000.0, 5_100_000.0, 400.0]
near, centre = local(points)
print(round(float(sample_rate(seconds)), 2), near.dtype, np.round(centre[:2], -2).tolist())
ids = np.array([2**53 + 1, 2**53 + 3], dtype=np.int64)
print((ids - ids[0]).tolist(), (ids % 1000).astype(np.float32).tolist())

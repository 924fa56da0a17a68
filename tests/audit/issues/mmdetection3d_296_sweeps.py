"""open-mmlab/mmdetection3d#296: time stamps in microseconds are lost in the array of the points.

int64 time stamps are cast to float32 beside the coordinates, where differences of less than minutes
vanish. The maintainers keep the stamps apart until their difference is taken.
"""

import numpy as np


def sweep(seed, stamp):
    rng = np.random.default_rng(seed)
    return {"points": rng.uniform(-40, 40, (200, 3)).astype(np.float32), "stamp": np.int64(stamp)}


def with_time(sweep, now):
    points = sweep["points"]
    stamp = np.full((len(points), 1), sweep["stamp"])
    lag = (np.float32(now) - stamp.astype(np.float32)) / np.float32(1e6)  # <- precision-loss
    # fixed: lag = ((now - stamp) / 1e6).astype(np.float32)
    return np.hstack([points, lag])


def merged(sweeps):
    now = sweeps[0]["stamp"]
    return np.vstack([with_time(sweep, now) for sweep in sweeps])


sweeps = [sweep(n, 1_532_402_927_647_951 - 50_000 * n) for n in range(5)]
cloud = merged(sweeps)
print(cloud.shape, np.unique(cloud[:, 3].round(3)).tolist())

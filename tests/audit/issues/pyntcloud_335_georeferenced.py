"""daavoo/pyntcloud#335: coordinates in metres are cast to float32.

Scaled coordinates of a survey are float64, and are cast to float32, which has steps of half a
metre at 5,000 km.
"""

import numpy as np

HEADER = {"scales": np.array([0.001, 0.001, 0.001]), "offsets": np.array([691000.0, 5335000.0, 500.0])}


def points(count):
    """What a LAS file holds: int32 in millimetres, and an intensity."""
    rng = np.random.default_rng(12)
    record = np.dtype([("X", "<i4"), ("Y", "<i4"), ("Z", "<i4"), ("intensity", "<u2")])
    raw = np.zeros(count, record)
    for axis, size in zip("XYZ", (9000, 9000, 2500)):
        raw[axis] = rng.integers(0, size, count)
    raw["intensity"] = rng.integers(0, 60000, count)
    return raw


def read(raw, header):
    cloud = {}
    for axis, scale, offset in zip("XYZ", header["scales"], header["offsets"]):
        cloud[axis.lower()] = (raw[axis] * scale + offset).astype(np.float32)  # <- precision-loss
        # fixed: cloud[axis.lower()] = raw[axis] * scale + offset
    cloud["intensity"] = raw["intensity"]
    return cloud


cloud = read(points(2000), HEADER)
print("different y:", np.unique(cloud["y"]).size, "of", np.unique(points(2000)["Y"]).size)

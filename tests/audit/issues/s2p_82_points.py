"""centreborelli/s2p#82: points of a cloud lie on lines half a metre apart.

Coordinates in metres are stored in single precision, which has 24 bits.
"""

import numpy as np


def disparity_map(rows, cols):
    rng = np.random.default_rng(5)
    base = np.linspace(12.0, 34.0, rows * cols).reshape(rows, cols)
    return base + rng.normal(0, 0.05, (rows, cols))


def rpc_to_utm(row, col, height, gsd=0.3):
    east = 362150.17 + col * gsd + 0.02 * height
    north = 6278480.83 - row * gsd - 0.03 * height
    return east, north, height


def disp_to_xyz(disp, scale=2.5):
    rows, cols = disp.shape
    xyz = np.zeros((rows, cols, 3), dtype=np.float32)  # <- precision-loss
    # fixed: xyz = np.zeros((rows, cols, 3), dtype=np.float64)
    r, c = np.mgrid[:rows, :cols]
    e, n, h = rpc_to_utm(r, c, disp * scale)
    xyz[..., 0] = e
    xyz[..., 1] = n
    xyz[..., 2] = h
    return xyz


def write_ply_rows(points, count):
    for e, n, h in points.reshape(-1, 3)[:count]:
        print("%.3f %.3f %.3f" % (e, n, h))


def main():
    xyz = disp_to_xyz(disparity_map(60, 80))
    write_ply_rows(xyz, 4)
    step = np.diff(xyz[:, 10, 1])
    print("northing step between rows: %.3f .. %.3f" % (step.min(), step.max()))
    print("distinct northings", len(np.unique(xyz[..., 1])))


main()

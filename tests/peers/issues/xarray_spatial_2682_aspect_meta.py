"""xarray-contrib/xarray-spatial#2682, xarray-contrib/xarray-spatial#3394: meta says float64 of float32.

``meta=np.array(())`` is float64, while the chunks are computed in float32. The maintainers give meta a
dtype.
"""

import dask.array as da
import numpy as np


def _aspect(block):
    block = block.astype(np.float32)
    dy, dx = np.gradient(block)
    return np.degrees(np.arctan2(dy, -dx)).astype(np.float32)


class Terrain:
    def __init__(self, side, chunk):
        y, x = np.mgrid[0:side, 0:side].astype(np.float32)
        heights = np.sin(x / 9) + np.cos(y / np.float32(7))
        self.data = da.from_array(heights, chunks=chunk)

    def aspect(self):
        return da.map_overlap(_aspect, self.data, depth=1, boundary="nearest", meta=np.array(()))  # <- meta-mismatch
        # fixed: return da.map_overlap(_aspect, self.data, depth=1, boundary="nearest", meta=np.array((), np.float32))


aspect = Terrain(64, 32).aspect()
found = aspect.compute()
print(aspect.shape, round(float(found.std()), 1))

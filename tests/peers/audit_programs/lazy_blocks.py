"""A function of blocks is said to keep float32, and computes in float64 (dask/dask#1394)."""

import dask.array as da
import numpy as np


def centred(block):
    wide = block.astype(np.float64)
    return wide - wide.mean()


values = da.from_array(np.ones(8, np.float32), chunks=4)
out = values.map_blocks(centred, dtype=np.float32)  # planted
print((out + 1).compute().dtype)

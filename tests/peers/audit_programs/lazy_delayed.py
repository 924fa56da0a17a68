"""Files are said to hold float32, and are read as float64."""

import dask
import dask.array as da
import numpy as np


@dask.delayed
def read(n):
    return np.linspace(0, 1, n)


parts = [da.from_delayed(read(4), shape=(4,), dtype=np.float32) for _ in range(2)]  # planted
print(dask.compute(da.concatenate(parts))[0].dtype)

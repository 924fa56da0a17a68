"""What a function of blocks gives is said in general terms (xarray-spatial#2686)."""

import numpy as np
import xarray as xr


def scaled(block):
    return (block * 2).astype(np.float32)


raster = xr.DataArray(np.ones((8, 8), np.float32), dims=("y", "x")).chunk(4)
kinds = {"dask": "parallelized"}
out = xr.apply_ufunc(scaled, raster, dask="parallelized", output_dtypes=[float])  # planted
print(out.load().dtype)

"""Coordinates of float64 widen data of float32 (NCAR/geocat-comp#488)."""

import numpy as np
import xarray as xr


def latitudes(n):
    return np.linspace(-90, 90, n)  # planted


field = xr.DataArray(
    np.ones((4, 3), np.float32), dims=("lat", "x"), coords={"lat": latitudes(4)}
).chunk(2)
weighted = field * np.cos(np.deg2rad(field["lat"]))
print(weighted.compute().shape)

"""NCAR/geocat-comp#488, xarray-contrib/flox#46: coordinates of float64 make float64 of float32 data.

Weights are computed from the latitudes, which are float64. The mend casts them to the dtype of the
data.
"""

import numpy as np
import xarray as xr


def temperature(days, rows, columns):
    rng = np.random.default_rng(0)
    values = rng.normal(280, 10, (days, rows, columns)).astype(np.float32)
    latitudes = np.linspace(-88, 88, rows)  # <- widening
    dims = ("time", "lat", "lon")
    return xr.DataArray(values, dims=dims, coords={"lat": latitudes}, name="t")


def weights_of(data):
    return np.cos(np.deg2rad(data["lat"]))  # <- widening
    # fixed: return np.cos(np.deg2rad(data["lat"].astype(data.dtype)))


def global_mean(data):
    weights = weights_of(data)
    total = (data * weights).sum(dim=("lat", "lon"))
    return total / (weights.sum() * data.sizes["lon"])


mean = global_mean(temperature(4, 18, 36))
print(np.round(mean.values, 1).tolist())

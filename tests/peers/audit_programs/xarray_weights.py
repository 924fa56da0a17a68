"""A mean over the globe, weighted by the cosine of the latitude."""

import numpy as np
import xarray as xr


def grid(rows):
    return np.linspace(-90, 90, rows)  # planted


def load(latitudes):
    fields = np.ones((5, len(latitudes)), np.float32)
    return xr.Dataset({"t": (("time", "lat"), fields)}, coords={"lat": latitudes})


def weights(latitudes):
    return xr.DataArray(np.cos(np.deg2rad(latitudes)), dims="lat")


def mean(data, w):
    return (data["t"] * w).sum("lat") / w.sum()


latitudes = grid(10)
print([f"{value:.3f}" for value in mean(load(latitudes), weights(latitudes)).values])

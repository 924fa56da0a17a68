"""pydata/xarray#2304, pydata/xarray#9041: packed data of int16 is decoded as float64.

The scale factor of a file is a float64 scalar. The maintainers choose a float by the packed dtype.
"""

import numpy as np
import xarray as xr


class Variable:
    """What a file holds: integers, and how they are scaled."""

    def __init__(self, packed, scale, offset):
        self.packed = xr.DataArray(packed, dims=("y", "x"))
        self.attributes = {"scale_factor": np.float64(scale), "add_offset": np.float64(offset)}  # <- widening


def decode(variable, dtype=np.float32):
    data = variable.packed.astype(dtype)
    scale = variable.attributes["scale_factor"]  # <- widening
    # fixed: scale = dtype(variable.attributes["scale_factor"])
    offset = variable.attributes["add_offset"]
    # fixed: offset = dtype(variable.attributes["add_offset"])
    return data * scale + offset


rng = np.random.default_rng(0)
packed = rng.integers(-3000, 3000, (20, 30)).astype(np.int16)
sst = decode(Variable(packed, 0.01, 20.0))
print(round(float(sst.mean()), 2), sst.shape)

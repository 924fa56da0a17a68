"""pydata/xarray#10325: interpolation of float32 data gives float64, by its coordinates.

The new positions are float64. The mend casts the result.
"""

import numpy as np
import xarray as xr


class Profile:
    def __init__(self, levels):
        depth = np.linspace(0, 1000, levels)
        salinity = (35 - np.exp(-depth / 200)).astype(np.float32)
        self.data = xr.DataArray(salinity, dims="depth", coords={"depth": depth})

    def at(self, depths):
        found = np.interp(depths, self.data["depth"].values, self.data.values)  # <- widening
        # fixed: found = np.interp(depths, self.data["depth"].values, self.data.values).astype(np.float32)
        return xr.DataArray(found, dims="depth")


def mixed(first, second, depths):
    share = xr.DataArray(np.linspace(0, 1, len(depths), dtype=np.float32), dims="depth")
    return first.at(depths) * share + second.at(depths) * (1 - share)


depths = np.arange(0, 900, 50)
print(round(float(mixed(Profile(40), Profile(90), depths).mean()), 3))

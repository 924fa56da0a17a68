"""Unidata/MetPy#485, numpy/numpy#11214: a float32 sounding is widened by np.interp.

np.interp has no dtype, and gives float64. The maintainers cast its result to that of the data.
"""

import numpy as np


def standard_pressure(levels):
    return np.linspace(1000, 100, levels, dtype=np.float32)


def insert_level(pressure, values, level):
    """Return both profiles with one more level, at which the values are interpolated."""
    new = np.interp(-np.log(level), -np.log(pressure), values)  # <- widening
    # fixed: new = np.float32(np.interp(-np.log(level), -np.log(pressure), values))
    at = np.searchsorted(-pressure, -level)
    return np.insert(pressure, at, level), np.insert(values, at, new), new


def layer(pressure, values, bottom, depth):
    pressure, values, _ = insert_level(pressure, values, bottom)
    pressure, values, top = insert_level(pressure, values, bottom - depth)
    inside = (pressure <= bottom) & (pressure >= bottom - depth)
    return pressure[inside], values[inside] - top


pressure = standard_pressure(46)
temperature = (288 * (pressure / 1000) ** np.float32(0.19)).astype(np.float32)
p, t = layer(pressure, temperature, np.float32(955.5), np.float32(300.25))
print(p.dtype, len(p), round(float(t.mean()), 2))

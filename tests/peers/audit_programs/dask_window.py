"""Taper chunks of a long signal, lazily."""

import dask.array as da
import numpy as np


def signal(length, chunks):
    return da.ones(length, chunks=chunks, dtype=np.float32)


def window(length, chunks):
    return da.linspace(0, 1, length, chunks=chunks)  # planted


def taper(x):
    return x * window(x.size, x.chunks[0])


def energy(x):
    return (x**2).sum()


tapered = taper(signal(100, 10))
print(f"{energy(tapered).compute(scheduler='threads'):.4f}", f"{tapered.max().compute():.4f}")

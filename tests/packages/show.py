"""Says what came out: the dtype, the shape, and a hash of the bytes."""

import hashlib

import numpy as np


def show(name, *results):
    """Print a line for each result of a function."""
    for result in results:
        array = np.ascontiguousarray(result)
        digest = hashlib.sha256(array.tobytes()).hexdigest()[:16]
        print(f"{name}: {array.dtype}{list(array.shape)} {digest}")


def noise(*shape, seed=0):
    """Return float32 that are the same each time."""
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)

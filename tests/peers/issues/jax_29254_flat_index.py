"""jax-ml/jax#29254: indices of int32 overflow without a word, where an array is large.

The flat index of a pair is computed in int32, as x64 is off. What helps is a smaller range, or NumPy's
int64.
"""

import jax.numpy as jnp
import numpy as np


class Pairs:
    """Pairs of atoms, hashed by a number for each."""

    def __init__(self, atoms):
        self.atoms = atoms

    def codes(self, first, second):
        return first * self.atoms + second  # <- wraparound
        # fixed: return np.asarray(first, dtype=np.int64) * self.atoms + np.asarray(second)

    def unique(self, first, second):
        return len(np.unique(np.asarray(self.codes(first, second))))


def negative(codes):
    return int((np.asarray(codes) < 0).sum())


for atoms in (10_000, 100_000):
    first = jnp.arange(0, atoms, atoms // 100)
    second = first[::-1]
    pairs = Pairs(atoms)
    print(atoms, pairs.unique(first, second), negative(pairs.codes(first, second)))

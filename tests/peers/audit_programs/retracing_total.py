"""A running mean begins as a Python number, and comes back as an array (jax-ml/jax#3163)."""

import jax
import jax.numpy as jnp

traced = []


@jax.jit
def smooth(total, row):
    traced.append(total.dtype)
    return 0.9 * total + 0.1 * row.mean()


def run(rows):
    total = 0.0  # planted
    for row in rows:
        total = smooth(total, row)
    return total


print(f"{run(jnp.ones((4, 8), jnp.float32)):.4f}")

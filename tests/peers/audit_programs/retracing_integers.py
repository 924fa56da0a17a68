"""A sum begins as an integer, and is a float from the first row on (jax-ml/jax#4274)."""

import jax
import jax.numpy as jnp


@jax.jit
def add(total, row):
    return total + row.sum()


total = jnp.zeros((), jnp.int32)  # planted
for row in jnp.ones((3, 4)):
    total = add(total, row)
print(float(total))

"""A step size that is an integer at first, and a fraction later (google/jaxopt#451)."""

import jax
import jax.numpy as jnp

START = 1  # planted


@jax.jit
def descend(weights, step):
    return weights - step * (2 * weights)


weights = jnp.ones(4)
weights = descend(weights, START)
for step in (0.5, 0.25):
    weights = descend(weights, step)
print(weights.sum())

"""google-deepmind/optax#1405: a learning rate of bfloat16 makes updates of float32.

It is a scalar of NumPy, which is strongly typed. The mend makes it an array of JAX in the dtype of the
gradients.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Sgd:
    def __init__(self, rate):
        self.rate = rate

    def update(self, gradients):
        return jax.tree.map(lambda g: -self.rate * g, gradients)


def schedule(step):
    return np.float32(0.1) * np.float32(0.9) ** step  # <- widening
    # fixed: return jnp.asarray(0.1 * 0.9**step, dtype=jnp.bfloat16)


def apply(params, updates):
    return jax.tree.map(lambda p, u: p + u.astype(p.dtype), params, updates)


params = {"w": jnp.ones((8, 8), jnp.bfloat16), "b": jnp.zeros(8, jnp.bfloat16)}
for step in range(5):
    gradients = jax.tree.map(lambda p: 0.5 * p + 1, params)
    params = apply(params, Sgd(schedule(step)).update(gradients))
print(round(float(params["w"].mean()), 2), round(float(params["b"].mean()), 2))

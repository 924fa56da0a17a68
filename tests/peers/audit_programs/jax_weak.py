"""A schedule of weakly typed numbers, which one strong number makes strong."""

import jax.numpy as jnp


def floor():
    return jnp.float32(1e-3)  # planted


def decayed(rate, step):
    return rate * 0.5**step


def schedule(steps):
    rate = jnp.asarray(0.1)
    for step in range(steps):
        yield decayed(rate, step) + floor()


for rate in schedule(3):
    print(f"{rate:.4f}")

"""A compiled update is compiled twice: its weakly typed argument comes back strong."""

import jax
import jax.numpy as jnp

compiled = []


def momentum():
    return jnp.float32(0.9)  # planted


@jax.jit
def update(velocity, factor):
    compiled.append(velocity.weak_type)
    return velocity * factor + 1.0


def descend(steps):
    velocity = jnp.asarray(0.0)
    for _ in range(steps):
        velocity = update(velocity, momentum())
    return velocity


print(f"{descend(4):.4f}", compiled)

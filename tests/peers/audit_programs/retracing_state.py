"""One number of a state is weakly typed at first (pyro-ppl/numpyro#463)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array
    energy: float
    steps: jax.Array


def initial(size):
    return State(jnp.zeros(size), 0.0, jnp.zeros((), jnp.int32))  # planted


@jax.jit
def advance(state, kick):
    position = state.position + kick
    return State(position, (position**2).sum(), state.steps + 1)


state = initial(3)
for kick in jnp.ones((5, 3)):
    state = advance(state, kick)
print(float(state.energy), int(state.steps))

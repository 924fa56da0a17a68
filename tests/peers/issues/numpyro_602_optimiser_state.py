"""pyro-ppl/numpyro#602, pyro-ppl/numpyro#463: training compiles twice, as the step count is a Python int.

The state of the optimiser begins with 0 and comes back as an array of int32. The maintainers make the
count an array from the start.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

traces = []


class State(NamedTuple):
    count: jax.Array
    moment: jax.Array
    params: jax.Array


class Momentum:
    def __init__(self, rate):
        self.rate = rate

    def init(self, params):
        return State(0, jnp.zeros_like(params), params)  # <- retracing|weak-type-lost
        # fixed: return State(jnp.array(0, dtype=jnp.int32), jnp.zeros_like(params), params)

    def update(self, state, gradient):
        moment = 0.9 * state.moment + gradient
        count = jnp.asarray(state.count, dtype=jnp.int32) + 1
        return State(count, moment, state.params - self.rate * moment)


def loss(params, x):
    return jnp.mean((x @ params - 1.0) ** 2)


optimiser = Momentum(0.05)


@jax.jit
def train_step(state, x):
    traces.append(None)
    return optimiser.update(state, jax.grad(loss)(state.params, x))


x = jax.random.normal(jax.random.PRNGKey(0), (32, 4))
state = optimiser.init(jnp.zeros(4))
for _ in range(6):
    state = train_step(state, x)  # <- retracing|weak-type-lost
print(int(state.count), len(traces))

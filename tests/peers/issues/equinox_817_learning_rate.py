"""patrick-kidger/equinox#817, liesel-devs/liesel#364: a schedule gives Python floats and arrays in turn.

A weakly typed rate, then a strongly typed one: the step is traced twice. The mend makes each an array.
"""

import jax
import jax.numpy as jnp

traces = 0


class Schedule:
    """A constant rate first, then a decay that is computed from the count."""

    def __init__(self, rate, warm):
        self.rate = rate
        self.warm = warm

    def __call__(self, count):
        if count < self.warm:
            return self.rate  # <- retracing|weak-type-lost
            # fixed: return jnp.float32(self.rate)
        return self.rate * jnp.sqrt(jnp.float32(self.warm) / jnp.float32(count))


@jax.jit
def sgd(params, gradient, rate):
    global traces
    traces += 1
    return jax.tree.map(lambda p, g: p - rate * g, params, gradient)


params = {"w": jnp.ones((4, 4)), "b": jnp.zeros(4)}
gradient = jax.tree.map(lambda p: jnp.full_like(p, 0.1), params)
schedule = Schedule(0.5, warm=3)
for count in range(1, 9):
    params = sgd(params, gradient, schedule(count))  # <- retracing|weak-type-lost
print(round(float(params["w"].mean()), 4), traces)

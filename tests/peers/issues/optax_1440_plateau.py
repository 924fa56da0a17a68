"""google-deepmind/optax#1440: the state of a schedule is weakly typed at first.

`jnp.asarray(0.0)` is weakly typed, and what the first step returns is not, so the train step is
compiled twice.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Plateau(NamedTuple):
    best: jax.Array
    average: jax.Array
    count: jax.Array
    scale: jax.Array


def initial():
    return Plateau(
        best=jnp.asarray(float("inf"), dtype=jnp.float32),
        average=jnp.asarray(0.0),  # <- retracing
        # fixed: average=jnp.asarray(0.0, dtype=jnp.float32),
        count=jnp.zeros((), jnp.int32),
        scale=jnp.asarray(1.0, dtype=jnp.float32),
    )


traces = []


@jax.jit
def train_step(weights, state, x, y):
    traces.append(len(traces))
    loss, slope = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
    average = (state.count * state.average + loss) / (state.count + 1)
    better = average < state.best
    scale = jnp.where(better, state.scale, 0.5 * state.scale)
    state = Plateau(jnp.minimum(state.best, average), average, state.count + 1, scale)
    return weights - 0.05 * scale * slope, state


x = jnp.linspace(-1, 1, 24, dtype=jnp.float32).reshape(8, 3)
y = x @ jnp.array([1.0, -2.0, 0.5], dtype=jnp.float32)
weights, state = jnp.zeros(3, jnp.float32), initial()
for _ in range(5):
    weights, state = train_step(weights, state, x, y)  # <- retracing
print("traced", len(traces), "times")

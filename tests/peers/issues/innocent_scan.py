"""A compiled loop with typed carries, a random generator and a hash: compare jax-ml/jax#3163."""

# innocent

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(state, x):
    mean, count = state
    count = count + 1
    mean = mean + (x - mean) / count
    return (mean, count), mean


def fold(words):
    """Return a hash of each row, of 32 bits."""
    value = jnp.full(words.shape[0], 2_166_136_261, dtype=jnp.uint32)
    for column in words.T:
        value = (value ^ column) * jnp.uint32(16_777_619)
    return value


def train(params, batches, rate):
    gradient = jax.jit(jax.grad(lambda p, b: jnp.mean((b @ p) ** 2)))
    for batch in batches:
        params = params - rate * gradient(params, batch)
    return params


key = jax.random.PRNGKey(0)
x = jax.random.normal(key, (20, 4))
(mean, _), running = jax.lax.scan(step, (jnp.zeros(4), jnp.float32(0)), x)
params = train(jnp.ones(4), jnp.split(x, 4), 0.1)
words = jnp.asarray(np.arange(12).reshape(3, 4), dtype=jnp.uint32)
print(np.round(mean, 3).tolist(), running.shape, fold(words).shape, params.dtype)

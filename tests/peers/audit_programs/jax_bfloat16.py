"""Attention in bfloat16, with a temperature that is a strong float32."""

import jax
import jax.numpy as jnp


def temperature():
    return jnp.float32(0.1)  # planted


def logits(queries, keys):
    return queries @ keys.T


def attend(queries, keys, values):
    weights = jax.nn.softmax(logits(queries, keys) * temperature())
    return weights.astype(values.dtype) @ values


queries, keys, values = jax.random.normal(jax.random.key(0), (3, 4, 8), dtype=jnp.bfloat16)
print(attend(queries, keys, values).shape)
print(jax.jit(attend)(queries, keys, values).dtype)

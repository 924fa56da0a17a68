"""Add a positional encoding to embeddings, operation by operation, with 64-bit types on."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def frequencies(width):
    return 1.0 / 10_000 ** jnp.linspace(0, 1, width // 2)  # planted


def encoding(length, width):
    angles = jnp.arange(length, dtype=jnp.float32)[:, None] * 0.1 * frequencies(width)
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)


def embed(tokens, table):
    vectors = table[tokens]
    return vectors + encoding(*vectors.shape)


table = jax.random.normal(jax.random.key(0), (10, 8), dtype=jnp.float32)
embedded = embed(jnp.asarray([1, 5, 2]), table)
print(embedded.shape, f"{embedded.sum():.4f}")

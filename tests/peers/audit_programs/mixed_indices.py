"""Positions in bfloat16 repeat each other beyond 256 (NVIDIA/Megatron-LM#643)."""

import jax.numpy as jnp

positions = jnp.arange(1000, dtype=jnp.bfloat16)  # planted
print(positions.shape)

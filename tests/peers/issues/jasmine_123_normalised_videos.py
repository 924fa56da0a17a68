"""p-doom/jasmine#123: frames that were made bfloat16 in NumPy come out of a division as float32.

bfloat16 arrays of NumPy divided by a Python float are float32. The maintainers make arrays of JAX first.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Loader:
    def __init__(self, frames, side, seed):
        rng = np.random.default_rng(seed)
        self.videos = rng.integers(0, 256, (4, frames, side, side), dtype=np.uint8)

    def __iter__(self):
        yield from np.split(self.videos, 2)


def normalised(videos):
    half = videos.astype(jnp.bfloat16)
    # fixed: half = jnp.asarray(videos, dtype=jnp.bfloat16)
    return half / 255.0  # <- widening


@jax.jit
def encode(kernel, videos):
    flat = videos.reshape(len(videos), -1, kernel.shape[0])
    return jnp.tanh(flat @ kernel).mean()


kernel = jnp.full((16, 8), 0.05, jnp.bfloat16)
total = 0.0
for batch in Loader(3, 8, 0):
    total += float(encode(kernel, normalised(batch)))
print(round(total, 2))

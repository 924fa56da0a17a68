"""jax-ml/jax#4274: which argument makes a function compile again?

Batches come with labels of int32 from one source and of uint8 from another, so that the loss is traced
for both. The answer is to give the labels one dtype.
"""

import jax
import jax.numpy as jnp
import numpy as np

traces = 0


@jax.jit
def loss(weights, x, labels):
    global traces
    traces += 1
    logits = jax.nn.log_softmax(x @ weights)
    return -jnp.mean(jnp.take_along_axis(logits, labels[:, None].astype(jnp.int32), axis=1))


class Source:
    def __init__(self, seed, dtype):
        self.rng = np.random.default_rng(seed)
        self.dtype = dtype

    def batch(self):
        x = self.rng.standard_normal((16, 4), dtype=np.float32)
        labels = self.rng.integers(0, 3, 16).astype(self.dtype)  # <- retracing
        # fixed: labels = self.rng.integers(0, 3, 16).astype(np.int32)
        return x, labels


def validate(weights, sources):
    total = 0.0
    for source in sources:
        x, labels = source.batch()
        total += float(loss(weights, x, labels))  # <- retracing
    return total


weights = jnp.zeros((4, 3))
print(round(validate(weights, [Source(0, np.int32), Source(1, np.uint8), Source(2, np.int32)]), 3), traces)

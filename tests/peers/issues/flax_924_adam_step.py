"""google/flax#924: with x64, one step of Adam makes float64 of all parameters.

The bias correction is computed from an int64 count. The maintainers cast the count to the dtype of
the parameters.
"""

# missed: the finding is where the float64 meets the parameters, two lines below the one that makes it

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


class Adam:
    def __init__(self, rate=1e-2, beta1=0.9, beta2=0.999, eps=1e-8):
        self.rate, self.beta1, self.beta2, self.eps = rate, beta1, beta2, eps

    def init(self, param):
        return jnp.zeros_like(param), jnp.zeros_like(param)

    def apply(self, step, param, state, gradient):
        first = self.beta1 * state[0] + (1 - self.beta1) * gradient
        second = self.beta2 * state[1] + (1 - self.beta2) * gradient**2
        t = np.asarray(step + 1, dtype=np.float64)  # <- widening
        # fixed: t = jnp.asarray(step + 1, dtype=param.dtype)
        scale1 = 1 - self.beta1**t
        scale2 = 1 - self.beta2**t
        change = self.rate * (first / scale1) / (jnp.sqrt(second / scale2) + self.eps)
        return param - change, (first, second)


def loss(param, x):
    return jnp.mean((x @ param) ** 2)


optimiser = Adam()
x = jnp.asarray(np.random.default_rng(0).standard_normal((20, 6)), dtype=jnp.float32)
param = jnp.ones(6, jnp.float32)
state = optimiser.init(param)
for step in range(10):
    param, state = optimiser.apply(step, param, state, jax.grad(loss)(param, x))
print(round(float(loss(param, x)), 3))

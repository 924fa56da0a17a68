"""pyro-ppl/numpyro#77, numba/numba#2006: an arange of integers makes float64 of float32 with x64.

int64 with float32 is float32 in JAX, but the grid is divided, which makes it float64. The mend names a
dtype for arange.
"""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


class Periodic:
    def __init__(self, period):
        self.period = period

    def grid(self, size):
        return jnp.arange(size) / size  # <- widening
        # fixed: return jnp.arange(size, dtype=jnp.float32) / size

    def kernel(self, scale, size):
        t = self.grid(size)
        distance = jnp.sin(jnp.pi * (t[:, None] - t[None, :]) / self.period)
        return jnp.exp(-2 * distance**2 / scale**2)


def log_density(y, scale):
    kernel = Periodic(0.5).kernel(scale, len(y)) + 0.1 * jnp.eye(len(y), dtype=y.dtype)
    factor = jnp.linalg.cholesky(kernel)
    white = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
    return -0.5 * (white**2).sum() - jnp.log(jnp.diag(factor)).sum()


y = jnp.sin(jnp.linspace(0, 12, 40, dtype=jnp.float32))
print(round(float(log_density(y, jnp.float32(0.7))), 1))

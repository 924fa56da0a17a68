"""GalacticDynamics/coordinax#755: with x64, a converter makes float64 of coordinates of float32.

``jnp.asarray(x, dtype=float)`` is meant for integers. The maintainers take the result type of x and
float.
"""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def converted(x):
    return jnp.asarray(x, dtype=float)  # <- widening
    # fixed: return jnp.asarray(x, dtype=jnp.result_type(x, 1.0))


class Position:
    def __init__(self, x, y, z):
        self.xyz = tuple(converted(part) for part in (x, y, z))

    def radius(self):
        x, y, z = self.xyz
        return jnp.sqrt(x * x + y * y + z * z)

    def scaled(self, factors):
        return Position(*(part * factors for part in self.xyz))


angle = jnp.linspace(0, 3, 200, dtype=jnp.float32)
position = Position(jnp.cos(angle), jnp.sin(angle), angle)
weights = jnp.exp(-angle)
print(round(float((position.radius() * weights).sum()), 2), position.scaled(weights).radius().shape)

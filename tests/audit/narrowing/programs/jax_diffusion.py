"""Heat that spreads through a plate, a little in each step."""

import jax
import jax.numpy as jnp

size = 350
heat = jnp.full((size, size), 20.0).at[100:250, 100:250].set(90.0)
conductivity = jax.random.uniform(jax.random.key(22), (size, size), minval=0.05, maxval=0.2)
sun = jnp.linspace(0.001, 0.003, size)


@jax.jit
def step(_, heat):
    """The plate a little later."""
    around = heat[:-2, 1:-1] + heat[2:, 1:-1] + heat[1:-1, :-2] + heat[1:-1, 2:]
    flow = conductivity[1:-1, 1:-1] * (around - 4 * heat[1:-1, 1:-1])
    return heat.at[1:-1, 1:-1].add((flow + sun[1:-1]).astype(heat.dtype))


heat = jax.lax.fori_loop(0, 200, step, heat)
print("mean", float(heat.mean()), "hottest", float(heat.max()))
print("at a corner", float(heat[100, 100]), "outside", float(heat[90, 90]))

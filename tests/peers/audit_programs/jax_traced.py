"""Fit a small network, compiled, with 64-bit types on; the cause is seen by tracers alone."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def start(width):
    first, second = jax.random.split(jax.random.key(0))
    return {
        "w": jax.random.normal(first, (width, width), dtype=jnp.float32),
        "b": jax.random.normal(second, (width,), dtype=jnp.float32),
    }


def ramp(width):
    return jnp.linspace(0, 1, width)  # planted


def predict(p, x):
    return jnp.tanh((x + ramp(x.shape[-1])) @ p["w"] + p["b"])


def loss(p, x, y):
    return jnp.mean((predict(p, x) - y) ** 2)


@jax.jit
def step(p, x, y):
    slopes = jax.grad(loss)(p, x, y)
    return jax.tree.map(lambda value, slope: value - 0.1 * slope, p, slopes)


def run(steps):
    p = start(4)
    x = jnp.ones((3, 4), dtype=jnp.float32)
    for _ in range(steps):
        p = step(p, x, x)
    each = jax.vmap(loss, in_axes=(None, 0, 0))(p, x, x)
    _, states = jax.lax.scan(lambda state, row: (state * 0.5, predict(p, row)), x[0], x)
    return each, states


with jax.checking_leaks():
    each, states = run(2)
print([f"{value:.4f}" for value in each.tolist()], states.shape)

"""jax-md/jax-md#99: a minimiser begins with an integer count, and its step gives a float.

``jax.lax.scan`` demands the same dtypes of what goes in and what comes out.
"""

# raises: TypeError

from collections import namedtuple
import jax
import jax.numpy as jnp

State = namedtuple("State", "position velocity dt n_pos")


def energy(r):
    return jnp.sum((r - 1.0) ** 2)


def force(r):
    return -jax.grad(energy)(r)


def initial(r):
    count = jnp.array(0, dtype=jnp.int32)  # <- stopped
    # fixed: count = jnp.array(0, dtype=jnp.float32)
    return State(r, jnp.zeros_like(r), jnp.float32(0.1), count)


def step(state, _):
    f = force(state.position)
    power = jnp.vdot(f, state.velocity)
    n_pos = jnp.where(power >= 0, state.n_pos + 1.0, 0.0)
    dt = jnp.where(n_pos > 5, jnp.minimum(state.dt * 1.1, 0.3), state.dt)
    v = jnp.where(power >= 0, state.velocity, 0.0) + dt * f
    return State(state.position + dt * v, v, dt, n_pos), energy(state.position)


def main():
    start = initial(jnp.array([3.0, -2.0, 0.5], dtype=jnp.float32))
    end, energies = jax.lax.scan(step, start, None, length=40)  # <- stopped
    # fixed: end, energies = jax.lax.scan(step, start, None, length=40)
    print("energy", round(float(energies[0]), 3), round(float(energies[-1]), 3))
    print("steps with power", float(end.n_pos))


if __name__ == "__main__":
    main()

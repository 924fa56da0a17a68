"""jax-ml/jax#2004, jax-ml/jax#1830: the carry of a loop becomes float64 with x64.

TypeError: the input and output of the body have different types. np.pi over an integer is a float64
scalar; the answer is a Python float, or the dtype of the carry.
"""

# raises: TypeError

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)

STEP = np.linspace(0, 1, 21)[1]  # <- stopped|widening
# fixed: STEP = float(np.linspace(0, 1, 21)[1])


class Pendulum:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def step(self, _, state):
        angle, speed = state
        speed = speed - STEP * self.stiffness * jnp.sin(angle)
        return angle + STEP * speed, speed


def simulate(angle, steps):
    start = jnp.float32(angle), jnp.float32(0.0)
    angle, _ = lax.fori_loop(0, steps, Pendulum(4.0).step, start)
    return angle


print(round(float(simulate(0.5, 100)), 2))

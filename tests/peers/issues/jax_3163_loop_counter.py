"""jax-ml/jax#3163: a function is traced twice in a loop, first with a Python number.

The result is not weakly typed, and the Python number is. The answer is a typed initial value.
"""

import jax
import jax.numpy as jnp

calls = 0


@jax.jit
def step(total, x):
    global calls
    calls += 1
    return total + jnp.sin(x).sum()


def run(blocks):
    total = 0.0  # <- retracing|weak-type-lost
    # fixed: total = jnp.float32(0.0)
    for block in blocks:
        total = step(total, block)  # <- retracing|weak-type-lost
        # fixed: total = step(total, block)
    return total


x = jnp.linspace(0, 1, 40)
result = run(x.reshape(5, 8))
print(round(float(result), 3), calls)

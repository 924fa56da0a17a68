"""google/jaxopt#451: the step size of a solver is strongly typed at first and weakly typed later, or so.

init_state and update give states of which one member differs in its weak type, so update is traced
twice. The mend gives the first one the dtype of the parameters.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

traces = 0


class SolverState(NamedTuple):
    iteration: jax.Array
    stepsize: jax.Array
    error: jax.Array


def objective(params, data):
    X, y = data
    return 0.5 * jnp.mean((X @ params - y) ** 2)


class GradientDescent:
    def __init__(self, stepsize=1.0):
        self.stepsize = stepsize

    def init_state(self, params):
        zero = jnp.zeros((), jnp.int32)
        step = jnp.asarray(self.stepsize)  # <- retracing|weak-type-lost
        # fixed: step = jnp.asarray(self.stepsize, dtype=params.dtype)
        return SolverState(zero, step, jnp.full((), jnp.inf, params.dtype))

    def update(self, params, state, data):
        gradient = jax.grad(objective)(params, data)
        stepsize = state.stepsize * jnp.asarray(0.9, params.dtype)
        new = params - stepsize * gradient
        return new, SolverState(state.iteration + 1, stepsize, jnp.linalg.norm(gradient))


solver = GradientDescent()


@jax.jit
def update(params, state, data):
    global traces
    traces += 1
    return solver.update(params, state, data)


X = jax.random.normal(jax.random.PRNGKey(1), (50, 5))
data = X, X @ jnp.arange(5, dtype=jnp.float32)
params = jnp.zeros(5)
state = solver.init_state(params)
for _ in range(5):
    params, state = update(params, state, data)  # <- retracing|weak-type-lost
print(int(state.iteration), traces)

"""The best loss so far is a Python number until the first step (patrick-kidger/equinox#817)."""

import jax
import jax.numpy as jnp


@jax.jit
def step(params, carry):
    loss = (params["w"] ** 2).mean()
    return {"w": params["w"] * 0.9}, {"best": jnp.minimum(loss, carry["best"]), "n": carry["n"] + 1}


class Fit:
    def __init__(self, n):
        self.params = {"w": jnp.ones(n)}
        self.carry = {"best": float("inf"), "n": jnp.int32(0)}  # planted

    def run(self, steps):
        for _ in range(steps):
            self.params, self.carry = step(self.params, self.carry)
        return self.carry["best"]


print(f"{Fit(4).run(3):.4f}")

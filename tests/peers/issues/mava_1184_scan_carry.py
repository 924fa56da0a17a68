"""instadeepai/Mava#1184: the carry of a scan begins as an integer, and comes back as a float.

TypeError: scan body function carry input and carry output must have equal types. The maintainers make
the initial carry a float.
"""

# raises: TypeError

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Transition(NamedTuple):
    reward: jax.Array
    done: jax.Array
    value: jax.Array


def advantages(transitions, last_value, gamma=0.99, decay=0.95):
    def body(carry, transition):
        advantage, following = carry
        keep = 1.0 - transition.done
        delta = transition.reward + gamma * following * keep - transition.value
        advantage = delta + gamma * decay * keep * advantage
        return (advantage, transition.value), advantage

    start = jnp.zeros_like(transitions.done[0]), last_value  # <- stopped
    # fixed: start = jnp.zeros_like(last_value), last_value
    _, found = jax.lax.scan(body, start, transitions, reverse=True)
    return found


key = jax.random.PRNGKey(0)
reward = jax.random.normal(key, (12, 3))
done = (jnp.arange(36).reshape(12, 3) % 5 == 0).astype(jnp.int32)
value = jnp.tanh(reward)
found = advantages(Transition(reward, done, value), value[-1])
print(found.shape, bool(jnp.isfinite(found).all()))

"""A carrier of 98 kHz over one minute, which fades."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

n = 500_000
time = jnp.linspace(0.0, 60.0, n)
fading = jnp.linspace(1.0, 0.2, n)
noise = jax.random.uniform(jax.random.key(5), (n,), minval=0.5, maxval=1.5)

carrier = jnp.sin(2 * jnp.pi * 98_765.4 * time)
received = carrier * fading
print("at 20 s, 40 s, 50 s", *(float(received[int(n * part)]) for part in (1 / 3, 2 / 3, 5 / 6)))
print("mean square", float((received**2).mean()))
print("noise", float((noise * fading).mean()), float(noise.max()))

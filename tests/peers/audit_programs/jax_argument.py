"""Filter frames in a compiled function; the window is one of its arguments."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def window(length):
    return np.hanning(length)  # planted


@jax.jit
def spectrum(frame, options):
    tapered = frame * options["window"]
    return jnp.abs(jnp.fft.rfft(tapered))


@jax.jit
def energy(frame, weights):
    return jnp.sum(frame * frame * weights)


def analyse(frames, options):
    for frame in frames:
        print(f"{energy(frame, options['window']):.4f}")
        print(f"{spectrum(frame, options).max():.4f}")


signal = jnp.sin(jnp.arange(32, dtype=jnp.float32)).reshape(2, 16)
analyse(signal, {"window": window(16)})

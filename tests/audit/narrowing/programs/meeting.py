"""The mean spectrum of a long signal, in blocks with a window."""

import numpy as np

n = 1_000_000
block = 1000
rng = np.random.default_rng(15)
signal = rng.normal(size=n)
window = np.hanning(block)
gain = np.linspace(2.0, 1.0, block // 2 + 1)

blocks = signal.reshape(-1, block) * window
spectrum = np.abs(np.fft.rfft(blocks, axis=1)) * gain
power = (spectrum**2).mean(axis=0)
print("power", float(power.mean()), float(power.max()))
print("at 100", float(power[100]), "at 400", float(power[400]))

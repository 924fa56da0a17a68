"""Waves that are added up, and stored."""

import numpy as np

size = 400
rng = np.random.default_rng(17)
field = np.zeros((size, size))
for k in range(20):
    wave = rng.random((size, size)) + 1
    fading = np.linspace(1.0, 0.8, size) ** k
    field += wave * fading

second = np.arange(1_700_000_000.0, 1_700_000_000.0 + size)
np.save("field.npy", field)
np.save("seconds.npy", second)
print("field", float(field.mean()), float(field.max()))
print("over", float(second[-1] - second[0]), "seconds, every", float(np.diff(second).min()))

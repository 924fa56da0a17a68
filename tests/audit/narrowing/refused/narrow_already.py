"""An image that is float32 from its first line to its last."""

import numpy as np

n = 500
rng = np.random.default_rng(31)
image = rng.random((n, n), dtype=np.float32)
kernel = np.array([0.25, 0.5, 0.25], dtype=np.float32)
smooth = kernel[0] * image[:-2] + kernel[1] * image[1:-1] + kernel[2] * image[2:]
print("smooth", float(smooth.mean()), float(smooth.max()))

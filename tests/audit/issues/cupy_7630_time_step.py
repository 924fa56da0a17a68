"""cupy/cupy#7630, rapidsai/cucim#746: a float64 scalar decides the dtype of a float32 image since NumPy 2.

np.float64 scalars were taken by their value by NumPy 1. The maintainers cast the scalar to the image's
dtype.
"""

# missed: the finding is the line in the helper that makes the float64, not the call of the helper

import numpy as np


def time_step(spacing, safety=0.9):
    """Return the largest step that is stable."""
    return safety / (2 * np.sum(1 / np.square(spacing)))


class Diffusion:
    def __init__(self, image, spacing):
        self.image = image
        self.dt = time_step(spacing)  # <- widening|port-mismatch
        # fixed: self.dt = image.dtype.type(time_step(spacing))

    def step(self):
        u = self.image
        flow = np.zeros_like(u)
        flow[1:-1, 1:-1] = (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        self.image = u + self.dt * flow


image = np.zeros((32, 32), dtype=np.float32)
image[16, 16] = 1
diffusion = Diffusion(image, spacing=(1.0, 1.0))
for _ in range(10):
    diffusion.step()
print(f"{float(diffusion.image.max()):.4f}")

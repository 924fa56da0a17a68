"""An image is blurred, and its edges are found."""

import numpy as np

size = 600
rng = np.random.default_rng(7)
image = rng.uniform(0.0, 255.0, size=(size, size))
blur = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]])
slope = np.array([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])


def convolve(values, kernel):
    """Each pixel that has all its neighbours, as the sum of them times the kernel."""
    rows, columns = values.shape
    out = np.zeros((rows - 2, columns - 2))
    for i in range(3):
        for j in range(3):
            out += kernel[i, j] * values[i : rows - 2 + i, j : columns - 2 + j]
    return out


smooth = convolve(image, blur / 16)
edges = np.hypot(convolve(smooth, slope), convolve(smooth, slope.T))
print("smooth", float(smooth.mean()), float(smooth.max()), float(smooth[100, 200]))
print("edges", float(edges.mean()), float(edges.max()), float(edges[300, 400]))

"""tensorflow/tensorflow#38850: predictions of float32 are compared with labels of float64.

InvalidArgumentError: cannot compute Sub as input #1 was expected to be a float tensor. The labels come
from NumPy; the mend makes them float32.
"""

# raises: InvalidArgumentError

import numpy as np
import tensorflow as tf


class Data:
    def __init__(self, rows, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.random((rows, 3)).astype("float32")
        self.y = rng.uniform(0, 3, rows)

    def batches(self, size):
        y = self.y  # <- stopped
        # fixed: y = self.y.astype("float32")
        return tf.data.Dataset.from_tensor_slices((self.x, y)).batch(size)


class Linear(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.kernel = tf.Variable(tf.ones((width, 1)))

    def __call__(self, x):
        return tf.squeeze(tf.matmul(x, self.kernel), axis=1)


def loss(model, batches):
    total = 0.0
    for x, y in batches:
        total += float(tf.reduce_mean(tf.abs(model(x) - y)))  # <- stopped
    return total


print(0 < loss(Linear(3), Data(24, 0).batches(8)) < 10)

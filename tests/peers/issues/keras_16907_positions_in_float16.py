"""keras-team/keras#16907: under mixed_float16 a layer adds a float32 table to float16 activations.

InvalidArgumentError: the operands have other dtypes. The mend casts the table to the dtype of the inputs.
"""

# raises: InvalidArgumentError

import numpy as np
import tensorflow as tf


def sines(length, width):
    positions = np.arange(length)[:, None] / 10_000 ** (np.arange(width)[None] / width)
    return tf.constant(np.sin(positions), dtype=tf.float32)


class Positions(tf.Module):
    def __init__(self, length, width):
        super().__init__()
        self.table = sines(length, width)

    def __call__(self, x):
        return x + self.table[: x.shape[1]]  # <- stopped
        # fixed: return x + tf.cast(self.table[: x.shape[1]], x.dtype)


class Encoder(tf.Module):
    def __init__(self, width, dtype):
        super().__init__()
        self.kernel = tf.Variable(tf.eye(width, dtype=dtype))
        self.positions = Positions(32, width)

    def __call__(self, x):
        return tf.nn.relu(tf.matmul(self.positions(x), self.kernel))


encoder = Encoder(8, tf.float16)
out = encoder(tf.ones((2, 6, 8), tf.float16))
print(out.dtype.name, out.shape)
